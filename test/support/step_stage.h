/* step_stage.h - a world of two bodies in the middle of a trial step, and all that can be asked of
 * it. */
#ifndef TEST_STEP_STAGE_H
#define TEST_STEP_STAGE_H

#include "willow/willow.h"

enum { STEP_BODIES = 2 };

/* Poses to begin with, and to turn to: each that of the other. */
extern const willow_pose step_poses[STEP_BODIES];

typedef struct step_stage {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[STEP_BODIES];
} step_stage;

/* Once there are bodies: updates the world, which must be sound, and makes a scratch. */
void step_stage_begin(step_stage *s);
void step_stage_close(step_stage *s);

/* Answers as numbers; those of impacts and of what is near within 0.05. */
typedef struct step_answers {
    uint64_t impacts, first, near, features, closest;
    size_t impact_count, near_count;
} step_answers;

step_answers step_stage_ask(step_stage *s);

/* Fails the test with these words if they are not the same. */
void step_answers_expect(const step_answers *wanted, const step_answers *found, const char *words);

#endif
