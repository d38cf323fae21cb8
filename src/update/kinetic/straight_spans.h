/* straight_spans.h - keeps a tree true without events: its boxes go straight for a span of time. */
#ifndef WI_UPDATE_KINETIC_STRAIGHT_SPANS_H
#define WI_UPDATE_KINETIC_STRAIGHT_SPANS_H

#include "update/kinetic/kinetic.h"
#include "update/method.h"

/* Makes the boxes of all nodes true for the moment of the mesh: by the span that they are in, or by
 * a new one. There is a tree. */
willow_result wi_straight_boxes_advance(wi_update *u);

/* Whether that would be from nothing. */
bool wi_straight_boxes_begin_anew(const wi_tree *h, const wi_kinetic *k);

/* Bounds all nodes, children first, by where vertices are: at 3 floats for each place, or at 4.
 * Behind the last there is one to spare. */
typedef void wi_straight_boxes_sweep(const wi_tree *h, const float *at, size_t stride,
                                     wi_padded_box *boxes);

/* Some of the lowest boxes that have chords, as these have them and as they are: their edges, added
 * up. Such boxes are most of a tree. */
typedef struct wi_straight_boxes_sample {
    double chords, tight;
    size_t boxes, vertices; /* that it took */
} wi_straight_boxes_sample;

/* Looks at so many nodes, at the share of the span that is now. There are lists of
 * tree/moved_vertices.h. */
typedef wi_straight_boxes_sample wi_straight_boxes_look(const wi_tree *h, uint32_t count);

/* Within a span, after paths below a node have changed: makes its chord true, and as tight as it
 * can be from the anchor on. Its children come first; these have changed, a bit each. False if it
 * was true and tight enough, and stays as it is. */
typedef bool wi_straight_boxes_anchor(const wi_tree *h, uint32_t node, unsigned changed);

/* By so much of its own size a leaf may be beyond the chord of its node. */
#define WI_STRAIGHT_EASE 0x1p-22

/* That needs some of the span to be left: a span without keyframes serves up to this share of it.
 * In what is left after it, chords are put around those of the children at both ends instead. */
#define WI_STRAIGHT_SERVES 0.75
static inline bool wi_straight_boxes_can_anchor(double share)
{
    return share <= WI_STRAIGHT_SERVES;
}

/* The chord of one child of a node, right from the anchor on, to a lane of `out`. For updates only,
 * which no query is beside. */
typedef void wi_straight_boxes_child(const wi_tree *h, uint32_t node, unsigned lane,
                                     wi_end_lanes *out, unsigned out_lane);

/* The time that the boxes go straight for; the same twice where they stand, at that time or until
 * they are renewed. Which share of it is over at a time. */
void wi_straight_boxes_range(const wi_tree *h, double *since, double *until);
double wi_straight_boxes_share(const wi_tree *h, double time);

/* By how much boxes are wider than their chords, at most, at any time of that. */
double wi_straight_boxes_width(const wi_tree *h);

/* How nodes are opened. */
wi_refresh *wi_straight_boxes_refresh_for(willow_kernel kernel);

#endif
