/* larsson_2001.c - the experiments of a paper beside ours, as a section in Markdown.
 *
 * Way in: report_write_paper. Larsson and Akenine-Moeller 2001 ("Collision detection for
 * continuously deforming bodies") measured their hybrid method against van den Bergen's on a
 * processor of 550 MHz, so that only ratios and exponents can be compared. An experiment is told if
 * the run has its scene with `van_den_bergen` and another method of Willow's; without any of them
 * there is no section. */
#include "bench/pages/pages.h"
#include "bench/run/growth.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char baseline_name[] = "van_den_bergen";

/* What the paper says of one of its scenes: how many times its method is faster than van den
 * Bergen's. NULL: it does not say. */
typedef struct paper_speedup {
    const char *spec, *query, *faster;
} paper_speedup;

static const paper_speedup experiment_1[] = {
    {"bumpy:triangles=20480", "pairs", "about 5"},
    {"bumpy:triangles=20480", "first", "about 5"},
    {NULL, NULL, NULL},
};

static const paper_speedup experiment_3[] = {
    {"many", "pairs", "about 5.6"},
    {"many", "first", NULL},
    {"many:variant=arms", "pairs", "about 4.5"},
    {"many:variant=arms", "first", NULL},
    {NULL, NULL, NULL},
};

/* Its table 5.1, in the order of sizes: triangles of one of the two bodies, ms at first contact and
 * in the worst step. */
static const struct {
    double triangles, first_ms, worst_ms;
} experiment_2[] = {{1280, 2, 4},    {5120, 6, 15},    {8192, 8, 28},   {16384, 15, 64},
                    {20480, 20, 98}, {32768, 30, 151}, {65536, 62, 334}};

static const char experiment_2_family[] = "bumpy";

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

