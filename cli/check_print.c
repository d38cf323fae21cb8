/* check_print.c - what was found, for people: summary, chart, and a table of frames. */
#include "bench/common/chart.h"
#include "bench/common/numbers.h"
#include "bench/play/engine.h"
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>

/* A table with more rows than this is for --verbose. */
enum { TABLE_ROWS = 16 };

/* ---- lists of pairs ---- */

static void check_print_run(uint32_t frame, const willow_pair_run *run, const willow_pairs *pairs,
                            size_t end)
{
    uint32_t a = run->body_a.index1, b = run->body_b.index1;
    for (size_t i = run->first; i < end; i++) {
        willow_vec3 at = pairs->witnesses[i];
        printf("frame %" PRIu32 ": body %" PRIu32 " triangle %" PRIu32 ", body %" PRIu32
               " triangle %" PRIu32 " at (%g, %g, %g)\n",
               frame, a, pairs->items[i].tri_a, b, pairs->items[i].tri_b, (double)at.x,
               (double)at.y, (double)at.z);
    }
}

void check_print_pairs(const check_frame *frame, const willow_pairs *pairs, uint32_t limit)
{
    size_t listed = limit != 0 && limit < pairs->count ? limit : pairs->count;
    for (size_t i = 0; i < pairs->run_count && pairs->runs[i].first < listed; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        size_t end = run->first + run->count;
        check_print_run(frame->number, run, pairs, end < listed ? end : listed);
    }
    if (listed < pairs->count) {
        printf("frame %" PRIu32 ": and %zu more\n", frame->number, pairs->count - listed);
    }
}

/* ---- the summary ---- */

static void check_print_head(const check_report *report)
{
    const scene *s = report->scene;
    const engine_options *engine = &report->options->engine;
    uint32_t first = report->frames[0].number, count = report->frame_count;
    uint64_t triangles = scene_triangle_total(s);
    printf("%s\n%" PRIu32 " bod%s, %" PRIu64 " triangle%s, ", report->options->target,
           s->body_count, s->body_count == 1 ? "y" : "ies", triangles, plural(triangles));
    if (count == 1) {
        printf("frame %" PRIu32, first);
    } else {
        printf("frames %" PRIu32 " to %" PRIu32, first, first + count - 1);
    }
    printf("; method %s, %" PRIu32 " thread%s, kernel %s\n\n", report->method, engine->threads,
           plural(engine->threads), report->kernel);
}

static void print_verdict(const check_report *report)
{
    uint32_t count = report->frame_count;
    if (report->hit == 0) {
        printf("No collisions in %" PRIu32 " frame%s%s.\n\n", count, plural(count),
               report->steps_hit > 0 ? ", but between them" : "");
    } else {
        printf("Collisions in %" PRIu32 " of %" PRIu32 " frame%s.\n\n", report->hit, count,
               plural(count));
    }
}

static void print_contact(const char *title, const check_contact *contact, bool was_asked)
{
    printf("%-20s", title);
    if (!was_asked) {
        puts("not asked for");
    } else if (!contact->found) {
        puts("none");
    } else if (contact->body_a == contact->body_b) {
        printf("frame %" PRIu32 ": body %" PRIu32 ", triangle %" PRIu32 " meets triangle %" PRIu32
               "\n",
               contact->frame, contact->body_a, contact->tri_a, contact->tri_b);
    } else {
        printf("frame %" PRIu32 ": body %" PRIu32 " triangle %" PRIu32 " meets body %" PRIu32
               " triangle %" PRIu32 "\n",
               contact->frame, contact->body_a, contact->tri_a, contact->body_b, contact->tri_b);
    }
}

static void print_counts(const check_report *report, uint64_t pairs, uint64_t self_pairs)
{
    printf("%" PRIu64 " pair%s between bodies", pairs, plural(pairs));
    if (!report->options->no_self) printf(", %" PRIu64 " within", self_pairs);
    putchar('\n');
}

static void print_findings(const check_report *report)
{
    const check_frame *worst = &report->frames[report->worst];
    print_contact("first contact", &report->first, true);
    print_contact("first self contact", &report->first_self, !report->options->no_self);
    printf("%-20sframe %" PRIu32 ": ", "worst frame", worst->number);
    print_counts(report, worst->pairs, worst->self_pairs);
    printf("%-20s", "in all frames");
    print_counts(report, report->pairs, report->self_pairs);
}

static void print_impacts(const check_report *report)
{
    const check_frame *frame = &report->first_step_hit;
    const check_impact *impact = &frame->impact;
    char a[CHECK_FEATURE_MAX], b[CHECK_FEATURE_MAX];
    printf("%-20s", "first impact");
    if (report->steps_hit == 0) {
        printf("none in %" PRIu32 " step%s\n", report->steps, plural(report->steps));
        return;
    }
    printf("frame %" PRIu32 " + %.6f: body %" PRIu32 " %s %s body %" PRIu32 " %s\n", frame->number,
           impact->impact.time, impact->body_a, check_feature_text(&impact->impact.a, a),
           impact->impact.is_decided ? "touches" : "may touch", impact->body_b,
           check_feature_text(&impact->impact.b, b));
    printf("%-20s%" PRIu32 " of %" PRIu32 "\n", "steps with impacts", report->steps_hit,
           report->steps);
}

