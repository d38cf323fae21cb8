/* toi.h - when moving primitives first touch, on straight paths or on bent ones.
 *
 * The public functions of willow/prim.h are these on straight paths. */
#ifndef WI_PRIM_MOVING_TOI_H
#define WI_PRIM_MOVING_TOI_H

#include "willow/prim.h"

/* Where four points are at t, from 0 to 1. The same t gives the same points. */
typedef void wi_path_at(const void *context, double t, double out[4][3]);

/* How four points move: the vertex and the corners of the triangle, or the ends of one edge and
 * those of the other. */
typedef struct wi_paths {
    double start[4][3], end[4][3];
    wi_path_at *at; /* NULL: on straight lines, and what follows is not read */
    const void *context;
    /* For bent paths. `at` gives start at 0 and end at 1. Between any times s < e no difference of
     * two of the points leaves the straight line between its places at s and at e by more than
     * bend * (e - s)^2; those that `at` gives are off by no more than slack. */
    double bend, slack;
} wi_paths;

/* What 0 stands for in the limits of a question. */
#define WI_DEFAULT_TOLERANCE 1e-6
enum { WI_DEFAULT_ITERATIONS = 10000 };

typedef struct wi_toi_limits {
    double reach;            /* to touch is to be no further apart than this */
    double tolerance;        /* the time returned may be early by this */
    double until;            /* what happens later, up to 1, does not matter */
    uint32_t max_iterations; /* intervals of time that are looked at */
} wi_toi_limits;

/* As willow_vertex_face_toi and willow_edge_edge_toi; WILLOW_TOI_NONE means: not up to `until`. On
 * bent paths two primitives that come within slack of reach, or within roundings, may be said to
 * touch; where that is so at the start the time is 0. */
willow_toi wi_vertex_face_toi(const wi_paths *paths, const wi_toi_limits *limits, double *toi);
willow_toi wi_edge_edge_toi(const wi_paths *paths, const wi_toi_limits *limits, double *toi);

/* False for coordinates and distances that the public functions refuse. */
bool wi_toi_takes(const double start[4][3], const double end[4][3], double reach);

#endif
