/* prim.h - tests of single primitives, for programs with a broad phase of their own.
 *
 * Pure functions: no world, no memory, any thread. Input is finite float32, and double for moving
 * primitives. Every finite float32 is valid, also denormals and 1e38, and so are triangles that are
 * segments or points (C1; docs/contracts.md). Worlds have float32 positions, and answer as these
 * functions do for positions rounded to float32. */
#ifndef WILLOW_PRIM_H
#define WILLOW_PRIM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True if and only if the closed triangles have a point in common. */
WILLOW_API bool willow_tri_tri_meet(const willow_vec3 a[3], const willow_vec3 b[3]);

/* True if and only if the triangles go through each other: their interiors have a point in common,
 * and they are not in one plane. Triangles that only touch, in a point, along an edge or within one
 * plane, do not cross; triangles without area never cross. Exact, as willow_tri_tri_meet is. */
WILLOW_API bool willow_tri_tri_cross(const willow_vec3 a[3], const willow_vec3 b[3]);

/* A point that both triangles have in common, if they meet: the middle of a part of their
 * intersection, within some roundings of float32. If they are apart, a point midway between them.
 * It is meant to be shown, not to decide whether they meet. The same bits everywhere. */
WILLOW_API willow_vec3 willow_tri_tri_witness(const willow_vec3 a[3], const willow_vec3 b[3]);

/* True if and only if the closed triangle and the closed box have a point in common. */
WILLOW_API bool willow_tri_box_meet(const willow_vec3 tri[3], const willow_box *box);

/* True if and only if the ray meets the closed triangle; then *out is filled, except for the body.
 * `out` may be NULL. `t` is that of the first common point, with a relative error of at most 2^-29,
 * from t_min to t_max, and the same bits everywhere. False for rays that willow_cast_rays
 * refuses. */
WILLOW_API bool willow_ray_tri(const willow_ray *ray, const willow_vec3 tri[3], willow_hit *out);

/* Triangles in the buffers of the program. */
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

/* Distances, and the closest points; `on_...` may be NULL. Distances are exact within some
 * roundings of double, and 0 if and only if the two meet. The same bits everywhere. */
WILLOW_API double willow_point_tri_distance(const willow_vec3 *point, const willow_vec3 tri[3],
                                            willow_vec3 *on_tri);
WILLOW_API double willow_edge_edge_distance(const willow_vec3 a[2], const willow_vec3 b[2],
                                            willow_vec3 *on_a, willow_vec3 *on_b);
WILLOW_API double willow_tri_tri_distance(const willow_vec3 a[3], const willow_vec3 b[3],
                                          willow_vec3 *on_a, willow_vec3 *on_b);

/* Where two features (vertices, edges, faces) touch, or are closest to each other. */
typedef struct willow_contact {
    willow_vec3 point_a, point_b; /* the closest point of each; the same point if they meet */

    /* The same points as barycentric weights: of the three corners of a face, of the two ends of an
     * edge and a 0, or 1, 0, 0 for a vertex. None is negative, and their sum is 1, within roundings
     * of float32. */
    float weights_a[3], weights_b[3];

    willow_vec3 normal; /* of length 1, from a to b; zeros if has_normal is false, as for
                           features that meet in queries that are not about steps */
    bool has_normal;
} willow_contact;

/* The same distances, to the bit, with the whole contact: of a point (a) and a triangle, of two
 * edges, of two triangles. The normal goes from point_a to point_b; its direction is off by about
 * 1e-14 times their size over the distance. */
WILLOW_API double willow_point_tri_closest(const willow_vec3 *point, const willow_vec3 tri[3],
                                           willow_contact *out);
WILLOW_API double willow_edge_edge_closest(const willow_vec3 a[2], const willow_vec3 b[2],
                                           willow_contact *out);
WILLOW_API double willow_tri_tri_closest(const willow_vec3 a[3], const willow_vec3 b[3],
                                         willow_contact *out);

/* The outcome of a test of moving primitives (continuous collision detection). */
typedef enum willow_toi {
    WILLOW_TOI_NONE,      /* they stay apart over the whole step */
    WILLOW_TOI_IMPACT,    /* they touch, at the time returned or up to `tolerance` later */
    WILLOW_TOI_UNDECIDED, /* max_iterations was reached: they do not touch before the time
                             returned */
    WILLOW_TOI_REFUSED    /* a number is NaN or out of its range: nothing was decided */
} willow_toi;

/* The time at which a vertex first touches a triangle, or an edge an edge. The four points move on
 * straight lines from `start` (time 0) to `end` (time 1): the vertex and the corners of the
 * triangle, or the ends of one edge and those of the other. Two features touch if they are at most
 * touch_distance apart. Triangles that are points, edges without length, parallel edges and points
 * that do not move are valid input.
 *
 * *toi is never later than the first contact, and no contact is missed. It is early by at most
 * `tolerance`, and 0 only if they touch at the start. It is 1 with WILLOW_TOI_NONE, and 0 with
 * WILLOW_TOI_REFUSED. Coordinates must be 0 or between 1e-90 and 1e90 in size, touch_distance
 * finite and not negative, and tolerance from 0 to 1; other input is refused. As in worlds, a
 * tolerance of 0 stands for 1e-6, and max_iterations of 0 for 10,000.
 *
 * A very near miss may be reported as an impact. With a touch_distance of 0 it must be a miss by
 * the last bits of coordinates or of the time; else a miss by some 1e-14 of the sizes and paths of
 * the features. At the start, a pair whose distance exceeds a positive touch_distance by no more
 * than that may be reported as touching. A tolerance below 1e-15 counts as 1e-15. Most answers take
 * a few iterations, hard ones tens; very few, which graze each other while they turn, more than
 * 1000. src/prim/moving/toi.c has the proof. */
WILLOW_API willow_toi willow_vertex_face_toi(const double start[4][3], const double end[4][3],
                                             double touch_distance, double tolerance,
                                             uint32_t max_iterations, double *toi);
WILLOW_API willow_toi willow_edge_edge_toi(const double start[4][3], const double end[4][3],
                                           double touch_distance, double tolerance,
                                           uint32_t max_iterations, double *toi);

/* The closest points of the two features at a time of the step, such as that of an impact, and the
 * normal from the first to the second. With a touch_distance of 0 the normal is that of the face,
 * or of both edges, at that time; it points away from the side on which the first feature was at
 * the start. With a positive touch_distance it goes from point to point, unless the points
 * practically coincide: then it is as with 0. The normal of a face or of edges does not exist if
 * the features meet or lie in one plane at the start, if the edges are parallel, or if the face has
 * no area. Neither normal exists if coordinates are so much larger than the features, or than their
 * distance, that roundings hide it. False, and zeros, for numbers that are refused above, and for a
 * time that is not from 0 to 1. */
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
