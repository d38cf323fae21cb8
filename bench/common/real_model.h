/* real_model.h - a body of others, from a file in the folder of data, where it is there. */
#ifndef BENCH_COMMON_REAL_MODEL_H
#define BENCH_COMMON_REAL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct real_model {
    float *positions; /* three per vertex */
    uint32_t *indices;
    uint32_t vertex_count, triangle_count;
} real_model;

/* The first body of `meshes/` and this name, in the folder of data. False if it is not there; free
 * it in any case. */
bool real_model_load(real_model *model, const char *name);
void real_model_free(real_model *model);

/* Each triangle becomes four; new vertices are in the middles of edges. False for want of memory,
 * and the model is as it was. */
bool real_model_subdivide(real_model *model);

#endif
