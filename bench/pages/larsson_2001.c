/* larsson_2001.c - the experiments of a paper beside ours: what the tags of larsson_2001.md are.
 *
 * Way in: page_write_larsson_2001. Larsson and Akenine-Moeller 2001 ("Collision detection for
 * continuously deforming bodies") measured their hybrid method against van den Bergen's on a
 * processor of 550 MHz, so that only ratios and exponents can be compared. An experiment is told if
 * the run has its scene with `van_den_bergen` and another method of Willow's; without any of them
 * there is no section. */
#include "bench/pages/pages.h"
#include "bench/pages/template.h"
#include "bench/run/growth.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char baseline_name[] = "van_den_bergen";

/* ---- rows ---- */

/* The rows of one scene and one question: [first, end), the baseline among them. */
typedef struct paper_rows {
    uint32_t first, end;
    const bench_row *baseline;
} paper_rows;

static bool is_other_method(const bench_row *row)
{
    return bench_row_has(row, OF_WILLOW) && bench_row_is_sound(row) &&
           strcmp(row->method, baseline_name) != 0;
}

/* Whether a row is about "SPEC QUERY". */
static bool is_about(const bench_row *row, const char *subject)
{
    size_t length = strlen(row->spec);
    return strncmp(subject, row->spec, length) == 0 && subject[length] == ' ' &&
           strcmp(subject + length + 1, row->query) == 0;
}

/* False if the run does not have them, or nobody to compare. */
static bool find_rows(const bench_rows *rows, const char *subject, paper_rows *out)
{
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        const bench_row *row = &rows->items[first];
        end = bench_rows_end(rows, first);
        if (!is_about(row, subject)) continue;
        bool has_other = false;
        *out = (paper_rows){.first = first, .end = end};
        for (uint32_t i = first; i < end; i++) {
            has_other = has_other || is_other_method(&rows->items[i]);
            if (strcmp(rows->items[i].method, baseline_name) == 0) out->baseline = &rows->items[i];
        }
        return has_other && out->baseline != NULL && bench_row_is_sound(out->baseline);
    }
    return false;
}

/* ---- experiments 1 and 3: times faster, and the course of a run ---- */

static void write_fifths(FILE *file, const bench_row *row)
{
    for (int i = 0; i < BENCH_FIFTHS; i++) {
        if (isfinite(row->fifths[i])) {
            fprintf(file, " %.4f |", row->fifths[i]);
        } else {
            fputs(" - |", file);
        }
    }
    fputs("\n", file);
}

static void write_method(FILE *file, const bench_row *row, const bench_row *baseline)
{
    fprintf(file, "| %s | %s | %s | %.4f |", row->spec, row->query, row->method, row->total_ms);
    page_write_ratio(file, baseline->total_ms, row->total_ms);
    if (bench_row_has(row, OF_TREE)) {
        fprintf(file, " %.1f %% |", row->nodes_share * 100);
    } else {
        fputs(" - |", file);
    }
    write_fifths(file, row);
}

/* Those of the scene and the question that the argument names, the baseline last. */
static void speedup_write_methods(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    paper_rows found;
    if (!find_rows(rows, argument, &found)) return;
    for (uint32_t i = found.first; i < found.end; i++) {
        const bench_row *row = &rows->items[i];
        if (is_other_method(row)) write_method(file, row, found.baseline);
    }
    write_method(file, found.baseline, found.baseline);
}

/* ---- experiment 2: exponents ---- */

