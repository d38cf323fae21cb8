/* node.h - what a traversal sees of a node: the boxes of its children, now. */
#ifndef WI_TREE_NODE_H
#define WI_TREE_NODE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include "base/check.h"
#include "base/wide.h"
#include "geom/box.h"

/* Children's boxes side by side, a register per slab. Empty lanes hold +inf, -inf: they meet
 * nothing. 256 bytes, four cache lines. */
typedef struct wi_node {
    alignas(64) float lower[3][WI_LANES];
    float upper[3][WI_LANES];
    uint32_t child[WI_LANES]; /* node number, or leaf number where leaf_mask says so */
    _Atomic uint64_t stamp;   /* the revision that the boxes were computed for, or one of below */
    uint32_t parent;          /* the node above; the root names itself */
    uint8_t parent_lane;      /* our lane there */
    uint8_t count;            /* children, in the first lanes */
    uint8_t leaf_mask;        /* bit i: child i is a leaf */
    float spread; /* of the fresh tree, 0 before it is known: see update/auto/tree_quality.h */
} wi_node;

/* In the place of a revision: boxes that were never computed, and boxes that a thread is about to
 * compute. Both are older than any revision. */
enum { WI_STAMP_NONE = 0, WI_STAMP_CLAIMED = 1, WI_FIRST_REVISION = 2 };

_Static_assert(sizeof(wi_node) == 256, "a node is four cache lines");

_Static_assert(WI_LANES <= 8, "leaf_mask has a bit for each lane");

/* A number of a node, or of a leaf with this bit. */
#define WI_IS_LEAF UINT32_C(0x80000000)

/* The lanes that hold nodes, a bit each. */
static inline unsigned wi_node_inner_lanes(const wi_node *view)
{
    WI_ASSERT(view->count <= WI_LANES);
    return ~(unsigned)view->leaf_mask & ((1U << view->count) - 1U);
}

static inline wi_box wi_node_box(const wi_node *view, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES);
    return (wi_box){{view->lower[0][lane], view->lower[1][lane], view->lower[2][lane]},
                    {view->upper[0][lane], view->upper[1][lane], view->upper[2][lane]}};
}

static inline void wi_node_set_box(wi_node *view, unsigned lane, const wi_box *box)
{
    WI_ASSERT(lane < WI_LANES);
    for (int axis = 0; axis < 3; axis++) {
        view->lower[axis][lane] = box->lower[axis];
        view->upper[axis][lane] = box->upper[axis];
    }
}

#endif
