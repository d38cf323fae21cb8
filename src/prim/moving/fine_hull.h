/* fine_hull.h - two of the certificates of swept_hull.h with twice as many digits.
 *
 * For what comes so near that double cannot tell, on straight paths and with a reach of 0. */
#ifndef WI_PRIM_MOVING_FINE_HULL_H
#define WI_PRIM_MOVING_FINE_HULL_H

#include "prim/moving/swept_hull.h"

/* What wi_swept_hull.unit is here: no operation is off by more of the sizes of its operands. */
#define WI_FINE_UNIT 0x1p-100

/* Four points on straight lines, whose lengths are to be scaled, and a span of their time. */
typedef struct wi_fine_motion {
    const double (*start)[3], (*end)[3];
    double scale;
    double s, e;
} wi_fine_motion;

/* The share of the span up to which the volume, or how the hull is seen along its normal, certainly
 * keeps it off the origin. `h` is the hull over this span as double has it, with the errors that
 * WI_FINE_UNIT gives. */
double wi_fine_clear(const wi_fine_motion *motion, const wi_swept_hull *h);

#endif
