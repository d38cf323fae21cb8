/* row.c - from what a run left behind to rows of named numbers.
 *
 * Way in: bench_rows_add. Means and medians are over the counted frames; the least and the most are
 * of the means of single repetitions, which is how far a mean can be trusted. `speedup` is the
 * yardstick's total over a contender's own; `nodes_share` is how much of its trees it
 * computes per update; `limit_share` is how long the bytes of a refit would take at the streaming
 * bandwidth, over what the update took. */
#include "bench/run/row.h"
#include "bench/common/clock.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "bench/rays/ray_frame.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/result.h"
#include "bench/run/stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the yardstick's refit takes on machines like those of the published numbers; below so many
 * triangles the clock and the caches say more about it than its code. */
static const double yardstick_fastest_ns = 7, yardstick_slowest_ns = 10;
static const uint64_t yardstick_triangles = 10000;

static const char yardstick_name[] = "peer:plain";

const bench_column bench_columns[] = {
#define BENCH_COLUMN_ENTRY(kind, name, rows) {KIND_##kind, #name, rows, offsetof(bench_row, name)},
    BENCH_COLUMNS(BENCH_COLUMN_ENTRY)
#undef BENCH_COLUMN_ENTRY
        {KIND_TEXT, NULL, 0, 0},
};

/* ---- times ---- */

static double mean_of(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += values[i];
    return count > 0 ? sum / count : 0;
}

