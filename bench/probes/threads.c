/* threads.c - how much threads gain, against how much as many copies of the process gain.
 *
 * The same blocks of frames are run by one thread, by a team of threads in one world, and by copies
 * of the process side by side, each with one thread and each doing all of the work: block by block
 * in turns, so that noise is shared. A block's first frame warms up and is not counted; its time is
 * that on the wall, from the first update to the last answer.
 *
 * Copies share nothing but the machine. So what they gain is what its cores and its memory can
 * give, and what threads gain less than that is lost in waiting and in work that is not shared out.
 */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/progress.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/probes/probe.h"
#include "bench/probes/process_copies.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAY_ALONE, WAY_THREADS, WAY_COPIES, WAY_COUNT };

/* A world that runs blocks: that of one thread, that of the team, or that of a copy. */
typedef struct runner {
    bench_stage *stage;
    const contender *method;
    engine_options engine;
    bench_question question;
    probe_player player;
    frame_block block;
    uint64_t answer; /* to the first frame of the block and to the last */
} runner;

typedef struct threads_probe {
    const bench_options *options;
    bench_stage *stage;
    const contender *method;
    uint32_t thread_count;
    runner runners[WAY_COUNT];
    copies copies;
    double *ms[WAY_COUNT]; /* by block: per frame */
    uint32_t block_count;
    bool is_wrong;
} threads_probe;

/* ---- one world ---- */

static bool threads_fail(const runner *r)
{
    complain("bench", "%s: %s", r->method->name, r->player.player.message);
    return false;
}

static bool threads_create_world(void *context)
{
    runner *r = context;
    bench_stage_fill(r->stage, 0, 1);
    return probe_player_create(&r->player, r->stage, 0, &r->engine, r->question) || threads_fail(r);
}

static bool step(runner *r, uint32_t i)
{
    return probe_player_step(&r->player, r->stage, i, r->block.first + i) || threads_fail(r);
}

/* Positions are made anew each time, so that all find them in the caches to the same extent. */
static bool prepare_block(void *context, frame_block block)
{
    runner *r = context;
    r->block = block;
    bench_stage_fill(r->stage, block.first, block.count);
    bool fine = step(r, 0);
    if (fine) r->answer = probe_player_answer(&r->player);
    return fine;
}

static bool threads_run_block(void *context)
{
    runner *r = context;
    bool fine = true;
    for (uint32_t i = 1; fine && i < r->block.count; i++) fine = step(r, i);
    return fine;
}

static uint64_t answer_of(const void *context)
{
    const runner *r = context;
    return r->answer * UINT64_C(0x9E3779B97F4A7C15) + probe_player_answer(&r->player);
}

static bool time_block(runner *r, frame_block block, double *ms, uint64_t *answer)
{
    if (!prepare_block(r, block)) return false;
    double start = now_ms();
    bool fine = threads_run_block(r);
    *ms = now_ms() - start;
    *answer = fine ? answer_of(r) : 0;
    return fine;
}

/* ---- all of them ---- */

static bool run_way(threads_probe *t, int way, frame_block block, uint64_t *answer)
{
    double ms;
    bool fine = way == WAY_COPIES ? copies_run(&t->copies, block, &ms, answer, &t->is_wrong)
                                  : time_block(&t->runners[way], block, &ms, answer);
    if (fine) t->ms[way][t->block_count] = ms / (block.count - 1);
    return fine;
}

static bool run_ways(threads_probe *t, frame_block block)
{
    uint64_t answers[WAY_COUNT];
    bool fine = true;
    for (uint32_t i = 0; fine && i < WAY_COUNT; i++) {
        int way = (int)((t->block_count + i) % WAY_COUNT);
        fine = run_way(t, way, block, &answers[way]);
    }
    if (!fine) return false;
    t->block_count++;
    t->is_wrong = t->is_wrong || answers[WAY_ALONE] != answers[WAY_THREADS] ||
                  answers[WAY_ALONE] != answers[WAY_COPIES];
    return true;
}

/* Worlds are made in frame 0; a block of one frame would have none that counts. */
static bool threads_run_blocks(threads_probe *t)
{
    uint32_t frames = probe_frames(t->stage, t->options);
    bool fine = true;
    for (uint32_t first = 1; fine && first + 1 < frames; first += BLOCK_FRAMES) {
        uint32_t left = frames - first;
        progress_show(first, frames);
        fine = run_ways(t, (frame_block){first, left < BLOCK_FRAMES ? left : BLOCK_FRAMES});
    }
    progress_clear();
    return fine;
}

static void set_runners(threads_probe *t)
{
    for (int way = 0; way < WAY_COUNT; way++) {
        t->runners[way] = (runner){.stage = t->stage,
                                   .method = t->method,
                                   .engine = t->method->engine,
                                   .question = t->options->question};
        t->runners[way].engine.threads = way == WAY_THREADS ? t->thread_count : 1;
    }
}

/* Copies come first, while there are no threads that they would lose. */
static bool threads_run_round(threads_probe *t)
{
    set_runners(t);
    const copied_work work = {threads_create_world, prepare_block, threads_run_block, answer_of,
                              &t->runners[WAY_COPIES]};
    bool fine = copies_start(&t->copies, t->thread_count, &work) &&
                threads_create_world(&t->runners[WAY_ALONE]) &&
                threads_create_world(&t->runners[WAY_THREADS]) && threads_run_blocks(t);
    probe_player_destroy(&t->runners[WAY_ALONE].player);
    probe_player_destroy(&t->runners[WAY_THREADS].player);
    copies_end(&t->copies);
    return fine;
}

