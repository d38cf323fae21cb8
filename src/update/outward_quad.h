/* outward_quad.h - four doubles to floats, never inward; for kernels. A hair wider than
 * geom/outward.h, without a branch. */
#ifndef WI_UPDATE_OUTWARD_QUAD_H
#define WI_UPDATE_OUTWARD_QUAD_H

#include "mesh/motion/morph_quad.h"

/* More than the rounding to the nearest float. */
static inline wi_quad wi_quad_margin(wi_quad x)
{
    return wi_quad_add(wi_quad_mul(wi_quad_abs(x), wi_quad_all(0x1p-23F)), wi_quad_all(0x1p-140F));
}

static inline wi_quad wi_quad_below(wi_quad64 x)
{
    const wi_quad f = wi_clamped_round(x);
    return wi_quad_max(wi_quad_sub(f, wi_quad_margin(f)), wi_quad_all(-FLT_MAX));
}

static inline wi_quad wi_quad_above(wi_quad64 x)
{
    const wi_quad f = wi_clamped_round(x);
    return wi_quad_min(wi_quad_add(f, wi_quad_margin(f)), wi_quad_all(FLT_MAX));
}

#endif
