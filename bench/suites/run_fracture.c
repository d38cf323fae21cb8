/* run_fracture.c - `willow bench --suite fracture`. Way in: bench_fracture. */
#include "bench/suites/run_fracture.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/common/progress.h"
#include "bench/fracture/fracture.h"
#include "bench/pages/pages.h"
#include "bench/suites/parts.h"
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
static const char within_methods[] = "rebuild,balanced";
static const char piece_methods[] = "balanced," PAPER_KIND;

static const struct {
    const char *spec, *methods;
    bool is_within;
} series_rows[] = {
    {"splitting:triangles=5660,variant=still", splitting_methods, false},
    {"splitting:triangles=22640,variant=still", splitting_methods, false},
    {"splitting:triangles=90560,variant=still", splitting_methods, false},
    {"splitting:triangles=5660,variant=deforming", splitting_methods, false},
    {"splitting:triangles=22640,variant=deforming", splitting_methods, false},
    {"splitting:triangles=90560,variant=deforming", splitting_methods, false},
    {"splitting:triangles=5660,variant=deforming", phase_methods, false},
    {"splitting:triangles=22640,variant=deforming", phase_methods, false},
    {"splitting:triangles=90560,variant=deforming", phase_methods, false},
    {"apple", self_methods, false},
    {"shatter", self_methods, false},
    {"splitting:triangles=5660,variant=still", within_methods, true},
    {"splitting:triangles=5660,variant=deforming", within_methods, true},
    {"splitting:triangles=22640,variant=still", within_methods, true},
    {"splitting:triangles=22640,variant=deforming", within_methods, true},
    {"splitting:triangles=90560,variant=still", within_methods, true},
    {"splitting:triangles=90560,variant=deforming", within_methods, true},
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

static bool is_splitting(const char *spec) { return strncmp(spec, "splitting", 9) == 0; }

static bool asks_within(const bench_options *options)
{
    return options->question_count > 0 && options->questions[0] == QUESTION_SELF;
}

/* Pairs; or those within the body, of `splitting`: the other scenes have them among their pairs. */
static bool asks_what_it_has(const bench_options *options)
{
    if (options->question_count > 1) return false;
    if (!asks_within(options))
        return options->question_count == 0 || options->questions[0] == QUESTION_PAIRS;
    for (uint32_t i = 0; i < options->scene_count; i++)
        if (!is_splitting(options->scenes[i])) return false;
    return options->scene_count > 0;
}

/* What the suite does not have. An exit code. */
static int check_fracture_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--suite fracture prints JSON or a table, not CSV");
    if (options->report != NULL) return complain_usage("bench", "--suite fracture has no --report");
    if (!asks_what_it_has(options))
        return complain_usage("bench", "--suite fracture takes --query pairs only, and self with "
                                       "--scene splitting");
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

/* A part of the run: a scene, and the methods that play it. */
typedef struct fracture_part {
    char spec[SCENE_SPEC_MAX];
    const char *methods;
    bool is_within;
    double weight; /* triangles of all frames and methods */
} fracture_part;

static int run_series(fracture_rows *rows, const fracture_part *part, const bench_options *options)
{
    if (rows->series_count == MOST_ROWS) return complain("bench", "too many rows");
    fracture_row *row = &rows->series[rows->series_count];
    const int code =
        fracture_measure_series(part->spec, part->methods, part->is_within, options, row);
    if (code != EXIT_FINE) {
        fracture_row_free(row);
        return code;
    }
    rows->series_count++;
    rows->is_wrong = rows->is_wrong || row->is_wrong;
    return fracture_print_row(row, options);
}

/* All methods of the list, with commas between. */
static int run_pieces(fracture_rows *rows, const fracture_part *part, const bench_options *options)
{
    const char *list = part->methods;
    int code = EXIT_FINE;
    while (code == EXIT_FINE && *list != '\0') {
        char method[FRACTURE_WORD];
        const size_t length = strcspn(list, ",");
        snprintf(method, sizeof method, "%.*s", (int)length, list);
        if (list != part->methods) progress_begin_part(NULL, part->weight);
        progress_worker(method);
        list += length + (list[length] == ',');
        if (rows->piece_count == MOST_ROWS) return complain("bench", "too many rows");
        fracture_pieces *row = &rows->pieces[rows->piece_count];
        code = fracture_measure_pieces(part->spec, method, options, row);
        if (code != EXIT_FINE) return code;
        rows->piece_count++;
        rows->is_wrong = rows->is_wrong || row->is_wrong;
        code = fracture_print_pieces(row, options);
    }
    progress_worker("");
    return code;
}

/* ---- parts ---- */

static bool is_pumpkin(const char *spec) { return strncmp(spec, "pumpkin", 7) == 0; }

static const char *methods_for(const char *spec, const bench_options *options)
{
    if (options->methods != NULL) return options->methods;
    if (is_pumpkin(spec)) return piece_methods;
    if (asks_within(options)) return within_methods;
    return is_splitting(spec) ? splitting_methods : self_methods;
}

/* The scene is opened for its weight, and so that a mistake in the last one is not found after
 * hours. The methods of pumpkin play one after the other, each a part of its own. */
static int take_part(fracture_part *part, const char *spec, const char *methods,
                     const bench_options *options)
{
    *part = (fracture_part){.methods = methods};
    snprintf(part->spec, sizeof part->spec, "%s", spec);
    scene *s = scene_open("bench", spec);
    if (s == NULL) return EXIT_ERROR;
    part->weight = (double)scene_triangle_total(s) * bench_frames(options, s);
    if (!is_pumpkin(spec)) part->weight *= suite_list_length(methods);
    scene_destroy(s);
    return EXIT_FINE;
}

enum { MOST_PARTS = BENCH_SCENES_MAX };
_Static_assert(SERIES_ROWS + PIECE_COUNTS <= MOST_PARTS, "the suite has room");

static int take_named(fracture_part *parts, uint32_t *count, const bench_options *options)
{
    int code = EXIT_FINE;
    for (; *count < options->scene_count && code == EXIT_FINE; ++*count) {
        const char *spec = options->scenes[*count];
        code = take_part(&parts[*count], spec, methods_for(spec, options), options);
        parts[*count].is_within = asks_within(options);
    }
    return code;
}

static int take_suite(fracture_part *parts, uint32_t *count, const bench_options *options)
{
    int code = EXIT_FINE;
    for (int i = 0; i < SERIES_ROWS && code == EXIT_FINE; i++) {
        fracture_part *part = &parts[(*count)++];
        code = take_part(part, series_rows[i].spec,
                         options->methods ? options->methods : series_rows[i].methods, options);
        part->is_within = series_rows[i].is_within;
    }
    for (int i = 0; i < PIECE_COUNTS && code == EXIT_FINE; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "pumpkin:parts=%u", piece_counts[i]);
        code = take_part(&parts[(*count)++], spec, methods_for(spec, options), options);
    }
    return code;
}