/* ---- what came out ---- */

/* Medians over all blocks, milliseconds per frame, and how much more work is done in the same time
 * than by one thread. */
typedef struct threads_outcome {
    double ms[WAY_COUNT];
    double gain_threads, gain_copies, ratio;
} threads_outcome;

static double threads_over(double a, double b) { return b > 0 ? a / b : 0; }

static threads_outcome outcome_of(threads_probe *t)
{
    threads_outcome o;
    for (int way = 0; way < WAY_COUNT; way++) o.ms[way] = median_of(t->ms[way], t->block_count);
    o.gain_threads = threads_over(o.ms[WAY_ALONE], o.ms[WAY_THREADS]);
    o.gain_copies = t->thread_count * threads_over(o.ms[WAY_ALONE], o.ms[WAY_COPIES]);
    o.ratio = threads_over(o.gain_threads, o.gain_copies);
    return o;
}

static void threads_print_table(const threads_probe *t, const char *spec, const threads_outcome *o)
{
    probe_print_scene(spec, t->stage->scene);
    printf(", query %s, method %s\n", bench_question_name(t->options->question), t->method->name);
    printf("  1 thread:               %8.4f ms per frame\n", o->ms[WAY_ALONE]);
    printf("  %" PRIu32 " threads:              %8.4f ms, a gain of %.2f\n", t->thread_count,
           o->ms[WAY_THREADS], o->gain_threads);
    printf("  %" PRIu32 " processes at once:    %8.4f ms each, a gain of %.2f\n", t->thread_count,
           o->ms[WAY_COPIES], o->gain_copies);
    printf("  threads gain %.2f of what processes gain; the aim is at least 0.85\n", o->ratio);
}

static int threads_print_json(const threads_probe *t, const char *spec, const threads_outcome *o)
{
    json_line line = json_line_begin();
    json_line_text(&line, "probe", "threads");
    json_line_count(&line, "threads", t->thread_count);
    probe_line_scene(&line, spec, t->stage->scene);
    json_line_text(&line, "method", t->method->name);
    json_line_text(&line, "query", bench_question_name(t->options->question));
    json_line_count(&line, "frames", probe_frames(t->stage, t->options));
    json_line_count(&line, "blocks", t->block_count);
    json_line_real(&line, "alone_ms", o->ms[WAY_ALONE]);
    json_line_real(&line, "threads_ms", o->ms[WAY_THREADS]);
    json_line_real(&line, "copies_ms", o->ms[WAY_COPIES]);
    json_line_real(&line, "gain_threads", o->gain_threads);
    json_line_real(&line, "gain_copies", o->gain_copies);
    json_line_real(&line, "ratio", o->ratio);
    return json_line_print(&line, "bench");
}

static int threads_print(threads_probe *t, const char *spec)
{
    int code = EXIT_FINE;
    threads_outcome o = outcome_of(t);
    if (t->options->format == FORMAT_TABLE) {
        threads_print_table(t, spec, &o);
    } else {
        code = threads_print_json(t, spec, &o);
    }
    if (!t->is_wrong) return code;
    complain("bench", "%s: threads or copies give different answers", t->method->name);
    return EXIT_FOUND;
}

static bool create_times(threads_probe *t)
{
    size_t blocks = probe_frames(t->stage, t->options) / BLOCK_FRAMES + 1;
    bool fine = true;
    for (int way = 0; way < WAY_COUNT; way++) {
        t->ms[way] = calloc(blocks * t->options->repeat, sizeof(double));
        fine = fine && t->ms[way] != NULL;
    }
    return fine;
}

static int threads_measure(const bench_options *options, const char *spec, bench_stage *stage,
                           const contender *method, uint32_t thread_count)
{
    threads_probe t = {
        .options = options, .stage = stage, .method = method, .thread_count = thread_count};
    int code = create_times(&t) ? EXIT_FINE : complain("bench", "out of memory");
    for (uint32_t round = 0; code == EXIT_FINE && round < options->repeat; round++) {
        if (!threads_run_round(&t)) code = EXIT_ERROR;
    }
    if (code == EXIT_FINE) code = threads_print(&t, spec);
    for (int way = 0; way < WAY_COUNT; way++) free(t.ms[way]);
    return code;
}

/* ---- the probe ---- */

static int check(const bench_options *options, const bench_stage *stage, uint32_t thread_count)
{
    if (thread_count < 2) {
        return complain_usage("bench", "threads compares two threads or more with one");
    }
    if (probe_frames(stage, options) < 3) {
        return complain_usage("bench", "threads needs 3 frames or more");
    }
    return EXIT_FINE;
}

int probe_threads(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    const char *spec = probe_spec(options, "many");
    const uint32_t thread_count = probe->has_threads ? options->engine.threads : 2;
    bench_stage stage;
    bench_field field = {.count = 0};
    int code = probe_stage_create(&stage, spec, options);
    if (code == EXIT_FINE) code = check(options, &stage, thread_count);
    if (code == EXIT_FINE) code = probe_choose(&field, options, "auto", stage.scene);
    for (uint32_t i = 0; code == EXIT_FINE && i < field.count; i++) {
        code = threads_measure(options, spec, &stage, &field.entries[i], thread_count);
    }
    bench_stage_destroy(&stage);
    return code;
}
