/* outward.h - from double to float32, never inward: bounds may be too large, never too small (C4).
 */
#ifndef WI_GEOM_OUTWARD_H
#define WI_GEOM_OUTWARD_H

#include <float.h>
#include <stdint.h>
#include <string.h>
#include "base/check.h"

/* The greatest float that is not above x. Beyond the range of floats it is the border, where
 * coordinates stop, too; what is no number has no bound, so it gets the outermost one. */
static inline float wi_float_below(double x)
{
    if (!(x > (double)-FLT_MAX)) return -FLT_MAX;
    if (x >= (double)FLT_MAX) return FLT_MAX;
    float f = (float)x;
    if ((double)f <= x) return f;
    if (f == 0.0F) return -0x1p-149F;
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits += f > 0.0F ? -1 : 1;
    memcpy(&f, &bits, sizeof bits);
    WI_ASSERT((double)f < x);
    return f;
}

static inline float wi_float_above(double x) { return -wi_float_below(-x); }

#endif
