/* trial_scene.h - bodies of the zoo that try a step, and what every world of them must answer.
 *
 * The answers come from loops over all vertices, edges and faces, and the tests on single ones: no
 * world, no tree, no boxes. A scene is a pure function of its numbers. */
#ifndef TEST_TRIAL_SCENE_H
#define TEST_TRIAL_SCENE_H

#include "support/feature_hits.h"
#include "support/zoo_scene.h"

enum { TRIAL_CALLS = 3 };

/* One call that sets targets: of vertices [first, first + count). */
typedef struct trial_call {
    uint32_t first, count;
    float (*to)[3]; /* of these */
} trial_call;

typedef struct trial_body {
    float (*rest)[3]; /* when it is made */
    float (*goal)[3]; /* after the step, by the calls that follow */
    trial_call calls[TRIAL_CALLS];
    uint32_t call_count;
    float thickness;
    bool keep_rest;
} trial_body;

/* `zoo` has the bodies where they are before the step. */
typedef struct trial_scene {
    zoo_scene zoo;
    trial_body bodies[ZOO_MAX_BODIES];
    uint64_t seed; /* for failures in words */
} trial_scene;

/* How groups with a matrix may lie. */
typedef enum trial_groups {
    TRIAL_GROUPS_APART,  /* no two of them share a vertex */
    TRIAL_GROUPS_SHARING /* they may */
} trial_groups;

/* One to three bodies of up to so many triangles, posed or not, of which some try a step. */
void trial_scene_make(trial_scene *scene, uint32_t size, trial_groups groups, uint64_t seed);
void trial_scene_destroy(trial_scene *scene);

/* Ends all trials: every second body is now at its goal, others stay where they were. */
void trial_scene_settle(trial_scene *scene);
bool trial_is_taken(uint32_t body);

typedef struct trial_question {
    zoo_question zoo;
    double distance, tolerance;
    uint32_t max_iterations;
    bool skip_close_at_rest;
    bool features; /* near */
} trial_question;

trial_question trial_question_random(const trial_scene *scene, uint64_t seed);

/* max_results is not applied. */
typedef struct trial_answers {
    feature_hits kept; /* what the filter lets through */
    feature_hits all;
    size_t within, undecided, touching; /* of all: of one body, not decided, at the start */
} trial_answers;

void trial_find_impacts(const trial_scene *scene, const trial_question *question,
                        trial_answers *out);
void trial_find_near(const trial_scene *scene, const trial_question *question, trial_answers *out);
void trial_answers_free(trial_answers *answers);

#endif
