/* spin.h - how a body turns from one pose to another, and how far that is from straight lines.
 *
 * The rotation at time t is that of the quaternion (1 - t) q0 + t q1, whatever its length, with q0
 * and q1 of length 1 and less than half a turn apart; the translation is (1 - t) t0 + t t1. */
#ifndef WI_GEOM_SPIN_H
#define WI_GEOM_SPIN_H

#include "geom/pose.h"

typedef struct wi_spin {
    double from[4], to[4]; /* x, y, z, w */
    wi_pose start, end;    /* the rotations at both ends, for use */

    /* Of a point at distance 1 from the axis: no speed on the way is above `speed`, no acceleration
     * above `bend`. Both are 0 if there is no rotation. */
    double speed, bend;
} wi_spin;

/* Both poses are valid. */
wi_spin wi_spin_between(const willow_pose *from, const willow_pose *to);

/* How far a point leaves the straight line between its ends at most, if it is no farther than
 * `radius` from the origin of the body and itself moves by `way` in its frame. */
double wi_spin_bend(const wi_spin *spin, double radius, double way);

/* How far a point is from the straight line between its ends: R(t) x(t) less what is between
 * R(0) x(0) and R(1) x(1). The point itself moves from x0 to x1 in the frame of the body. */
void wi_spin_bulge(const wi_spin *spin, const double x0[3], const double x1[3], double t,
                   double out[3]);

#endif
