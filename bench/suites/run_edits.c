/* run_edits.c - `willow bench --suite edits`. Way in: bench_edits. */
#include "bench/suites/run_edits.h"
#include "bench/common/complain.h"
#include "bench/edits/edits.h"

#include <stdio.h>
#include <string.h>

/* Fewer steps where a body takes long to recreate. */
static const edits_def edits_defs[] = {
    {90560, false, 100}, {90560, true, 100}, {1000000, false, 10}, {1000000, true, 10}, {0}};

/* What the suite does not have. An exit code. */
static int check_edits_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--suite edits prints JSON or a table, not CSV");
    }
    if (options->report != NULL || options->results != NULL) {
        return complain_usage("bench", "--suite edits has no --%s",
                              options->report != NULL ? "report" : "results");
    }
    if (options->question_count > 0 && options->questions[0] != QUESTION_FIRST) {
        return complain_usage("bench", "--suite edits asks for the first pair only");
    }
    return options->peers ? complain_usage("bench", "--suite edits has no peers") : EXIT_FINE;
}

static int run_row(const edits_def *def, const char *method, const bench_options *options,
                   bool *is_wrong)
{
    edits_row row;
    int code = edits_measure(def, method, options, &row);
    if (code != EXIT_FINE) return code;
    *is_wrong = *is_wrong || row.is_wrong;
    return edits_print(&row, options);
}

/* All methods of --method, with commas between. `recreate` plays in every row. */
static int run_methods(const edits_def *def, const bench_options *options, bool *is_wrong)
{
    const char *list = options->methods != NULL ? options->methods : "auto";
    int code = EXIT_FINE;
    while (code == EXIT_FINE && *list != '\0') {
        char method[64];
        const size_t length = strcspn(list, ",");
        snprintf(method, sizeof method, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        if (strcmp(method, "recreate") != 0) code = run_row(def, method, options, is_wrong);
    }
    return code;
}

int bench_edits(const bench_options *options)
{
    bool is_wrong = false;
    int code = check_edits_options(options);
    if (code != EXIT_FINE) return code;
    edits_print_heads(options);
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++) {
        edits_def def;
        code = edits_read_spec(options->scenes[i], &def);
        if (code == EXIT_FINE) code = run_methods(&def, options, &is_wrong);
    }
    for (const edits_def *def = edits_defs;
         options->scene_count == 0 && def->triangles > 0 && code == EXIT_FINE; def++)
        code = run_methods(def, options, &is_wrong);
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}
