/* ray_aim.h - a ray made ready for boxes of one frame: slabs, eight at a time.
 *
 * A box is entered at the greatest and left at the least of three times, one per axis. All is done
 * in float, in units of time in which nothing overflows. Why no ray that meets a box is lost:
 * 1. Let u = 2^-24. The times of an axis are (bound - origin) * inverse: a difference, a product
 *    and the inverse itself are rounded, so each time is off by at most 3.1 u of itself, and by
 *    2^-149 where it underflows.
 * 2. So where a ray is in a box at a time t, the entry is at most t + 3.1 u |t| + 2^-149, and the
 *    exit at least t - 3.1 u |t| - 2^-149. Exits, and the limit that entries are compared with, are
 *    widened by 16 u of themselves and 2^-145, which is more than both together.
 * 3. The time of a hit is known to 2^-29 of itself (prim/meet/ray_tri.h), so boxes whose entry is
 *    beyond the limit that a hit has set hold none that is as near.
 * 4. Units: the least part of the direction that counts is 8 or more, so that inverses are at most
 *    2^-3, and differences are below 2^128, since an origin of 2^102 or more has no axis. The
 *    greatest is below 2^65, so that inverses are ordinary floats.
 * 5. Axes without direction have an infinite inverse: times are infinite, or, where the origin is
 *    on the bound, not a number, which the least and greatest pass over. So they do along axes that
 *    are not looked at, since the direction has less than 2^-60 of its length there.
 *
 * In the frame of a posed body origins are moved back and forth by a slack, as boxes of two frames
 * are widened (geom/relation.c). */
#ifndef WI_WALK_RAYS_RAY_AIM_H
#define WI_WALK_RAYS_RAY_AIM_H

#include <float.h>
#include "base/wide.h"
#include "geom/ray.h"
#include "geom/relation.h"

typedef struct wi_ray_aim {
    float near_origin[3], far_origin[3]; /* one point, but for the slack of a pose */
    float inverse[3];                    /* 1 / direction, in units of time below */
    uint32_t near_row[3], far_row[3]; /* where rows of bounds begin: lower x, y, z, upper x ... */
    float t_min;                      /* in those units, rounded down */
    float limit;                      /* entries beyond are of no interest; widened */
    double scale;                     /* units per length of the direction; a power of two */
} wi_ray_aim;

/* For boxes of the world. */
wi_ray_aim wi_ray_aim_at_world(const wi_ray *ray);

/* For boxes of a frame with a pose. */
wi_ray_aim wi_ray_aim_at_frame(const wi_ray *ray, const wi_frame *frame);

/* Nothing after t is of interest from now on. */
void wi_ray_aim_limit(wi_ray_aim *aim, double t);

#define WI_RAY_WIDER 0x1p-20F
#define WI_RAY_WIDER_BY 0x1p-145F

/* Which of eight boxes the ray meets before its limit; fills `near` with where it enters those. The
 * rows are lower and upper bounds. */
static inline unsigned wi_ray_enter8(const wi_ray_aim *aim, const float *rows, float near[WI_LANES])
{
    wi_wide in = wi_wide_all(aim->t_min), out = wi_wide_all(FLT_MAX);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide inverse = wi_wide_all(aim->inverse[axis]);
        const wi_wide first = wi_wide_sub(wi_wide_load(rows + aim->near_row[axis]),
                                          wi_wide_all(aim->near_origin[axis]));
        const wi_wide last = wi_wide_sub(wi_wide_load(rows + aim->far_row[axis]),
                                         wi_wide_all(aim->far_origin[axis]));
        in = wi_wide_max(wi_wide_mul(first, inverse), in);
        out = wi_wide_min(wi_wide_mul(last, inverse), out);
    }
    const wi_wide wider = wi_wide_add(wi_wide_mul(wi_wide_abs(out), wi_wide_all(WI_RAY_WIDER)),
                                      wi_wide_all(WI_RAY_WIDER_BY));
    out = wi_wide_min(wi_wide_all(aim->limit), wi_wide_add(out, wider));
    wi_wide_store(near, in);
    return wi_mask_bits(wi_wide_less_equal(in, out));
}

#endif
