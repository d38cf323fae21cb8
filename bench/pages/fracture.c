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

/* A row of that scene and question in which a method takes part; NULL: there is none. */
static const fracture_row *row_that_asks(const fracture_page *p, const char *query,
                                         const char *spec, const char *method)
{
    for (uint32_t i = 0; i < p->rows->series_count; i++) {
        const fracture_row *row = &p->rows->series[i];
        if (strcmp(row->scene, spec) == 0 && strcmp(row->query, query) == 0 &&
            side_of(row, method) != NO_SIDE)
            return row;
    }
    return NULL;
}

static const fracture_row *row_with(const fracture_page *p, const char *spec, const char *method)
{
    return row_that_asks(p, "pairs", spec, method);
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

static void write_body(FILE *file, void *context, const char *argument)
{
    const fracture_page *p = context;
    bool is_real = false;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->series_count; i++)
        is_real = is_real || strcmp(p->rows->series[i].body, "triceratops") == 0;
    fputs(is_real ? "the paper's triceratops, which its plane meets in one loop from end to end"
                  : "a built-in body: the file of the paper's triceratops was not there",
          file);
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

static void write_wide(FILE *file, void *context, const char *query)
{
    static const char *const variants[] = {"still", "deforming"};
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < SIZES; i++) {
            char spec[SCENE_SPEC_MAX];
            snprintf(spec, sizeof spec, "splitting:triangles=%u,variant=%s", sizes[i], variants[v]);
            const fracture_row *row = row_that_asks(context, query, spec, "rebuild");
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
        fprintf(file, "| %u | %u | %s | %.3f | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f ",
                row->pieces, row->triangles, row->method, row->edit_ms, row->split_ms,
                row->recreate_ms, row->recreate_ms / row->split_ms, row->other_split_ms,
                row->other_recreate_ms, row->other_recreate_ms / row->other_split_ms);
        fprintf(file, "| %.3f | %.3f | %.2f | %.2f |\n", row->clone_ms,
                row->tests / row->fresh_tests, row->quality, row->fresh_quality);
    }
}

/* What growth from one percentage to ten more came to, in the mean of its frames. */
typedef struct grown {
    double update, query, built_update, built_query, quality, built_quality;
    uint32_t frames;
} grown;

static grown mean_while_grown(const fracture_row *row, uint32_t percent)
{
    const fracture_frame *kept = row->sides[side_of(row, PAPER_KIND)].frames;
    const fracture_frame *built = row->sides[side_of(row, MEDIAN_KIND)].frames;
    const double first = kept[1].triangles;
    grown sum = {0};
    for (uint32_t i = 1; i < row->frame_count; i++) {
        const double by = 100 * (kept[i].triangles / first - 1);
        if (by < percent || by >= percent + GROWTH_STEP) continue;
        sum.update += kept[i].update_ms;
        sum.query += kept[i].query_ms;
        sum.built_update += built[i].update_ms;
        sum.built_query += built[i].query_ms;
        sum.quality += kept[i].quality;
        sum.built_quality += built[i].quality;
        sum.frames++;
    }
    const double n = sum.frames > 0 ? sum.frames : 1;
    return (grown){sum.update / n,      sum.query / n,   sum.built_update / n,
                   sum.built_query / n, sum.quality / n, sum.built_quality / n,
                   sum.frames};
}

static const fracture_row *grown_row(const fracture_page *p)
{
    const fracture_row *row = row_with(p, "apple", PAPER_KIND);
    return row != NULL && side_of(row, MEDIAN_KIND) != NO_SIDE && row->frame_count > 1 ? row : NULL;
}

static void write_growth(FILE *file, void *context, const char *argument)
{
    const fracture_row *row = grown_row(context);
    (void)argument;
    for (uint32_t percent = 0; row != NULL && percent <= 100; percent += GROWTH_STEP) {
        const grown g = mean_while_grown(row, percent);
        if (g.frames == 0) continue;
        fprintf(file, "| %u to %u %% | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", percent,
                percent + GROWTH_STEP, g.update, g.query, g.built_update, g.built_query, g.quality,
                g.built_quality);
    }
}

/* ---- a chart ---- */

/* A bar of two parts: updates and questions. */
static void write_bar(FILE *file, const char *label, double update, double query, double longest)
{
    enum { WIDTH = 60 };
    const int whole = (int)(WIDTH * (update + query) / longest + 0.5);
    const int part = (int)(WIDTH * update / longest + 0.5);
    fprintf(file, "%-16s ", label);
    for (int i = 0; i < whole; i++) fputc(i < part ? '#' : '=', file);
    fprintf(file, " %.2f ms\n", update + query);
}

