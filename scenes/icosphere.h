/* icosphere.h - a sphere of 20 * 4^level triangles, all about equal. */
#ifndef SCENES_ICOSPHERE_H
#define SCENES_ICOSPHERE_H

#include <stdbool.h>
#include <stdint.h>

enum { ICOSPHERE_LEVEL_MAX = 8 };

typedef struct icosphere {
    uint32_t vertex_count, triangle_count;
    double *directions; /* x, y, z of length one */
    uint32_t *indices;
} icosphere;

static inline uint32_t icosphere_triangles(uint32_t level) { return 20u << (2 * level); }

/* False for want of memory. The caller frees both arrays. */
bool icosphere_create(uint32_t level, icosphere *out);

#endif
