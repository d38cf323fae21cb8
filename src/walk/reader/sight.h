/* sight.h - nodes opened, and boxes aimed at them, in one frame or in two. For kernels.
 *
 * Every traversal opens a node and asks of its eight children which are of interest to something: a
 * box or a child of another tree, a point, a ray. Where the two sides are in different frames
 * (posed bodies) each is seen in both: the children also as the other side sees them (wi_sight),
 * and the box also as the children's side sees it (wi_target). Comparing along the axes of both
 * frames is the cheap part of the separating axis test (van den Bergen 1997). */
#ifndef WI_WALK_READER_SIGHT_H
#define WI_WALK_READER_SIGHT_H

#include "base/check.h"
#include "walk/reader/frames.h"
#include "walk/reader/reader.h"
#include "walk/reader/turn8.h"

/* In loops that exist once for each kind of frames, which is a constant there. */
#define WI_IN_ALL_LOOPS static inline __attribute__((always_inline))

/* The number of a child: leaves with WI_IS_LEAF. */
static inline uint32_t wi_child_of(const wi_node *view, unsigned lane)
{
    WI_ASSERT(lane < view->count);
    return view->child[lane] | (uint32_t)(view->leaf_mask >> lane) << 31; /* WI_IS_LEAF */
}

static inline const wi_node *wi_open_counted(wi_reader *reader, const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    reader->stats.nodes_opened++;
    return wi_open(h, node, &reader->openings);
}

/* The children of a node, and in two frames also as the other side sees them. */
typedef struct wi_sight {
    const wi_node *view;
    wi_box8 turned; /* lanes past the last child have no meaning */
} wi_sight;

/* Opens a node. `turn` takes its boxes to the other frame, if there are two. */
WI_IN_ALL_LOOPS void wi_see(wi_reader *reader, wi_sight *s, const wi_tree *h, uint32_t node,
                            const wi_turn *turn, wi_frames in)
{
    s->view = wi_open_counted(reader, h, node);
    if (in == WI_TWO_FRAMES) wi_turn8(turn, s->view->lower, s->view->upper, &s->turned);
}

/* A box, and in two frames also as the other side sees it. */
typedef struct wi_target {
    wi_box own, turned;
} wi_target;

WI_IN_ALL_LOOPS wi_target wi_aim_at(const wi_box *box, const wi_turn *turn, wi_frames in)
{
    wi_target t;
    t.own = *box;
    if (in == WI_TWO_FRAMES) t.turned = wi_turn_box(turn, box);
    return t;
}

WI_IN_ALL_LOOPS wi_target wi_aim_at_child(const wi_sight *s, unsigned lane, wi_frames in)
{
    wi_target t;
    t.own = wi_node_box(s->view, lane);
    for (int axis = 0; axis < 3 && in == WI_TWO_FRAMES; axis++) {
        t.turned.lower[axis] = s->turned.lower[axis][lane];
        t.turned.upper[axis] = s->turned.upper[axis][lane];
    }
    return t;
}

/* Which children may meet a target of the other side. */
WI_IN_ALL_LOOPS unsigned wi_children_met(const wi_sight *s, const wi_target *t, wi_frames in)
{
    const wi_node *view = s->view;
    if (in == WI_ONE_FRAME) return wi_boxes_met(view->lower, view->upper, &t->own);
    return wi_boxes_met(view->lower, view->upper, &t->turned) &
           wi_boxes_met(s->turned.lower, s->turned.upper, &t->own) & wi_lanes_mask(view->count);
}

#endif
