/* run_cliffs.c - `willow bench --suite cliffs`. Way in: bench_cliffs. */
#include "bench/suites/run_cliffs.h"
#include "bench/cliffs/cliffs.h"
#include "bench/common/complain.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"
#include "bench/suites/parts.h"

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

static uint32_t row_count(const bench_options *options)
{
    uint32_t count = 0;
    for (const cliff_def *def = cliff_defs; def->shape != NULL; def++)
        count += cliff_is_wanted(def, options);
    return count;
}

/* Rows take about as long as each other: none is asked for much more than a second. */
static int run_rows(const bench_options *options, uint32_t all, cliff_row *rows, uint32_t *count)
{
    suite_parts parts = suite_begin("row", all, all);
    int code = EXIT_FINE;
    for (const cliff_def *def = cliff_defs; code == EXIT_FINE && def->shape != NULL; def++) {
        if (!cliff_is_wanted(def, options)) continue;
        suite_next(&parts, def->asked.spec, 1);
        code = cliff_measure(def, options, &rows[*count]);
        if (code == EXIT_FINE) code = cliff_print(&rows[(*count)++], options);
    }
    return suite_end(code, *count);
}

int bench_cliffs(const bench_options *options)
{
    int code = check_cliff_options(options);
    if (code != EXIT_FINE) return code;
    const uint32_t all = row_count(options);
    uint32_t count = 0;
    cliff_row *rows = calloc(all + 1, sizeof *rows);
    if (rows == NULL) return complain("bench", "out of memory");
    cliff_print_heads(options);
    code = run_rows(options, all, rows, &count);
    if (options->results != NULL && suite_is_kept(code, count)) {
        const int written = report_write_cliffs(rows, count, options);
        if (code == EXIT_FINE) code = written;
    }
    free(rows);
    return code;
}
