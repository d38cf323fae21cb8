/* ray_stage.h - the rays of a block of frames, made before anything is timed, and what they hit.
 *
 * Secondary rays start where others hit, and who answers a hit a little otherwise would then be
 * asked other rays. So a world of the stage's own traces every frame first (ray_frame.h), and all
 * contenders are given the very rays of that. Its answers are what those of peers are held
 * against. */
#ifndef BENCH_RUN_RAY_STAGE_H
#define BENCH_RUN_RAY_STAGE_H

#include "bench/play/player.h"
#include "bench/rays/ray_frame.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"

/* Rays that are asked together. */
typedef struct staged_batch {
    willow_ray *rays;
    double *t; /* of hits; 0 where something blocks; INFINITY where nothing is hit */
    size_t count, capacity;
} staged_batch;

typedef struct staged_rays {
    staged_batch batches[RAY_BATCH_COUNT];
} staged_rays;

typedef struct ray_stage {
    const scene *scene;
    bench_question question;
    player player;
    bool *self;
    float **now; /* by body: what the player reads */
    ray_frame frame;
    staged_rays *block; /* by frame of the block */
    uint32_t block_frames;
} ray_stage;

/* NULL for want of memory. */
ray_stage *ray_stage_create(const scene *s, bench_question question, uint32_t block_frames);
void ray_stage_destroy(ray_stage *stage);

/* Traces so many frames. False on failure; the player then says why. */
bool ray_stage_fill(ray_stage *stage, uint32_t first_frame, uint32_t count);

static inline const staged_rays *ray_stage_frame(const ray_stage *stage, uint32_t frame)
{
    return &stage->block[frame % stage->block_frames];
}

/* ---- answers ---- */

/* What a contender answered to all rays of a frame. */
typedef struct ray_answer {
    uint64_t rays, hits; /* what blocks counts as a hit */
    uint64_t lost;       /* answers that are not those of the stage */
    uint64_t digest;     /* all bits of all hits */
    double idle_ms;      /* spent on all this, while the contender was asked */
} ray_answer;

/* Asks all batches, and takes time for nothing but the caster in the end: see idle_ms. Exact
 * contenders are known by their digest; of others what they lose is counted. False if the caster
 * fails. */
bool ray_stage_ask(const staged_rays *rays, const ray_caster *caster, bool is_exact,
                   ray_answer *out);

/* As a list without items. */
void ray_answer_copy(const ray_answer *answer, pair_list *out);

/* A player's world as a caster; `context` is the player. */
ray_caster player_ray_caster(player *p);

#endif
