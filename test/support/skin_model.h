/* skin_model.h - random skins, and where their vertices are, computed in long double from the
 * arrays that a user would have. */
#ifndef TEST_SKIN_MODEL_H
#define TEST_SKIN_MODEL_H

#include "support/test.h"
#include "willow/willow.h"

enum { SKIN_MOST_WEIGHTS = 8 };

typedef struct skin_model {
    uint32_t vertex_count, joint_count;
    willow_affine *binds, *rests, *joints; /* inverse bind matrices, their inverses, and now */
    uint32_t *first, *numbers;             /* as in willow_skin, which joints and weights follow */
    float *weights;
} skin_model;

/* Vertices of one to eight weights, some of them 0, that need not sum up to one. The joints are
 * where they were bound, so nothing moves. */
void skin_model_create(skin_model *m, uint32_t vertex_count, uint32_t joint_count, uint64_t seed);
void skin_model_destroy(skin_model *m);

willow_skin skin_model_def(const skin_model *m);

/* Turns, scales, shears and shifts every joint by up to about `share` of everything. */
void skin_model_move(skin_model *m, double share, uint64_t *random);

/* Where a vertex is that the source has at p, not rounded and not posed. */
void skin_model_at(const skin_model *m, uint32_t vertex, const double p[3], long double out[3]);

#endif
