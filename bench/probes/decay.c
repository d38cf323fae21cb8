/* decay.c - what a tree has lost that was kept through a whole scene.
 *
 * A world plays the scene from its first frame to its last. For the last frames a second world with
 * the same settings is built where the first one stands then, and from there both go on in turns,
 * block by block; the first frame of a block is not counted. If the kept trees are as good as fresh
 * ones, both take the same time. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/progress.h"
#include "bench/play/player.h"
#include "bench/probes/probe.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAIL_FRAMES = 20 };

enum { KEPT, FRESH, SIDES };

typedef struct decay {
    const bench_options *options;
    bench_stage *stage;
    const contender *method;
    uint32_t frames, tail; /* of all frames, how many both sides play */
    probe_player players[SIDES];
    double *ms[SIDES]; /* of the counted frames */
    uint32_t count[SIDES];
    uint64_t answers[SIDES][BLOCK_FRAMES];
    uint64_t bodies_built, subtrees_built;
    uint32_t turn;
    bool is_wrong;
} decay;

static bool decay_fail(const decay *d, int side)
{
    complain("bench", "%s: %s", d->method->name, d->players[side].player.message);
    return false;
}

static bool decay_create_world(decay *d, int side, uint32_t frame)
{
    bench_stage_fill(d->stage, frame, 1);
    return probe_player_create(&d->players[side], d->stage, frame, &d->method->engine,
                               d->options->question) ||
           decay_fail(d, side);
}

static uint32_t block_end(uint32_t first, uint32_t end)
{
    return end - first < BLOCK_FRAMES ? end : first + BLOCK_FRAMES;
}

/* ---- the long way ---- */

/* Questions are asked here too, since methods may learn from them. */
static bool play_until(decay *d, uint32_t end)
{
    bool fine = true;
    for (uint32_t first = 1; fine && first < end; first += BLOCK_FRAMES) {
        uint32_t last = block_end(first, end);
        progress_show(first, d->frames);
        bench_stage_fill(d->stage, first, last - first);
        for (uint32_t i = 0; fine && i < last - first; i++) {
            fine = probe_player_step(&d->players[KEPT], d->stage, i, first + i);
        }
    }
    return fine || decay_fail(d, KEPT);
}

/* ---- the last frames ---- */

static bool decay_run_block(decay *d, int side, uint32_t first, uint32_t end)
{
    probe_player *p = &d->players[side];
    for (uint32_t i = 0; i < end - first; i++) {
        double start = now_ms();
        if (!probe_player_step(p, d->stage, i, first + i)) return decay_fail(d, side);
        double ms = now_ms() - start;
        if (i > 0) d->ms[side][d->count[side]++] = ms;
        d->answers[side][i] = probe_player_answer(p);
    }
    return true;
}

static bool play_tail(decay *d, uint32_t first)
{
    bool fine = true;
    for (; fine && first < d->frames; first += BLOCK_FRAMES) {
        uint32_t end = block_end(first, d->frames);
        int starter = d->turn++ % 2 == 0 ? KEPT : FRESH;
        progress_show(first, d->frames);
        bench_stage_fill(d->stage, first, end - first);
        fine = decay_run_block(d, starter, first, end) && decay_run_block(d, !starter, first, end);
        for (uint32_t i = 0; fine && i < end - first; i++) {
            d->is_wrong = d->is_wrong || d->answers[KEPT][i] != d->answers[FRESH][i];
        }
    }
    return fine;
}

static bool decay_run_round(decay *d)
{
    uint32_t first = d->frames - d->tail;
    bool fine = decay_create_world(d, KEPT, 0) && play_until(d, first) &&
                decay_create_world(d, FRESH, first - 1) && play_tail(d, first);
    d->bodies_built = d->players[KEPT].bodies_built;
    d->subtrees_built = d->players[KEPT].subtrees_built;
    for (int side = 0; side < SIDES; side++) {
        probe_player_destroy(&d->players[side]);
        d->players[side] = (probe_player){.bodies_built = 0};
    }
    progress_clear();
    return fine;
}

/* ---- what came out ---- */

static void decay_print_heads(const decay *d, const char *spec)
{
    probe_print_scene(spec, d->stage->scene);
    printf(", query %s, the last %" PRIu32 " of %" PRIu32 " frames\n",
           bench_question_name(d->options->question), d->tail, d->frames);
    printf("%-20s %10s %10s %7s %10s %10s\n", "method", "kept ms", "fresh ms", "ratio", "built",
           "parts");
}

