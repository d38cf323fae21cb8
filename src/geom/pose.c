/* pose.c - poses as users give them, made ready for use. */
#include "geom/pose.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

willow_pose willow_pose_identity(void) { return (willow_pose){.rotation = {.w = 1.0F}}; }

/* In double no square of a float underflows or overflows. */
static double squared_length(const double q[4])
{
    return (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
}

static void widen_quat(const willow_quat *q, double out[4])
{
    out[0] = (double)q->x;
    out[1] = (double)q->y;
    out[2] = (double)q->z;
    out[3] = (double)q->w;
}

bool wi_pose_is_valid(const willow_pose *pose)
{
    const willow_vec3 *t = &pose->translation;
    double q[4];
    widen_quat(&pose->rotation, q);
    double length = squared_length(q);
    float sum = (t->x - t->x) + (t->y - t->y) + (t->z - t->z);
    return sum == 0.0F && length > 0.0 && length - length == 0.0;
}

/* Dividing by the squared length makes a rotation of a quaternion of any length, without a root. */
void wi_quat_columns(const double q[4], double column[3][4])
{
    WI_ASSERT(squared_length(q) > 0.0);
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2.0 / squared_length(q);
    const double matrix[3][4] = {
        {1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y), 0.0},
        {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x), 0.0},
        {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y), 0.0}};
    memcpy(column, matrix, sizeof matrix);
}

wi_pose wi_pose_from(const willow_pose *pose)
{
    WI_ASSERT(wi_pose_is_valid(pose));
    wi_pose ready = {.translation = {(double)pose->translation.x, (double)pose->translation.y,
                                     (double)pose->translation.z, 0.0}};
    double q[4];
    widen_quat(&pose->rotation, q);
    wi_quat_columns(q, ready.column);
    return ready;
}

void wi_quat_unit(const willow_quat *q, double out[4])
{
    widen_quat(q, out);
    const double length = sqrt(squared_length(out));
    WI_ASSERT(length > 0.0);
    for (int i = 0; i < 4; i++) out[i] /= length;
}

bool wi_pose_is_identity(const wi_pose *pose)
{
    for (int row = 0; row < 3; row++) {
        if (pose->translation[row] != 0.0) return false;
        for (int i = 0; i < 3; i++)
            if (pose->column[i][row] != (i == row ? 1.0 : 0.0)) return false;
    }
    return true;
}

void willow_pose_apply(const willow_pose *pose, const void *positions, size_t stride, size_t count,
                       willow_vec3 *out)
{
    const wi_pose ready = wi_pose_from(pose);
    const bool moves = !wi_pose_is_identity(&ready); /* else sums would turn -0 into 0 */
    const char *at = positions;
    const size_t step = stride != 0 ? stride : 3 * sizeof(float);
    for (size_t i = 0; i < count; i++, at += step) {
        float p[4];
        memcpy(p, at, 3 * sizeof *p);
        if (moves) wi_pose_apply(&ready, p, p);
        out[i] = (willow_vec3){p[0], p[1], p[2]};
    }
}
