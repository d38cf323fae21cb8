/* run_cliffs.c - `willow bench --suite cliffs`. Way in: bench_cliffs. */
#include "bench/suites/run_cliffs.h"
#include "bench/cliffs/cliffs.h"
#include "bench/common/complain.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"

#include <stdlib.h>

/* What the suite does not have. An exit code. */
static int check_cliff_options(const bench_options *options)
{
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--suite cliffs prints JSON or a table, not CSV");
    }
    if (options->report != NULL) {
        return complain_usage("bench", "--suite cliffs has no --report; --results writes its page");
    }
    if (options->peers) return complain_usage("bench", "--suite cliffs has no peers");
    int code = cliff_check_names(options);
    return code == EXIT_FINE ? report_check(options) : code;
}

static uint32_t row_count(void)
{
    uint32_t count = 0;
    while (cliff_defs[count].shape != NULL) count++;
    return count;
}

int bench_cliffs(const bench_options *options)
{
    int code = check_cliff_options(options);
    if (code != EXIT_FINE) return code;
    const uint32_t all = row_count();
    uint32_t count = 0;
    cliff_row *rows = calloc(all, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    cliff_print_heads(options);
    for (uint32_t i = 0; code == EXIT_FINE && i < all; i++) {
        if (!cliff_is_wanted(&cliff_defs[i], options)) continue;
        code = cliff_measure(&cliff_defs[i], options, &rows[count]);
        if (code == EXIT_FINE) code = cliff_print(&rows[count++], options);
    }
    if (code == EXIT_FINE && options->results != NULL)
        code = report_write_cliffs(rows, count, options);
    free(rows);
    return code;
}
