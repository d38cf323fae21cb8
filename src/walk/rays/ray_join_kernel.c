/* ray_join_kernel.c - neighbouring rays aimed at boxes of the world, all at once.
 *
 * Way in: wi_join_rays. Made for the rays of pictures and sensors, which come in rows. They are
 * aimed as wi_ray_aim_at_world aims each of them (ray_aim.c), in one unit of time, which is that of
 * the ray with the shortest part of a direction. Ordinary numbers only, so that all is done in
 * float: rays with others, or that do not go together (ray_pack.h), are followed alone.
 *
 * Units are powers of two: times are rounded only where they underflow, by less than 2^-149, for
 * which boxes and limits are widened. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "walk/rays/ray_walk.h"

/* Ordinary parts of directions, and origins. */
#define LEAST_PART 0x1p-40F
#define GREATEST_PART 0x1p40F
#define FARTHEST_ORIGIN 0x1p60F

/* Directions, and the ends of rays. */
typedef struct joined_rays {
    alignas(32) float direction[3][WI_LANES];
    float t_max[WI_LANES];
} joined_rays;

/* Lanes past the last have the first ray. */
static void join_read(wi_ray_pack *pack, joined_rays *own, const willow_ray *rays, unsigned count)
{
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const willow_ray *ray = &rays[lane < count ? lane : 0];
        pack->near_origin[0][lane] = ray->origin.x;
        pack->near_origin[1][lane] = ray->origin.y;
        pack->near_origin[2][lane] = ray->origin.z;
        own->direction[0][lane] = ray->direction.x;
        own->direction[1][lane] = ray->direction.y;
        own->direction[2][lane] = ray->direction.z;
        pack->t_min[lane] = ray->t_min;
        own->t_max[lane] = ray->t_max;
    }
}

/* The shortest part of all directions; 0 if some rays are not ordinary or do not go together. */
static float join_shortest(const wi_ray_pack *pack, const joined_rays *own)
{
    wi_wide shortest = wi_wide_all(GREATEST_PART);
    wi_mask is_ordinary = wi_wide_less_equal(wi_wide_all(0.0F), wi_wide_load(pack->t_min));
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide part = wi_wide_load(own->direction[axis]), length = wi_wide_abs(part);
        const wi_wide origin = wi_wide_abs(wi_wide_load(pack->near_origin[axis]));
        const unsigned back = wi_mask_bits(wi_wide_less(part, wi_wide_all(0.0F)));
        if (back != 0 && back != 0xFF) return 0.0F;
        shortest = wi_wide_min(length, shortest);
        is_ordinary = wi_mask_and(is_ordinary, wi_wide_less(length, wi_wide_all(GREATEST_PART)));
        is_ordinary = wi_mask_and(is_ordinary, wi_wide_less(origin, wi_wide_all(FARTHEST_ORIGIN)));
    }
    const float least = wi_wide_least(shortest);
    return wi_mask_bits(is_ordinary) == 0xFF && least >= LEAST_PART ? least : 0.0F;
}

/* An eighth of the power of two that is at most x. */
static float join_scale(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT32_C(0xFF) << 23;
    memcpy(&x, &bits, sizeof x);
    return 0.125F * x;
}

/* Fills what the pack has of each ray, and the joint aim, along one axis. */
static void join_axis(wi_ray_pack *pack, const joined_rays *own, int axis, float scale)
{
    const wi_wide part = wi_wide_mul(wi_wide_load(own->direction[axis]), wi_wide_all(1.0F / scale));
    const wi_wide inverse = wi_wide_div(wi_wide_all(1.0F), part);
    const wi_wide wider = wi_wide_mul(inverse, wi_wide_all(1.0F + WI_RAY_WIDER));
    const wi_wide origin = wi_wide_load(pack->near_origin[axis]);
    wi_wide_store(pack->far_origin[axis], origin);
    wi_wide_store(pack->inverse[axis], inverse);
    wi_wide_store(pack->far_inverse[axis], wider);
    const bool is_back = own->direction[axis][0] < 0.0F;
    const float lower = wi_wide_least(origin), upper = wi_wide_greatest(origin);
    wi_ray_aim *joint = &pack->joint;
    joint->near_origin[axis] = is_back ? lower : upper;
    joint->far_origin[axis] = is_back ? upper : lower;
    joint->inverse[axis] = is_back ? wi_wide_greatest(inverse) : wi_wide_least(inverse);
    joint->far_inverse[axis] = is_back ? wi_wide_least(wider) : wi_wide_greatest(wider);
    joint->near_row[axis] = WI_LANES * (uint32_t)(is_back ? 3 + axis : axis);
    joint->far_row[axis] = WI_LANES * (uint32_t)(is_back ? axis : 3 + axis);
}

extern wi_join_rays WI_KERNEL(join_rays);
bool WI_KERNEL(join_rays)(wi_ray_pack *pack, const willow_ray *rays, unsigned count)
{
    WI_ASSERT(count > 1 && count <= WI_LANES);
    joined_rays own;
    join_read(pack, &own, rays, count);
    const float shortest = join_shortest(pack, &own);
    pack->is_joined = shortest > 0.0F;
    if (!pack->is_joined) return false;
    const float scale = join_scale(shortest);
    for (int axis = 0; axis < 3; axis++) join_axis(pack, &own, axis, scale);
    const wi_wide t_min = wi_wide_mul(wi_wide_load(pack->t_min), wi_wide_all(scale));
    const wi_wide t_max = wi_wide_mul(wi_wide_load(own.t_max), wi_wide_all(scale));
    const wi_wide wider = wi_wide_add(wi_wide_mul(t_max, wi_wide_all(1.0F + WI_RAY_WIDER)),
                                      wi_wide_all(WI_RAY_WIDER_BY));
    const wi_wide limit = wi_wide_min(wider, wi_wide_all(FLT_MAX));
    wi_wide_store(pack->t_min, t_min);
    wi_wide_store(pack->limit, limit);
    for (unsigned lane = 0; lane < WI_LANES; lane++) pack->scale[lane] = (double)scale;
    for (unsigned lane = count; lane < WI_LANES; lane++) pack->limit[lane] = -1.0F;
    pack->joint.t_min = wi_wide_least(t_min);
    pack->joint.limit = wi_wide_greatest(limit);
    pack->joint.is_forward = true;
    pack->joint.scale = (double)scale;
    return true;
}
