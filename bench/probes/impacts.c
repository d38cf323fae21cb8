/* impacts.c - all impacts of a step, against all pairs at its end.
 *
 * Two worlds with the same trees go through a scene side by side. In one the bodies stand where a
 * frame has them and get a trial step to the next one: all impacts of it are found. In the other
 * they stand where the step ends: all pairs there are found. They take turns frame by frame, each
 * first as often as second; the first step of a round is not counted. */
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
#include "bench/suites/suites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum impacts_side { IMPACTS, PAIRS, SIDES } impacts_side;

/* Of the counted steps. */
typedef struct side_sums {
    double update_ms, query_ms;
    uint64_t found;
} side_sums;

typedef struct impacts_probe {
    const bench_options *options;
    bench_stage *stage;
    const contender *method;
    uint32_t steps; /* of the scene that are played */
    player players[SIDES];
    bench_answer answers[SIDES];
    side_sums sums[SIDES];
    uint64_t counted, undecided, feature_tests;
    uint64_t bytes_before, bytes_after; /* of the world with the steps, around all queries */
    uint32_t turn;
} impacts_probe;

static const bench_question questions[SIDES] = {QUESTION_IMPACTS, QUESTION_PAIRS};

static bool impacts_fail(const impacts_probe *p, impacts_side side)
{
    complain("bench", "%s: %s", p->method->name, p->players[side].message);
    return false;
}

/* ---- one step ---- */

/* Bodies come to the start of the step untimed: a simulation has them there since the last one. */
static bool impacts_prepare(impacts_probe *p, impacts_side side, uint32_t in_block, uint32_t frame)
{
    player *in = &p->players[side];
    float *const *start = p->stage->block[in_block], *const *end = p->stage->block[in_block + 1];
    in->now.positions = side == IMPACTS ? start : end;
    if (side == IMPACTS) in->next.positions = end;
    player_prepare(in, side == IMPACTS ? frame : frame + 1);
    return side == PAIRS || player_go(in, frame, NULL);
}

static bool run_side(impacts_probe *p, impacts_side side, uint32_t in_block, uint32_t frame)
{
    player *in = &p->players[side];
    bool is_counted = frame > 0;
    if (!impacts_prepare(p, side, in_block, frame)) return impacts_fail(p, side);
    double start = now_ms();
    bool fine = side == IMPACTS ? player_aim(in, frame, NULL) : player_go(in, frame + 1, NULL);
    double middle = now_ms();
    if (!fine || !bench_ask(in, questions[side], &p->answers[side])) return impacts_fail(p, side);
    double end = now_ms();
    if (!is_counted) return true;
    p->sums[side].update_ms += middle - start;
    p->sums[side].query_ms += end - middle;
    p->sums[side].found += bench_answer_count(&p->answers[side]);
    return true;
}

static uint64_t count_undecided(const willow_impacts *impacts)
{
    uint64_t count = 0;
    for (size_t i = 0; i < impacts->count; i++) count += !impacts->items[i].is_decided;
    return count;
}

static bool impacts_run_step(impacts_probe *p, uint32_t in_block, uint32_t frame)
{
    impacts_side first = p->turn++ % 2 == 0 ? IMPACTS : PAIRS;
    willow_scratch_reset_stats(p->players[IMPACTS].scratch);
    if (!run_side(p, first, in_block, frame) || !run_side(p, !first, in_block, frame)) return false;
    if (frame == 0) return true;
    p->counted++;
    p->undecided += count_undecided(&p->answers[IMPACTS].impacts);
    p->feature_tests += willow_scratch_stats(p->players[IMPACTS].scratch).feature_tests;
    return true;
}

/* ---- a round ---- */

static bool impacts_create_player(impacts_probe *p, impacts_side side)
{
    player *in = &p->players[side];
    const bench_stage *stage = p->stage;
    float *const *positions = stage->block[side == IMPACTS ? 0 : 1];
    return (player_create(in, stage->scene, side == IMPACTS ? 0 : 1, positions, stage->self,
                          &p->method->engine) &&
            bench_get_ready(in, questions[side], &p->method->engine, stage->block[1])) ||
           impacts_fail(p, side);
}

static bool impacts_run_steps(impacts_probe *p)
{
    bool fine = true;
    for (uint32_t first = 0; fine && first < p->steps; first += BLOCK_FRAMES) {
        uint32_t left = p->steps - first, count = left < BLOCK_FRAMES ? left : BLOCK_FRAMES;
        progress_show(first, p->steps);
        bench_stage_fill(p->stage, first, count);
        for (uint32_t i = 0; fine && i < count; i++) fine = impacts_run_step(p, i, first + i);
    }
    progress_clear();
    return fine;
}

static bool impacts_run_round(impacts_probe *p)
{
    bench_stage_fill(p->stage, 0, 1);
    bool fine = impacts_create_player(p, IMPACTS) && impacts_create_player(p, PAIRS);
    if (fine) p->bytes_before = willow_world_bytes(p->players[IMPACTS].world);
    fine = fine && impacts_run_steps(p);
    if (fine) p->bytes_after = willow_world_bytes(p->players[IMPACTS].world);
    for (int side = 0; side < SIDES; side++) player_destroy(&p->players[side]);
    return fine;
}

