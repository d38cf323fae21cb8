/* builder.h - a tree while it is built: what build.c shares with the ways to part triangles.
 *
 * build.c makes nodes and leaves from ranges of triangles; how a range falls into parts is the
 * builder's own business, behind one table of functions. A builder keeps its triangles in an order
 * of its own, in two buffers, and moves a range from one to the other to part it. graft.c builds
 * subtrees with the same functions. */
#ifndef WI_TREE_BUILD_BUILDER_H
#define WI_TREE_BUILD_BUILDER_H

#include "base/check.h"
#include "base/containers/array.h"
#include "base/larger.h"
#include "base/workspace.h"
#include "tree/tree.h"

/* Triangles [first, first + count) of one of the two buffers, to become the child in a lane of a
 * node. */
typedef struct wi_range {
    uint32_t first, count;
    uint32_t parent;
    uint32_t depth;
    uint8_t lane;
    uint8_t buffer;
} wi_range;

/* The slots of a range: every `step`-th number from `first` on. */
typedef struct wi_range_slots {
    const uint32_t *first;
    size_t step;
} wi_range_slots;

#define WI_NO_PLACE UINT32_MAX

typedef struct wi_builder {
    wi_memory *memory;
    willow_kernel kernel;
    wi_mesh *mesh;
    wi_tree *tree;
    const struct wi_build_ops *ops;
    const uint32_t *slots; /* the triangles to build over; NULL: all of the mesh */
    void *work;            /* of the builder: what `begin` made */
    uint32_t *place;       /* by vertex; of a whole tree it becomes the mesh's */
    uint64_t *stamps;      /* by vertex: leaf + 1, and 8 bits for the number of the vertex there */
    uint32_t place_count;  /* the next place to give */
    uint32_t *leaf_vertices;  /* room for every corner */
    WI_ARRAY(wi_range) stack; /* ranges that wait to become nodes */
    wi_node empty;            /* a node without children */
} wi_builder;

typedef struct wi_build_ops {
    willow_build build;

    /* How many nodes and leaves there will be, or at least a good guess. */
    void (*count)(uint32_t tris, const willow_tree_def *def, uint32_t *nodes, uint32_t *leaves);

    /* The workspace that `begin` takes for so many triangles of a mesh. */
    size_t (*work_size)(const wi_mesh *mesh, size_t tris);

    /* Sets b->work and collects the triangles of b->slots, of which there are `tris`, into the
     * first buffer in their order. */
    void (*begin)(wi_builder *b, wi_workspace *workspace, uint32_t tris);

    /* Parts a range of more than leaf_triangles into 2 to arity ranges, none of them empty;
     * returns their number. Lane, parent and depth are the caller's to set. The first range need
     * not be the whole buffer: several subtrees may lie in it side by side. */
    unsigned (*part)(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES]);

    wi_range_slots (*slots)(const wi_builder *b, const wi_range *r);

    /* Gathers the leaf of a range, if its vertices are known. NULL: they never are. */
    bool (*gather)(wi_builder *b, const wi_range *r, wi_leaf *leaf);
} wi_build_ops;

extern const wi_build_ops wi_median_ops, wi_midpoint_ops, wi_mean_ops, wi_connectivity_ops,
    wi_sah_ops;

const wi_build_ops *wi_build_ops_for(willow_build build);

/* wi_tree_build with these functions; `work` is what they find in b->work. */
willow_result wi_tree_build_with(wi_memory *memory, wi_workspace *workspace, willow_kernel kernel,
                                 wi_mesh *mesh, const willow_tree_def *def, const wi_build_ops *ops,
                                 void *work, wi_tree *h);

/* Blocks for as many nodes, leaves and triangles as b->tree is to have room for. False if there is
 * no memory; destroying the tree gives back what there was. */
bool wi_builder_allocate(wi_builder *b);

/* Adds the nodes and leaves of a tree over a range to b->tree; its root is the next node, at the
 * depth of the range, and names itself as the one above. False if there is no memory. */
bool wi_builder_add(wi_builder *b, wi_range r);

/* Lists the places of the borders of leaves [first, last) of a tree, by b->place. */
void wi_builder_list_borders(const wi_builder *b, wi_tree *h, uint32_t first, uint32_t last);

/* How many triangles the largest full subtree has that is smaller than a range: leaves times a
 * whole power of the arity. A node of parts of this size, all full but the last, wastes no lanes
 * below. */
static inline uint32_t wi_full_part(const willow_tree_def *def, uint32_t tris)
{
    WI_ASSERT(def->arity >= 2 && def->leaf_triangles > 0 && tris > def->leaf_triangles);
    uint64_t most = def->leaf_triangles;
    while (most * def->arity < tris) most *= def->arity;
    return (uint32_t)most;
}

/* Splits parts[at] into its first k triangles and the rest, which becomes the next part; the others
 * move up. Returns the new number of parts. */
static inline unsigned wi_range_cut(wi_range *parts, unsigned count, unsigned at, uint32_t k)
{
    WI_ASSERT(at < count && count < WI_LANES && k > 0 && k < parts[at].count);
    for (unsigned i = count; i > at; i--) parts[i] = parts[i - 1];
    parts[at].count = k;
    parts[at + 1].first += k;
    parts[at + 1].count -= k;
    return count + 1;
}

#endif
