/* stage.h - a scene in a world, whose bodies move in one of the ways that the library knows.
 *
 * Way in: stage_open, then stage_go for every frame. What moves is a function of scene, motion and
 * frames alone. */
#ifndef TEST_GOLDEN_STAGE_H
#define TEST_GOLDEN_STAGE_H

#include "scenes/scenes.h"
#include "support/bend.h"
#include "willow/willow.h"

enum { STAGE_BODIES = 16 };

/* X(enum, name, how a body is moved, where its trial step ends) */
#define STAGE_MOTIONS(X)                                                                           \
    X(COPIED, "copied", set_copied, target_positions)                                              \
    X(PARTIAL, "partial", set_partial, target_positions)                                           \
    X(BORROWED, "borrowed", set_borrowed, target_positions)                                        \
    X(POSED, "posed", set_posed, target_pose)                                                      \
    X(FLIGHT, "flight", set_flight, NULL)                                                          \
    X(PLANS, "plans", set_plans, NULL)                                                             \
    X(MORPHS, "morphs", set_morphs, target_weights)                                                \
    X(USER, "user", set_user, target_bend)

typedef enum stage_motion {
#define STAGE_MOTION_ENTRY(name, words, move, target) STAGE_##name,
    STAGE_MOTIONS(STAGE_MOTION_ENTRY)
#undef STAGE_MOTION_ENTRY
        STAGE_MOTION_COUNT
} stage_motion;

const char *stage_motion_name(stage_motion motion);

/* How the bodies move, and in which frames. */
typedef struct stage_play {
    stage_motion motion;
    bool has_steps; /* every update has a trial step to the frame that follows */
    uint32_t first_frame, frame_step, frame_count;
} stage_play;

/* In which world. */
typedef struct stage_setup {
    willow_kernel kernel;
    uint32_t threads;
    willow_tree_def tree;
} stage_setup;

typedef struct stage {
    const scene *scene;
    stage_play play;
    stage_setup setup;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[STAGE_BODIES];
    float *positions[STAGE_BODIES], *next[STAGE_BODIES];
    bend now, then;              /* of USER: at both ends of a step */
    willow_update_report report; /* sums over all updates */
} stage;

/* The world at the first frame, up to date. The scene stays while the stage does. */
void stage_open(stage *s, const scene *from, const stage_play *play, const stage_setup *setup);
void stage_close(stage *s);

/* Moves all bodies to the n-th frame of the play, and updates. */
void stage_go(stage *s, uint32_t turn);

#endif
