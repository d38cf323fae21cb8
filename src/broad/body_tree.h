/* body_tree.h - a tree over the boxes of bodies, eight wide (linear BVH).
 *
 * Ways in: wi_body_tree_build, and wi_body_tree_refit while the same bodies move. Made for tens to
 * hundreds of thousands of bodies of any sizes: a floor among thousands of small ones becomes a
 * leaf near the root. Queries read it and nothing else: a walk begins at node 0, with a stack of
 * WI_BODY_TREE_STACK numbers, and comes to bodies by their numbers in the list that the tree was
 * built over. */
#ifndef WI_BROAD_BODY_TREE_H
#define WI_BROAD_BODY_TREE_H

#include <stdalign.h>
#include <stdint.h>
#include "base/containers/array.h"
#include "base/wide.h"
#include "base/workspace.h"
#include "geom/box.h"

/* Children's boxes side by side, a register per slab, as in tree/node.h. Empty lanes, which are the
 * last ones, hold +inf, -inf: they meet nothing. Boxes of bodies whose coordinates overflow are
 * infinite. */
typedef struct wi_body_node {
    alignas(64) float lower[3][WI_LANES];
    float upper[3][WI_LANES];
    uint32_t child[WI_LANES]; /* node number, or number of a body where leaf_mask says so */
    uint32_t end;             /* the nodes below are those after this one and before `end` */
    uint8_t count;            /* children, in the first lanes */
    uint8_t leaf_mask;        /* bit i: child i is a body */
} wi_body_node;

_Static_assert(sizeof(wi_body_node) == 256, "a node is four cache lines");

/* No way from the root to a body has more nodes. So a walk that takes the last number off its stack
 * and puts the children in its place has never more than WI_BODY_TREE_STACK on it. */
enum { WI_BODY_TREE_DEPTH = 64, WI_BODY_TREE_STACK = (WI_LANES - 1) * WI_BODY_TREE_DEPTH + 1 };

typedef struct wi_body_tree {
    wi_body_node *nodes; /* the root is node 0; a node's children follow it */
    uint32_t node_count; /* 0: no body has a box */
    uint32_t capacity;   /* of `nodes` */
    uint32_t body_count; /* in the tree: those with a box */
    wi_box box;          /* of all; empty if there are none */
    double spread;       /* children that a box in a node meets, on average: more is worse */
} wi_body_tree;

/* Boxes of bodies, each `stride` bytes after the one before. */
typedef struct wi_box_list {
    const wi_box *first;
    size_t stride;
    uint32_t count;
} wi_box_list;

static inline const wi_box *wi_box_list_at(const wi_box_list *list, uint32_t number)
{
    WI_ASSERT(number < list->count);
    return (const wi_box *)(const void *)((const char *)list->first + number * list->stride);
}

/* The most nodes that a tree over so many bodies can have: a node with eight bodies or more below
 * has eight children, and one with fewer has two or more. */
static inline uint32_t wi_body_tree_most_nodes(uint32_t body_count)
{
    return (uint32_t)((uint64_t)body_count * 4 / 7 + 1);
}

/* What wi_body_tree_build takes from a workspace. */
size_t wi_body_tree_build_size(uint32_t body_count);

/* Room for a tree over so many bodies; false if there is no memory, and the tree is as it was. */
bool wi_body_tree_reserve(wi_memory *memory, wi_body_tree *tree, uint32_t body_count);
void wi_body_tree_free(wi_memory *memory, wi_body_tree *tree);

/* Gives back what a build did not need of the room, if that is much and there is memory to copy. */
void wi_body_tree_trim(wi_memory *memory, wi_body_tree *tree);

/* Builds a tree over the boxes that are not empty; the same bits from the same boxes. There is room
 * for it, and the workspace has wi_body_tree_build_size free. */
void wi_body_tree_build(wi_body_tree *tree, const wi_box_list *boxes, wi_workspace *workspace);

/* Gives the nodes of a tree the boxes that its bodies have now. The same bodies have boxes as when
 * it was built. */
void wi_body_tree_refit(wi_body_tree *tree, const wi_box_list *boxes);

typedef WI_ARRAY(uint32_t) wi_body_numbers;

/* Upwards. */
void wi_body_numbers_sort(wi_body_numbers *numbers);

/* The same, and each once. */
void wi_body_numbers_sort_once(wi_body_numbers *numbers);

/* Fills *out, which is empty, with the bodies whose boxes meet a box, in order. False if there is
 * no memory. */
bool wi_body_tree_find(wi_memory *memory, const wi_body_tree *tree, const wi_box *box,
                       wi_body_numbers *out);

/* NULL, or the words for the invariant that is broken (B1 to B4). */
const char *wi_body_tree_validate(const wi_body_tree *tree, const wi_box_list *boxes);

static inline wi_box wi_body_node_box(const wi_body_node *node, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES);
    return (wi_box){{node->lower[0][lane], node->lower[1][lane], node->lower[2][lane]},
                    {node->upper[0][lane], node->upper[1][lane], node->upper[2][lane]}};
}

#endif
