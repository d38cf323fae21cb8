/* zoo_world.h - a world made of a scene of the zoo, in one of the many ways in which a user may
 * make it, and a check of all it answers. */
#ifndef TEST_ZOO_WORLD_H
#define TEST_ZOO_WORLD_H

#include "support/zoo_scene.h"

/* How a world is made. */
typedef struct zoo_setup {
    willow_world_def world;
    willow_tree_def trees[ZOO_MAX_BODIES];
    uint64_t formats; /* 0: all plain. Else chooses strides, index types, borrowing by body */
} zoo_setup;

typedef struct zoo_user_body {
    willow_body_id id;
    size_t stride;
    char *vertices; /* as the user has them, with nonsense in the gaps */
    bool borrows;
} zoo_user_body;

typedef struct zoo_world {
    const zoo_scene *scene;
    zoo_setup setup;
    willow_world *world;
    willow_scratch *scratch;
    zoo_user_body bodies[ZOO_MAX_BODIES];
    uint32_t asked; /* how often: every time another form of the question is the first */
} zoo_world;

/* One tree for all bodies, one thread, plain formats. */
zoo_setup zoo_setup_with(willow_kernel kernel, willow_tree_def tree);
willow_tree_def zoo_tree(willow_method method, uint32_t arity, uint32_t leaf_triangles);

/* The builder at `turn` of the table, round and round. */
willow_build zoo_build(uint64_t turn);

/* What methods may be told beyond their defaults. All tests of methods take their rows from here
 * and from the table of methods, so one line is all that a new setting needs.
 * X(method, name of the row, setting, value) */
#define ZOO_SETTINGS(X)                                                                            \
    X(HYBRID, "hybrid 1", hybrid_level, 1)                                                         \
    X(HYBRID, "hybrid 2", hybrid_level, 2)                                                         \
    X(HYBRID, "hybrid all", hybrid_level, UINT32_MAX) /* beyond every height: the leaves */        \
    X(HYBRID, "hybrid wide", margin, 0.05F)                                                        \
    X(AUTO, "auto ratio 1", rebuild_ratio, 1.0F) /* built again at the least decay */

/* Every method as it is, then every setting. */
#define ZOO_SETTING_ENTRY(method, words, setting, value) +1
enum { ZOO_VARIANT_COUNT = WILLOW_METHOD_COUNT ZOO_SETTINGS(ZOO_SETTING_ENTRY) };
#undef ZOO_SETTING_ENTRY

const char *zoo_variant_name(uint32_t variant);

/* Its tree grows while it is asked: it is not all there, nor counted as others are. */
bool zoo_variant_grows(uint32_t variant);
willow_tree_def zoo_variant_tree(uint32_t variant, uint32_t arity, uint32_t leaf_triangles);

/* Gives a tree the builder of the turn, and one of the settings of its method or none. */
void zoo_tree_vary(willow_tree_def *tree, uint64_t turn);

/* The world of the scene as it is now, up to date. The scene stays while the world does. */
void zoo_world_create(zoo_world *w, const zoo_scene *scene, const zoo_setup *setup);
void zoo_world_destroy(zoo_world *w);

/* Hands over what the scene's last frame moved and turned, in the order and the pieces that the
 * seed says, and updates. */
void zoo_world_follow(zoo_world *w, uint64_t seed);

/* Asks everything in every way, each time beginning with another, and fails the test, with words
 * about the world, unless all answers are these. Returns the number of pairs. */
size_t zoo_world_check(zoo_world *w, const zoo_question *question, const zoo_answers *expected);

/* The parts of it. */
size_t zoo_check_pairs(zoo_world *w, const zoo_question *question, const zoo_answers *expected);
size_t zoo_check_self_pairs(zoo_world *w, const zoo_question *question,
                            const zoo_answers *expected);
size_t zoo_check_first(zoo_world *w, const zoo_question *question, const zoo_answers *expected);
size_t zoo_check_visit(zoo_world *w, const zoo_question *question, const zoo_answers *expected);
size_t zoo_check_box(zoo_world *w, const zoo_question *question, const zoo_answers *expected);

/* True where this machine and build have the kernel. */
bool zoo_has_kernel(willow_kernel kernel);

#endif
