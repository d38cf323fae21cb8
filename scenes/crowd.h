/* crowd.h - boxes that move, without meshes: what broad phases are tested and measured with.
 *
 * A crowd is stepped from frame to frame; where one of its boxes is at any frame can be asked, too.
 * The same bits everywhere. Boxes are about 1 long, or of sizes with a heavy tail, in a cube (a
 * square in the plane) of four times as many units of volume as there are boxes. The scenes crowd2d
 * and crowd3d make bodies of them (crowd_bodies.c). */
#ifndef SCENES_CROWD_H
#define SCENES_CROWD_H

#include <stdbool.h>
#include <stdint.h>
#include "scenes.h"
#include "willow/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(enum, word, what it is) */
#define CROWD_SIZES(X)                                                                             \
    X(UNIFORM, "uniform", "edges from 0.8 to 1.2")                                                 \
    X(HEAVY, "heavy", "edges 0.3 u^-0.5 up to 50, u even in (0, 1)")

#define CROWD_MOTIONS(X)                                                                           \
    X(DRIFTING, "drifting", "straight on, by up to a hundredth of the own size in a step")         \
    X(BROWNIAN, "brownian", "each step up to a hundredth of the own size, any way")                \
    X(FALLING, "falling", "all go down at speeds of their own, and come back at the top")          \
    X(PRESSED, "pressed", "all draw near to the middle, and are let go again")

#define CROWD_ENTRY(name, word, what) CROWD_##name,
typedef enum crowd_sizes { CROWD_SIZES(CROWD_ENTRY) CROWD_SIZES_COUNT } crowd_sizes;
typedef enum crowd_motion { CROWD_MOTIONS(CROWD_ENTRY) CROWD_MOTION_COUNT } crowd_motion;
#undef CROWD_ENTRY

/* What each of them is called. */
extern const char *const crowd_size_words[CROWD_SIZES_COUNT];
extern const char *const crowd_motion_words[CROWD_MOTION_COUNT];

typedef struct crowd_def {
    uint32_t dimensions; /* 2 or 3 */
    uint32_t count;
    crowd_sizes sizes;
    crowd_motion motion;
    double moving; /* share of boxes that move in a step; others each time */
    uint64_t seed;
} crowd_def;

/* The crowd that a scene stands for; false if the scene is none. */
bool crowd_def_of_scene(const scene_kind *kind, const scene_params *params, crowd_def *out);

typedef struct crowd crowd;

/* NULL if there is no memory. */
crowd *crowd_create(const crowd_def *def);
void crowd_destroy(crowd *c);

/* The next frame. */
void crowd_step(crowd *c);

/* All boxes now: `count` of them, willow_box in space and willow_rect in the plane. */
const void *crowd_boxes(const crowd *c);

/* Those that moved in the last step, or NULL if all did. */
const uint32_t *crowd_changed(const crowd *c, uint32_t *count);

/* The middle of a box at any frame, and its edges, which are the same in all of them. The time that
 * the first takes grows with the frame. */
void crowd_middle(const crowd *c, uint32_t frame, uint32_t number, double out[3]);
void crowd_edges(const crowd *c, uint32_t number, double out[3]);

#ifdef __cplusplus
}
#endif
#endif
