/* icosphere.h - a sphere of 20 * 4^level triangles, all about equal. */
#ifndef SCENES_ICOSPHERE_H
#define SCENES_ICOSPHERE_H

#include "scenes.h"

enum { ICOSPHERE_LEVEL_MAX = 8 };

typedef struct icosphere {
    uint32_t vertex_count, triangle_count;
    double *directions; /* x, y, z of length one */
    uint32_t *indices;
} icosphere;

static inline uint32_t icosphere_triangles(uint32_t level) { return 20u << (2 * level); }

/* The level whose sphere has about so many triangles. */
uint32_t icosphere_nearest_level(uint32_t triangles);

/* False for want of memory; there is then nothing to destroy. */
bool icosphere_create(uint32_t level, icosphere *out);
void icosphere_destroy(icosphere *s);

/* Gives the body the triangles of the sphere. False for want of memory. */
bool icosphere_fill_body(scene_body *body, const icosphere *s);

/* Makes the sphere of the size that was asked for, and bodies of the scene that have its triangles
 * and move in this way. False for want of memory; the sphere is to be destroyed even then. */
bool icosphere_fill_scene(scene *s, icosphere *out, uint32_t body_count, scene_motion motion);

#endif
