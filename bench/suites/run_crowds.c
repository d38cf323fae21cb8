/* run_crowds.c - `willow bench --query broad`. Way in: bench_crowds. */
#include "bench/suites/run_crowds.h"
#include "bench/common/complain.h"
#include "bench/crowds/crowds.h"
#include "bench/pages/pages.h"
#include "bench/suites/parts.h"

/* What boxes without meshes do not have. An exit code. */
static int check_crowd_options(const bench_options *options)
{
    if (options->question_count > 1)
        return complain_usage("bench",
                              "--query broad takes no other query beside it: it has no meshes");
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--query broad prints JSON or a table, not CSV");
    if (options->report != NULL)
        return complain_usage("bench", "--query broad has no --report; --results writes its page");
    if (options->engine.threads > 1)
        return complain_usage("bench", "--query broad is measured with one thread");
    return report_check(options);
}

/* A mistake in the last crowd should not be found after hours. `weights` are boxes of all frames
 * and contenders, by crowd. */
static int check_crowds(const bench_options *options, double *weights)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++) {
        crowd_def def;
        uint32_t frames = 0;
        const char *methods = options->scene_methods[i];
        code = crowd_open(options->scenes[i], options, &def, &frames);
        weights[i] = (double)def.count * frames *
                     suite_list_length(methods != NULL ? methods : options->methods);
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

static int run_crowds(const bench_options *options, const double *weights, crowd_rows *rows)
{
    int code = EXIT_FINE;
    bool is_wrong = false;
    double weight = 0;
    for (uint32_t i = 0; i < options->scene_count; i++) weight += weights[i];
    suite_parts parts = suite_begin("scene", options->scene_count, weight);
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++) {
        suite_next(&parts, options->scenes[i], weights[i]);
        code = run_crowd(options, i, rows, &is_wrong);
    }
    code = suite_end(code, rows->count);
    if (options->results != NULL && suite_is_kept(code, rows->count)) {
        const int written = report_write_broad(rows, options);
        if (code == EXIT_FINE) code = written;
    }
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}

int bench_crowds(const bench_options *options)
{
    crowd_rows rows = {.items = NULL};
    double weights[BENCH_SCENES_MAX];
    int code = check_crowd_options(options);
    if (code == EXIT_FINE) code = check_crowds(options, weights);
    if (code == EXIT_FINE) code = run_crowds(options, weights, &rows);
    crowd_rows_free(&rows);
    return code;
}
