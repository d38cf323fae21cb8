/* occupancy.h - the interface of a backend that finds which cells of a sphere-tree a surface
 * touches, such as a graphics card. The library `willow_gl` (willow_gl.h) is such a backend. */
#ifndef WILLOW_OCCUPANCY_H
#define WILLOW_OCCUPANCY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a backend is asked: which children of a cell are touched by the triangles that touch the
 * cell. No other triangle of the body touches one of the children. All is in the frame of the mesh,
 * without the pose. */
typedef struct willow_occupancy_question {
    const willow_box *cells; /* the children, closed boxes; 1 to 8 */
    uint32_t cell_count;
    uint32_t triangle_count; /* 1 or more */

    /* Writes the corners of a triangle, a number below triangle_count. May be called until `count`
     * returns. */
    void (*corners)(const struct willow_occupancy_question *question, uint32_t triangle,
                    float corners[3][3]);
    const void *surface; /* of the library, used by `corners` */
} willow_occupancy_question;

/* A backend. `count` writes for each cell how much of the surface it has seen there: a positive
 * count says that the surface touches the cell, zero says nothing. If `count` returns false, the
 * backend could not look, and its counts are not read. With both members NULL there is no backend.
 *
 * The exact test always decides, and lists the triangles of each cell. So trees and answers do not
 * depend on the backend, even if it is wrong; willow_sphere_stats says how often it was right.
 *
 * `count` is called only by queries whose options have `use_occupancy` and not `use_threads`, on
 * the querying thread and without a lock. So of all bodies with the same context, one thread at a
 * time may query with `use_occupancy`; other threads may run other queries meanwhile. All other
 * queries, and updates with `grow_whole`, open nodes by the exact test alone. `count` must use
 * neither the world nor the scratch of the query. The context belongs to the caller, and must last
 * as long as a body has it. */
typedef struct willow_occupancy {
    bool (*count)(void *context, const willow_occupancy_question *question, uint32_t *counts);
    void *context;
} willow_occupancy;

/* How often a backend was asked, and how often it was right. */
typedef struct willow_occupancy_stats {
    uint64_t questions; /* calls of `count`, one for each node that grew; a node that found no room
                           in the pool is asked about again */
    uint64_t refused;   /* of these: false was returned */
    uint64_t seen;      /* cells of the others: counted above 0, and touched */
    uint64_t missed;    /* counted as 0, and touched */
    uint64_t empty;     /* counted as 0, and not touched */
    uint64_t wrong;     /* counted above 0, and not touched */
} willow_occupancy_stats;

#ifdef __cplusplus
}
#endif
#endif
