/* spin.c - rotations between two quaternions, without sines.
 *
 * Let p be half the angle between the two rotations, so that the quaternions are p apart, and
 * c = cos p >= 0. The quaternion at time t has the squared length 1 - 2 t (1 - t)(1 - c), which is
 * (1 + c) / 2 at least, and is seen from q0 under an angle that grows at the rate
 * sin p / length^2. A body turns twice as fast:
 *   1. speed: 2 sin p / length^2 <= 4 sin p / (1 + c) = 4 sqrt((1 - c) / (1 + c)).
 *   2. The rate changes at 2 sin p * |(length^2)'| / length^4, where |(length^2)'| <= 2 (1 - c):
 *      at most 16 sin p (1 - c) / (1 + c)^2.
 *   3. A point at distance 1 from the axis is accelerated by the square of the speed and by the
 *      change of the rate: 16 [(1 - c) / (1 + c) + sin p (1 - c) / (1 + c)^2] at most.
 * c is computed to within some 2^-50; 2^-40 is taken off it, and no more than that matters. */
#include "geom/spin.h"

#include <math.h>

#include "base/check.h"

static bool is_same_rotation(const wi_pose *a, const wi_pose *b)
{
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            if (a->column[column][row] != b->column[column][row]) return false;
    return true;
}

wi_spin wi_spin_between(const willow_pose *from, const willow_pose *to)
{
    wi_spin spin = {.start = wi_pose_from(from), .end = wi_pose_from(to)};
    wi_quat_unit(&from->rotation, spin.from);
    wi_quat_unit(&to->rotation, spin.to);
    double c = 0.0;
    for (int i = 0; i < 4; i++) c += spin.from[i] * spin.to[i];
    if (c < 0.0) { /* the same rotation, the shorter way round */
        for (int i = 0; i < 4; i++) spin.to[i] = -spin.to[i];
        c = -c;
    }
    WI_ASSERT(c >= 0.0 && c < 1.0 + 0x1p-40);
    if (is_same_rotation(&spin.start, &spin.end)) return spin;
    c = c - 0x1p-40 > 0.0 ? c - 0x1p-40 : 0.0;
    c = c < 1.0 ? c : 1.0;
    const double less = 1.0 - c, more = 1.0 + c;
    spin.speed = 4.0 * sqrt(less / more) * (1.0 + 0x1p-40);
    spin.bend = 16.0 * (less / more + sqrt(less * more) * less / (more * more)) * (1.0 + 0x1p-40);
    return spin;
}

/* |x''| <= radius bend + 2 way speed, and it leaves its chord by an eighth of that (Taylor). */
double wi_spin_bend(const wi_spin *spin, double radius, double way)
{
    WI_ASSERT(radius >= 0.0 && way >= 0.0 && spin->speed >= 0.0 && spin->bend >= 0.0);
    return (radius * spin->bend + 2.0 * way * spin->speed) / 8.0 * (1.0 + 0x1p-40);
}

static void rotate(const double column[3][4], const double x[3], double out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] = (column[0][row] * x[0] + column[1][row] * x[1]) + column[2][row] * x[2];
}

void wi_spin_bulge(const wi_spin *spin, const double x0[3], const double x1[3], double t,
                   double out[3])
{
    double q[4], between[3], start[3], end[3], now[3], column[3][4];
    WI_ASSERT(t >= 0.0 && t <= 1.0);
    for (int i = 0; i < 4; i++) q[i] = (1.0 - t) * spin->from[i] + t * spin->to[i];
    for (int i = 0; i < 3; i++) between[i] = (1.0 - t) * x0[i] + t * x1[i];
    wi_quat_columns(q, column);
    rotate((const double(*)[4])column, between, now);
    rotate(spin->start.column, x0, start);
    rotate(spin->end.column, x1, end);
    for (int i = 0; i < 3; i++) out[i] = now[i] - ((1.0 - t) * start[i] + t * end[i]);
}
