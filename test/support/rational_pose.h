/* rational_pose.h - poses without rounding, for oracles.
 *
 * The matrix of a quaternion has rational entries, so a posed point is a fraction and nothing here
 * is rounded. Written from the formula of a rotation, not from the library's code. */
#ifndef TEST_RATIONAL_POSE_H
#define TEST_RATIONAL_POSE_H

#include <gmp.h>
#include "willow/types.h"

typedef struct rational_pose {
    mpq_t rotation[3][3]; /* by rows */
    mpq_t translation[3];
} rational_pose;

/* The pose must be finite, with a rotation that is not zero. */
void rational_pose_init(rational_pose *pose, const willow_pose *from);
void rational_pose_clear(rational_pose *pose);

/* out = rotation * in + translation, and back. `out` is not `in`. */
void rational_pose_apply(const rational_pose *pose, mpq_t in[3], mpq_t out[3]);
void rational_pose_undo(const rational_pose *pose, mpq_t in[3], mpq_t out[3]);

void rational_vec_init(mpq_t v[3]);
void rational_vec_clear(mpq_t v[3]);
void rational_vec_set(mpq_t v[3], const float from[3]);

#endif
