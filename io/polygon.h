/* polygon.h - triangles of polygons, whatever their shape.
 *
 * A convex polygon becomes a fan around its first corner, one with dents is cut ear by ear in the
 * plane that it faces most (so holes that are joined to the outline by a bridge stay holes), and
 * one without an area becomes a fan again. There are always two triangles less than corners, and
 * corners keep their order around them. */
#ifndef IO_POLYGON_H
#define IO_POLYGON_H

#include "io/io_memory.h"

/* What is used from polygon to polygon. Zero is empty. */
typedef struct polygon_room {
    double (*flat)[2];    /* corners in the plane, counterclockwise */
    uint32_t (*links)[2]; /* previous and next corner of what is left */
    uint8_t *is_reflex;   /* by corner */
    uint32_t *reflex;     /* those that may lie in an ear */
    uint32_t capacity;
    uint64_t steps;    /* of cutting, in all polygons */
    uint32_t given_up; /* polygons that became fans because there were too many steps */
} polygon_room;

/* Writes 3 * (corner_count - 2) vertices to `out`. `corners` are numbers of vertices in
 * `positions`; there are three or more. False for want of memory. */
bool polygon_cut(io_memory *m, polygon_room *room, const float *positions, const uint32_t *corners,
                 uint32_t corner_count, uint32_t *out);
void polygon_room_free(io_memory *m, polygon_room *room);

#endif
