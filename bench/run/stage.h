/* stage.h - a scene and the arrays that all contenders read. */
#ifndef BENCH_RUN_STAGE_H
#define BENCH_RUN_STAGE_H

#include "bench/play/paths.h"
#include "bench/run/options.h"
#include "bench/run/ray_stage.h"

/* How many frames a block has; it may be one more where keyframes are followed. */
enum { BLOCK_FRAMES = 10, BLOCK_FRAMES_MAX = 11 };

typedef struct bench_stage {
    scene *scene;
    bool *self;            /* by body: pairs within it are asked for */
    bool has_steps;        /* the question is about steps */
    bool has_paths;        /* bodies whose paths are known are not shown: --plans */
    paths paths;           /* these, if so */
    ray_stage *rays;       /* NULL: the question is about something else */
    bool has_morphs;       /* bodies that are morphs are not shown: --morphs */
    uint32_t block_frames; /* see bench_block_frames */
    float **now;           /* by body: the caller's array, in the frame that is shown */
    float **next;          /* with steps: the same, in the frame behind it */
    float *
        *block[BLOCK_FRAMES_MAX + 1]; /* by frame of the block and body: positions made in advance;
                                     with steps also those of the frame behind the block */
} bench_stage;

/* Blocks in which keyframes, so many frames apart, come first as seldom as anywhere else: the first
 * frame of a block is not counted, and reaching a keyframe may cost more than other frames do. */
uint32_t bench_block_frames(uint32_t key_distance);

/* Takes the scene over. False for want of memory; destroy it in any case. */
bool bench_stage_create(bench_stage *stage, scene *s, const bench_options *options);
void bench_stage_destroy(bench_stage *stage);

/* Whether pairs within any body are asked for. */
bool bench_stage_has_self(const bench_stage *stage);

/* Puts frame 0 of all bodies into the callers' arrays. */
void bench_stage_begin(bench_stage *stage);

/* So many frames and, with steps, the one behind them, which the scene must have. */
void bench_stage_fill(bench_stage *stage, uint32_t first_frame, uint32_t count);

/* Copies one frame of the block to the callers' arrays; with steps, the next one too. */
void bench_stage_show(bench_stage *stage, uint32_t frame_in_block);

#endif
