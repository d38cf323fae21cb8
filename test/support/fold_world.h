/* fold_world.h - a world with one folding mesh, and the ways to ask it for pairs. */
#ifndef TEST_FOLD_WORLD_H
#define TEST_FOLD_WORLD_H

#include "support/fold_mesh.h"
#include "support/zoo_pose.h"
#include "willow/willow.h"

/* One shape of one mesh. */
typedef struct fold_case {
    fold_mesh mesh;
    float (*born)[3], (*now)[3]; /* positions when worlds were made, and now */
    willow_pose pose;
    bool skip_neighbours;
    uint32_t shape; /* its number */
    double amount;
} fold_case;

typedef struct fold_setup {
    willow_tree_def tree;
    willow_kernel kernel;
    uint32_t thread_count;
    bool is_narrow; /* 16-bit indices */
    bool borrows;
    bool is_sparing; /* sets only the vertices that move */
    willow_descend descend;
} fold_setup;

typedef struct fold_world {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body;
    float (*own)[3];       /* where its vertices are; what it borrows */
    willow_pose pose;      /* as last set */
    willow_tri_pair first; /* the last answer of FOLD_ASK_FIRST */
    fold_setup setup;
} fold_world;

/* The world of a mesh as it was born. */
void fold_world_create(fold_world *w, const fold_case *c, const fold_setup *setup);
void fold_world_destroy(fold_world *w);

/* Moves all vertices, and the body, to where they are now. */
void fold_world_follow(fold_world *w, const fold_case *c);

typedef enum fold_ask {
    FOLD_ASK_SELF_PAIRS,
    FOLD_ASK_PAIRS,
    FOLD_ASK_FIRST, /* one pair or none */
    FOLD_ASK_COUNT
} fold_ask;

/* The answer stays until the world is asked again. */
void fold_world_ask(fold_world *w, const fold_case *c, fold_ask ask, willow_pairs *out);

/* Whether an answer is what BRUTE's says. */
bool fold_answers_agree(const willow_pairs *expected, const willow_pairs *got, fold_ask ask);

#endif
