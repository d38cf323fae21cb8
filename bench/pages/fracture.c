/* fracture.c - the page of the suite `fracture`: what the tags of fracture.md stand for.
 *
 * Way in: page_write_fracture. Rows that were not measured are left out. */
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>
#include <string.h>

#define PAPER_KIND "balanced:arity=2:leaf_triangles=1:build=median"
#define MEDIAN_KIND "rebuild:arity=2:leaf_triangles=1:build=median"
#define MIDPOINT_KIND "rebuild:arity=2:leaf_triangles=1:build=midpoint"

enum { SIZES = 3, NO_SIDE = FRACTURE_MOST_SIDES, GROWTH_STEP = 10 };

static const uint32_t sizes[SIZES] = {5660, 22640, 90560};

typedef struct fracture_page {
    const fracture_page_rows *rows;
    const bench_options *options;
    report_machine machine;
} fracture_page;

/* ---- which rows ---- */

static uint32_t side_of(const fracture_row *row, const char *method)
{
    for (uint32_t i = 0; row != NULL && i < row->side_count; i++)
        if (strcmp(row->sides[i].method, method) == 0) return i;
    return NO_SIDE;
}

/* A row of that scene in which a method takes part; NULL: there is none. */
static const fracture_row *row_with(const fracture_page *p, const char *spec, const char *method)
{
    for (uint32_t i = 0; i < p->rows->series_count; i++) {
        const fracture_row *row = &p->rows->series[i];
        if (strcmp(row->scene, spec) == 0 && side_of(row, method) != NO_SIDE) return row;
    }
    return NULL;
}

static const fracture_row *splitting_with(const fracture_page *p, uint32_t triangles,
                                          const char *variant, const char *method)
{
    char spec[SCENE_SPEC_MAX];
    snprintf(spec, sizeof spec, "splitting:triangles=%u,variant=%s", triangles, variant);
    return row_with(p, spec, method);
}

/* ---- tables ---- */

static double update_of(const fracture_row *row, const char *method)
{
    return fracture_mean_update(row, side_of(row, method));
}

static void write_counts(FILE *file, const fracture_row *row)
{
    const fracture_series *s = &row->sides[side_of(row, PAPER_KIND)];
    double removed = 0, added = 0;
    const uint32_t steps = row->frame_count - 1;
    for (uint32_t i = 1; i < row->frame_count; i++) {
        removed += s->frames[i].removed;
        added += s->frames[i].added;
    }
    fprintf(file, " %u | %.2f | %.2f |", s->frames[steps].triangles, removed / steps,
            added / steps);
}

static void write_table_1(FILE *file, void *context, const char *argument)
{
    const fracture_page *p = context;
    (void)argument;
    for (int i = 0; i < SIZES; i++) {
        const fracture_row *all = splitting_with(p, sizes[i], "deforming", MEDIAN_KIND);
        const fracture_row *parts =
            splitting_with(p, sizes[i], "deforming", PAPER_KIND ":part=plain");
        if (all == NULL || parts == NULL) continue;
        const double refit = update_of(parts, PAPER_KIND ":keep_siblings=1:part=plain");
        const double plain = update_of(parts, PAPER_KIND ":part=plain");
        const double replaced = update_of(parts, PAPER_KIND ":part=replaced");
        const double step = update_of(all, PAPER_KIND);
        const double median = update_of(all, MEDIAN_KIND), midpoint = update_of(all, MIDPOINT_KIND);
        fprintf(file, "| %u |", sizes[i]);
        write_counts(file, all);
        fprintf(file, " %.2f | %.2f | %.2f | %.2f | %.2f | %.2f (%.2f) | %.2f (%.2f) |\n",
                replaced - plain, update_of(parts, PAPER_KIND) - replaced, refit, plain - refit,
                step, midpoint, midpoint / step, median, median / step);
    }
}

static void write_figure_7(FILE *file, void *context, const char *argument)
{
    const fracture_row *row = splitting_with(context, 90560, "still", MIDPOINT_KIND);
    (void)argument;
    if (row == NULL) return;
    const fracture_frame *kept = row->sides[side_of(row, PAPER_KIND)].frames;
    const fracture_frame *plain = row->sides[side_of(row, PAPER_KIND ":keep_siblings=1")].frames;
    const fracture_frame *median = row->sides[side_of(row, MEDIAN_KIND)].frames;
    const fracture_frame *midpoint = row->sides[side_of(row, MIDPOINT_KIND)].frames;
    for (uint32_t i = 1; i < row->frame_count; i++)
        fprintf(file, "| %u | %.2f | %.2f | %.2f | %.3f | %.3f | %.3f | %u | %u |\n", i,
                kept[i].update_ms, median[i].update_ms, midpoint[i].update_ms, kept[i].quality,
                plain[i].quality, median[i].quality, kept[i].depth, midpoint[i].depth);
}

