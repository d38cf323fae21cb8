/* prim.h - the tests on single primitives, for people with a broad phase of their own.
 *
 * Pure functions: no world, no memory, any thread. Input is finite float32, but for moving
 * primitives, which are double; every finite value of float32 is fine, denormals, 1e38 and
 * triangles that are segments or points included (C1; docs/contracts.md). */
#ifndef WILLOW_PRIM_H
#define WILLOW_PRIM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True if and only if the closed triangles have a point in common. */
WILLOW_API bool willow_tri_tri_meet(const willow_vec3 a[3], const willow_vec3 b[3]);

/* A point that both triangles have in common, if they meet: the middle of what is easily found of
 * their intersection, within some roundings of float32. If they are apart, a point midway between
 * them. To look at, not to decide by. The same bits everywhere. */
WILLOW_API willow_vec3 willow_tri_tri_witness(const willow_vec3 a[3], const willow_vec3 b[3]);

/* True if and only if the closed triangle and the closed box have a point in common. */
WILLOW_API bool willow_tri_box_meet(const willow_vec3 tri[3], const willow_box *box);

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

/* What a test of moving primitives came to. */
typedef enum willow_toi {
    WILLOW_TOI_NONE,     /* they stay apart over the whole step */
    WILLOW_TOI_IMPACT,   /* they touch, at the time returned or up to `tolerance` later */
    WILLOW_TOI_UNDECIDED /* after max_iterations nothing was found before the time returned */
} willow_toi;

/* When does a vertex first touch a triangle, and an edge an edge? The four points move on straight
 * lines from `start` (time 0) to `end` (time 1): the vertex and the corners of the triangle; the
 * ends of one edge and those of the other. To touch means to be at most min_distance apart. Points,
 * edges without length, parallel edges and points that do not move are ordinary input.
 *
 * *toi is never later than the first contact, and no contact is missed. It is early by at most
 * `tolerance`, and 0 only if they touch at the start. It is 1 with WILLOW_TOI_NONE. Coordinates
 * must be 0 or between 1e-90 and 1e90 in size; tolerance and min_distance must not be negative.
 *
 * A miss that is near beyond all roundings may be taken for an impact; with a min_distance of 0
 * that takes last bits of coordinates or of the time, else some 1e-14 of the size of what moves and
 * of its way. At the start a pair that is further apart than a positive min_distance by no more
 * than that may be said to touch. A tolerance below 1e-15 counts as that. Most answers take a few
 * iterations, hard ones tens; very few, which graze each other while they turn, more than 1000.
 * src/prim/toi.c has the proof. */
WILLOW_API willow_toi willow_vertex_face_toi(const double start[4][3], const double end[4][3],
                                             double min_distance, double tolerance,
                                             uint32_t max_iterations, double *toi);
WILLOW_API willow_toi willow_edge_edge_toi(const double start[4][3], const double end[4][3],
                                           double min_distance, double tolerance,
                                           uint32_t max_iterations, double *toi);

#ifdef __cplusplus
}
#endif
#endif