/* The mean over repetitions. */
static double frame_ms(const bench_series *series, uint32_t frame)
{
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < series->count; i++) {
        if (series->frame[i] != frame) continue;
        sum += series->update_ms[i] + series->query_ms[i];
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* The first counted frame with a pair. */
static double first_contact_ms(const bench_row *row)
{
    const bench_series *series = &row->series;
    uint32_t i = 0;
    while (i < series->count && series->pairs[i] == 0) i++;
    return i < series->count ? frame_ms(series, series->frame[i]) : 0;
}

/* The counted frame with the most pairs, if all of them were asked for. */
static double most_pairs_ms(const bench_row *row)
{
    const bench_series *series = &row->series;
    uint32_t most = 0;
    if (strcmp(row->query, "pairs") != 0) return 0;
    for (uint32_t i = 1; i < series->count; i++) {
        if (series->pairs[i] > series->pairs[most]) most = i;
    }
    bool has_pairs = series->count > 0 && series->pairs[most] > 0;
    return has_pairs ? frame_ms(series, series->frame[most]) : 0;
}

/* Whether row `i` begins the growth of a Willow method on this family of scenes. */
static bool find_growth(const bench_rows *rows, const char *family, uint32_t i, bench_growth *out)
{
    const bench_row *row = &rows->items[i];
    return strcmp(row->family, family) == 0 && bench_row_has(row, OF_WILLOW) &&
           bench_growth_of(rows, i, growth_total_ms, out);
}

static bool has_growth(const bench_rows *rows, const char *family)
{
    bench_growth growth;
    bool has_baseline = false, has_other = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!find_growth(rows, family, i, &growth)) continue;
        bool is_baseline = strcmp(growth.method, baseline_name) == 0;
        has_baseline = has_baseline || is_baseline;
        has_other = has_other || !is_baseline;
    }
    return has_baseline && has_other;
}

static void write_exponent(FILE *file, const bench_rows *rows, uint32_t i, growth_measure *measure)
{
    bench_growth growth;
    if (bench_growth_of(rows, i, measure, &growth)) {
        fprintf(file, " %.2f |", growth.exponent);
    } else {
        fputs(" - |", file);
    }
}

static void write_exponents(FILE *file, void *context, const char *family)
{
    const bench_rows *rows = context;
    bench_growth growth;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!find_growth(rows, family, i, &growth)) continue;
        fprintf(file, "| %s | %s | %" PRIu64 " to %" PRIu64 " |", growth.query, growth.method,
                growth.from, growth.to);
        write_exponent(file, rows, i, first_contact_ms);
        write_exponent(file, rows, i, most_pairs_ms);
        write_exponent(file, rows, i, growth_total_ms);
        fputs("\n", file);
    }
}

/* "1280 2, 5120 6": triangles and milliseconds of a table in the paper. */
static void write_fitted(FILE *file, void *context, const char *points)
{
    growth_fit fit = {0};
    (void)context;
    while (*points != '\0') {
        char *end;
        double triangles = strtod(points, &end), ms = strtod(end, &end);
        growth_fit_add(&fit, triangles, ms);
        points = end + strspn(end, ", ");
    }
    fprintf(file, "%.2f", growth_fit_exponent(&fit));
}

/* ---- the section ---- */

/* "SPEC QUERY" with the baseline and somebody to compare it with, or "sizes of FAMILY" the same. */
static bool speedup_run_has(void *context, const char *argument, uint32_t round)
{
    char subject[PAGE_ARGUMENT_MAX];
    paper_rows found;
    while (round == 0 && page_next_alternative(&argument, subject)) {
        bool is_family = strncmp(subject, "sizes of ", 9) == 0;
        if (is_family ? has_growth(context, subject + 9) : find_rows(context, subject, &found)) {
            return true;
        }
    }
    return false;
}

static const page_tag larsson_2001_tags[] = {
    {"run_has", NULL, speedup_run_has},
    {"methods", speedup_write_methods, NULL},
    {"exponent", write_fitted, NULL},
    {"exponents", write_exponents, NULL},
    {NULL, NULL, NULL},
};

void page_write_larsson_2001(FILE *file, const bench_rows *rows)
{
    bench_rows run = *rows; /* contexts of tags are not const; nothing is written here */
    page_write(file, larsson_2001_md, larsson_2001_tags, &run);
}
