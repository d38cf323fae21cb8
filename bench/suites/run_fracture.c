/* run_fracture.c - `willow bench --suite fracture`. Way in: bench_fracture. */
#include "bench/suites/run_fracture.h"
#include "bench/common/complain.h"
#include "bench/fracture/fracture.h"
#include "bench/pages/pages.h"
#include "bench/suites/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The paper's kind with two children and single triangles, ours, and trees that are built in every
 * step; then what a step of the paper's kind costs without edits, and without exchanges. */
#define PAPER_KIND "balanced:arity=2:leaf_triangles=1:build=median"
static const char splitting_methods[] =
    "rebuild," PAPER_KIND ",balanced,rebuild:arity=2:leaf_triangles=1:build=median,"
    "rebuild:arity=2:leaf_triangles=1:build=midpoint," PAPER_KIND ":keep_siblings=1";
static const char phase_methods[] =
    PAPER_KIND "," PAPER_KIND ":part=replaced," PAPER_KIND ":part=plain," PAPER_KIND
               ":keep_siblings=1:part=plain";
static const char self_methods[] =
    "rebuild:arity=2:leaf_triangles=1:build=median," PAPER_KIND ",rebuild,balanced";
static const char piece_methods[] = "balanced," PAPER_KIND;

static const struct {
    const char *spec, *methods;
} series_rows[] = {
    {"splitting:triangles=5660,variant=still", splitting_methods},
    {"splitting:triangles=22640,variant=still", splitting_methods},
    {"splitting:triangles=90560,variant=still", splitting_methods},
    {"splitting:triangles=5660,variant=deforming", splitting_methods},
    {"splitting:triangles=22640,variant=deforming", splitting_methods},
    {"splitting:triangles=90560,variant=deforming", splitting_methods},
    {"splitting:triangles=5660,variant=deforming", phase_methods},
    {"splitting:triangles=22640,variant=deforming", phase_methods},
    {"splitting:triangles=90560,variant=deforming", phase_methods},
    {"apple", self_methods},
    {"shatter", self_methods},
};

static const uint32_t piece_counts[] = {2, 4, 8, 12, 16, 32, 64};

enum {
    SERIES_ROWS = sizeof series_rows / sizeof series_rows[0],
    PIECE_COUNTS = sizeof piece_counts / sizeof piece_counts[0],
    MOST_ROWS = BENCH_SCENES_MAX
};

bool bench_is_fracture_scene(const char *spec)
{
    static const char *const names[] = {"splitting", "apple", "pumpkin", "shatter"};
    const size_t length = strcspn(spec, ":");
    for (int i = 0; i < 4; i++)
        if (strlen(names[i]) == length && memcmp(names[i], spec, length) == 0) return true;
    return false;
}

/* What the suite does not have. An exit code. */
static int check_fracture_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--suite fracture prints JSON or a table, not CSV");
    if (options->report != NULL) return complain_usage("bench", "--suite fracture has no --report");
    if (options->question_count > 0 && options->questions[0] != QUESTION_PAIRS)
        return complain_usage("bench", "--suite fracture asks for pairs only");
    for (uint32_t i = 0; i < options->scene_count; i++)
        if (!bench_is_fracture_scene(options->scenes[i]))
            return complain_usage("bench",
                                  "triangles of '%s' do not come and go as those of splitting, "
                                  "apple, pumpkin and shatter do: they cannot be in one run",
                                  options->scenes[i]);
    return options->peers ? complain_usage("bench", "--suite fracture has no peers") : EXIT_FINE;
}

/* ---- rows ---- */

/* What is kept for the page. */
typedef struct fracture_rows {
    fracture_row series[MOST_ROWS];
    fracture_pieces pieces[MOST_ROWS];
    uint32_t series_count, piece_count;
    bool is_wrong;
} fracture_rows;

static int run_series(fracture_rows *rows, const char *spec, const char *methods,
                      const bench_options *options)
{
    if (rows->series_count == MOST_ROWS) return complain("bench", "too many rows");
    fracture_row *row = &rows->series[rows->series_count++];
    const int code = fracture_measure_series(spec, methods, options, row);
    if (code != EXIT_FINE) return code;
    rows->is_wrong = rows->is_wrong || row->is_wrong;
    return fracture_print_row(row, options);
}

/* All methods of the list, with commas between. */
static int run_pieces(fracture_rows *rows, const char *spec, const char *list,
                      const bench_options *options)
{
    int code = EXIT_FINE;
    while (code == EXIT_FINE && *list != '\0') {
        char method[FRACTURE_WORD];
        const size_t length = strcspn(list, ",");
        snprintf(method, sizeof method, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        if (rows->piece_count == MOST_ROWS) return complain("bench", "too many rows");
        fracture_pieces *row = &rows->pieces[rows->piece_count++];
        code = fracture_measure_pieces(spec, method, options, row);
        if (code != EXIT_FINE) return code;
        rows->is_wrong = rows->is_wrong || row->is_wrong;
        code = fracture_print_pieces(row, options);
    }
    return code;
}

static bool is_pumpkin(const char *spec) { return strncmp(spec, "pumpkin", 7) == 0; }

static const char *methods_for(const char *spec, const bench_options *options)
{
    if (options->methods != NULL) return options->methods;
    if (is_pumpkin(spec)) return piece_methods;
    return strncmp(spec, "splitting", 9) == 0 ? splitting_methods : self_methods;
}

static int run_named(fracture_rows *rows, const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++) {
        const char *spec = options->scenes[i];
        code = is_pumpkin(spec) ? run_pieces(rows, spec, methods_for(spec, options), options)
                                : run_series(rows, spec, methods_for(spec, options), options);
    }
    return code;
}

static int run_suite(fracture_rows *rows, const bench_options *options)
{
    int code = EXIT_FINE;
    for (int i = 0; i < SERIES_ROWS && code == EXIT_FINE; i++)
        code = run_series(rows, series_rows[i].spec,
                          options->methods ? options->methods : series_rows[i].methods, options);
    for (int i = 0; i < PIECE_COUNTS && code == EXIT_FINE; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "pumpkin:parts=%u", piece_counts[i]);
        code = run_pieces(rows, spec, methods_for(spec, options), options);
    }
    return code;
}

int bench_fracture(const bench_options *options)
{
    int code = check_fracture_options(options);
    if (code == EXIT_FINE) code = report_check(options);
    if (code != EXIT_FINE) return code;
    fracture_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    code = options->scene_count > 0 ? run_named(rows, options) : run_suite(rows, options);
    if (code == EXIT_FINE && options->results != NULL) {
        const fracture_page_rows page = {rows->series, rows->series_count, rows->pieces,
                                         rows->piece_count};
        code = report_write_fracture(&page, options);
    }
    const bool is_wrong = rows->is_wrong;
    for (uint32_t i = 0; i < rows->series_count; i++) fracture_row_free(&rows->series[i]);
    free(rows);
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}
