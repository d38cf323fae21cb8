/* check_print.c - what was found, for people: summary, chart, and a table of frames. */
#include "cli/chart.h"
#include "cli/check.h"
#include "cli/cli.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A table that is longer than this is for --verbose. */
enum { TABLE_ROWS = 20 };

/* ---- lists of pairs ---- */

static void print_run(const player *p, uint32_t frame, const willow_pair_run *run,
                      const willow_pairs *pairs, size_t end)
{
    uint32_t a = player_body_number(p, run->body_a), b = player_body_number(p, run->body_b);
    for (size_t i = run->first; i < end; i++) {
        printf("frame %" PRIu32 ": body %" PRIu32 " triangle %" PRIu32 ", body %" PRIu32
               " triangle %" PRIu32 "\n",
               frame, a, pairs->items[i].tri_a, b, pairs->items[i].tri_b);
    }
}

void check_print_pairs(const player *p, const check_frame *frame, const willow_pairs *pairs,
                       uint32_t limit)
{
    size_t listed = limit != 0 && limit < pairs->count ? limit : pairs->count;
    for (size_t i = 0; i < pairs->run_count && pairs->runs[i].first < listed; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        size_t end = run->first + run->count;
        print_run(p, frame->number, run, pairs, end < listed ? end : listed);
    }
    if (listed < pairs->count) {
        printf("frame %" PRIu32 ": and %zu more\n", frame->number, pairs->count - listed);
    }
}

/* ---- the summary ---- */

static void print_head(const check_report *report)
{
    const scene *s = report->scene;
    const check_options *options = report->options;
    uint32_t first = report->frames[0].number, count = report->frame_count;
    printf("%s: %" PRIu32 " bod%s, %" PRIu64 " triangle%s, ", options->target, s->body_count,
           s->body_count == 1 ? "y" : "ies", scene_triangle_total(s),
           plural(scene_triangle_total(s)));
    if (count == 1) {
        printf("frame %" PRIu32 "\n", first);
    } else {
        printf("frames %" PRIu32 " to %" PRIu32 "\n", first, first + count - 1);
    }
    printf("method %s, %" PRIu32 " thread%s, kernel %s\n\n", report->method,
           options->engine.threads, plural(options->engine.threads), report->kernel);
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

static void print_worst(const check_report *report)
{
    const check_frame *worst = &report->frames[report->worst];
    if (report->hit == 0) return;
    printf("%-20sframe %" PRIu32 ": ", "worst frame", worst->number);
    print_counts(report, worst->pairs, worst->self_pairs);
}

static void print_summary(const check_report *report)
{
    print_contact("first contact", &report->first, true);
    print_contact("first self contact", &report->first_self, !report->options->no_self);
    print_worst(report);
    printf("%-20s%" PRIu32 " of %" PRIu32 "\n", "frames that collide", report->hit,
           report->frame_count);
    printf("%-20s", "in all frames");
    print_counts(report, report->pairs, report->self_pairs);
    printf("%-20s%.3f ms update, %.3f ms query; %.1f ms to set up\n", "time per frame",
           check_update_mean(report), check_query_mean(report), report->setup_ms);
}

/* ---- the chart ---- */

enum { LABEL_WIDTH = 20, MOST_WIDTH = 18 };

static void print_chart_line(const char *label, const chart *c, const uint64_t *values,
                             uint32_t count)
{
    printf("%-*s", LABEL_WIDTH, label);
    chart_print(c, values, count);
    printf("  most %" PRIu64 "\n", c->highest);
}

static uint64_t highest_of(const uint64_t *values, uint32_t count)
{
    uint64_t highest = 0;
    for (uint32_t i = 0; i < count; i++) highest = values[i] > highest ? values[i] : highest;
    return highest;
}

/* The numbers of the first and the last frame under the ends of the chart. */
static void print_axis(const check_report *report, uint32_t width)
{
    char first[16];
    int used = snprintf(first, sizeof first, "%" PRIu32, report->frames[0].number);
    int room = (int)width - used;
    printf("%-*s%s%*" PRIu32 "\n", LABEL_WIDTH, "frame", first, room > 1 ? room : 1,
           report->frames[report->frame_count - 1].number);
}

/* For want of memory there is no chart; all of its numbers are in the table too. */
static void print_chart(const check_report *report)
{
    uint32_t count = report->frame_count;
    uint64_t *values = calloc(count, sizeof *values);
    if (values == NULL) return;
    chart c = {.width = chart_width(count, LABEL_WIDTH + MOST_WIDTH), .utf8 = terminal_has_utf8()};
    putchar('\n');
    for (uint32_t i = 0; i < count; i++) values[i] = report->frames[i].pairs;
    c.highest = highest_of(values, count);
    print_chart_line("between bodies", &c, values, count);
    if (!report->options->no_self) {
        for (uint32_t i = 0; i < count; i++) values[i] = report->frames[i].self_pairs;
        c.highest = highest_of(values, count);
        print_chart_line("within bodies", &c, values, count);
    }
    print_axis(report, c.width);
    free(values);
}

/* ---- the table ---- */

/* One row: frames [first, end) of the report. */
typedef struct table_row {
    uint32_t first, end;
} table_row;

static void print_row(const check_report *report, table_row row)
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

/* The row that begins here, if frames with the same counts share one. */
static table_row equal_row(const check_report *report, uint32_t first)
{
    const check_frame *frames = report->frames;
    uint32_t end = first + 1;
    while (end < report->frame_count && frames[end].pairs == frames[first].pairs &&
           frames[end].self_pairs == frames[first].self_pairs) {
        end++;
    }
    return (table_row){first, end};
}

static uint32_t count_equal_rows(const check_report *report)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < report->frame_count; i = equal_row(report, i).end) rows++;
    return rows;
}

static void print_table_head(const check_report *report)
{
    printf("\n%-12s %14s", "frame", "between bodies");
    if (!report->options->no_self) printf(" %14s", "within bodies");
    putchar('\n');
}

/* Every frame with --verbose; else frames with equal counts in one row; and if that is still too
 * long, so many rows, each with the most that a frame of it has. */
static void print_table(const check_report *report)
{
    uint32_t count = report->frame_count;
    print_table_head(report);
    if (report->options->verbose) {
        for (uint32_t i = 0; i < count; i++) print_row(report, (table_row){i, i + 1});
    } else if (count_equal_rows(report) <= TABLE_ROWS) {
        for (table_row row = {0}; row.end < count;) {
            row = equal_row(report, row.end);
            print_row(report, row);
        }
    } else {
        for (uint64_t i = 0; i < TABLE_ROWS; i++) {
            print_row(report, (table_row){(uint32_t)(i * count / TABLE_ROWS),
                                          (uint32_t)((i + 1) * count / TABLE_ROWS)});
        }
        puts("The most in any of these frames; --verbose lists every one.");
    }
}

void check_print(const check_report *report)
{
    print_head(report);
    print_summary(report);
    print_chart(report);
    print_table(report);
}
