/* step.h - two bodies that move, as a walk over their trial steps sees them.
 *
 * A body has the same tree at the start and at the end of its step, with other boxes. While all of
 * its vertices move on straight lines, what is below a node is at any time t in the box that lies
 * between its two boxes as t lies between 0 and 1: the least of some linear functions is concave.
 * So two nodes are apart over the step if their moving boxes never meet, which is much less than
 * their swept boxes not meeting where bodies move together. Vertices on bent paths stay within
 * `bend` of the straight ones. Bodies that stand still are their own ends: near questions are asked
 * with these.
 *
 * All boxes of such walks are in the world's frame. Flight plans come in here with an end and a
 * bend, which their corners are part of; only what decides single features knows where these are
 * (walk/step/feature_toi.h). */
#ifndef WI_WALK_STEP_STEP_H
#define WI_WALK_STEP_STEP_H

#include "geom/spin.h"
#include "mesh/motion/flight.h"
#include "tree/tree.h"
#include "walk/self/folds.h"

/* How one body moves. */
typedef struct wi_motion {
    const wi_tree *end;      /* the body at the end; itself if it stands still */
    const wi_spin *spin;     /* how it turns; NULL if it does not */
    const wi_flight *flight; /* its way along its plan; NULL if it does not follow one */
    double bend;             /* how far its vertices leave the straight lines between their ends */
    bool is_rigid;           /* only its pose changes: to itself it stands still */
} wi_motion;

/* One of the two bodies. */
typedef struct wi_side {
    const wi_tree *start;
    wi_motion motion;
    wi_turn turn_start, turn_end; /* to the world, if is_turned */
    bool is_turned;
} wi_side;

typedef struct wi_step {
    wi_side a, b;
    double reach;   /* how close counts as touching */
    double bend;    /* of both, and what paths are off by where they are computed */
    float widen;    /* reach and bend, and what contacts may be off by where they are decided */
    double until;   /* what comes later is of no interest */
    float horizon;  /* the same as a float that is not less */
    bool is_moving; /* else both are where they are at the start */
    bool is_bent;
} wi_step;

/* `reach` is how close counts as touching. */
wi_step wi_step_between(const wi_tree *a, const wi_motion *motion_a, const wi_tree *b,
                        const wi_motion *motion_b, double reach);

/* What is asked of a body with itself; of two bodies it has no meaning. */
static inline wi_self_step wi_step_within(const wi_step *step)
{
    return (wi_self_step){step->is_moving ? step->a.motion.end : NULL, step->widen};
}

/* Where a body may be in the course of its step, in the world; `more` is added on all sides. */
wi_box wi_motion_bounds(const wi_tree *h, const wi_motion *motion, double more);

/* Sets what is of interest: up to this time. */
void wi_step_limit(wi_step *step, double until);

#endif
