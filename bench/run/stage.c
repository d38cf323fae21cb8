/* stage.c - positions, made before anything is timed.
 *
 * The positions of a block of frames are made first. Before each frame of each contender they are
 * copied to the callers' arrays, which are the same for all, as if a simulation had just written
 * them there; that copy is not timed either. With --plans this holds for bodies whose paths are not
 * known: those of the others are where everybody finds them, and who needs positions makes them.
 * --morphs does the same for bodies that are morphs. */
#include "bench/run/stage.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "bench/play/player.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/ray_stage.h"

#include <stdlib.h>
#include <string.h>

static size_t stage_positions_size(const scene_body *body)
{
    return 3 * (size_t)body->vertex_count * sizeof(float);
}

/* Who is asked for pairs within: those that the scene names, or all if it names none and the
 * question is about nothing else. */
static void choose_self(bench_stage *stage, const bench_options *options)
{
    const bench_question question = options->question;
    bool any = false;
    if (options->strangers) return;
    for (uint32_t i = 0; i < stage->scene->body_count; i++) {
        stage->self[i] = stage->scene->bodies[i].self;
        any = any || stage->self[i];
    }
    for (uint32_t i = 0; !any && question == QUESTION_SELF && i < stage->scene->body_count; i++) {
        stage->self[i] = true;
    }
}

bool bench_stage_has_self(const bench_stage *stage)
{
    for (uint32_t i = 0; i < stage->scene->body_count; i++) {
        if (stage->self[i]) return true;
    }
    return false;
}

static uint32_t common_factor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint32_t bench_block_frames(uint32_t key_distance)
{
    static const uint32_t lengths[] = {BLOCK_FRAMES, 9, BLOCK_FRAMES_MAX, 7};
    for (int i = 0; i < 4; i++) {
        if (common_factor(lengths[i], key_distance) == 1) return lengths[i];
    }
    return BLOCK_FRAMES;
}

/* How many frames positions are needed of. */
static uint32_t last_frame(const bench_stage *stage, const bench_options *options)
{
    return bench_frames(options, stage->scene) + stage->has_steps;
}

bool bench_stage_create(bench_stage *stage, scene *s, const bench_options *options)
{
    *stage =
        (bench_stage){.scene = s, .has_steps = bench_question_is(options->question, ASKS_STEPS)};
    stage->self = calloc((size_t)s->body_count + 1, sizeof *stage->self);
    stage->now = scene_arrays_create(s);
    stage->next = stage->has_steps ? scene_arrays_create(s) : NULL;
    if (stage->self == NULL || stage->now == NULL) return false;
    if (stage->has_steps && stage->next == NULL) return false;
    choose_self(stage, options);
    stage->has_paths = options->engine.plans && scene_has_paths(s);
    stage->has_morphs = options->engine.morphs && scene_has_morphs(s);
    stage->block_frames = stage->has_paths && s->kind->key != NULL
                              ? bench_block_frames(scene_key_frame(s, 1))
                              : BLOCK_FRAMES;
    if (stage->has_paths && !paths_create(&stage->paths, s, last_frame(stage, options)))
        return false;
    for (uint32_t i = 0; i < stage->block_frames + stage->has_steps; i++) {
        stage->block[i] = scene_arrays_create(s);
        if (stage->block[i] == NULL) return false;
    }
    if (!bench_question_is(options->question, ASKS_RAYS)) return true;
    stage->rays = ray_stage_create(s, options->question, stage->block_frames);
    return stage->rays != NULL;
}

void bench_stage_destroy(bench_stage *stage)
{
    if (stage->scene == NULL) return;
    for (int i = 0; i <= BLOCK_FRAMES_MAX; i++) scene_arrays_destroy(stage->scene, stage->block[i]);
    scene_arrays_destroy(stage->scene, stage->now);
    scene_arrays_destroy(stage->scene, stage->next);
    ray_stage_destroy(stage->rays);
    if (stage->has_paths) paths_destroy(&stage->paths);
    free(stage->self);
    scene_destroy(stage->scene);
}

/* Targets of steps are positions in any case. */
static bool is_shown(const bench_stage *stage, uint32_t body)
{
    if (stage->has_morphs && scene_body_morphs(stage->scene, body)) return false;
    return !stage->has_paths || stage->has_steps || !scene_body_has_path(stage->scene, body);
}

void bench_stage_begin(bench_stage *stage)
{
    scene_arrays_fill(stage->scene, 0, stage->now);
    if (stage->has_steps) scene_arrays_fill(stage->scene, 1, stage->next);
}

static void fill_arrays(const bench_stage *stage, uint32_t frame, float *const *arrays)
{
    for (uint32_t i = 0; i < stage->scene->body_count; i++) {
        if (is_shown(stage, i)) scene_positions(stage->scene, frame, i, arrays[i]);
    }
}

void bench_stage_fill(bench_stage *stage, uint32_t first_frame, uint32_t count)
{
    for (uint32_t i = 0; i < count + stage->has_steps; i++) {
        fill_arrays(stage, first_frame + i, stage->block[i]);
    }
}

static void copy_arrays(const bench_stage *stage, float *const *from, float *const *to)
{
    const scene *s = stage->scene;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (is_shown(stage, i)) memcpy(to[i], from[i], stage_positions_size(&s->bodies[i]));
    }
}

void bench_stage_show(bench_stage *stage, uint32_t frame_in_block)
{
    copy_arrays(stage, stage->block[frame_in_block], stage->now);
    if (stage->has_steps) {
        copy_arrays(stage, stage->block[frame_in_block + 1], stage->next);
    }
}
