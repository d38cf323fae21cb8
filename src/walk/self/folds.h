/* folds.h - which clusters of leaves provably meet none of the leaves around them.
 *
 * Found when it is first asked for, and remembered by each walk while the body stays as it is: how
 * the triangles of a leaf face, and whether the surface around a cluster may fold, or come near to
 * itself; or whether it may at any time of a step. */
#ifndef WI_WALK_SELF_FOLDS_H
#define WI_WALK_SELF_FOLDS_H

#include <stdalign.h>
#include "base/containers/array.h"
#include "tree/tree.h"

/* A box around the normals of a leaf's triangles, each divided by its greatest coordinate; in a
 * step around the vectors that these are mixed of. Where one is not certain, all of space. The
 * fourth number of `lower` is the least of what they were divided by, each over the longest side of
 * its triangle, if there is a reach, and else 1, or 0 where one is not certain. */
typedef struct wi_facing {
    alignas(16) float lower[4], upper[4];
} wi_facing;

typedef enum wi_fold { WI_FOLD_UNKNOWN, WI_MAY_FOLD, WI_CANNOT_FOLD } wi_fold;

/* What is asked of a body with itself: what touches in the step to `end`, on straight lines in the
 * world, or as it is if that is NULL. Things touch if they are no farther apart than `reach`, whose
 * roundings are the caller's. */
typedef struct wi_self_step {
    const wi_tree *end; /* the body with other positions and boxes */
    float reach;
} wi_self_step;

typedef struct wi_folds {
    uint64_t placement;          /* of the body that this is about */
    uint64_t end_placement;      /* the same at the end of the step, if there is one; else 0 */
    wi_self_step step;           /* what is asked */
    WI_ARRAY(wi_facing) facings; /* by leaf */
    WI_ARRAY(uint8_t) is_facing; /* by node: the facings of its leaves are known */
    WI_ARRAY(uint8_t) folds;     /* by cluster: a wi_fold */
    uint64_t blended;            /* as in wi_openings */
} wi_folds;

/* Forgets what is not about this state of this body, or about this step of it. The end of the step
 * stays until the last question. False if there is no memory. */
bool wi_folds_start(wi_memory *memory, wi_folds *folds, const wi_tree *h, wi_self_step step);
void wi_folds_free(wi_memory *memory, wi_folds *folds);

/* More than the reach times the length of a vector, whose coordinates may be off by 2^-23 of the
 * greatest. */
float wi_reach_along(const float vector[3], float reach);

/* The surface around a cluster with a loop: WI_MAY_FOLD or WI_CANNOT_FOLD. Of one that cannot fold
 * nothing touches in the step that has no vertex in common. */
typedef wi_fold wi_find_fold(wi_folds *folds, const wi_tree *h, uint32_t cluster);

#endif
