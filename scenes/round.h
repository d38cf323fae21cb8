/* round.h - closed and open surfaces of revolution with exactly as many triangles as are wanted,
 * and who is beside whom in them. */
#ifndef SCENES_ROUND_H
#define SCENES_ROUND_H

#include <stdbool.h>
#include <stdint.h>

/* In the place of an edge: nothing is beside it. */
#define ROUND_RIM UINT32_MAX

/* Points of the surface are named by where they are on it: `down` goes from 0 above to 1 below, and
 * `around` is an angle. Edge 3 t + k of triangle t goes from its corner k to the next. */
typedef struct round_mesh {
    uint32_t vertex_count, tri_count;
    double *down, *around; /* by vertex */
    uint32_t (*tris)[3];
    uint32_t *beside; /* by edge: the same one of the other triangle, or ROUND_RIM */
} round_mesh;

/* An even number of triangles, with so many corners around; an open one has no pole above, and a
 * rim instead. False for want of memory; destroy it in any case. */
bool round_create(round_mesh *m, uint32_t tri_count, uint32_t around, bool is_open);

/* Each triangle becomes four; new vertices are between old ones. The same. */
bool round_subdivide(round_mesh *m);

/* A closed surface of others, whose points have no places: nothing but who is beside whom. */
bool round_take(round_mesh *m, const uint32_t *indices, uint32_t tri_count, uint32_t vertex_count);
void round_destroy(round_mesh *m);

#endif