static void write_wide(FILE *file, void *context, const char *argument)
{
    static const char *const variants[] = {"still", "deforming"};
    (void)argument;
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < SIZES; i++) {
            const fracture_row *row = splitting_with(context, sizes[i], variants[v], "rebuild");
            const uint32_t kept = side_of(row, "balanced"), built = side_of(row, "rebuild");
            if (kept == NO_SIDE || built == NO_SIDE) continue;
            const double a = fracture_mean_update(row, kept), b = fracture_mean_query(row, kept);
            const double c = fracture_mean_update(row, built), d = fracture_mean_query(row, built);
            fprintf(file, "| %s, %u | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f |\n",
                    variants[v], sizes[i], a, b, a + b, c, d, c + d, (c + d) / (a + b));
        }
}

/* Tests are compared with those of the tree that was built, next before it in the list. */
static void write_within_row(FILE *file, const fracture_row *row)
{
    double fresh = 0;
    for (uint32_t i = 0; i < row->side_count; i++) {
        const bool is_built = strncmp(row->sides[i].method, "rebuild", 7) == 0;
        const double update = fracture_mean_update(row, i), query = fracture_mean_query(row, i);
        if (is_built) fresh = fracture_sum_tests(row, i);
        fprintf(file, "| %s | %s | %.3f | %.3f | %.3f | %.3f | ", row->scene, row->sides[i].method,
                update, query, update + query, fracture_sum_tests(row, i) / fresh);
        if (is_built)
            fputs("all | - |\n", file);
        else
            fprintf(file, "%u | %.3f |\n", fracture_count_builds(row, i),
                    fracture_longest_update(row, i));
    }
}

static void write_within(FILE *file, void *context, const char *argument)
{
    static const char *const scenes[] = {"apple", "shatter"};
    (void)argument;
    for (int i = 0; i < 2; i++) {
        const fracture_row *row = row_with(context, scenes[i], PAPER_KIND);
        if (row != NULL) write_within_row(file, row);
    }
}

static void write_pieces(FILE *file, void *context, const char *argument)
{
    const fracture_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->piece_count; i++) {
        const fracture_pieces *row = &p->rows->pieces[i];
        fprintf(file, "| %u | %u | %s | %.3f | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f | %.2f |\n",
                row->pieces, row->triangles, row->method, row->edit_ms, row->split_ms,
                row->recreate_ms, row->recreate_ms / row->split_ms, row->clone_ms,
                row->tests / row->fresh_tests, row->quality, row->fresh_quality);
    }
}

/* Means over the frames in which the body has grown by so much. */
static void write_grown(FILE *file, const fracture_row *row, uint32_t percent)
{
    const fracture_frame *kept = row->sides[side_of(row, PAPER_KIND)].frames;
    const fracture_frame *built = row->sides[side_of(row, MEDIAN_KIND)].frames;
    const double first = 6124;
    double sum[6] = {0};
    uint32_t count = 0;
    for (uint32_t i = 1; i < row->frame_count; i++) {
        const double grown = 100 * (kept[i].triangles / first - 1);
        if (grown < percent || grown >= percent + GROWTH_STEP) continue;
        const double values[6] = {kept[i].update_ms, kept[i].query_ms, built[i].update_ms,
                                  built[i].query_ms, kept[i].quality,  built[i].quality};
        for (int k = 0; k < 6; k++) sum[k] += values[k];
        count++;
    }
    if (count == 0) return;
    fprintf(file, "| %u to %u %% |", percent, percent + GROWTH_STEP);
    for (int k = 0; k < 6; k++) fprintf(file, " %.3f |", sum[k] / count);
    fputs("\n", file);
}

static void write_growth(FILE *file, void *context, const char *argument)
{
    const fracture_row *row = row_with(context, "apple", PAPER_KIND);
    (void)argument;
    if (row == NULL || side_of(row, MEDIAN_KIND) == NO_SIDE) return;
    for (uint32_t percent = 0; percent <= 100; percent += GROWTH_STEP)
        write_grown(file, row, percent);
}

/* ---- all of it ---- */

#define FRACTURE_WRITER(name, text)                                                                \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const fracture_page *p = context;                                                          \
        (void)p;                                                                                   \
        (void)argument;                                                                            \
        fputs(text, file);                                                                         \
    }
FRACTURE_WRITER(processor, p->machine.processor)
FRACTURE_WRITER(compiler, p->machine.compiler)
FRACTURE_WRITER(version, version_text())
FRACTURE_WRITER(date, p->machine.date)
#undef FRACTURE_WRITER

static void write_command(FILE *file, void *context, const char *argument)
{
    const fracture_page *p = context;
    (void)argument;
    fprintf(file, "%s\n", p->options->command_line);
}

static const page_tag fracture_tags[] = {
    {"command", write_command, NULL},   {"processor", write_processor, NULL},
    {"compiler", write_compiler, NULL}, {"version", write_version, NULL},
    {"date", write_date, NULL},         {"table_1", write_table_1, NULL},
    {"figure_7", write_figure_7, NULL}, {"wide", write_wide, NULL},
    {"within", write_within, NULL},     {"pieces", write_pieces, NULL},
    {"growth", write_growth, NULL},     {NULL, NULL, NULL},
};

void page_write_fracture(FILE *file, const fracture_page_rows *rows, const bench_options *options)
{
    fracture_page page = {.rows = rows, .options = options, .machine = report_machine_now()};
    page_write(file, fracture_md, fracture_tags, &page);
}
