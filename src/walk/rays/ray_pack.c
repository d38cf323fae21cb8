/* ray_pack.c - rays that go nearly the same way, and what all of them enter. */
#include "walk/rays/ray_pack.h"

#include <math.h>

#include "base/check.h"

/* Scales that differ by more leave too few bits of small times. */
#define LARGEST_FACTOR 0x1p16

void wi_ray_pack_set(wi_ray_pack *pack, unsigned lane, const wi_ray_aim *aim)
{
    WI_ASSERT(lane < WI_LANES);
    for (int axis = 0; axis < 3; axis++) {
        pack->near_origin[axis][lane] = aim->near_origin[axis];
        pack->far_origin[axis][lane] = aim->far_origin[axis];
        pack->inverse[axis][lane] = aim->inverse[axis];
        pack->far_inverse[axis][lane] = aim->far_inverse[axis];
    }
    pack->t_min[lane] = aim->t_min;
    pack->limit[lane] = aim->limit;
    pack->scale[lane] = aim->scale;
}

static float pack_least(const float by_ray[WI_LANES], unsigned count)
{
    float least = by_ray[0];
    for (unsigned i = 1; i < count; i++) least = by_ray[i] < least ? by_ray[i] : least;
    return least;
}

static float pack_greatest(const float by_ray[WI_LANES], unsigned count)
{
    float greatest = by_ray[0];
    for (unsigned i = 1; i < count; i++) greatest = by_ray[i] > greatest ? by_ray[i] : greatest;
    return greatest;
}

/* All rays go along all axes, to one side of each, and start at 0 or later. */
static bool can_join(const wi_ray_pack *pack, unsigned count)
{
    for (int axis = 0; axis < 3; axis++) {
        const float least = pack_least(pack->inverse[axis], count);
        const float greatest = pack_greatest(pack->inverse[axis], count);
        for (unsigned i = 0; i < count; i++)
            if (!(fabsf(pack->inverse[axis][i]) <= 1.0F)) return false;
        if ((least < 0.0F) != (greatest < 0.0F)) return false;
    }
    return pack_least(pack->t_min, count) >= 0.0F;
}

/* Times of all rays in one unit. Factors are powers of two: only what underflows is rounded. */
static bool use_one_scale(wi_ray_pack *pack, unsigned count)
{
    double least = pack->scale[0], greatest = pack->scale[0];
    for (unsigned i = 1; i < count; i++) {
        least = pack->scale[i] < least ? pack->scale[i] : least;
        greatest = pack->scale[i] > greatest ? pack->scale[i] : greatest;
    }
    if (least == greatest) return true;
    if (!(greatest <= LARGEST_FACTOR * least)) return false;
    for (unsigned i = 0; i < count; i++) {
        const float factor = (float)(least / pack->scale[i]);
        for (int axis = 0; axis < 3; axis++) {
            pack->inverse[axis][i] *= factor;
            pack->far_inverse[axis][i] *= factor;
        }
        pack->t_min[i] *= factor;
        if (pack->limit[i] >= 0.0F) pack->limit[i] = pack->limit[i] * factor + WI_RAY_WIDER_BY;
        pack->scale[i] = least;
    }
    return true;
}

void wi_ray_pack_join(wi_ray_pack *pack, unsigned count)
{
    WI_ASSERT(count > 0 && count <= WI_LANES);
    for (unsigned lane = count; lane < WI_LANES; lane++) pack->limit[lane] = -1.0F;
    pack->is_joined = count > 1 && can_join(pack, count) && use_one_scale(pack, count);
    if (!pack->is_joined) return;
    wi_ray_aim *joint = &pack->joint;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_back = pack->inverse[axis][0] < 0.0F;
        joint->near_origin[axis] = is_back ? pack_least(pack->near_origin[axis], count)
                                           : pack_greatest(pack->near_origin[axis], count);
        joint->far_origin[axis] = is_back ? pack_greatest(pack->far_origin[axis], count)
                                          : pack_least(pack->far_origin[axis], count);
        joint->inverse[axis] = is_back ? pack_greatest(pack->inverse[axis], count)
                                       : pack_least(pack->inverse[axis], count);
        joint->far_inverse[axis] = is_back ? pack_least(pack->far_inverse[axis], count)
                                           : pack_greatest(pack->far_inverse[axis], count);
        joint->near_row[axis] = WI_LANES * (uint32_t)(is_back ? 3 + axis : axis);
        joint->far_row[axis] = WI_LANES * (uint32_t)(is_back ? axis : 3 + axis);
    }
    joint->t_min = pack_least(pack->t_min, count);
    joint->limit = pack_greatest(pack->limit, count);
    joint->is_forward = true;
    joint->scale = pack->scale[0];
}

void wi_ray_pack_limit(wi_ray_pack *pack, unsigned lane, double t)
{
    WI_ASSERT(lane < WI_LANES);
    pack->limit[lane] = wi_ray_limit_at(t, pack->scale[lane]);
    pack->joint.limit = pack_greatest(pack->limit, WI_LANES);
}

void wi_ray_pack_close(wi_ray_pack *pack, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES);
    pack->limit[lane] = -1.0F;
    pack->joint.limit = pack_greatest(pack->limit, WI_LANES);
}