/* Works on a copy, since frames belong together. */
static bool set_medians(bench_row *row, const bench_series *series)
{
    uint32_t count = series->count;
    double *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy == NULL) return false;
    for (uint32_t i = 0; i < count; i++) copy[i] = series->update_ms[i];
    row->update_ms_median = median_of(copy, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = series->query_ms[i];
    row->query_ms_median = median_of(copy, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = series->update_ms[i] + series->query_ms[i];
    row->total_ms_median = median_of(copy, count);
    free(copy);
    return true;
}

/* The means of totals by where in the run a frame is. */
static void set_fifths(bench_row *row, const bench_series *series)
{
    uint32_t counts[BENCH_FIFTHS] = {0};
    for (uint32_t i = 0; i < series->count; i++) {
        uint64_t fifth = (uint64_t)series->frame[i] * BENCH_FIFTHS / row->frames;
        row->fifths[fifth] += series->update_ms[i] + series->query_ms[i];
        counts[fifth]++;
    }
    for (int i = 0; i < BENCH_FIFTHS; i++) {
        row->fifths[i] = counts[i] > 0 ? row->fifths[i] / counts[i] : (double)NAN;
    }
}

/* Every repetition counts the same frames, one after the other. */
static void set_spread(bench_row *row, const bench_series *series)
{
    const uint32_t length = series->count / (uint32_t)row->repeat;
    row->total_ms_least = row->total_ms_most = row->total_ms;
    if (length == 0 || row->repeat == 1) return;
    row->total_ms_least = INFINITY;
    row->total_ms_most = 0;
    for (uint32_t i = 0; i < row->repeat; i++) {
        const double mean = mean_of(series->update_ms + (size_t)i * length, length) +
                            mean_of(series->query_ms + (size_t)i * length, length);
        row->total_ms_least = fmin(row->total_ms_least, mean);
        row->total_ms_most = fmax(row->total_ms_most, mean);
    }
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Of the counted frames, since these are timed. */
static double rays_per_microsecond(const bench_series *series)
{
    double rays = 0, ms = 0;
    for (uint32_t i = 0; i < series->count; i++) {
        rays += (double)series->rays[i];
        ms += series->query_ms[i];
    }
    return ratio(rays * 1e-3, ms);
}

static bool set_times(bench_row *row, const bench_result *result)
{
    const bench_series *series = &result->series;
    row->update_ms = mean_of(series->update_ms, series->count);
    row->query_ms = mean_of(series->query_ms, series->count);
    row->total_ms = row->update_ms + row->query_ms;
    row->setup_ms = result->setup_ms;
    row->mrays = rays_per_microsecond(series);
    set_fifths(row, series);
    set_spread(row, series);
    if (!set_medians(row, series)) return false;
    row->update_ns_per_triangle = ratio(row->update_ms_median * 1e6, (double)row->triangles);
    return true;
}

/* ---- one row ---- */

static void set_text(char *out, const char *text) { snprintf(out, BENCH_TEXT_MAX, "%s", text); }

/* "many:triangles=80,frames=20" is of the family "many:frames=20". The sign before a last key goes
 * with it. */
static void set_family(char out[BENCH_TEXT_MAX], const char *spec)
{
    set_text(out, spec);
    char *key = strstr(out, "triangles=");
    if (key == NULL) return;
    char *end = key + strcspn(key, ",");
    if (*end == ',') {
        memmove(key, end + 1, strlen(end + 1) + 1);
    } else {
        key[-1] = '\0';
    }
}

/* Triangles of all bodies whose paths are known. */
static uint64_t count_with_paths(const scene *s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (scene_body_has_path(s, i)) count += s->bodies[i].triangle_count;
    }
    return count;
}

static void set_subject(bench_row *row, const bench_report *report, const bench_result *result)
{
    const bench_options *options = report->options;
    set_text(row->scene, report->scene->kind->name);
    set_text(row->spec, report->spec);
    set_family(row->family, report->spec);
    set_text(row->method, result->name);
    set_text(row->motion, result->motion);
    set_text(row->query, bench_question_name(options->question));
    row->finds = bench_question_finds(options->question);
    if (bench_question_is(options->question, ASKS_DISTANCE)) {
        row->distance = result->counts.distance;
        row->groups |= OF_DISTANCE;
    }
    if (bench_question_is(options->question, ASKS_RAYS)) {
        row->sampling = ray_picture_default(report->scene).sampling;
        row->groups |= OF_RAYS;
    }
    set_text(row->kernel, result->kernel);
    row->triangles = scene_triangle_total(report->scene);
    row->bodies = report->scene->body_count;
    row->frames = report->frames;
    row->repeat = options->repeat;
    row->plans = options->engine.plans && scene_has_paths(report->scene);
    row->morphs = options->engine.morphs && scene_has_morphs(report->scene);
    if (row->plans) row->plan_triangles = count_with_paths(report->scene);
    row->threads = result->threads;
}

static void set_answers(bench_row *row, const bench_result *result)
{
    row->pairs = result->pairs;
    row->rays = result->rays;
    snprintf(row->hash, sizeof row->hash, "%016" PRIx64, result->hash);
    row->bytes = result->counts.bytes;
    row->bytes_hierarchy = result->counts.bytes_hierarchy;
    row->bytes_per_triangle = result->counts.bytes_per_triangle;
    row->lost = result->lost;
    row->extra = result->extra;
    row->wrong = result->is_wrong;
    row->groups |= result->is_peer ? OF_PEER : OF_WILLOW;
    if (bench_result_may_differ(result)) row->groups |= OF_COUNTED;
    if (!result->is_peer) set_text(row->stands_for, willow_method_name(result->counts.stands_for));
    if (result->peer_version == NULL) return;
    set_text(row->peer_version, result->peer_version);
    row->groups |= OF_LIBRARY;
}

/* Where nothing within bodies was asked for, both rules are one. */
static void set_rule(bench_row *row, const bench_report *report, const bench_result *result)
{
    if (!report->is_within) return;
    row->skips_neighbours = result->skips_neighbours;
    set_text(row->neighbours, row->skips_neighbours ? "skipped" : "decided");
    row->groups |= OF_WITHIN;
}

static void set_counts(bench_row *row, const bench_counts *counts)
{
#define BENCH_KINETIC_ENTRY(unused, name, head) row->name = counts->update.name;
    BENCH_KINETICS(BENCH_KINETIC_ENTRY, 0)
#undef BENCH_KINETIC_ENTRY
    row->setups = counts->setups;
    row->values = counts->values;
    row->nodes_updated = counts->nodes_updated;
    row->bodies_built = counts->update.bodies_built;
    row->subtrees_built = counts->update.subtrees_built;
#define BENCH_STAGE_ENTRY(unused, name, head) row->name = counts->query.name;
    BENCH_STAGES(BENCH_STAGE_ENTRY, 0)
#undef BENCH_STAGE_ENTRY
}

static void set_tree(bench_row *row, const bench_counts *counts)
{
    if (counts->nodes + counts->leaves == 0) return;
    set_text(row->build, willow_build_name(counts->tree.build));
    row->arity = counts->tree.arity;
    row->leaf_triangles = counts->tree.leaf_triangles;
    row->hybrid_level = counts->tree.hybrid_level;
    row->margin = (double)counts->tree.margin;
    row->rebuild_ratio = (double)counts->tree.rebuild_ratio;
    row->nodes = counts->nodes;
    row->nodes_share =
        ratio((double)counts->nodes_updated, (double)counts->updates * (double)counts->nodes);
    row->leaves = counts->leaves;
    row->height = counts->height;
    row->cost = counts->cost;
    row->groups |= OF_TREE;
}

static double row_gb_per_s(uint64_t bytes, double ms) { return ratio((double)bytes * 1e-6, ms); }

static void set_refit(bench_row *row, const bench_counts *counts, const stream_curve *curve)
{
    stream_traffic bytes = {.read = counts->refit_bytes_read,
                            .written = counts->refit_bytes_written};
    if (bytes.written == 0) return;
    row->refit_bytes = bytes.read + bytes.written;
    row->refit_gb_per_s = row_gb_per_s(row->refit_bytes, row->update_ms_median);
    row->groups |= OF_REFIT;
    if (curve == NULL) return;
    double limit_ms = stream_limit_ms(curve, bytes);
    row->limit_gb_per_s = row_gb_per_s(row->refit_bytes, limit_ms);
    row->limit_share = ratio(limit_ms, row->update_ms_median);
    row->groups |= OF_LIMIT;
}

static bool set_row(bench_row *row, const bench_report *report, bench_result *result,
                    const stream_curve *curve)
{
    row->groups = OF_ALL;
    set_subject(row, report, result);
    if (!set_times(row, result)) return false;
    set_answers(row, result);
    set_rule(row, report, result);
    set_counts(row, &result->counts);
    set_tree(row, &result->counts);
    set_refit(row, &result->counts, curve);
    row->series = result->series;
    result->series = (bench_series){0};
    return true;
}

/* ---- the rows of a scene, beside each other ---- */

const bench_row *bench_rows_yardstick(const bench_rows *rows, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (strcmp(rows->items[i].method, yardstick_name) == 0) return &rows->items[i];
    }
    return NULL;
}

