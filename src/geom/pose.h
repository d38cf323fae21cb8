/* pose.h - rigid motions, and the one function that defines where a posed vertex is (C1). */
#ifndef WI_GEOM_POSE_H
#define WI_GEOM_POSE_H

#include <float.h>
#include <stdbool.h>
#include "base/check.h"
#include "willow/types.h"

/* A pose as a matrix, by columns, so that a vertex is three multiplications of whole columns. The
 * fourth row is zero and keeps the float of no meaning that stored vertices have finite. */
typedef struct wi_pose {
    double column[3][4];
    double translation[4];
} wi_pose;

/* True if all numbers are finite and the rotation has a length. */
bool wi_pose_is_valid(const willow_pose *pose);

/* `pose` is valid. */
wi_pose wi_pose_from(const willow_pose *pose);

/* The same for the rotation alone: the columns of its matrix, of a quaternion x, y, z, w of any
 * length but 0. */
void wi_quat_columns(const double q[4], double column[3][4]);

/* A quaternion of length 1, but for roundings. */
void wi_quat_unit(const willow_quat *q, double out[4]);

/* True if no vertex moves, so that there is no need to compute where it is. */
bool wi_pose_is_identity(const wi_pose *pose);

/* Rotates a vector back, in double. */
static inline void wi_pose_turn_back(const wi_pose *pose, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] =
            (pose->column[i][0] * v[0] + pose->column[i][1] * v[1]) + pose->column[i][2] * v[2];
}

/* Products and sums in this order, none fused, then one rounding. */
static inline void wi_pose_apply64(const wi_pose *pose, const double p[3], float out[4])
{
    WI_ASSERT(pose->column[0][3] == 0.0 && pose->translation[3] == 0.0);
    const double x = p[0], y = p[1], z = p[2];
    double at[4];
    for (int row = 0; row < 4; row++) {
        at[row] =
            ((pose->column[0][row] * x + pose->column[1][row] * y) + pose->column[2][row] * z) +
            pose->translation[row];
        at[row] = at[row] < (double)FLT_MAX ? at[row] : (double)FLT_MAX;
        at[row] = at[row] > (double)-FLT_MAX ? at[row] : (double)-FLT_MAX;
    }
    for (int row = 0; row < 4; row++) out[row] = (float)at[row];
}

/* The same for a stored vertex. `out` may be `p`. */
static inline void wi_pose_apply(const wi_pose *pose, const float p[3], float out[4])
{
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    wi_pose_apply64(pose, at, out);
}

#endif
