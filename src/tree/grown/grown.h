/* grown.h - the grown kind of shape: a sphere-tree whose branches come while queries open nodes.
 *
 * A node is a cell (geom/cell_grid.h) that the surface touches, and has the list of triangles that
 * touch it. A triangle may touch several children of a cell; the first of them owns it. So below a
 * node each triangle is owned once: walks see boxes around what children own, and find no pair
 * twice. Children that own nothing are kept behind the last lane, where walks do not look.
 *
 * A node that nobody has opened is a bud. Opened, it becomes a branch, whose children are cells; or
 * a bundle, where the last level is reached or the pool is used up: then its own triangles are its
 * leaves, in parts, and parts of parts. Every bud has room set aside for its bundle, so opening it
 * cannot fail. Cells of the last level that own few triangles are leaves themselves.
 *
 * What nodes and leaves are made of comes from a pool that an update has reserved: numbers of free
 * nodes and leaves, and the rest of the block of lists. The lists are the slots of the shape.
 * Leaves of such a shape own no places and list no vertices: these are read from the triangles. */
#ifndef WI_TREE_GROWN_GROWN_H
#define WI_TREE_GROWN_GROWN_H

#include <stdatomic.h>
#include "geom/cell_grid.h"
#include "prim/meet/tris_boxes.h"
#include "tree/tree.h"

typedef enum wi_grown_kind {
    WI_GROWN_FREE,
    WI_GROWN_BUD,
    WI_GROWN_BRANCH,
    WI_GROWN_BUNDLE,
    WI_GROWN_PART, /* of a bundle: a run of its triangles */
    WI_GROWN_LEAF, /* that is a cell */
    WI_GROWN_STICK /* a leaf that is a part */
} wi_grown_kind;

/* By node and by leaf. */
typedef struct wi_grown_cell {
    wi_cell cell;          /* of a part the one that it is of */
    uint32_t first, count; /* in the lists: what touches it, */
    uint32_t owned;        /* and of these the first so many are its own */
    uint8_t kind;
    uint8_t hidden;  /* of a branch: children behind the lanes, which own nothing */
    uint8_t is_leaf; /* of a branch: bit i says that child i, hidden ones included, is a leaf */
} wi_grown_cell;

_Static_assert(sizeof(wi_grown_cell) == 24, "a tree has thousands");

/* The members of willow_occupancy_stats, which are all of one type. */
enum { WI_OCCUPANCY_COUNTS = sizeof(willow_occupancy_stats) / sizeof(uint64_t) };

/* What a pool is made of. */
typedef enum wi_grown_resource {
    WI_GROWN_NODES,
    WI_GROWN_LEAVES,
    WI_GROWN_ENTRIES, /* of lists */
    WI_GROWN_RESOURCES
} wi_grown_resource;

typedef struct wi_grown {
    wi_cell_grid grid;
    unsigned last_level;
    wi_tris_meet_boxes *meet; /* the exact test */
    wi_grown_cell *nodes;     /* with room for boxes.node_room */
    wi_grown_cell *leaves;    /* with room for leaf_room of the shape */
    double *used;             /* by node: the time of the world when it was last asked for */
    uint32_t *free_nodes, *free_leaves; /* numbers, in the same room */
    uint32_t free_node_count, free_leaf_count;
    _Atomic uint32_t next_node, next_leaf;     /* of these lists: taken since the update */
    _Atomic uint32_t list_end;                 /* entries in use, or given up */
    _Atomic int64_t spare[WI_GROWN_RESOURCES]; /* beyond what buds have set aside */
    _Atomic unsigned
        exhausted;      /* of which there was too little, a bit each: a bud became a bundle */
    double time;        /* of the last update */
    uint64_t seen_from; /* nodes with a stamp from here on were asked for since then */
    struct wi_grown_counts {
        _Atomic uint64_t grown, exact_tests; /* branches; see wi_tris_meet_boxes */
        uint64_t forgotten, exhausted;       /* branches; updates that enlarged the pool */
        size_t most_live;                    /* bytes */
        _Atomic uint64_t occupancy[WI_OCCUPANCY_COUNTS]; /* see wi_grown_note_occupancy */
    } counts;
} wi_grown;

static inline wi_grown *wi_grown_of(const wi_tree *h)
{
    WI_ASSERT(wi_shape_is_grown(h->shape));
    return h->shape->grown;
}

/* Nodes beside its own, and leaves, that the bundle of so many triangles takes at most. */
static inline uint32_t wi_bundle_nodes(uint32_t tris, uint32_t per_leaf)
{
    uint32_t nodes = 0;
    for (uint64_t part = (uint64_t)per_leaf * WI_LANES; part < tris; part *= WI_LANES)
        nodes += (uint32_t)((tris + part - 1) / part);
    return nodes;
}

static inline uint32_t wi_bundle_leaves(uint32_t tris, uint32_t per_leaf)
{
    return (tris + per_leaf - 1) / per_leaf;
}

/* The room of a pool: nodes, leaves, entries of lists. */
typedef struct wi_grown_pool {
    uint32_t nodes, leaves, entries;
} wi_grown_pool;

/* A tree that is its root alone, over the triangles of the mesh that collide, in this room at
 * least; blocks are used again if they are large enough. There is a triangle that collides. False
 * if there is no memory: there is then no tree. */
bool wi_grown_begin(wi_memory *memory, wi_tree *h, wi_grown_pool room);

/* Moves what is live to new blocks. False if there is no memory; the tree is as it was. */
bool wi_grown_move(wi_memory *memory, wi_tree *h, wi_grown_pool room);

void wi_grown_free(wi_memory *memory, wi_shape *shape);
size_t wi_grown_bytes(const wi_shape *shape);

/* What is in use: nodes, leaves and entries of lists. */
wi_grown_pool wi_grown_live(const wi_tree *h);
size_t wi_grown_live_bytes(const wi_tree *h);
size_t wi_grown_pool_bytes(const wi_tree *h);

/* Adds what a backend has seen. For queries, too. */
void wi_grown_note_occupancy(wi_grown *g, const willow_occupancy_stats *seen);

/* Beside queries these may be in between. */
void wi_grown_measure(const wi_tree *h, willow_sphere_stats *out);

/* A node is a bud again; what was below it is free. The caller sees to spare room. */
void wi_grown_cut(wi_tree *h, uint32_t node);

/* After cuts: counts what is spare, and what of the lists is live. */
void wi_grown_recount(wi_tree *h);

/* Numbers for a node and a leaf, of which there are some. For queries, too. */
uint32_t wi_grown_take_node(wi_grown *g);
uint32_t wi_grown_take_leaf(wi_grown *g);

/* Whether somebody has opened the node at any time: it is no bud. For use beside queries. */
static inline bool wi_grown_is_opened(const wi_tree *h, uint32_t node)
{
    return atomic_load_explicit(&h->boxes.nodes[node].stamp, memory_order_acquire) != WI_STAMP_NONE;
}

/* The tree has branches, so that time matters to it: updates look after it also while it rests. */
static inline bool wi_grown_ages(const wi_tree *h)
{
    return wi_shape_is_grown(h->shape) && wi_grown_is_opened(h, 0);
}

/* The box of the first `count` triangles of a list in the frame of the tree, as its mesh says. */
wi_box wi_grown_box(const wi_tree *h, uint32_t first, uint32_t count);

/* Moves on from a node, `lane` being 0, to the next one, of those hidden too. False if there is
 * none. */
bool wi_grown_next(const wi_tree *h, wi_twig *twig);

/* NULL, or the words for the invariant that is broken (G1 to G5). */
const char *wi_grown_validate(const wi_tree *h);

#endif
