/* measure.c - the rules of measuring.
 *
 * Frames are run in blocks of 10 consecutive ones. A block is given to one contender after the
 * other, beginning with another one each time; the first frame of a block warms the caches and is
 * not counted. No frame is given twice to a contender, and none is left out: frame 0 is what it is
 * created with, and then all go through all frames in their order, so that those who follow flight
 * plans have the time between two frames in every update; where there are keyframes, blocks may be
 * a little shorter or longer (bench_block_frames). Answers are compared over all frames, counted or
 * not, outside of what is timed. */
#include "bench/run/measure.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/run/compare.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/result.h"
#include "bench/run/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct run {
    bench_stage *stage;
    contender *contenders;
    uint32_t count;
    const bench_options *options;
    bench_report *report;
    pair_list *lists; /* by frame of the block and contender */
    bench_jury jury;
    uint32_t round; /* repetition */
} run;

static pair_list *list_of(run *r, uint32_t contender_number, uint32_t frame_in_block)
{
    return &r->lists[frame_in_block * r->count + contender_number];
}

/* ---- one frame ---- */

static void note_frame(bench_series *series, uint32_t frame, double update_ms, double query_ms,
                       const pair_list *list)
{
    series->frame[series->count] = frame;
    series->update_ms[series->count] = update_ms;
    series->query_ms[series->count] = query_ms;
    series->rays[series->count] = list->rays;
    series->pairs[series->count++] = list->count;
}

/* Frame 0 is there already, but for its step. */
static bool run_frame(run *r, uint32_t number, uint32_t frame, bool is_counted)
{
    contender *c = &r->contenders[number];
    bench_result *result = &r->report->results[number];
    uint32_t in_block = frame % r->stage->block_frames;
    bench_stage_show(r->stage, in_block);
    if (c->ops->prepare != NULL) c->ops->prepare(c, frame);
    double start = now_ms();
    if ((frame > 0 || r->stage->has_steps) && !c->ops->update(c, frame)) return false;
    double middle = now_ms();
    c->idle_ms = 0;
    if (!c->ops->query(c)) return false;
    double end = now_ms() - c->idle_ms;
    pair_list *list = list_of(r, number, in_block);
    list->count = 0;
    if (r->options->question != QUESTION_NONE && !c->ops->copy_pairs(c, list)) return false;
    if (is_counted) {
        note_frame(&result->series, frame, middle - start, end - middle, list);
    }
    return true;
}

static bool bench_run_block(run *r, uint32_t number, uint32_t first, uint32_t end)
{
    for (uint32_t frame = first; frame < end; frame++) {
        if (!run_frame(r, number, frame, frame > first)) {
            const contender *c = &r->contenders[number];
            const char *words = c->message[0] != '\0' ? c->message : "out of memory";
            complain("bench", "%s, frame %" PRIu32 ": %s", c->name, frame, words);
            return false;
        }
    }
    return true;
}

/* Repetitions have the same answers; the first one is enough. */
static bool compare_block(run *r, uint32_t first, uint32_t end)
{
    for (uint32_t frame = first; frame < end && r->round == 0; frame++) {
        if (!bench_compare_frame(&r->jury, list_of(r, 0, frame % r->stage->block_frames), frame)) {
            complain("bench", "out of memory");
            return false;
        }
    }
    return true;
}

/* ---- the whole ---- */

static bool bench_run_blocks(run *r)
{
    uint32_t frames = r->report->frames, length = r->stage->block_frames;
    for (uint32_t first = 0; first < frames; first += length) {
        uint32_t end = frames - first < length ? frames : first + length;
        if (stop_was_asked()) return false;
        bench_stage_fill(r->stage, first, end - first);
        if (r->stage->rays != NULL && !ray_stage_fill(r->stage->rays, first, end - first)) {
            complain("bench", "making rays: %s", r->stage->rays->player.message);
            return false;
        }
        for (uint32_t i = 0; i < r->count; i++) {
            uint32_t turn = (first / length + r->round + i) % r->count;
            progress_worker(r->contenders[turn].name);
            progress_show(r->round * frames + first, frames * r->options->repeat);
            if (!bench_run_block(r, turn, first, end)) return false;
        }
        if (!compare_block(r, first, end)) return false;
    }
    return true;
}

