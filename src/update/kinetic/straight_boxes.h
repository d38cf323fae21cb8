/* straight_boxes.h - the boxes of a tree at two times, between which all of them go straight.
 *
 * Where vertices go straight, too, each stays within the box that lies between the two boxes of a
 * node as the time lies between the two times: the least of some linear functions is concave. So a
 * tree that follows plans needs no events for its boxes to be true: it needs one look at all
 * vertices for each span of time, which is from keyframe to keyframe, or as long as it pays. An end
 * of a box that another vertex takes over within the span is somewhat farther out than need be.
 * update/kinetic/straight_spans.h makes them. */
#ifndef WI_UPDATE_KINETIC_STRAIGHT_BOXES_H
#define WI_UPDATE_KINETIC_STRAIGHT_BOXES_H

#include "base/wide.h"
#include "mesh/motion/plan.h"
#include "update/refit/packed_boxes.h"

enum { WI_ENDS = 6 }; /* of a box: lower x, y, z, then upper x, y, z */

/* The ends of the children of a node at two times, lane by lane. */
typedef struct wi_end_lanes {
    _Alignas(32) float from[WI_ENDS][WI_LANES];
    float to[WI_ENDS][WI_LANES];
} wi_end_lanes;

typedef struct wi_straight_boxes {
    uint32_t node_count;
    wi_padded_box *from, *to; /* by node: of all that is below it, at both ends of the span */

    /* Of trees of arity 8: by node, found when it is opened first in a span or after a change of a
     * path below it; and the span that they are of, or 0. Under the claim of the node
     * (update/claim.h). */
    wi_end_lanes *lanes;
    uint32_t *lanes_span;

    uint32_t span;         /* numbered from 1 on */
    wi_moment first, last; /* its two ends */
    double renew_at;       /* when the next one is to begin, at the latest at its end */
    double share;          /* of the span: now */
    wi_moment anchor;      /* when paths last changed in it, or `first` */
    double anchor_share;   /* of the span: then */
    bool is_on_keys;       /* all vertices follow keyframes, and its ends are two of them */
    bool was_on_keys;      /* they did when it began */

    /* Where there are no keyframes: */
    uint32_t updates; /* that the next span shall serve */
    uint32_t served;  /* that this one has */
    double loosest;   /* that boxes were found to be in it: see update/kinetic/straight_spans.c */
} wi_straight_boxes;

/* Room for the tree of `h`. Takes the boxes of `packed` over, if there are some. False if there is
 * no memory; there is none then. */
bool wi_straight_boxes_make(wi_memory *memory, const wi_tree *h, wi_packed_boxes *packed,
                            wi_straight_boxes *straight);
void wi_straight_boxes_free(wi_memory *memory, wi_straight_boxes *straight);
size_t wi_straight_boxes_bytes(const wi_straight_boxes *straight);

/* NULL, or the words for what is broken; of boxes that are true for some time. */
const char *wi_straight_boxes_validate(const wi_straight_boxes *straight, const wi_tree *h);

#endif
