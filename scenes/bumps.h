/* bumps.h - spheres with waves that travel over them: the bodies of several scenes. */
#ifndef SCENES_BUMPS_H
#define SCENES_BUMPS_H

#include "icosphere.h"
#include "scenes.h"

enum { WAVE_COUNT = 4 };

typedef struct wave {
    double direction[3]; /* times the wave number */
    double phase, speed; /* radians, radians per step */
    double height;
} wave;

/* The waves of one sphere. */
typedef struct bumps {
    wave waves[WAVE_COUNT];
} bumps;

/* The lowest and highest radius that waves can make. */
#define BUMPS_RADIUS_MIN 0.91
#define BUMPS_RADIUS_MAX 1.09

/* Waves that are a function of `key`. They are long against the triangles of coarse spheres, so
 * that all sizes show the same motion. */
bumps bumps_make(uint64_t key);

/* The radius of the sphere in the direction d, which has length one. */
double bumps_radius(const bumps *b, double step, const double d[3]);

/* Writes x, y, z of the sphere around the origin. */
void bumps_positions(const bumps *b, double step, const icosphere *sphere, float *xyz_out);

/* What scenes share whose bodies are bumpy spheres of one size. */
typedef struct bumps_set {
    icosphere sphere;
    bumps *of_body;
} bumps_set;

/* Fills the bodies of the scene, their count and the size in use: spheres of about as many
 * triangles as were asked for. False for want of memory; the set is to be destroyed even then. */
bool bumps_set_create(bumps_set *set, scene *s, uint32_t body_count);
void bumps_set_destroy(bumps_set *set);

#endif