/* ---- the run ---- */

static int run_parts(fracture_rows *rows, const fracture_part *parts, uint32_t count,
                     const bench_options *options)
{
    int code = EXIT_FINE;
    double weight = 0;
    for (uint32_t i = 0; i < count; i++)
        weight +=
            parts[i].weight * (is_pumpkin(parts[i].spec) ? suite_list_length(parts[i].methods) : 1);
    suite_parts run = suite_begin("scene", count, weight);
    for (uint32_t i = 0; i < count && code == EXIT_FINE; i++) {
        suite_next(&run, parts[i].spec, parts[i].weight);
        code = is_pumpkin(parts[i].spec) ? run_pieces(rows, &parts[i], options)
                                         : run_series(rows, &parts[i], options);
    }
    return suite_end(code, rows->series_count + rows->piece_count);
}

static int write_rows(const fracture_rows *rows, int code, const bench_options *options)
{
    const uint32_t count = rows->series_count + rows->piece_count;
    if (options->results == NULL || !suite_is_kept(code, count)) return code;
    const fracture_page_rows page = {rows->series, rows->series_count, rows->pieces,
                                     rows->piece_count};
    const int written = report_write_fracture(&page, options);
    return code == EXIT_FINE ? written : code;
}

int bench_fracture(const bench_options *options)
{
    fracture_part parts[MOST_PARTS];
    uint32_t count = 0;
    int code = check_fracture_options(options);
    if (code == EXIT_FINE) code = report_check(options);
    if (code == EXIT_FINE)
        code = options->scene_count > 0 ? take_named(parts, &count, options)
                                        : take_suite(parts, &count, options);
    if (code != EXIT_FINE) return code;
    fracture_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    code = write_rows(rows, run_parts(rows, parts, count, options), options);
    const bool is_wrong = rows->is_wrong;
    for (uint32_t i = 0; i < rows->series_count; i++) fracture_row_free(&rows->series[i]);
    free(rows);
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}
