/* ray_aim.c - rays made ready for boxes: units of time, inverses, and the slack of poses. */
#include "walk/rays/ray_aim.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "geom/outward.h"

#define LEAST_SHARE 0x1p-60 /* of the longest part of a direction, for an axis to count */
#define FARTHEST_ORIGIN 0x1p102F
#define FARTHEST_POSE 0x1p100

/* The power of two that is at most x, which is positive and not denormal. */
static double power_below(double x)
{
    uint64_t bits;
    WI_ASSERT(x >= DBL_MIN && x <= DBL_MAX);
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7FF) << 52;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static double longest_part(const double v[3])
{
    return wi_larger(fabs(v[0]), wi_larger(fabs(v[1]), fabs(v[2])));
}

/* The least part that counts. */
static double shortest_part(const double v[3], double longest)
{
    double shortest = longest;
    for (int i = 0; i < 3; i++) {
        const double part = fabs(v[i]);
        if (part >= LEAST_SHARE * longest && part < shortest) shortest = part;
    }
    return shortest;
}

static float inverse_along(const wi_ray_aim *aim, float origin, double part, double longest)
{
    if (!(fabsf(origin) < FARTHEST_ORIGIN)) return NAN;
    if (part == 0.0) return INFINITY;
    /* Scaling is exact, and the quotient does not wait for it. */
    return fabs(part) < LEAST_SHARE * longest ? NAN : (float)(1.0 / part * aim->scale);
}

float wi_ray_limit_at(double t, double scale)
{
    const float limit = wi_float_above(t * scale);
    const float wider = limit + (fabsf(limit) * WI_RAY_WIDER + WI_RAY_WIDER_BY);
    return wider < FLT_MAX ? wider : FLT_MAX; /* infinite times are no entries */
}

/* `below` and `above` are the origin, or bounds of it. */
static wi_ray_aim aim_along(const wi_ray *ray, const float below[3], const float above[3],
                            const double direction[3])
{
    wi_ray_aim aim;
    const double longest = longest_part(direction);
    aim.scale = 0.125 * power_below(shortest_part(direction, longest));
    for (int axis = 0; axis < 3; axis++) {
        const bool is_back = direction[axis] < 0.0;
        aim.near_origin[axis] = is_back ? below[axis] : above[axis];
        aim.far_origin[axis] = is_back ? above[axis] : below[axis];
        aim.near_row[axis] = WI_LANES * (uint32_t)(is_back ? 3 + axis : axis);
        aim.far_row[axis] = WI_LANES * (uint32_t)(is_back ? axis : 3 + axis);
        aim.inverse[axis] = inverse_along(&aim, above[axis], direction[axis], longest);
    }
    aim.t_min = wi_float_below((double)ray->t_min * aim.scale);
    aim.is_forward = aim.t_min >= 0.0F;
    for (int axis = 0; axis < 3; axis++)
        aim.far_inverse[axis] = aim.inverse[axis] * (aim.is_forward ? 1.0F + WI_RAY_WIDER : 1.0F);
    aim.limit = wi_ray_limit_at((double)ray->t_max, aim.scale);
    return aim;
}

wi_ray_aim wi_ray_aim_at_world(const wi_ray *ray)
{
    const double direction[3] = {ray->direction[0], ray->direction[1], ray->direction[2]};
    return aim_along(ray, ray->origin, ray->origin, direction);
}

/* Beside what vertices are rounded by (geom/relation.c, steps 1 to 3) the origin is rounded to
 * float, and parts of the direction below 2^-30 of its length count as none: where the ray is in
 * the box of the body, it has gone no farther than from the origin to the far end of the box, so
 * that this moves no point by more than 2^-30 of both. All are below 2^-23 (reach + |origin|), and
 * 4 times that are allowed for. */
wi_ray_aim wi_ray_aim_at_frame(const wi_ray *ray, const wi_frame *frame)
{
    const double least = 0x1p-30;
    double apart[3], origin[3], turned[3];
    WI_ASSERT(frame->pose);
    for (int i = 0; i < 3; i++) apart[i] = (double)ray->origin[i] - frame->pose->translation[i];
    const double along[3] = {ray->direction[0], ray->direction[1], ray->direction[2]};
    wi_pose_turn_back(frame->pose, apart, origin);
    wi_pose_turn_back(frame->pose, along, turned);
    const double longest = longest_part(turned);
    for (int i = 0; i < 3; i++)
        if (fabs(turned[i]) < least * longest) turned[i] = 0.0;
    const double far = wi_pose_reach(frame->pose, frame->size) + 2.0 * longest_part(apart);
    const double slack = 0x1p-21 * far + 0x1p-140;
    float below[3], above[3];
    for (int i = 0; i < 3; i++) {
        below[i] = wi_float_below(origin[i] - slack);
        above[i] = wi_float_above(origin[i] + slack);
    }
    wi_ray_aim aim = aim_along(ray, below, above, turned);
    for (int i = 0; i < 3 && !(far < FARTHEST_POSE); i++) aim.inverse[i] = aim.far_inverse[i] = NAN;
    return aim;
}
