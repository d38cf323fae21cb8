/* bench_print.c - the results: one JSON object per line, or a table for people.
 *
 * Times are milliseconds per frame, means and medians over the counted frames; pairs, hash and
 * counts are over all frames. `speedup` is the yardstick's total over a contender's own. */
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/json_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the yardstick's refit takes on machines like those of the published numbers; below so many
 * triangles the clock and the caches say more about it than its code. */
static const double yardstick_fastest_ns = 7, yardstick_slowest_ns = 10;
static const uint64_t yardstick_triangles = 10000;

typedef struct times {
    double update, query, total;
} times;

static times mean_times(const bench_result *result)
{
    times sum = {0};
    for (uint32_t i = 0; i < result->counted; i++) {
        sum.update += result->update_ms[i];
        sum.query += result->query_ms[i];
    }
    double count = result->counted > 0 ? result->counted : 1;
    return (times){sum.update / count, sum.query / count, (sum.update + sum.query) / count};
}

/* Works on a copy, since frames belong together. All zero for want of memory. */
static times median_times(const bench_result *result)
{
    uint32_t count = result->counted;
    times middle = {0};
    double *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy == NULL) return middle;
    for (uint32_t i = 0; i < count; i++) copy[i] = result->update_ms[i];
    middle.update = median_of(copy, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = result->query_ms[i];
    middle.query = median_of(copy, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = result->update_ms[i] + result->query_ms[i];
    middle.total = median_of(copy, count);
    free(copy);
    return middle;
}

static const bench_result *find_yardstick(const bench_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        if (strcmp(report->results[i].name, "peer:plain") == 0) return &report->results[i];
    }
    return NULL;
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Nanoseconds per triangle of the yardstick's refit. */
static double yardstick_ns(const bench_report *report, const bench_result *yardstick)
{
    uint64_t triangles = scene_triangle_total(report->scene);
    return ratio(median_times(yardstick).update * 1e6, (double)triangles);
}

static bool is_yardstick_off(const bench_report *report, const bench_result *yardstick)
{
    double ns = yardstick_ns(report, yardstick);
    return scene_triangle_total(report->scene) >= yardstick_triangles &&
           (ns < yardstick_fastest_ns || ns > yardstick_slowest_ns);
}

static void warn_of_yardstick(const bench_report *report, const bench_result *yardstick)
{
    if (!is_yardstick_off(report, yardstick)) return;
    fprintf(stderr,
            "yardstick is off: peer:plain refits in %.1f ns per triangle, not %.0f to %.0f; ratios "
            "to it mean less here\n",
            yardstick_ns(report, yardstick), yardstick_fastest_ns, yardstick_slowest_ns);
}

/* ---- JSON ---- */

static void set_subject(json_line *line, const bench_report *report, const bench_result *result)
{
    const bench_options *options = report->options;
    json_line_text(line, "scene", report->scene->kind->name);
    json_line_text(line, "spec", options->scene);
    json_line_count(line, "triangles", scene_triangle_total(report->scene));
    json_line_text(line, "method", result->name);
    if (result->peer_version != NULL) json_line_text(line, "peer_version", result->peer_version);
    json_line_text(line, "query", bench_question_name(options->question));
    json_line_count(line, "frames", report->frames);
    json_line_count(line, "repeat", options->repeat);
    json_line_count(line, "threads", result->is_peer ? 1 : options->engine.threads);
    json_line_text(line, "kernel", result->kernel);
}

static void set_times(json_line *line, const bench_result *result)
{
    times mean = mean_times(result), median = median_times(result);
    json_line_real(line, "update_ms", mean.update);
    json_line_real(line, "query_ms", mean.query);
    json_line_real(line, "total_ms", mean.total);
    json_line_real(line, "setup_ms", result->setup_ms);
    json_line_real(line, "update_ms_median", median.update);
    json_line_real(line, "query_ms_median", median.query);
    json_line_real(line, "total_ms_median", median.total);
}

static void set_answers(json_line *line, const bench_result *result)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    json_line_count(line, "pairs", result->pairs);
    json_line_text(line, "hash", hash);
    json_line_count(line, "bytes", result->counts.bytes);
    json_line_count(line, "bytes_hierarchy", result->counts.bytes_hierarchy);
    json_line_real(line, "bytes_per_triangle", result->counts.bytes_per_triangle);
    if (result->is_peer) {
        json_line_count(line, "lost", result->lost);
        json_line_count(line, "extra", result->extra);
        return;
    }
    json_line_count(line, "nodes_updated", result->counts.nodes_updated);
    json_line_count(line, "volume_tests", result->counts.volume_tests);
    json_line_count(line, "triangle_tests", result->counts.triangle_tests);
    json_line_count(line, "exact_tests", result->counts.exact_tests);
}

