/* tree.h - a compressed quadtree or octree over the corners of boxes, with a list of
 * boxes in every leaf.
 *
 * Ways in: wi_ctree_build, from all boxes at once, and wi_ctree_take_out, wi_ctree_put_in for
 * single ones; both lead to the same tree, cell for cell, since a set of corners has one. After de
 * Berg, Roeloffzen and Speckmann 2012, who build it over the plane.
 *
 * Cells are canonical: cubes (squares in the plane) with whole coordinates that are multiples of
 * their edge, a power of two. The unit is the smallest cell there may be. A cell with one corner or
 * none is a leaf, and so is a unit cell with any number. Another cell is split into halves along
 * each axis if that parts its corners; if not, it is compressed: its children are the hole, the
 * smallest canonical cell with all of its corners, and the donut, the leaf around it.
 *
 * Corners have no names: a leaf knows how many it has, and where the only one is. */
#ifndef WI_BROAD_COMPRESSED_TREE_H
#define WI_BROAD_COMPRESSED_TREE_H

#include "base/containers/array.h"
#include "broad/broad.h"

/* Whole coordinates, in units. In the plane the last one is 0. */
typedef struct wi_cell_at {
    uint32_t x[3];
} wi_cell_at;

/* A box in units, both ends included. */
typedef struct wi_cell_range {
    wi_cell_at low, high;
} wi_cell_range;

typedef enum wi_ctree_kind {
    WI_CTREE_FREE, /* a node that there is not */
    WI_CTREE_LEAF,
    WI_CTREE_DONUT,     /* a leaf: what the parent has around its hole */
    WI_CTREE_SPLIT,     /* its children: the halves, by bits of axes */
    WI_CTREE_COMPRESSED /* its children: the hole, then the donut */
} wi_ctree_kind;

typedef struct wi_ctree_node {
    wi_cell_at at;    /* the cell's lowest unit; a donut has that of its parent */
    wi_cell_at point; /* LEAF: the corner, if it has one */
    uint32_t parent;  /* UINT32_MAX for the root */
    uint32_t child;   /* the first of those that follow each other; FREE: the next free one */
    uint32_t entry;   /* LEAF, DONUT: the first of its list, or UINT32_MAX */
    uint32_t points;  /* LEAF: how many corners */
    uint8_t bits;     /* the edge is 2^bits units */
    uint8_t kind;
} wi_ctree_node;

/* A box in the list of a leaf. */
typedef struct wi_ctree_entry {
    uint32_t box, next;
} wi_ctree_entry;

typedef struct wi_ctree {
    uint32_t axes; /* 2 or 3 */
    WI_ARRAY(wi_ctree_node) nodes;
    WI_ARRAY(wi_ctree_entry) entries;
    uint32_t free_split, free_pair, free_entry; /* lists of what can be used again */
    size_t node_count, entry_count;             /* in use */
    WI_ARRAY(wi_cell_range) ranges;             /* by box; those that are in the tree */
    WI_ARRAY(uint32_t) marks;                   /* by box: the last union that it was in */
    uint32_t mark;
    WI_ARRAY(uint32_t) stack;
    WI_ARRAY(uint64_t) codes; /* for building: interleaved corners, and room to sort them */
} wi_ctree;

enum { WI_CTREE_BITS_PLANE = 31, WI_CTREE_BITS_SPACE = 21 };

/* The root's edge is 2^ of this. */
static inline uint32_t wi_ctree_bits(const wi_ctree *tree)
{
    return tree->axes == 2 ? WI_CTREE_BITS_PLANE : WI_CTREE_BITS_SPACE;
}

void wi_ctree_init(wi_ctree *tree, uint32_t axes);
void wi_ctree_free(wi_memory *memory, wi_ctree *tree);

/* Room for boxes up to this number; all functions below need it. False if there is no memory. */
bool wi_ctree_reserve(wi_memory *memory, wi_ctree *tree, uint32_t box_count);

/* Makes a tree over the boxes that live; is_alive by number. What was in it is gone. False if there
 * is no memory: the tree is then of no use before the next build. */
bool wi_ctree_build(wi_memory *memory, wi_ctree *tree, const wi_cell_range *ranges,
                    const bool *is_alive, uint32_t box_count);

/* Takes a box out of all lists of leaves, or puts it in. Corners are another matter. */
bool wi_ctree_take_out(wi_memory *memory, wi_ctree *tree, uint32_t box);
bool wi_ctree_put_in(wi_memory *memory, wi_ctree *tree, uint32_t box, const wi_cell_range *range);

/* Adds and removes a corner, or moves one, which costs a look where it stays in its leaf. False if
 * there is no memory, and the tree is then of no use before the next build. */
bool wi_ctree_add_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *point);
bool wi_ctree_remove_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *point);
bool wi_ctree_move_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *from,
                         const wi_cell_at *to);

/* ---- for another way to change a tree (broad/compressed/literal.h) ---- */

/* A root without corners; what was in the tree is gone. All of these are false if there is no
 * memory, and the tree is then of no use before the next build or start. */
bool wi_ctree_start(wi_memory *memory, wi_ctree *tree);

/* Gives a leaf without corners and boxes halves, or a hole and a donut. */
bool wi_ctree_split(wi_memory *memory, wi_ctree *tree, uint32_t number);
bool wi_ctree_compress(wi_memory *memory, wi_ctree *tree, uint32_t number, wi_cell_at at,
                       uint8_t bits);

/* Puts a box in the list of a leaf. */
bool wi_ctree_list(wi_memory *memory, wi_ctree *tree, uint32_t leaf, uint32_t box);

/* Marks that are set are of another union from now on. */
void wi_ctree_new_mark(wi_ctree *tree);

/* As wi_ctree_add_point, of a corner in the cell of a node. */
bool wi_ctree_add_point_below(wi_memory *memory, wi_ctree *tree, uint32_t number,
                              const wi_cell_at *point);

/* Takes all nodes away that have no reason to be there. */
bool wi_ctree_prune_all(wi_memory *memory, wi_ctree *tree);

/* Corner `number` of a range, by bits of axes. */
static inline wi_cell_at wi_cell_corner(const wi_cell_range *range, uint32_t number)
{
    wi_cell_at at;
    for (uint32_t axis = 0; axis < 3; axis++)
        at.x[axis] = (number >> axis & 1) != 0 ? range->high.x[axis] : range->low.x[axis];
    return at;
}

/* Whether a leaf or donut has a unit. */
bool wi_ctree_leaf_has(const wi_ctree *tree, uint32_t leaf, const wi_cell_at *at);

/* The leaves that a range meets: `visit` is called with each, and says whether to go on. */
typedef bool wi_ctree_visit(void *context, uint32_t leaf);
bool wi_ctree_visit_leaves(wi_memory *memory, const wi_ctree *tree, const wi_cell_range *range,
                           wi_ctree_visit *visit, void *context);

/* NULL, or the words for the invariant that is broken (B10 to B13). */
const char *wi_ctree_validate(const wi_ctree *tree, const bool *is_alive, uint32_t box_count);

#endif
