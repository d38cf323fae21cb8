/* run_edits.c - `willow bench --suite edits`. Way in: bench_edits. */
#include "bench/suites/run_edits.h"
#include "bench/common/complain.h"
#include "bench/edits/edits.h"
#include "bench/pages/pages.h"
#include "bench/suites/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const edits_def edits_defs[] = {
    {90560, false, 100}, {90560, true, 100}, {1000000, false, 100}, {1000000, true, 100}, {0}};

enum { MOST_ROWS = 64 };

/* What was measured so far. */
typedef struct edits_rows {
    edits_row items[MOST_ROWS];
    uint32_t count;
    bool is_wrong;
} edits_rows;

/* What the suite does not have. An exit code. */
static int check_edits_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--suite edits prints JSON or a table, not CSV");
    }
    if (options->report != NULL) {
        return complain_usage("bench", "--suite edits has no --report; --results writes its page");
    }
    if (options->question_count > 0 && options->questions[0] != QUESTION_FIRST) {
        return complain_usage("bench", "--suite edits takes --query first only");
    }
    if (options->peers) return complain_usage("bench", "--suite edits has no peers");
    return report_check(options);
}

static int run_row(const edits_def *def, const char *method, const bench_options *options,
                   edits_rows *rows)
{
    if (rows->count == MOST_ROWS)
        return complain_usage("bench", "--suite edits has %d rows at most", MOST_ROWS);
    edits_row *row = &rows->items[rows->count];
    int code = edits_measure(def, method, options, row);
    if (code != EXIT_FINE) return code;
    rows->count++;
    rows->is_wrong = rows->is_wrong || row->is_wrong;
    return edits_print(row, options);
}

static const char *methods_of(const bench_options *options)
{
    return options->methods != NULL ? options->methods : "auto";
}

/* All methods of --method, with commas between. `recreate` plays in every row. */
static int run_methods(const edits_def *def, const bench_options *options, suite_parts *parts,
                       edits_rows *rows)
{
    const char *list = methods_of(options);
    int code = EXIT_FINE;
    while (code == EXIT_FINE && *list != '\0') {
        char method[64], words[128];
        const size_t length = strcspn(list, ",");
        snprintf(method, sizeof method, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        snprintf(words, sizeof words, "%u triangles%s, %s", def->triangles,
                 def->deforms ? ", deforming" : "", method);
        suite_next(parts, words, def->triangles);
        if (strcmp(method, "recreate") != 0) code = run_row(def, method, options, rows);
    }
    return code;
}

/* The slabs of --scene, or those of the suite. An exit code. */
static int list_slabs(const bench_options *options, edits_def slabs[BENCH_SCENES_MAX],
                      uint32_t *count)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++)
        code = edits_read_spec(options->scenes[i], &slabs[(*count)++]);
    if (options->scene_count > 0) return code;
    for (const edits_def *def = edits_defs; def->triangles > 0; def++) slabs[(*count)++] = *def;
    return code;
}

static int run_all(const bench_options *options, edits_rows *rows)
{
    edits_def slabs[BENCH_SCENES_MAX];
    uint32_t count = 0;
    double weight = 0;
    int code = list_slabs(options, slabs, &count);
    if (code != EXIT_FINE) return code;
    const uint32_t methods = suite_list_length(methods_of(options));
    for (uint32_t i = 0; i < count; i++) weight += (double)slabs[i].triangles * methods;
    suite_parts parts = suite_begin("row", count * methods, weight);
    edits_print_heads(options);
    for (uint32_t i = 0; i < count && code == EXIT_FINE; i++)
        code = run_methods(&slabs[i], options, &parts, rows);
    code = suite_end(code, rows->count);
    if (options->results != NULL && suite_is_kept(code, rows->count)) {
        const int written = report_write_edits(rows->items, rows->count, options);
        if (code == EXIT_FINE) code = written;
    }
    return code == EXIT_FINE && rows->is_wrong ? EXIT_FOUND : code;
}

int bench_edits(const bench_options *options)
{
    int code = check_edits_options(options);
    if (code != EXIT_FINE) return code;
    edits_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    code = run_all(options, rows);
    free(rows);
    return code;
}
