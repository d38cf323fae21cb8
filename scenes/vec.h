/* vec.h - three numbers and rotations in double, for scenes: + - * / and the sine of base/trig.h
 * alone, so that all bits are equal everywhere. */
#ifndef SCENES_VEC_H
#define SCENES_VEC_H

#include "base/trig.h"
#include "random.h"
#include "willow/types.h"

#include <math.h>
#include <stddef.h>

#define SCENE_PI 3.14159265358979323846

typedef struct vec {
    double x, y, z;
} vec;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline vec vec_scale(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }

/* a + s * b */
static inline vec vec_along(vec a, double s, vec b) { return vec_add(a, vec_scale(s, b)); }

static inline vec vec_mix(vec a, vec b, double share)
{
    return vec_add(vec_scale(1 - share, a), vec_scale(share, b));
}

static inline double vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec_length(vec a) { return sqrt(vec_dot(a, a)); }

/* Of length one, if `a` is not all but zero. */
static inline vec vec_unit(vec a)
{
    double length = vec_length(a);
    return vec_scale(1 / (length > 1e-9 ? length : 1e-9), a);
}

/* Some direction; not evenly spread, which no scene needs. */
static inline vec vec_random_unit(uint64_t key)
{
    vec a = {random_between(key, 0, -1, 1), random_between(key, 1, -1, 1),
             random_between(key, 2, -1, 1)};
    return vec_unit(a);
}

static inline vec vec_load(const double p[3]) { return (vec){p[0], p[1], p[2]}; }

/* Rounds to the vertex of that number. */
static inline void vec_store(vec a, float *xyz, uint32_t vertex)
{
    float *out = xyz + 3 * (size_t)vertex;
    out[0] = (float)a.x;
    out[1] = (float)a.y;
    out[2] = (float)a.z;
}

/* A rotation by `angle` about an axis of length one. */
typedef struct turn {
    vec axis;
    double sin_half, cos_half;
} turn;

static inline turn turn_about(vec axis, double angle)
{
    return (turn){axis, wi_sin(0.5 * angle), wi_cos(0.5 * angle)};
}

static inline vec turn_apply(const turn *t, vec a)
{
    vec q = vec_scale(t->sin_half, t->axis);
    vec u = vec_scale(2, vec_cross(q, a));
    return vec_add(vec_along(a, t->cos_half, u), vec_cross(q, u));
}

static inline willow_pose turn_pose(const turn *t, vec place)
{
    vec q = vec_scale(t->sin_half, t->axis);
    return (willow_pose){
        .translation = {(float)place.x, (float)place.y, (float)place.z},
        .rotation = {(float)q.x, (float)q.y, (float)q.z, (float)t->cos_half},
    };
}

/* A smooth curve (Catmull-Rom) from q to r, whose neighbours are p and s; t goes from 0 to 1. */
static inline double curve(double p, double q, double r, double s, double t)
{
    return 0.5 *
           (2 * q + t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p))));
}

/* Goes from 0 to 1 with level ends; x outside stays there. */
static inline double ease(double x)
{
    double c = x < 0 ? 0 : x > 1 ? 1 : x;
    return c * c * (3 - 2 * c);
}

#endif