/* With plans its updates make positions too, so that they say nothing about the machine. */
static void judge_yardstick(bench_row *row)
{
    double ns = row->update_ns_per_triangle;
    row->refit_ns_per_triangle = ns;
    row->yardstick_off = !row->plans && !row->morphs && row->triangles >= yardstick_triangles &&
                         (ns < yardstick_fastest_ns || ns > yardstick_slowest_ns);
    row->groups |= OF_YARDSTICK;
}

static void compare_with_yardstick(bench_rows *rows, uint32_t first)
{
    const bench_row *yardstick = bench_rows_yardstick(rows, first, rows->count);
    if (yardstick == NULL) return;
    for (uint32_t i = first; i < rows->count; i++) {
        bench_row *row = &rows->items[i];
        row->speedup = ratio(yardstick->total_ms, row->total_ms);
        row->speedup_median = ratio(yardstick->total_ms_median, row->total_ms_median);
        row->groups |= OF_COMPARED;
        if (row == yardstick) judge_yardstick(row);
    }
}

void bench_warn_of_yardstick(const bench_rows *rows, uint32_t first)
{
    const bench_row *yardstick = bench_rows_yardstick(rows, first, rows->count);
    if (yardstick == NULL || !yardstick->yardstick_off) return;
    fprintf(stderr,
            "yardstick is off: peer:plain refits in %.1f ns per triangle, not %.0f to %.0f; ratios "
            "to it mean less here\n",
            yardstick->refit_ns_per_triangle, yardstick_fastest_ns, yardstick_slowest_ns);
}

bool bench_row_is_sound(const bench_row *row) { return row->lost + row->extra == 0 && !row->wrong; }

/* ---- the list ---- */

static bool reserve(bench_rows *rows, uint32_t more)
{
    if (rows->count + more <= rows->capacity) return true;
    uint32_t capacity = 2 * rows->capacity + more;
    bench_row *grown = realloc(rows->items, capacity * sizeof *grown);
    if (grown == NULL) return false;
    rows->items = grown;
    rows->capacity = capacity;
    return true;
}

bool bench_rows_add(bench_rows *rows, bench_report *report, const stream_curve *curve)
{
    uint32_t first = rows->count;
    if (!reserve(rows, report->result_count)) return false;
    for (uint32_t i = 0; i < report->result_count; i++) {
        bench_row *row = &rows->items[rows->count];
        *row = (bench_row){.groups = 0};
        if (!set_row(row, report, &report->results[i], curve)) return false;
        rows->count++;
    }
    compare_with_yardstick(rows, first);
    return true;
}

void bench_rows_destroy(bench_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) bench_series_destroy(&rows->items[i].series);
    free(rows->items);
}

static bool is_same_subject(const bench_row *a, const bench_row *b)
{
    return strcmp(a->spec, b->spec) == 0 && strcmp(a->query, b->query) == 0;
}

uint32_t bench_rows_end(const bench_rows *rows, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < rows->count && is_same_subject(&rows->items[end], &rows->items[first])) end++;
    return end;
}

int bench_name_width(const bench_rows *rows, uint32_t first)
{
    int width = 12; /* of the heads */
    for (uint32_t i = first; i < rows->count; i++) {
        int length = (int)strlen(rows->items[i].method);
        if (length > width) width = length;
    }
    return width;
}
