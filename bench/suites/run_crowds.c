/* run_crowds.c - `willow bench --query broad`. Way in: bench_crowds. */
#include "bench/suites/run_crowds.h"
#include "bench/common/complain.h"
#include "bench/crowds/crowds.h"
#include "bench/pages/pages.h"

/* What boxes without meshes do not have. An exit code. */
static int check_crowd_options(const bench_options *options)
{
    if (options->question_count > 1)
        return complain_usage("bench", "--query broad is asked alone: it has no meshes");
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--query broad prints JSON or a table, not CSV");
    if (options->report != NULL)
        return complain_usage("bench", "--query broad has no --report; --results writes its page");
    if (options->engine.threads > 1)
        return complain_usage("bench", "--query broad is measured with one thread");
    return report_check(options);
}

/* A mistake in the last crowd should not be found after hours. */
static int check_crowds(const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++) {
        crowd_def def;
        uint32_t frames;
        code = crowd_open(options->scenes[i], options, &def, &frames);
    }
    return code;
}

/* A suite has contenders for each of its crowds. */
static int run_crowd(const bench_options *all_options, uint32_t number, crowd_rows *rows,
                     bool *is_wrong)
{
    crowd_field field;
    bench_options options = *all_options;
    const uint32_t first = rows->count;
    const char *methods = options.scene_methods[number];
    if (methods != NULL) options.methods = methods;
    options.skips_missing_peers = methods != NULL;
    int code = crowd_choose(options.methods, &options, &field);
    if (code == EXIT_FINE) code = crowd_measure(options.scenes[number], &field, &options, rows);
    for (uint32_t i = first; i < rows->count; i++)
        *is_wrong = *is_wrong || (rows->items[i].is_wrong && rows->items[i].method.peer == NULL);
    return code == EXIT_FINE ? crowd_print(rows, first, &options) : code;
}

int bench_crowds(const bench_options *options)
{
    crowd_rows rows = {.items = NULL};
    bool is_wrong = false;
    int code = check_crowd_options(options);
    if (code == EXIT_FINE) code = check_crowds(options);
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++)
        code = run_crowd(options, i, &rows, &is_wrong);
    if (code == EXIT_FINE && options->results != NULL) code = report_write_broad(&rows, options);
    crowd_rows_free(&rows);
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}
