/* prim.h - the exact tests on single triangles, for people with a broad phase of their own.
 *
 * Pure functions: no world, no memory, any thread. Input is finite float32; every finite value is
 * fine, denormals, 1e38 and triangles that are segments or points included (C1). */
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

#ifdef __cplusplus
}
#endif
#endif
