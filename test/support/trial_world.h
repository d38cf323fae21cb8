/* trial_world.h - a world made of a scene in which bodies try a step, and checks of its answers.
 *
 * Trees, borrowed arrays and strides follow from a seed, threads are given. */
#ifndef TEST_TRIAL_WORLD_H
#define TEST_TRIAL_WORLD_H

#include "support/trial_scene.h"

typedef struct trial_world {
    const trial_scene *scene;
    uint64_t seed;
    uint32_t thread_count;
    willow_method method; /* of the first body; others may have others */
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[ZOO_MAX_BODIES];
    float (*borrowed[ZOO_MAX_BODIES])[3]; /* NULL: the body has a copy */
} trial_world;

/* The world before the step, all trials set, up to date. The scene stays while the world does.
 * Fails the test if a trial shows in the pairs of triangles that meet. */
void trial_world_create(trial_world *w, const trial_scene *scene, uint32_t thread_count,
                        uint64_t seed);
void trial_world_destroy(trial_world *w);

/* Ends all trials as trial_scene_settle does, which must be called after it. */
void trial_world_settle(trial_world *w);

/* Fail the test, with words about the world, unless the answers are these. */
void trial_world_check_impacts(trial_world *w, const trial_question *question,
                               const trial_answers *expected);
void trial_world_check_near(trial_world *w, const trial_question *question,
                            const trial_answers *expected);

#endif
