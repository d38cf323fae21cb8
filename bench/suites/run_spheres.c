/* run_spheres.c - `willow bench --suite spheres`. Way in: bench_spheres. */
#include "bench/suites/run_spheres.h"
#include "bench/common/complain.h"
#include "bench/pages/pages.h"
#include "bench/spheres/spheres.h"
#include "bench/suites/parts.h"

#include <stdlib.h>

/* What the suite does not have. An exit code. */
static int check_spheres_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV)
        return complain_usage("bench", "--suite spheres prints JSON or a table, not CSV");
    if (options->report != NULL)
        return complain_usage("bench",
                              "--suite spheres has no --report; --results writes its page");
    if (options->question_count > 0 || options->methods != NULL || options->scene_count > 0)
        return complain_usage("bench", "--suite spheres takes no --scene, --method or --query");
    if (options->peers) return complain_usage("bench", "--suite spheres has no peers");
    return report_check(options);
}

static int run_models(const spheres_model *bunny, const spheres_model *dragon,
                      const bench_options *options, spheres_rows *rows)
{
    int code = spheres_table(1, bunny, options, rows);
    if (code == EXIT_FINE && dragon->name != NULL) code = spheres_table(2, dragon, options, rows);
    if (code == EXIT_FINE) code = spheres_error(3, bunny, options, rows);
    if (code == EXIT_FINE && dragon->name != NULL) code = spheres_error(4, dragon, options, rows);
    if (code == EXIT_FINE) code = spheres_bunnies(bunny, options, rows);
    if (code == EXIT_FINE) code = spheres_route(bunny, options, rows);
    if (code == EXIT_FINE) code = spheres_raster(bunny, options, rows);
    if (code == EXIT_FINE && dragon->name != NULL) code = spheres_raster(dragon, options, rows);
    return code;
}

typedef struct spheres_models {
    spheres_model bunny, dragon;
} spheres_models;

static int run_all(const spheres_models *models, const bench_options *options, spheres_rows *rows)
{
    const int code = run_models(&models->bunny, &models->dragon, options, rows);
    return code == EXIT_FINE ? spheres_shelf(options, rows) : code;
}

static uint32_t count_rows(const spheres_rows *rows)
{
    return rows->table_count + rows->error_count + rows->bunny_count + rows->route_count +
           rows->raster_count + rows->shelf_count;
}

static int run_spheres(const bench_options *options, spheres_rows *rows)
{
    spheres_models models = {.bunny = {.name = NULL}};
    suite_begin("part", 1,
                SPHERES_TABLE_WEIGHT + SPHERES_ERROR_WEIGHT + SPHERES_BUNNIES_WEIGHT +
                    SPHERES_ROUTE_WEIGHT + SPHERES_RASTER_WEIGHT + SPHERES_SHELF_WEIGHT);
    int code = spheres_load_bunny(&models.bunny);
    if (code == EXIT_FINE) code = spheres_load_dragon(&models.dragon);
    if (code == EXIT_FINE) code = run_all(&models, options, rows);
    code = suite_end(code, count_rows(rows));
    if (options->results != NULL && suite_is_kept(code, count_rows(rows))) {
        const int written = report_write_spheres(rows, options); /* which draws the model */
        if (code == EXIT_FINE) code = written;
    }
    spheres_unload(&models.bunny);
    spheres_unload(&models.dragon);
    return code == EXIT_FINE && rows->is_wrong ? EXIT_FOUND : code;
}

int bench_spheres(const bench_options *options)
{
    int code = check_spheres_options(options);
    if (code != EXIT_FINE) return code;
    spheres_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    code = run_spheres(options, rows);
    free(rows);
    return code;
}
