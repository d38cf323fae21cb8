/* series.c - all contenders of a scene in turns, frame by frame.
 *
 * Where the body has pairs within itself, a tree that is kept is built afresh when its quality is
 * above 2.3, the paper's threshold, and 15 % above that of the tree that was built in the same
 * frame: of the contender before it in the list. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/fracture/model.h"
#include "bench/fracture/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUALITY_LIMIT 2.3
#define QUALITY_LOSS 1.15

enum { ROUNDS = 5, MOST_ROUNDS = 31 };

typedef struct playing {
    const scene *scene;
    fracture_row *row;
    fracture_side sides[FRACTURE_MOST_SIDES];
    engine_options engines[FRACTURE_MOST_SIDES];
    fracture_part parts[FRACTURE_MOST_SIDES];
    bool is_within;
    uint32_t round;
    double *update_ms, *query_ms; /* by side, frame and round */
} playing;

/* ---- who takes part ---- */

static const struct {
    const char *word;
    fracture_part part;
} part_words[] = {{":part=plain", FRACTURE_UNEDITED}, {":part=replaced", FRACTURE_REPLACED}};

/* What is behind a method may say that only a part of each edit is carried out. */
static fracture_part cut_part(char method[FRACTURE_WORD])
{
    for (int i = 0; i < 2; i++) {
        char *at = strstr(method, part_words[i].word);
        if (at == NULL) continue;
        *at = '\0';
        return part_words[i].part;
    }
    return FRACTURE_WHOLE;
}

static int take_methods(playing *p, const char *list, const bench_options *options)
{
    fracture_row *row = p->row;
    int code = EXIT_FINE;
    while (code == EXIT_FINE && *list != '\0') {
        char method[FRACTURE_WORD];
        const size_t length = strcspn(list, ",");
        if (row->side_count == FRACTURE_MOST_SIDES || length >= FRACTURE_WORD)
            return complain_usage("bench", "--suite fracture compares up to %d methods",
                                  FRACTURE_MOST_SIDES);
        memcpy(method, list, length);
        method[length] = '\0';
        list += length + (list[length] == ',');
        const uint32_t side = row->side_count++;
        memcpy(row->sides[side].method, method, length + 1);
        p->parts[side] = cut_part(method);
        p->engines[side] = options->engine;
        code = fracture_take_method(&p->engines[side], method);
        row->sides[side].frames = calloc(row->frame_count, sizeof *row->sides[side].frames);
        if (row->sides[side].frames == NULL) code = complain("bench", "out of memory");
    }
    return code;
}

/* ---- playing ---- */

static double *time_at(const playing *p, double *times, uint32_t side, uint32_t frame)
{
    return times + ((size_t)side * p->row->frame_count + frame) * MOST_ROUNDS + p->round;
}

static bool builds_always(const playing *p, uint32_t side)
{
    return p->engines[side].tree.method == WILLOW_METHOD_REBUILD;
}

static void decide_builds(playing *p, uint32_t frame)
{
    double fresh = 0;
    for (uint32_t i = 0; i < p->row->side_count && p->scene->bodies[0].self; i++) {
        const double quality = p->row->sides[i].frames[frame].quality;
        if (builds_always(p, i))
            fresh = quality;
        else
            p->sides[i].wants_build = quality > QUALITY_LIMIT && quality > QUALITY_LOSS * fresh;
    }
}

static int play_frame(playing *p, uint32_t frame)
{
    fracture_row *row = p->row;
    int code = EXIT_FINE;
    for (uint32_t k = 0; k < row->side_count && code == EXIT_FINE; k++) {
        const uint32_t i = (k + frame + p->round) % row->side_count;
        fracture_frame *out = &row->sides[i].frames[frame];
        *out = (fracture_frame){0};
        code = fracture_side_step(&p->sides[i], frame, out);
        if (code == EXIT_FINE) code = fracture_side_ask(&p->sides[i], out);
        *time_at(p, p->update_ms, i, frame) = out->update_ms;
        *time_at(p, p->query_ms, i, frame) = out->query_ms;
    }
    for (uint32_t i = 1; i < row->side_count && code == EXIT_FINE; i++)
        if (p->parts[i] == FRACTURE_WHOLE && p->parts[0] == FRACTURE_WHOLE &&
            row->sides[i].frames[frame].hash != row->sides[0].frames[frame].hash)
            row->is_wrong = true;
    decide_builds(p, frame);
    return code;
}

