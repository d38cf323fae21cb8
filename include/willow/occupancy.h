/* occupancy.h - somebody else who looks which cells of a sphere-tree a surface touches: a graphics
 * card, say. The library `willow_gl` (willow_gl.h) is one that draws. */
#ifndef WILLOW_OCCUPANCY_H
#define WILLOW_OCCUPANCY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The children of a cell, and the triangles that touch the cell: no other triangle of the body
 * touches one of the children. All in the frame of the mesh, without the pose. */
typedef struct willow_occupancy_question {
    const willow_box *cells; /* closed; 1 to 8 */
    uint32_t cell_count;
    uint32_t triangle_count; /* 1 or more */

    /* Writes the corners of a triangle below triangle_count. Until `count` returns. */
    void (*corners)(const struct willow_occupancy_question *question, uint32_t triangle,
                    float corners[3][3]);
    const void *surface; /* for `corners` */
} willow_occupancy_question;

/* Which of these cells does the surface touch? `count` writes for each cell how much of the surface
 * it has seen in it: a positive count says that the surface touches the cell, zero says nothing.
 * False: it could not look, and its counts are not read.
 *
 * The exact test decides whatever it says, and lists the triangles of each cell, so that trees and
 * answers do not depend on it, nor on whether it lies; willow_sphere_stats says how often it was
 * right. Called by queries only whose options say `use_occupancy` and not `use_threads`, on the
 * asking thread, without a lock: one thread at a time may ask so, of all bodies that have the same
 * context. Other threads may ask other questions meanwhile. Nodes that others open (other queries,
 * updates with `grow_whole`) are opened by the exact test alone. `count` must call neither the
 * world nor the scratch that asks. The context belongs to the caller, and must last as long as a
 * body has it. All NULL: the exact test alone. */
typedef struct willow_occupancy {
    bool (*count)(void *context, const willow_occupancy_question *question, uint32_t *counts);
    void *context;
} willow_occupancy;

/* What became of it. */
typedef struct willow_occupancy_stats {
    uint64_t questions; /* to `count`, about nodes that grew then; a node that found no room in the
                           pool is asked about again */
    uint64_t refused;   /* of these: it returned false */
    uint64_t seen;      /* cells of the others that it saw something in, and that are touched */
    uint64_t missed;    /* that it saw nothing in, and that are touched */
    uint64_t empty;     /* that it saw nothing in, and that are not touched */
    uint64_t wrong;     /* that it saw something in, and that are not touched */
} willow_occupancy_stats;

#ifdef __cplusplus
}
#endif
#endif