/* The first frame has no update. */
static void print_times(const check_report *report)
{
    printf("%-20s", "time per frame");
    if (report->frame_count > 1) printf("%.3f ms update, ", check_update_mean(report));
    printf("%.3f ms query; %.1f ms to set up\n", check_query_mean(report), report->setup_ms);
}

/* ---- the chart ---- */

enum { LABEL_WIDTH = 20, MOST_WIDTH = 18 };

static uint64_t pairs_of(const void *frames, uint32_t i)
{
    return ((const check_frame *)frames)[i].pairs;
}

static uint64_t self_pairs_of(const void *frames, uint32_t i)
{
    return ((const check_frame *)frames)[i].self_pairs;
}

static void print_chart_line(const char *label, const chart_series *series, uint32_t width)
{
    uint64_t highest = chart_highest(series);
    printf("%-*s", LABEL_WIDTH, label);
    if (highest == 0) {
        puts("none");
        return;
    }
    chart_print(series, width);
    printf("  most %" PRIu64 "\n", highest);
}

/* The numbers of the first and the last frame under the ends of the chart. */
static void print_axis(const check_report *report, uint32_t width)
{
    char first[16], last[16];
    int used = snprintf(first, sizeof first, "%" PRIu32, report->frames[0].number);
    used += snprintf(last, sizeof last, "%" PRIu32, report->frames[report->frame_count - 1].number);
    int gap = (int)width - used;
    printf("%-*s%s%*s%s\n", LABEL_WIDTH, "frame", first, gap > 1 ? gap : 1, "", last);
}

static void print_chart(const check_report *report)
{
    uint32_t width = chart_width(report->frame_count, LABEL_WIDTH + MOST_WIDTH);
    chart_series between = {pairs_of, report->frames, report->frame_count};
    chart_series within = {self_pairs_of, report->frames, report->frame_count};
    putchar('\n');
    print_chart_line("between bodies", &between, width);
    if (!report->options->no_self) print_chart_line("within bodies", &within, width);
    print_axis(report, width);
}

/* ---- the table ---- */

/* One row: frames [first, end) of the report. */
typedef struct table_row {
    uint32_t first, end;
} table_row;

static void check_print_row(const check_report *report, table_row row)
{
    uint64_t pairs = 0, self_pairs = 0;
    for (uint32_t i = row.first; i < row.end; i++) {
        const check_frame *frame = &report->frames[i];
        if (frame->pairs > pairs) pairs = frame->pairs;
        if (frame->self_pairs > self_pairs) self_pairs = frame->self_pairs;
    }
    char frames[32];
    uint32_t first = report->frames[row.first].number, last = report->frames[row.end - 1].number;
    if (first == last) {
        snprintf(frames, sizeof frames, "%" PRIu32, first);
    } else {
        snprintf(frames, sizeof frames, "%" PRIu32 "-%" PRIu32, first, last);
    }
    printf("%-12s %14" PRIu64, frames, pairs);
    if (!report->options->no_self) printf(" %14" PRIu64, self_pairs);
    putchar('\n');
}

static uint32_t equal_end(const check_report *report, uint32_t first)
{
    const check_frame *frames = report->frames;
    uint32_t end = first + 1;
    while (end < report->frame_count && frames[end].pairs == frames[first].pairs &&
           frames[end].self_pairs == frames[first].self_pairs) {
        end++;
    }
    return end;
}

/* The row that begins here: frames with equal counts if these are many, else `step` frames. */
static table_row check_row_at(const check_report *report, uint32_t first, uint32_t step)
{
    uint32_t end = equal_end(report, first), left = report->frame_count - first;
    if (end - first < step) end = first + (left < step ? left : step);
    return (table_row){first, end};
}

static uint32_t count_rows(const check_report *report, uint32_t step)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < report->frame_count; i = check_row_at(report, i, step).end) rows++;
    return rows;
}

/* 1, 2, 5, 10, 20, 50 and so on: the least of these with which the table is short. */
static uint32_t short_step(const check_report *report)
{
    uint32_t step = 1;
    for (uint32_t i = 0; count_rows(report, step) > TABLE_ROWS; i++) {
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    }
    return step;
}

static void print_table_head(const check_report *report)
{
    printf("\n%-12s %14s", "frame", "between bodies");
    if (!report->options->no_self) printf(" %14s", "within bodies");
    putchar('\n');
}

static void print_short_table(const check_report *report)
{
    uint32_t step = short_step(report);
    for (table_row row = {0}; row.end < report->frame_count;) {
        row = check_row_at(report, row.end, step);
        check_print_row(report, row);
    }
    if (step > 1) puts("Each row has the most of any of its frames; --verbose lists every frame.");
}

static void check_print_table(const check_report *report)
{
    print_table_head(report);
    if (!report->options->verbose) {
        print_short_table(report);
        return;
    }
    for (uint32_t i = 0; i < report->frame_count; i++)
        check_print_row(report, (table_row){i, i + 1});
}

/* Of one frame the findings say all that a chart and a table could. */
void check_print(const check_report *report)
{
    bool found = report->hit > 0, has_course = found && report->frame_count > 1;
    if (found && report->options->pairs) putchar('\n');
    check_print_head(report);
    print_verdict(report);
    if (found) print_findings(report);
    if (report->options->impacts) print_impacts(report);
    print_times(report);
    if (has_course) print_chart(report);
    if (has_course || report->options->verbose) check_print_table(report);
}
