/* ray_pack.h - one ray, or up to eight that go nearly the same way, aimed at boxes of one frame.
 *
 * Neighbouring rays meet the same nodes. So they go down together: a joint aim looks at the eight
 * children of a node, and only of those that it enters each ray is asked, all of them at once.
 * The joint aim enters every box that one of its rays enters: its origin lies as far back as that
 * of any of them, its inverses are the least for entries and the greatest for exits, and rounding
 * is monotone. That takes rays that start at 0 or later and have directions of the same signs,
 * without zeros. */
#ifndef WI_WALK_RAYS_RAY_PACK_H
#define WI_WALK_RAYS_RAY_PACK_H

#include <stdalign.h>
#include "walk/rays/ray_aim.h"

typedef struct wi_ray_pack {
    /* by ray; those that are not there or not looked for any more have a limit of -1 */
    alignas(32) float near_origin[3][WI_LANES];
    float far_origin[3][WI_LANES], inverse[3][WI_LANES], far_inverse[3][WI_LANES];
    float t_min[WI_LANES], limit[WI_LANES];
    double scale[WI_LANES];

    wi_ray_aim joint; /* of all rays, if they are joined; of a single ray its own */
    bool is_joined;
} wi_ray_pack;

/* Puts a ray in its lane. */
void wi_ray_pack_set(wi_ray_pack *pack, unsigned lane, const wi_ray_aim *aim);

/* Makes the joint aim of the rays in the first lanes, or tells that there is none. */
void wi_ray_pack_join(wi_ray_pack *pack, unsigned count);

/* Nothing after t is of interest to a ray. */
void wi_ray_pack_limit(wi_ray_pack *pack, unsigned lane, double t);

/* A ray is done. */
void wi_ray_pack_close(wi_ray_pack *pack, unsigned lane);

/* The aim of one ray. */
static inline wi_ray_aim8 wi_ray_pack_aim(const wi_ray_pack *pack, unsigned lane)
{
    wi_ray_aim8 all;
    for (int axis = 0; axis < 3; axis++) {
        all.near_origin[axis] = wi_wide_all(pack->near_origin[axis][lane]);
        all.far_origin[axis] = wi_wide_all(pack->far_origin[axis][lane]);
        all.inverse[axis] = wi_wide_all(pack->inverse[axis][lane]);
        all.far_inverse[axis] = wi_wide_all(pack->far_inverse[axis][lane]);
        const bool is_back = pack->inverse[axis][lane] < 0.0F;
        all.near_row[axis] = (size_t)(WI_LANES * (is_back ? 3 + axis : axis));
        all.far_row[axis] = (size_t)(WI_LANES * (is_back ? axis : 3 + axis));
    }
    all.t_min = wi_wide_all(pack->t_min[lane]);
    all.is_forward = pack->t_min[lane] >= 0.0F;
    return all;
}

/* Which rays enter the box in one lane of the rows, a bit each. They are joined. */
static inline unsigned wi_ray_pack_enter(const wi_ray_pack *pack, const float *rows, unsigned lane)
{
    wi_wide in[3], out[3];
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide near = wi_wide_all(rows[pack->joint.near_row[axis] + lane]);
        const wi_wide far = wi_wide_all(rows[pack->joint.far_row[axis] + lane]);
        in[axis] = wi_wide_mul(wi_wide_sub(near, wi_wide_load(pack->near_origin[axis])),
                               wi_wide_load(pack->inverse[axis]));
        out[axis] = wi_wide_mul(wi_wide_sub(far, wi_wide_load(pack->far_origin[axis])),
                                wi_wide_load(pack->far_inverse[axis]));
    }
    const wi_wide entry =
        wi_wide_max(wi_wide_max(in[0], in[1]), wi_wide_max(in[2], wi_wide_load(pack->t_min)));
    const wi_wide exit = wi_wide_min(wi_wide_min(out[0], out[1]), out[2]);
    const wi_wide wider =
        wi_wide_min(wi_wide_add(exit, wi_wide_all(WI_RAY_WIDER_BY)), wi_wide_load(pack->limit));
    return wi_mask_bits(wi_wide_less_equal(entry, wider));
}

#endif
