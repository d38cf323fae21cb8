/* rational_ray.h - exact answers about a ray and a triangle, from GMP.
 *
 * The oracle for rays. It knows no case: a triangle is the set of points that a few linear
 * equations and inequalities allow, each of which is one about t along the ray, so what is left of
 * [t_min, t_max] when all have cut it is the answer. That the ray lies in the plane, or passes a
 * corner, makes no difference. Whether anything is left is answered a second time by a linear
 * program, which shares no code with the first.
 *
 * All input is finite, but for t_max, and the direction is not zero. Triangles may be segments or
 * points. */
#ifndef TEST_RATIONAL_RAY_H
#define TEST_RATIONAL_RAY_H

#include <gmp.h>
#include <stdbool.h>
#include "willow/types.h"

/* Does the ray meet the closed triangle? (C1) Then `t` is that of the first common point, exactly;
 * else it is anything. */
bool rational_ray_tri(const willow_ray *ray, const willow_vec3 tri[3], mpq_t t);
bool rational_ray_tri_slow(const willow_ray *ray, const willow_vec3 tri[3]);

/* The sign of normal . direction: 1 for a triangle that is met from behind, 0 where it is edge-on
 * or has no normal. */
int rational_ray_side(const willow_ray *ray, const willow_vec3 tri[3]);

/* |rounded - exact| / |exact|; 0 where both are zero. */
double rational_error(double rounded, const mpq_t exact);

/* How far the point at these weights is from the point at t, along the axis where that is most, as
 * a share of how long the triangle is along its longest axis; or of 2^-32 of the way there, if that
 * is more: points whose t are the same double are the same. */
double rational_weight_error(const willow_ray *ray, const willow_vec3 tri[3], const mpq_t t,
                             double u, double v);

#endif
