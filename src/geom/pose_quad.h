/* pose_quad.h - wi_pose_apply for kernels: all rows at once. */
#ifndef WI_GEOM_POSE_QUAD_H
#define WI_GEOM_POSE_QUAD_H

#include "base/wide.h"
#include "geom/pose.h"

/* As wi_pose_apply64, all rows at once: the same operations in the same order, so the same bits. */
static inline wi_quad wi_pose_quad64(const wi_quad64 columns[3], wi_quad64 translation,
                                     const double p[3])
{
    wi_quad64 at = wi_quad64_add(wi_quad64_mul(columns[0], wi_quad64_all(p[0])),
                                 wi_quad64_mul(columns[1], wi_quad64_all(p[1])));
    at = wi_quad64_add(at, wi_quad64_mul(columns[2], wi_quad64_all(p[2])));
    at = wi_quad64_min(wi_quad64_add(at, translation), wi_quad64_all((double)FLT_MAX));
    return wi_quad64_round(wi_quad64_max(at, wi_quad64_all((double)-FLT_MAX)));
}

/* The same for a stored vertex. */
static inline wi_quad wi_pose_quad(const wi_quad64 columns[3], wi_quad64 translation,
                                   const float p[3])
{
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    return wi_pose_quad64(columns, translation, at);
}

#endif
