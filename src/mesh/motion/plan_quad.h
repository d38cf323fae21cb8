/* plan_quad.h - all coordinates of a path at once; for kernels. The bits of wi_plan_read and
 * wi_plan_point. */
#ifndef WI_MESH_MOTION_PLAN_QUAD_H
#define WI_MESH_MOTION_PLAN_QUAD_H

#include <stddef.h>
#include "base/wide.h"
#include "mesh/motion/plan.h"

static inline wi_quad64 wi_between_keys(const float from[4], const float to[4], wi_quad64 share)
{
    const wi_quad64 a = wi_quad64_of(wi_quad_load(from)), b = wi_quad64_of(wi_quad_load(to));
    return wi_quad64_add(a, wi_quad64_mul(share, wi_quad64_sub(b, a)));
}

/* As wi_plan_round does it. */
static inline wi_quad wi_quad64_round_finite(wi_quad64 x)
{
    const wi_quad64 most = wi_quad64_all((double)FLT_MAX), least = wi_quad64_all((double)-FLT_MAX);
    return wi_quad64_round(wi_quad64_max(wi_quad64_min(x, most), least));
}

_Static_assert(offsetof(wi_path, start) == 0 && offsetof(wi_path, velocity) == 8 * sizeof(float) &&
                   offsetof(wi_path, acceleration) == 11 * sizeof(float),
               "see wi_path_quad");

/* Where a vertex on a path is; the fourth number has no meaning. Behind each three numbers of a
 * path there is one more in it. */
static inline wi_quad wi_path_quad(const wi_path *path, double time)
{
    const double *start = (const double *)(const void *)path;
    const float *floats = (const float *)(const void *)path;
    const double since = wi_plan_since(path, time);
    const wi_quad64 s = wi_quad64_all(since), half = wi_quad64_all(0.5 * since * since);
    const wi_quad64 v = wi_quad64_of(wi_quad_load(floats + 8));
    const wi_quad64 a = wi_quad64_of(wi_quad_load(floats + 11));
    const wi_quad64 straight = wi_quad64_add(wi_quad64_load(start), wi_quad64_mul(s, v));
    return wi_quad64_round_finite(wi_quad64_add(straight, wi_quad64_mul(half, a)));
}

/* Where the vertex at a place is. Behind the last keyframe there is a float to spare. */
static inline wi_quad wi_plan_quad(const wi_plan *plan, const wi_moment *at, uint32_t place)
{
    if (wi_plan_is_on_path(plan, place)) return wi_path_quad(&plan->paths[place], at->time);
    const float *from = wi_plan_key(plan, at->from, place), *to = wi_plan_key(plan, at->to, place);
    return wi_quad64_round(wi_between_keys(from, to, wi_quad64_all(at->share)));
}

#endif
