/* cell_models.h - models for trees of cells, and such trees compared node by node. */
#ifndef TEST_CELL_MODELS_H
#define TEST_CELL_MODELS_H

#include "willow/willow.h"

/* A closed bumpy ring; an open wavy sheet; needles that are thinner than any pixel, in all
 * directions. */
typedef enum cell_shape { CELL_RING, CELL_SHEET, CELL_NEEDLES, CELL_SHAPE_COUNT } cell_shape;

enum { CELL_VERTICES = 24 * 24, CELL_TRIS = 2 * CELL_VERTICES };

typedef struct cell_model {
    float at[CELL_VERTICES][3];
    uint32_t tris[CELL_TRIS][3];
    uint32_t vertex_count, tri_count;
} cell_model;

void cell_model_make(cell_model *model, cell_shape shape);

/* Two bodies of a model side by side, the second one somewhat turned, which meet. */
typedef struct cell_pair {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
} cell_pair;

/* SPHERE with this backend, NULL for none; updated. */
void cell_pair_open(cell_pair *pair, const cell_model *model, willow_cells cells,
                    const willow_occupancy *backend);
void cell_pair_close(cell_pair *pair);

/* Asks for pairs and updates so often that the pools hold what is asked for; the hash of the pairs.
 */
uint64_t cell_pair_ask(cell_pair *pair, const willow_query_options *options);

/* Of all nodes of both trees: numbers, boxes, triangles, and whether somebody had opened them. */
uint64_t cell_pair_hash_trees(const cell_pair *pair);

/* Sums over both bodies. */
willow_occupancy_stats cell_pair_stats(const cell_pair *pair);

#endif