/* False if the run does not have them, or nobody to compare. */
static bool find_rows(const bench_rows *rows, const paper_speedup *paper, paper_rows *out)
{
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        const bench_row *row = &rows->items[first];
        end = bench_rows_end(rows, first);
        if (strcmp(row->spec, paper->spec) != 0 || strcmp(row->query, paper->query) != 0) continue;
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

static bool has_any(const bench_rows *rows, const paper_speedup *papers)
{
    paper_rows found;
    for (; papers->spec != NULL; papers++) {
        if (find_rows(rows, papers, &found)) return true;
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
    if (row->total_ms > 0) {
        fprintf(file, " %.2f |", baseline->total_ms / row->total_ms);
    } else {
        fputs(" - |", file);
    }
    if (bench_row_has(row, OF_TREE)) {
        fprintf(file, " %.1f %% |", row->nodes_share * 100);
    } else {
        fputs(" - |", file);
    }
    write_fifths(file, row);
}

static void write_paper(FILE *file, const paper_speedup *paper)
{
    if (paper->faster == NULL) return;
    fprintf(file, "| %s | %s | the paper's hybrid | - | %s | - | - | - | - | - | - |\n",
            paper->spec, paper->query, paper->faster);
}

/* One table for all scenes and questions that are there. */
static void write_speedups(FILE *file, const bench_rows *rows, const paper_speedup *papers)
{
    paper_rows found;
    fprintf(file,
            "| scene | query | method | ms | faster than `%s` | nodes computed | 1st fifth | 2nd | "
            "3rd | 4th | 5th |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            baseline_name);
    for (; papers->spec != NULL; papers++) {
        if (!find_rows(rows, papers, &found)) continue;
        write_paper(file, papers);
        for (uint32_t i = found.first; i < found.end; i++) {
            const bench_row *row = &rows->items[i];
            if (is_other_method(row)) write_method(file, row, found.baseline);
        }
        write_method(file, found.baseline, found.baseline);
    }
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

/* Whether row `i` begins the growth of a Willow method in experiment 2. */
static bool find_growth(const bench_rows *rows, uint32_t i, bench_growth *out)
{
    const bench_row *row = &rows->items[i];
    return strcmp(row->family, experiment_2_family) == 0 && bench_row_has(row, OF_WILLOW) &&
           bench_growth_of(rows, i, growth_total_ms, out);
}

static bool has_growth(const bench_rows *rows)
{
    bench_growth growth;
    bool has_baseline = false, has_other = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!find_growth(rows, i, &growth)) continue;
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

static void write_paper_exponents(FILE *file)
{
    enum { SIZES = sizeof experiment_2 / sizeof experiment_2[0] };
    growth_fit first = {0}, worst = {0};
    for (int i = 0; i < SIZES; i++) {
        growth_fit_add(&first, experiment_2[i].triangles, experiment_2[i].first_ms);
        growth_fit_add(&worst, experiment_2[i].triangles, experiment_2[i].worst_ms);
    }
    fprintf(file, "| pairs | the paper's hybrid | %.0f to %.0f | %.2f | %.2f | - |\n",
            2 * experiment_2[0].triangles, 2 * experiment_2[SIZES - 1].triangles,
            growth_fit_exponent(&first), growth_fit_exponent(&worst));
}

static void write_exponents(FILE *file, const bench_rows *rows)
{
    bench_growth growth;
    fputs("| query | method | triangles | first contact | most pairs | mean of all frames |\n"
          "|---|---|--:|--:|--:|--:|\n",
          file);
    write_paper_exponents(file);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!find_growth(rows, i, &growth)) continue;
        fprintf(file, "| %s | %s | %" PRIu64 " to %" PRIu64 " |", growth.query, growth.method,
                growth.from, growth.to);
        write_exponent(file, rows, i, first_contact_ms);
        write_exponent(file, rows, i, most_pairs_ms);
        write_exponent(file, rows, i, growth_total_ms);
        fputs("\n", file);
    }
}

/* ---- the section ---- */

static void write_experiment_1(FILE *file, const bench_rows *rows)
{
    fputs("\n### Experiment 1: two bumpy spheres\n\n"
          "The paper: two bodies of 20,480 triangles move into each other in 200 steps. Its hybrid "
          "method\nis about 5 times faster than van den Bergen's, and its fastest both in easy "
          "steps, at the\nbeginning, and in hard ones, at the end (figure 5.3).\n\n",
          file);
    write_speedups(file, rows, experiment_1);
}

static void write_experiment_2(FILE *file, const bench_rows *rows)
{
    fputs("\n### Experiment 2: the same in several sizes\n\n"
          "The paper: 1,280 to 65,536 triangles per body (table 5.1). Exponents of time against "
          "the number\nof triangles, fitted in the same way to the paper's times and to ours; 1 is "
          "linear. Where the\npaper has its slowest step, we have the frame with the most pairs, "
          "since a single slow frame may\nbe noise.\n\n",
          file);
    write_exponents(file, rows);
}

static void write_experiment_3(FILE *file, const bench_rows *rows)
{
    fputs("\n### Experiment 3: 27 bodies\n\n"
          "The paper: 27 bodies of 5,120 triangles hit each other in 200 steps, once as bumpy "
          "spheres and\nonce with arms that move (figure 5.4).\n\n",
          file);
    write_speedups(file, rows, experiment_3);
}

void report_write_paper(FILE *file, const bench_rows *rows)
{
    bool has_1 = has_any(rows, experiment_1), has_2 = has_growth(rows),
         has_3 = has_any(rows, experiment_3);
    if (!has_1 && !has_2 && !has_3) return;
    fprintf(file,
            "\n## Beside the paper\n\n"
            "Larsson and Akenine-Moeller 2001 compared their methods with van den Bergen's, on a "
            "Pentium III\nof 550 MHz. `%s` is that method here, in the code of Willow. Ratios "
            "and exponents can\nbe compared, milliseconds cannot. Fifths are mean milliseconds "
            "in parts of the run, in their\norder; nodes computed are the share of all nodes per "
            "frame.\n",
            baseline_name);
    if (has_1) write_experiment_1(file, rows);
    if (has_2) write_experiment_2(file, rows);
    if (has_3) write_experiment_3(file, rows);
}
