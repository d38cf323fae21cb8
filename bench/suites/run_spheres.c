/* run_spheres.c - `willow bench --suite spheres`. Way in: bench_spheres. */
#include "bench/suites/run_spheres.h"
#include "bench/common/complain.h"
#include "bench/spheres/spheres.h"
#include "bench/suites/parts.h"

/* What the suite does not have. An exit code. */
static int check_spheres_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--suite spheres prints JSON or a table, not CSV");
    if (options->report != NULL || options->results != NULL)
        return complain_usage("bench", "--suite spheres has no --%s",
                              options->report != NULL ? "report" : "results");
    if (options->question_count > 0 || options->methods != NULL || options->scene_count > 0)
        return complain_usage("bench",
                              "--suite spheres has rows, methods and questions of its own");
    return options->peers ? complain_usage("bench", "--suite spheres has no peers") : EXIT_FINE;
}

int bench_spheres(const bench_options *options)
{
    spheres_model model;
    uint32_t rows = 0;
    int code = check_spheres_options(options);
    if (code != EXIT_FINE) return code;
    suite_begin("part", 1, SPHERES_TABLE_WEIGHT + SPHERES_BUNNIES_WEIGHT + SPHERES_SHELF_WEIGHT);
    code = spheres_load(&model);
    if (code == EXIT_FINE) code = spheres_table(&model, options, &rows);
    if (code == EXIT_FINE) code = spheres_bunnies(&model, options, &rows);
    if (code == EXIT_FINE) code = spheres_shelf(options, &rows);
    spheres_unload(&model);
    return suite_end(code, rows);
}
