/* folds.h - which leaves provably meet none of the leaves around them.
 *
 * Found when it is first asked for, and remembered by each walk while the body stays as it is: how
 * the triangles of a leaf face, and whether the surface around it may fold. */
#ifndef WI_WALK_FOLDS_H
#define WI_WALK_FOLDS_H

#include "base/array.h"
#include "tree/hierarchy.h"

/* A box around the normals of a leaf's triangles, each divided by its greatest coordinate. One with
 * lower > upper is not known yet; where a normal is not certain, all of space. */
typedef struct wi_facing {
    alignas(16) float lower[4], upper[4]; /* x, y, z, and 0 */
} wi_facing;

typedef enum wi_fold { WI_FOLD_UNKNOWN, WI_MAY_FOLD, WI_CANNOT_FOLD } wi_fold;

typedef struct wi_folds {
    uint64_t placement; /* of the body that this is about */
    WI_ARRAY(wi_facing) facings;
    WI_ARRAY(uint8_t) folds;
} wi_folds;

/* Forgets what is not about this state of this body. False if there is no memory. */
bool wi_folds_start(wi_memory *memory, wi_folds *folds, const wi_hierarchy *h);
void wi_folds_free(wi_memory *memory, wi_folds *folds);

/* The surface around a leaf with a rim: WI_MAY_FOLD or WI_CANNOT_FOLD. */
typedef wi_fold wi_find_fold(wi_folds *folds, const wi_hierarchy *h, uint32_t leaf);

#endif
