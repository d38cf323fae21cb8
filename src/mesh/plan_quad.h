/* plan_quad.h - four numbers between two keyframes at once; for kernels. The bits of wi_plan_read.
 */
#ifndef WI_MESH_PLAN_QUAD_H
#define WI_MESH_PLAN_QUAD_H

#include "base/wide.h"

static inline wi_quad64 wi_between_keys(const float from[4], const float to[4], wi_quad64 share)
{
    const wi_quad64 a = wi_quad64_of(wi_quad_load(from)), b = wi_quad64_of(wi_quad_load(to));
    return wi_quad64_add(a, wi_quad64_mul(share, wi_quad64_sub(b, a)));
}

#endif