static void set_speedup(json_line *line, const bench_report *report, const bench_result *result,
                        const bench_result *yardstick)
{
    json_line_real(line, "speedup", ratio(mean_times(yardstick).total, mean_times(result).total));
    json_line_real(line, "speedup_median",
                   ratio(median_times(yardstick).total, median_times(result).total));
    if (result == yardstick) {
        json_line_real(line, "refit_ns_per_triangle", yardstick_ns(report, yardstick));
        json_line_flag(line, "yardstick_off", is_yardstick_off(report, yardstick));
    }
}

static int print_json(const bench_report *report, const bench_result *yardstick)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < report->result_count; i++) {
        const bench_result *result = &report->results[i];
        json_line line = json_line_begin();
        set_subject(&line, report, result);
        set_times(&line, result);
        set_answers(&line, result);
        if (yardstick != NULL) set_speedup(&line, report, result, yardstick);
        code = json_line_print(&line, "bench");
    }
    return code;
}

/* ---- the table ---- */

/* The first column is as wide as the longest name. */
static int name_width(const bench_report *report)
{
    size_t width = 12;
    for (uint32_t i = 0; i < report->result_count; i++) {
        size_t length = strlen(report->results[i].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_row(const bench_result *result, const bench_result *yardstick, int width)
{
    times mean = mean_times(result), median = median_times(result);
    printf("%-*s %9.4f %9.4f %9.4f %9.4f %9.2f %10" PRIu64 " %7.1f", width, result->name,
           mean.update, mean.query, mean.total, median.total, result->setup_ms, result->pairs,
           result->counts.bytes_per_triangle);
    if (yardstick != NULL) printf(" %8.2f", ratio(mean_times(yardstick).total, mean.total));
    if (result->is_peer && result->lost + result->extra > 0) {
        printf("  lost %" PRIu64 ", extra %" PRIu64, result->lost, result->extra);
    }
    puts(result->is_wrong ? "  WRONG" : "");
}

static void print_table(const bench_report *report, const bench_result *yardstick)
{
    const bench_options *options = report->options;
    printf("%s: %" PRIu64 " triangles in %" PRIu32 " bodies, query %s, %" PRIu32 " frames, %" PRIu32
           " thread%s\n",
           options->scene, scene_triangle_total(report->scene), report->scene->body_count,
           bench_question_name(options->question), report->frames, options->engine.threads,
           plural(options->engine.threads));
    const int width = name_width(report);
    printf("%-*s %9s %9s %9s %9s %9s %10s %7s%s\n", width, "method", "update", "query", "total",
           "median", "setup", "pairs", "B/tri", yardstick != NULL ? "  speedup" : "");
    for (uint32_t i = 0; i < report->result_count; i++)
        print_row(&report->results[i], yardstick, width);
    puts("Times are milliseconds per frame; pairs are over all frames.");
}

int bench_print(const bench_report *report)
{
    const bench_result *yardstick = find_yardstick(report);
    int code = EXIT_FINE;
    if (report->options->table) {
        print_table(report, yardstick);
    } else {
        code = print_json(report, yardstick);
    }
    if (yardstick != NULL) warn_of_yardstick(report, yardstick);
    return code;
}
