/* prim.h - the tests on single primitives, for people with a broad phase of their own.
 *
 * Pure functions: no world, no memory, any thread. Input is finite float32, but for moving
 * primitives, which are double; every finite value of float32 is fine, denormals, 1e38 and
 * triangles that are segments or points included (C1; docs/contracts.md). Worlds have float32
 * positions, so they answer as these do for positions that were rounded to it. */
#ifndef WILLOW_PRIM_H
#define WILLOW_PRIM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True if and only if the closed triangles have a point in common. */
WILLOW_API bool willow_tri_tri_meet(const willow_vec3 a[3], const willow_vec3 b[3]);

/* True if and only if the triangles go through each other: their insides have a point in common,
 * and they are not in one plane. Triangles that only touch, in a point, along an edge or as parts
 * of one plane, do not cross, nor does one without area. Exact, as willow_tri_tri_meet is. */
WILLOW_API bool willow_tri_tri_cross(const willow_vec3 a[3], const willow_vec3 b[3]);

/* A point that both triangles have in common, if they meet: the middle of what is easily found of
 * their intersection, within some roundings of float32. If they are apart, a point midway between
 * them. To look at, not to decide by. The same bits everywhere. */
WILLOW_API willow_vec3 willow_tri_tri_witness(const willow_vec3 a[3], const willow_vec3 b[3]);

/* True if and only if the closed triangle and the closed box have a point in common. */
WILLOW_API bool willow_tri_box_meet(const willow_vec3 tri[3], const willow_box *box);

/* True if and only if the ray meets the closed triangle; fills *out then, but for the body; `out`
 * may be NULL. `t` is within 2^-29 of itself of where the first common point is, from t_min to
 * t_max, and the same bits everywhere. False for rays that willow_cast_rays refuses. */
WILLOW_API bool willow_ray_tri(const willow_ray *ray, const willow_vec3 tri[3], willow_hit *out);

/* Triangles as they lie in a program's own buffers. */
typedef struct willow_tri_source {
    const void *positions;   /* x, y, z as float32 */
    size_t stride;           /* bytes from one vertex to the next; 0 means 12 */
    const uint32_t *indices; /* three per triangle */
} willow_tri_source;

typedef struct willow_tri_pair {
    willow_tri tri_a, tri_b;
} willow_tri_pair;

/* Decides many pairs at once, eight side by side: meet[i] is 1 if willow_tri_tri_meet holds for
 * triangle pairs[i].tri_a of `a` and pairs[i].tri_b of `b`, else 0. Vertex numbers are not
 * compared: triangles that share a vertex meet. */
WILLOW_API void willow_tri_tri_meet_many(const willow_tri_source *a, const willow_tri_source *b,
                                         const willow_tri_pair *pairs, size_t count, uint8_t *meet);

/* Distances, with the points that are closest to each other; `on_...` may be NULL. Within some
 * roundings of double, and 0 if and only if the two meet. The same bits everywhere. */
WILLOW_API double willow_point_tri_distance(const willow_vec3 *point, const willow_vec3 tri[3],
                                            willow_vec3 *on_tri);
WILLOW_API double willow_edge_edge_distance(const willow_vec3 a[2], const willow_vec3 b[2],
                                            willow_vec3 *on_a, willow_vec3 *on_b);
WILLOW_API double willow_tri_tri_distance(const willow_vec3 a[3], const willow_vec3 b[3],
                                          willow_vec3 *on_a, willow_vec3 *on_b);

/* Where two features (vertices, edges, faces) touch, or are closest to each other. */
typedef struct willow_contact {
    willow_vec3 point_a, point_b; /* of each; one point where they meet */

    /* The same as shares of their corners: of the three of a face, of the two ends of an edge and a
     * 0, or 1, 0, 0 for a vertex. None is negative, and their sum is 1, within roundings of
     * float32. */
    float weights_a[3], weights_b[3];

    willow_vec3 normal; /* of length 1, from a to b; zeros if has_normal is false: in questions that
                           are not about steps where they meet */
    bool has_normal;
} willow_contact;

/* The distances above, the same bits, with all that is said of the contact: of the point (a) and
 * the triangle, of two edges, of two triangles. The normal goes from point_a to point_b; its
 * direction is off by about 1e-14 times their size over the distance. */
WILLOW_API double willow_point_tri_closest(const willow_vec3 *point, const willow_vec3 tri[3],
                                           willow_contact *out);
WILLOW_API double willow_edge_edge_closest(const willow_vec3 a[2], const willow_vec3 b[2],
                                           willow_contact *out);
WILLOW_API double willow_tri_tri_closest(const willow_vec3 a[3], const willow_vec3 b[3],
                                         willow_contact *out);