static void write_chart(FILE *file, void *context, const char *argument)
{
    const fracture_row *row = grown_row(context);
    double longest = 0;
    (void)argument;
    for (uint32_t percent = 0; row != NULL && percent <= 100; percent += GROWTH_STEP) {
        const grown g = mean_while_grown(row, percent);
        if (g.update + g.query > longest) longest = g.update + g.query;
        if (g.built_update + g.built_query > longest) longest = g.built_update + g.built_query;
    }
    for (uint32_t percent = 0; longest > 0 && percent <= 100; percent += GROWTH_STEP) {
        char label[32];
        const grown g = mean_while_grown(row, percent);
        if (g.frames == 0) continue;
        snprintf(label, sizeof label, "%3u %% kept", percent);
        write_bar(file, label, g.update, g.query, longest);
        write_bar(file, "      built", g.built_update, g.built_query, longest);
    }
}

/* ---- what is asked of it ---- */

static void write_must(FILE *file, const char *what, const char *bound, double value)
{
    if (value > 0) fprintf(file, "| %s | %s | %.2f |\n", what, bound, value);
}

static double together(const fracture_row *row, const char *method)
{
    const uint32_t side = side_of(row, method);
    return side == NO_SIDE ? 0 : fracture_mean_update(row, side) + fracture_mean_query(row, side);
}

/* How many times as long the built trees take; 0: it was not measured. */
static double times_of_wide(const fracture_page *p, const char *variant)
{
    const fracture_row *row = splitting_with(p, 90560, variant, "balanced");
    const double kept = together(row, "balanced"), built = together(row, "rebuild");
    return kept > 0 ? built / kept : 0;
}

static double times_of_step(const fracture_page *p)
{
    const fracture_row *row = splitting_with(p, 90560, "deforming", MEDIAN_KIND);
    if (side_of(row, PAPER_KIND) == NO_SIDE || side_of(row, MEDIAN_KIND) == NO_SIDE) return 0;
    return update_of(row, MEDIAN_KIND) / update_of(row, PAPER_KIND);
}

static void write_apple_musts(FILE *file, const fracture_page *p)
{
    const fracture_row *row = grown_row(p);
    if (row == NULL) return;
    const uint32_t kept = side_of(row, PAPER_KIND);
    write_must(file, "`apple`, the paper's kind: tests over those of trees built in every step",
               "at most 1.05",
               fracture_sum_tests(row, kept) / fracture_sum_tests(row, side_of(row, MEDIAN_KIND)));
    fprintf(file, "| `apple`, the paper's kind: rebuilds in %u frames | at most 30 | %u |\n",
            row->frame_count, fracture_count_builds(row, kept));
}

/* The least of the times how much faster it is to split, up to so many pieces. */
static double least_times(const fracture_page *p, uint32_t most_pieces)
{
    double least = 0;
    for (uint32_t i = 0; i < p->rows->piece_count; i++) {
        const fracture_pieces *row = &p->rows->pieces[i];
        const double times = row->recreate_ms / row->split_ms;
        if (strcmp(row->method, "balanced") != 0 || row->pieces > most_pieces) continue;
        if (least == 0 || times < least) least = times;
    }
    return least;
}

static double tests_at_8(const fracture_page *p)
{
    for (uint32_t i = 0; i < p->rows->piece_count; i++) {
        const fracture_pieces *row = &p->rows->pieces[i];
        if (strcmp(row->method, "balanced") == 0 && row->pieces == 8)
            return row->tests / row->fresh_tests;
    }
    return 0;
}

static void write_musts(FILE *file, void *context, const char *argument)
{
    const fracture_page *p = context;
    (void)argument;
    write_must(file,
               "a step of the paper's kind with 90,560 triangles, all restructured, refitted and "
               "optimised: times faster than a median build",
               "2", times_of_step(p));
    write_must(file, "the wide kind with 90,560, still: times faster than the fastest build", "5",
               times_of_wide(p, "still"));
    write_must(file, "the same, deforming", "3", times_of_wide(p, "deforming"));
    write_apple_musts(file, p);
    write_must(file, "`pumpkin`, 2 to 64 pieces: least times faster than creating them anew",
               "above 1", least_times(p, 64));
    write_must(file, "the same, up to 12 pieces", "2", least_times(p, 12));
    write_must(file, "`pumpkin`, 8 pieces: tests over those of built trees", "at most 1.15",
               tests_at_8(p));
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
    {"command", write_command, NULL},
    {"processor", write_processor, NULL},
    {"compiler", write_compiler, NULL},
    {"version", write_version, NULL},
    {"date", write_date, NULL},
    {"table_1", write_table_1, NULL},
    {"body", write_body, NULL},
    {"figure_7", write_figure_7, NULL},
    {"wide", write_wide, NULL},
    {"within", write_within, NULL},
    {"pieces", write_pieces, NULL},
    {"growth", write_growth, NULL},
    {"chart", write_chart, NULL},
    {"musts", write_musts, NULL},
    {NULL, NULL, NULL},
};

void page_write_fracture(FILE *file, const fracture_page_rows *rows, const bench_options *options)
{
    fracture_page page = {.rows = rows, .options = options, .machine = report_machine_now()};
    page_write(file, fracture_md, fracture_tags, &page);
}
