/* run_crowds.c - `willow bench --query broad`. Way in: bench_crowds. */
#include "bench/suites/run_crowds.h"
#include "bench/common/complain.h"
#include "bench/crowds/crowds.h"

/* What boxes without meshes do not have. An exit code. */
static int check_crowd_options(const bench_options *options)
{
    if (options->question_count > 1)
        return complain_usage("bench", "--query broad is asked alone: it has no meshes");
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--query broad prints JSON or a table, not CSV");
    if (options->report != NULL || options->results != NULL)
        return complain_usage("bench", "--query broad writes no files");
    if (options->engine.threads > 1)
        return complain_usage("bench", "--query broad is measured with one thread");
    return EXIT_FINE;
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

static int run_crowd(const bench_options *options, const char *spec, const crowd_field *field,
                     crowd_rows *rows, bool *is_wrong)
{
    const uint32_t first = rows->count;
    int code = crowd_measure(spec, field, options, rows);
    for (uint32_t i = first; i < rows->count; i++)
        *is_wrong = *is_wrong || (rows->items[i].is_wrong && rows->items[i].method.peer == NULL);
    return code == EXIT_FINE ? crowd_print(rows, first, options) : code;
}

int bench_crowds(const bench_options *options)
{
    crowd_rows rows = {.items = NULL};
    crowd_field field;
    bool is_wrong = false;
    int code = check_crowd_options(options);
    if (code == EXIT_FINE) code = crowd_choose(options->methods, options, &field);
    if (code == EXIT_FINE) code = check_crowds(options);
    for (uint32_t i = 0; i < options->scene_count && code == EXIT_FINE; i++)
        code = run_crowd(options, options->scenes[i], &field, &rows, &is_wrong);
    crowd_rows_free(&rows);
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}
