/* ray_tri.h - does a ray meet a triangle, and where? Exact, for one pair at a time (C1). */
#ifndef WI_PRIM_MEET_RAY_TRI_H
#define WI_PRIM_MEET_RAY_TRI_H

#include <stdbool.h>
#include "geom/ray.h"
#include "geom/tri.h"
#include "willow/types.h"

typedef enum wi_ray_side {
    WI_RAY_MISSES,
    WI_RAY_MEETS_FRONT,  /* it goes against the normal */
    WI_RAY_MEETS_BACK,   /* it goes with it */
    WI_RAY_MEETS_EDGE_ON /* it lies in the plane of the triangle, or there is no plane */
} wi_ray_side;

/* The first point that the two have in common. */
typedef struct wi_ray_point {
    double t;   /* within 2^-29 of itself of where that is; from t_min to t_max */
    float u, v; /* shares of the second and of the third corner */
} wi_ray_point;

/* Fills *out if they meet. */
wi_ray_side wi_ray_meets_tri(const wi_ray *ray, const wi_tri *tri, wi_ray_point *out);

/* The normal of length 1; zeros where the corners are on one line. */
void wi_tri_unit_normal(const wi_tri *tri, float out[3]);

/* What is wrong with a ray, in words; NULL if nothing is. */
const char *wi_ray_fault(const willow_ray *ray);

static inline wi_ray wi_ray_of(const willow_ray *ray)
{
    return (wi_ray){{ray->origin.x, ray->origin.y, ray->origin.z},
                    {ray->direction.x, ray->direction.y, ray->direction.z},
                    ray->t_min,
                    ray->t_max};
}

#endif