static int play_round(playing *p)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < p->row->side_count && code == EXIT_FINE; i++) {
        code = fracture_side_create(&p->sides[i], p->scene, &p->engines[i], p->parts[i]);
        p->sides[i].is_within = p->is_within;
    }
    for (uint32_t frame = 1; frame < p->row->frame_count && code == EXIT_FINE; frame++) {
        progress_show(p->round * p->row->frame_count + frame,
                      p->row->repeats * p->row->frame_count);
        code = stop_was_asked() ? EXIT_ERROR : play_frame(p, frame);
    }
    for (uint32_t i = 0; i < p->row->side_count; i++) fracture_side_destroy(&p->sides[i]);
    return code;
}

static void take_medians(playing *p)
{
    p->round = 0;
    for (uint32_t i = 0; i < p->row->side_count; i++)
        for (uint32_t frame = 1; frame < p->row->frame_count; frame++) {
            fracture_frame *out = &p->row->sides[i].frames[frame];
            out->update_ms = median_of(time_at(p, p->update_ms, i, frame), p->row->repeats);
            out->query_ms = median_of(time_at(p, p->query_ms, i, frame), p->row->repeats);
        }
}

/* Long scenes are played fewer times: their sums are sums of many frames. */
static uint32_t rounds_of(const bench_options *options, uint32_t frames)
{
    uint32_t rounds = options->repeat > 1 ? options->repeat : frames > 100 ? 1 : ROUNDS;
    return rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
}

static int play_all(playing *p, const char *methods, const bench_options *options)
{
    fracture_row *row = p->row;
    int code = take_methods(p, methods, options);
    const size_t times = (size_t)row->side_count * row->frame_count * MOST_ROUNDS;
    p->update_ms = calloc(times + 1, sizeof *p->update_ms);
    p->query_ms = calloc(times + 1, sizeof *p->query_ms);
    if (p->update_ms == NULL || p->query_ms == NULL) code = complain("bench", "out of memory");
    for (; p->round < row->repeats && code == EXIT_FINE; p->round++) code = play_round(p);
    progress_clear();
    if (code == EXIT_FINE) take_medians(p);
    free(p->update_ms);
    free(p->query_ms);
    return code;
}

int fracture_measure_series(const char *spec, const char *methods, bool is_within,
                            const bench_options *options, fracture_row *out)
{
    *out = (fracture_row){.query = is_within ? "self" : "pairs"};
    scene *s = fracture_scene_open(spec, &out->body);
    if (s == NULL) return EXIT_ERROR;
    playing *p = calloc(1, sizeof *p);
    snprintf(out->scene, sizeof out->scene, "%s", spec);
    out->frame_count = s->frame_count;
    if (options->frames > 0 && options->frames < out->frame_count)
        out->frame_count = options->frames;
    out->repeats = rounds_of(options, out->frame_count);
    int code = EXIT_ERROR;
    if (p != NULL) {
        *p = (playing){.scene = s, .row = out, .is_within = is_within};
        code = play_all(p, methods, options);
    }
    free(p);
    scene_destroy(s);
    return code;
}

void fracture_row_free(fracture_row *row)
{
    for (uint32_t i = 0; i < row->side_count; i++) free(row->sides[i].frames);
    row->side_count = 0;
}

/* ---- sums ---- */

double fracture_mean_update(const fracture_row *row, uint32_t side)
{
    double sum = 0;
    for (uint32_t i = 1; i < row->frame_count; i++) sum += row->sides[side].frames[i].update_ms;
    return row->frame_count > 1 ? sum / (row->frame_count - 1) : 0;
}

double fracture_mean_query(const fracture_row *row, uint32_t side)
{
    double sum = 0;
    for (uint32_t i = 1; i < row->frame_count; i++) sum += row->sides[side].frames[i].query_ms;
    return row->frame_count > 1 ? sum / (row->frame_count - 1) : 0;
}

double fracture_sum_tests(const fracture_row *row, uint32_t side)
{
    double sum = 0;
    for (uint32_t i = 1; i < row->frame_count; i++) sum += row->sides[side].frames[i].tests;
    return sum;
}

/* The first frame counts those before. */
uint32_t fracture_count_builds(const fracture_row *row, uint32_t side)
{
    uint32_t sum = 0;
    for (uint32_t i = 2; i < row->frame_count; i++) sum += row->sides[side].frames[i].is_built;
    return sum;
}

double fracture_longest_update(const fracture_row *row, uint32_t side)
{
    double longest = 0;
    for (uint32_t i = 1; i < row->frame_count; i++) {
        const fracture_frame *f = &row->sides[side].frames[i];
        if (f->added > 0 && f->update_ms > longest) longest = f->update_ms;
    }
    return longest;
}
