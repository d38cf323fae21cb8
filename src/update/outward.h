/* outward.h - numbers that become floats: never beyond what they bound. */
#ifndef WI_UPDATE_OUTWARD_H
#define WI_UPDATE_OUTWARD_H

#include <string.h>

#include "mesh/motion/plan.h"

/* The next float towards minus infinity; that of 0 is the least negative one. */
static inline float wi_float_before(float f)
{
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (f == 0.0F) return -0x1p-149F;
    bits += f > 0.0F ? -1 : 1;
    memcpy(&f, &bits, sizeof bits);
    return f;
}

static inline float wi_float_below(double x)
{
    const float f = wi_plan_round(x);
    return (double)f > x && f > -FLT_MAX ? wi_float_before(f) : f;
}

static inline float wi_float_above(double x) { return -wi_float_below(-x); }

#endif