/* What a test of moving primitives came to. */
typedef enum willow_toi {
    WILLOW_TOI_NONE,      /* they stay apart over the whole step */
    WILLOW_TOI_IMPACT,    /* they touch, at the time returned or up to `tolerance` later */
    WILLOW_TOI_UNDECIDED, /* after max_iterations nothing was found before the time returned */
    WILLOW_TOI_REFUSED    /* a number is NaN or out of its range: nothing was decided */
} willow_toi;

/* When does a vertex first touch a triangle, and an edge an edge? The four points move on straight
 * lines from `start` (time 0) to `end` (time 1): the vertex and the corners of the triangle; the
 * ends of one edge and those of the other. To touch means to be at most touch_distance apart.
 * Points, edges without length, parallel edges and points that do not move are ordinary input.
 *
 * *toi is never later than the first contact, and no contact is missed. It is early by at most
 * `tolerance`, and 0 only if they touch at the start. It is 1 with WILLOW_TOI_NONE, and 0 with
 * WILLOW_TOI_REFUSED. Coordinates are 0 or between 1e-90 and 1e90 in size, touch_distance is
 * finite and not negative, and tolerance from 0 to 1; else it is refused. As in worlds a tolerance
 * of 0 stands for 1e-6, and max_iterations of 0 for 10,000.
 *
 * A miss that is near beyond all roundings may be taken for an impact; with a touch_distance of 0
 * that takes last bits of coordinates or of the time, else some 1e-14 of the size of what moves and
 * of its way. At the start a pair that is further apart than a positive touch_distance by no more
 * than that may be said to touch. A tolerance below 1e-15 counts as that. Most answers take a few
 * iterations, hard ones tens; very few, which graze each other while they turn, more than 1000.
 * src/prim/moving/toi.c has the proof. */
WILLOW_API willow_toi willow_vertex_face_toi(const double start[4][3], const double end[4][3],
                                             double touch_distance, double tolerance,
                                             uint32_t max_iterations, double *toi);
WILLOW_API willow_toi willow_edge_edge_toi(const double start[4][3], const double end[4][3],
                                           double touch_distance, double tolerance,
                                           uint32_t max_iterations, double *toi);

/* Where the two are closest to each other at a time of the step, such as that of an impact, and the
 * normal from the first to the second. With a touch_distance of 0 it is the normal of the face, or
 * of both edges, at that time; on which side of it the first one was at the start says which way it
 * points. With a positive one it goes from point to point, unless these are as good as one: then
 * it is as with 0. Of the first kind there is none where the two meet, or lie in one plane, at the
 * start, and where the edges are parallel or the face has no area; of both where coordinates are so
 * much larger than the features, or than how far these are apart, that roundings hide it. False,
 * and zeros, for numbers that are refused above, and for a time that is not from 0 to 1. */
WILLOW_API bool willow_vertex_face_contact(const double start[4][3], const double end[4][3],
                                           double touch_distance, double time, willow_contact *out);
WILLOW_API bool willow_edge_edge_contact(const double start[4][3], const double end[4][3],
                                         double touch_distance, double time, willow_contact *out);

#ifndef __cplusplus
/* Until its standard of 2023 C takes no `double[4][3]` for a `const double[4][3]`. These do,
 * without a cast. An array that is written in place, (double[4][3]){...}, needs parentheses around
 * it. */
#    define WILLOW_FOUR_POINTS(p)                                                                  \
        _Generic((p), double(*)[3] : (const double(*)[3])(p), const double(*)[3] : (p))
#    define willow_vertex_face_toi(start, end, touch_distance, tolerance, max_iterations, toi)     \
        willow_vertex_face_toi(WILLOW_FOUR_POINTS(start), WILLOW_FOUR_POINTS(end), touch_distance, \
                               tolerance, max_iterations, toi)
#    define willow_edge_edge_toi(start, end, touch_distance, tolerance, max_iterations, toi)       \
        willow_edge_edge_toi(WILLOW_FOUR_POINTS(start), WILLOW_FOUR_POINTS(end), touch_distance,   \
                             tolerance, max_iterations, toi)
#    define willow_vertex_face_contact(start, end, touch_distance, time, out)                      \
        willow_vertex_face_contact(WILLOW_FOUR_POINTS(start), WILLOW_FOUR_POINTS(end),             \
                                   touch_distance, time, out)
#    define willow_edge_edge_contact(start, end, touch_distance, time, out)                        \
        willow_edge_edge_contact(WILLOW_FOUR_POINTS(start), WILLOW_FOUR_POINTS(end),               \
                                 touch_distance, time, out)
#endif

#ifdef __cplusplus
}
#endif
#endif