static int decay_print_json(const decay *d, const char *spec, double kept_ms, double fresh_ms)
{
    json_line line = probe_line_begin("decay", d->options);
    probe_line_scene(&line, spec, d->stage->scene);
    json_line_text(&line, "method", d->method->name);
    json_line_text(&line, "query", bench_question_name(d->options->question));
    json_line_count(&line, "frames", d->frames);
    json_line_count(&line, "tail_frames", d->tail);
    json_line_real(&line, "kept_ms", kept_ms);
    json_line_real(&line, "fresh_ms", fresh_ms);
    json_line_real(&line, "ratio", fresh_ms > 0 ? kept_ms / fresh_ms : 0);
    json_line_count(&line, "bodies_built", d->bodies_built);
    json_line_count(&line, "subtrees_built", d->subtrees_built);
    return json_line_print(&line, "bench");
}

static int decay_print(decay *d, const char *spec)
{
    int code = EXIT_FINE;
    double kept_ms = median_of(d->ms[KEPT], d->count[KEPT]);
    double fresh_ms = median_of(d->ms[FRESH], d->count[FRESH]);
    if (d->options->format == FORMAT_TABLE) {
        printf("%-20s %10.4f %10.4f %7.2f %10" PRIu64 " %10" PRIu64 "\n", d->method->name, kept_ms,
               fresh_ms, fresh_ms > 0 ? kept_ms / fresh_ms : 0, d->bodies_built, d->subtrees_built);
    } else {
        code = decay_print_json(d, spec, kept_ms, fresh_ms);
    }
    if (!d->is_wrong) return code;
    complain("bench", "%s: kept and fresh trees give different answers", d->method->name);
    return EXIT_FOUND;
}

/* ---- the probe ---- */

static int decay_measure(decay *d, const char *spec)
{
    int code = EXIT_FINE;
    size_t room = (size_t)TAIL_FRAMES * d->options->repeat;
    for (int side = 0; side < SIDES; side++) d->ms[side] = calloc(room, sizeof(double));
    if (d->ms[KEPT] == NULL || d->ms[FRESH] == NULL) code = complain("bench", "out of memory");
    for (uint32_t round = 0; code == EXIT_FINE && round < d->options->repeat; round++) {
        if (!decay_run_round(d)) code = EXIT_ERROR;
    }
    if (code == EXIT_FINE) code = decay_print(d, spec);
    for (int side = 0; side < SIDES; side++) free(d->ms[side]);
    return code;
}

static int decay_run_methods(const bench_options *options, const char *spec, bench_stage *stage,
                             const bench_field *field)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < field->count; i++) {
        uint32_t frames = probe_frames(stage, options);
        decay d = {.options = options,
                   .stage = stage,
                   .method = &field->entries[i],
                   .frames = frames,
                   .tail = frames > TAIL_FRAMES ? TAIL_FRAMES : frames - 1};
        if (options->format == FORMAT_TABLE && i == 0) decay_print_heads(&d, spec);
        code = decay_measure(&d, spec);
    }
    if (options->format == FORMAT_TABLE && code == EXIT_FINE) {
        puts("Milliseconds per frame, update and query. The aim is a ratio of at most 1.5. Built: "
             "how often a\nkept tree was built afresh on the way; parts: how many parts of them "
             "were.");
    }
    return code;
}

static int decay_run_scene(const bench_options *options, const char *spec)
{
    bench_stage stage;
    bench_field field = {.count = 0};
    int code = probe_stage_create(&stage, spec, options);
    if (code == EXIT_FINE && probe_frames(&stage, options) < 3) {
        code = complain_usage("bench", "decay needs 3 frames or more");
    }
    if (code == EXIT_FINE) code = probe_choose(&field, options, "all", stage.scene);
    if (code == EXIT_FINE) code = decay_run_methods(options, spec, &stage, &field);
    bench_stage_destroy(&stage);
    return code;
}

int probe_decay(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    static const char *const usual[] = {"stir", "twist"};
    const char *const *specs = options->scene_count > 0 ? options->scenes : usual;
    uint32_t count = options->scene_count > 0 ? options->scene_count : 2;
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < count; i++) {
        if (i > 0 && options->format == FORMAT_TABLE) puts("");
        code = decay_run_scene(options, specs[i]);
    }
    return code;
}
