/* cloth.h - a square cloth that falls onto something: simulated once on a coarse net, then shown as
 * smooth as a scene wants it. */
#ifndef SCENES_CLOTH_H
#define SCENES_CLOTH_H

#include "vec.h"

#include <stdbool.h>
#include <stdint.h>

/* Knots on each side of the net, and the simulated time between two keyframes in seconds. */
enum { CLOTH_KNOTS = 41 };
#define CLOTH_KEY_TIME 0.02

/* One small step of a knot: from `before` to where it would be now if nothing stopped it. */
typedef struct cloth_move {
    double time, duration; /* seconds since the start, seconds that the step takes */
    vec before, now;
} cloth_move;

typedef struct cloth_def {
    double side;        /* length of the cloth, which is square */
    vec centre;         /* where it lies at first, level but for some ripples */
    uint32_t key_count; /* frames to keep */
    uint64_t key;       /* of the random numbers: ripples, and how the cloth is turned */

    /* Where a knot ends that was stopped, or `now` if nothing is in its way. */
    vec (*stop)(const cloth_move *move);
} cloth_def;

typedef struct cloth {
    uint32_t key_count;
    vec *knots; /* CLOTH_KNOTS * CLOTH_KNOTS per keyframe */
} cloth;

/* Runs the simulation. False for want of memory. */
bool cloth_create(const cloth_def *def, cloth *out);
void cloth_destroy(cloth *c);

/* Squares on each side of a mesh (sheet.h) of about so many triangles. */
uint32_t cloth_squares(uint32_t triangles);

/* Vertices of that mesh: `count` from `first` on. */
typedef struct cloth_part {
    uint32_t squares, first, count;
} cloth_part;

/* Writes x, y, z of them at a time in keyframes: straight between two, and still after the last. */
void cloth_positions(const cloth *c, double key, const cloth_part *part, float *xyz_out);

/* The share of a slide along a surface that friction leaves: a knot went from `before` to `now`,
 * which lies on a surface with that normal that itself moved by `drift`. */
vec cloth_rub(vec before, vec now, vec normal, vec drift, double friction);

#endif
