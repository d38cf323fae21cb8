/* morph_model.h - random morphs of small meshes, and where their vertices are, computed from the
 * arrays that a user would have: by vertex, target after target. */
#ifndef TEST_MORPH_MODEL_H
#define TEST_MORPH_MODEL_H

#include "support/test.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { MORPH_TARGETS = 12 };

typedef struct morph_model {
    const zoo_mesh *mesh;
    willow_morph_kind kind;
    uint32_t target_count;
    float (*base)[3];
    float (*values[MORPH_TARGETS])[3];
    uint32_t *vertices[MORPH_TARGETS]; /* of a sparse target; else NULL */
    uint32_t counts[MORPH_TARGETS];
    willow_morph_target targets[MORPH_TARGETS];
    float weights[MORPH_TARGETS];
} morph_model;

/* Targets that stand in all their ways: other frames of the mesh, or steps away from it, of all
 * vertices, of few or of none, listed or not. */
void morph_model_create(morph_model *m, const zoo_mesh *mesh, willow_morph_kind kind,
                        uint32_t target_count, uint64_t seed);
void morph_model_destroy(morph_model *m);

willow_morph morph_model_def(const morph_model *m);

/* Weights of a kind: X(enum, words) */
#define MORPH_WEIGHTS(X)                                                                           \
    X(NONE, "all 0")                                                                               \
    X(ONE, "one target")                                                                           \
    X(BETWEEN, "between two targets")                                                              \
    X(CONVEX, "sum up to one")                                                                     \
    X(SEVENTH, "all 0.7")                                                                          \
    X(NEGATIVE, "some negative")                                                                   \
    X(WILD, "anything")

typedef enum morph_weights {
#define MORPH_WEIGHTS_ENTRY(name, words) MORPH_WEIGHTS_##name,
    MORPH_WEIGHTS(MORPH_WEIGHTS_ENTRY)
#undef MORPH_WEIGHTS_ENTRY
        MORPH_WEIGHTS_COUNT
} morph_weights;

void morph_model_choose(morph_model *m, morph_weights kind, uint64_t *random);

/* Where a vertex is under these weights, not rounded and not posed. */
void morph_model_at(const morph_model *m, uint32_t vertex, double out[3]);

#endif