static bool create_contenders(run *r)
{
    bench_stage_begin(r->stage);
    for (uint32_t i = 0; i < r->count; i++) {
        contender *c = &r->contenders[i];
        double start = now_ms();
        if (!c->ops->create(c, r->stage, r->options)) {
            complain("bench", "%s: %s", c->name, c->message);
            return false;
        }
        bench_result *result = &r->report->results[i];
        result->setup_ms += (now_ms() - start) / r->options->repeat;
        result->kernel = c->kernel;
    }
    return true;
}

static void finish_contenders(run *r, bool fine)
{
    for (uint32_t i = 0; i < r->count; i++) {
        contender *c = &r->contenders[i];
        if (fine && r->round == 0) c->ops->count(c, &r->report->results[i].counts);
        c->ops->destroy(c);
    }
}

static bool bench_run_round(run *r)
{
    bool fine = create_contenders(r) && bench_run_blocks(r);
    finish_contenders(r, fine);
    return fine;
}

static bool create_results(run *r)
{
    size_t samples = (size_t)r->report->frames * r->options->repeat;
    r->report->results = calloc(r->count, sizeof *r->report->results);
    if (r->report->results == NULL) return false;
    r->report->result_count = r->count;
    for (uint32_t i = 0; i < r->count; i++) {
        bench_result *result = &r->report->results[i];
        result->name = r->contenders[i].name;
        result->is_peer = r->contenders[i].peer != NULL;
        result->is_near = contender_is_near(&r->contenders[i], r->stage->scene);
        result->threads = result->is_peer ? 1 : r->contenders[i].engine.threads;
        result->skips_neighbours = bench_question_is(r->options->question, ASKS_NEIGHBOURS) &&
                                   contender_skips_neighbours(&r->contenders[i]);
        if (r->stage->has_steps) {
            result->way = contender_way(&r->contenders[i], r->stage->scene);
        }
        contender_motion(&r->contenders[i], r->stage->scene, result->motion, sizeof result->motion);
        if (result->is_peer) result->peer_version = r->contenders[i].peer->version;
        if (!bench_series_create(&result->series, samples)) return false;
    }
    r->jury = (bench_jury){.scene = r->stage->scene,
                           .question = r->options->question,
                           .results = r->report->results,
                           .count = r->count};
    r->lists = calloc((size_t)r->count * BLOCK_FRAMES_MAX, sizeof *r->lists);
    return r->lists != NULL;
}

static void destroy_lists(run *r)
{
    for (uint32_t i = 0; r->lists != NULL && i < r->count * BLOCK_FRAMES_MAX; i++) {
        free(r->lists[i].items);
    }
    free(r->lists);
}

bool bench_run(bench_stage *stage, const char *spec, bench_field *field,
               const bench_options *options, bench_report *report)
{
    *report = (bench_report){.scene = stage->scene,
                             .spec = spec,
                             .options = options,
                             .frames = bench_frames(options, stage->scene),
                             .is_within = bench_question_is(options->question, ASKS_NEIGHBOURS) &&
                                          bench_stage_has_self(stage)};
    run r = {.stage = stage,
             .contenders = field->entries,
             .count = field->count,
             .options = options,
             .report = report};
    bool fine = create_results(&r);
    if (!fine) complain("bench", "out of memory");
    for (; fine && r.round < options->repeat; r.round++) fine = bench_run_round(&r);
    progress_clear();
    progress_worker("");
    bench_jury_close(&r.jury);
    destroy_lists(&r);
    return fine;
}