/* ---- what came out ---- */

static double impacts_over(double a, double b) { return b > 0 ? a / b : 0; }

static double per_step(const impacts_probe *p, double sum)
{
    return impacts_over(sum, (double)p->counted);
}

static double total_ms(const side_sums *s) { return s->update_ms + s->query_ms; }

static void impacts_print_heads(void)
{
    printf("%-28s %-10s %9s %9s %9s %9s %7s %7s %9s %9s %11s %9s\n", "scene", "method", "aim",
           "impacts", "update", "pairs", "ratio", "total", "impacts", "pairs", "tests", "KiB more");
}

static void impacts_print_row(const impacts_probe *p, const char *spec)
{
    const side_sums *impacts = &p->sums[IMPACTS], *pairs = &p->sums[PAIRS];
    printf("%-28s %-10s %9.4f %9.4f %9.4f %9.4f %7.2f %7.2f %9.1f %9.1f %11.1f %9.1f\n", spec,
           p->method->name, per_step(p, impacts->update_ms), per_step(p, impacts->query_ms),
           per_step(p, pairs->update_ms), per_step(p, pairs->query_ms),
           impacts_over(impacts->query_ms, pairs->query_ms),
           impacts_over(total_ms(impacts), total_ms(pairs)), per_step(p, (double)impacts->found),
           per_step(p, (double)pairs->found), per_step(p, (double)p->feature_tests),
           ((double)p->bytes_after - (double)p->bytes_before) / 1024);
}

static int impacts_print_line(const impacts_probe *p, const char *spec)
{
    const side_sums *impacts = &p->sums[IMPACTS], *pairs = &p->sums[PAIRS];
    json_line line = probe_line_begin("impacts", p->options);
    probe_line_scene(&line, spec, p->stage->scene);
    json_line_text(&line, "method", p->method->name);
    json_line_count(&line, "steps", p->steps);
    json_line_real(&line, "distance", p->method->engine.touch_distance);
    json_line_real(&line, "aim_ms", per_step(p, impacts->update_ms));
    json_line_real(&line, "impacts_ms", per_step(p, impacts->query_ms));
    json_line_real(&line, "update_ms", per_step(p, pairs->update_ms));
    json_line_real(&line, "pairs_ms", per_step(p, pairs->query_ms));
    json_line_real(&line, "ratio", impacts_over(impacts->query_ms, pairs->query_ms));
    json_line_real(&line, "total_ratio", impacts_over(total_ms(impacts), total_ms(pairs)));
    json_line_real(&line, "impacts", per_step(p, (double)impacts->found));
    json_line_real(&line, "undecided", per_step(p, (double)p->undecided));
    json_line_real(&line, "pairs", per_step(p, (double)pairs->found));
    json_line_real(&line, "feature_tests", per_step(p, (double)p->feature_tests));
    json_line_count(&line, "bytes_before", p->bytes_before);
    json_line_count(&line, "bytes_after", p->bytes_after);
    return json_line_print(&line, "bench");
}

/* ---- the probe ---- */

static int impacts_run_methods(const bench_options *options, const char *spec, bench_stage *stage,
                               const bench_field *field)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < field->count; i++) {
        impacts_probe p = {.options = options,
                           .stage = stage,
                           .method = &field->entries[i],
                           .steps = probe_frames(stage, options)};
        for (uint32_t round = 0; code == EXIT_FINE && round < options->repeat; round++) {
            if (!impacts_run_round(&p)) code = EXIT_ERROR;
        }
        if (code != EXIT_FINE) return code;
        if (options->format == FORMAT_TABLE) {
            impacts_print_row(&p, spec);
        } else {
            code = impacts_print_line(&p, spec);
        }
    }
    return code;
}

static int impacts_run_scene(const bench_options *options, const char *spec)
{
    bench_stage stage;
    bench_field field = {.count = 0};
    int code = probe_stage_create(&stage, spec, options);
    if (code == EXIT_FINE) code = probe_choose(&field, options, "bottom_up", stage.scene);
    if (code == EXIT_FINE) code = impacts_run_methods(options, spec, &stage, &field);
    bench_stage_destroy(&stage);
    return code;
}

static int run_scenes(const bench_options *options, const char *const *specs, bool may_miss)
{
    int code = EXIT_FINE;
    for (; code == EXIT_FINE && *specs != NULL; specs++) {
        if (!may_miss || bench_has_scene(*specs)) code = impacts_run_scene(options, *specs);
    }
    return code;
}

int probe_impacts(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    bench_options with_steps = *options;
    with_steps.question = QUESTION_IMPACTS;
    const char *named[BENCH_SCENES_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < options->scene_count; i++) named[i] = options->scenes[i];
    if (options->format == FORMAT_TABLE) impacts_print_heads();
    int code = options->scene_count > 0 ? run_scenes(&with_steps, named, false)
                                        : run_scenes(&with_steps, bench_impact_specs, true);
    if (code == EXIT_FINE && options->format == FORMAT_TABLE) {
        puts("Means per step: milliseconds of targets and their update, of finding impacts, of "
             "vertices and\ntheir update, and of finding pairs at the end of the step; ratio is "
             "that of the two questions,\ntotal with updates; then how many were found, features "
             "tested, and what the world grew by.");
    }
    return code;
}
