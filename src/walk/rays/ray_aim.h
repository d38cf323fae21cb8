/* ray_aim.h - a ray made ready for boxes of one frame: slabs, eight at a time.
 *
 * A box is entered at the greatest and left at the least of three times, one per axis. All is done
 * in float, in units of time in which nothing overflows. Why no ray that meets a box is lost:
 * 1. Let u = 2^-24. The times of an axis are (bound - origin) * inverse: a difference, a product
 *    and the inverse itself are rounded, so each time is off by at most 3.1 u of itself, and by
 *    2^-149 where it underflows.
 * 2. So where a ray is in a box at a time t, the entry is at most t + 3.1 u |t| + 2^-149, and the
 *    exit at least t - 3.1 u |t| - 2^-149. Exits, and the limit that entries are compared with, are
 *    widened by 16 u of themselves and 2^-145, which is more than both together. Of a ray that
 *    starts at 0 or later no exit that counts is before 0, so that its inverses can be widened in
 *    place of exits, once for all boxes.
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
    float far_inverse[3];                /* widened, if is_forward */
    uint32_t near_row[3], far_row[3]; /* where rows of bounds begin: lower x, y, z, upper x ... */
    float t_min;                      /* in those units, rounded down */
    float limit;                      /* entries beyond are of no interest; widened */
    bool is_forward;                  /* t_min is not negative */
    double scale;                     /* units per length of the direction; a power of two */
} wi_ray_aim;

/* For boxes of the world. */
wi_ray_aim wi_ray_aim_at_world(const wi_ray *ray);

/* For boxes of a frame with a pose. */
wi_ray_aim wi_ray_aim_at_frame(const wi_ray *ray, const wi_frame *frame);

/* The limit that t sets, in units of which there are so many per length of the direction. */
float wi_ray_limit_at(double t, double scale);

#define WI_RAY_WIDER 0x1p-20F
#define WI_RAY_WIDER_BY 0x1p-145F

/* The aim in registers, for loops over many nodes. */
typedef struct wi_ray_aim8 {
    wi_wide near_origin[3], far_origin[3], inverse[3], far_inverse[3], t_min;
    size_t near_row[3], far_row[3];
    bool is_forward;
} wi_ray_aim8;

static inline wi_ray_aim8 wi_ray_aim_all(const wi_ray_aim *aim)
{
    wi_ray_aim8 all;
    for (int axis = 0; axis < 3; axis++) {
        all.near_origin[axis] = wi_wide_all(aim->near_origin[axis]);
        all.far_origin[axis] = wi_wide_all(aim->far_origin[axis]);
        all.inverse[axis] = wi_wide_all(aim->inverse[axis]);
        all.far_inverse[axis] = wi_wide_all(aim->far_inverse[axis]);
        all.near_row[axis] = aim->near_row[axis];
        all.far_row[axis] = aim->far_row[axis];
    }
    all.t_min = wi_wide_all(aim->t_min);
    all.is_forward = aim->is_forward;
    return all;
}

/* Which of eight boxes the ray meets before the limit, which is that of the aim; fills `near` with
 * where it enters those. The rows are lower and upper bounds. Where the time along one axis is no
 * number, that along the next may be passed over, too: the box is then met, if in vain. */
static inline unsigned wi_ray_enter8(const wi_ray_aim8 *aim, float limit, const float *rows,
                                     float near[WI_LANES])
{
    wi_wide in[3], out[3];
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide first =
            wi_wide_sub(wi_wide_load(rows + aim->near_row[axis]), aim->near_origin[axis]);
        const wi_wide last =
            wi_wide_sub(wi_wide_load(rows + aim->far_row[axis]), aim->far_origin[axis]);
        in[axis] = wi_wide_mul(first, aim->inverse[axis]);
        out[axis] = wi_wide_mul(last, aim->far_inverse[axis]);
    }
    const wi_wide entry = wi_wide_max(wi_wide_max(in[0], in[1]), wi_wide_max(in[2], aim->t_min));
    wi_wide exit =
        wi_wide_min(wi_wide_min(out[0], out[1]), wi_wide_min(out[2], wi_wide_all(FLT_MAX)));
    if (!aim->is_forward)
        exit = wi_wide_add(exit, wi_wide_mul(wi_wide_abs(exit), wi_wide_all(WI_RAY_WIDER)));
    exit = wi_wide_min(wi_wide_add(exit, wi_wide_all(WI_RAY_WIDER_BY)), wi_wide_all(limit));
    wi_wide_store(near, entry);
    return wi_mask_bits(wi_wide_less_equal(entry, exit));
}

#endif
