/* print.h - rows on standard output. */
#ifndef BENCH_RUN_PRINT_H
#define BENCH_RUN_PRINT_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "bench/run/row.h"

/* One row as an object; with every counted frame if `series`. */
json_line bench_row_json(const bench_row *row, bool series);

/* Rows [first, count) in the format of the options, to standard output. An exit code. */
int bench_print(const bench_rows *rows, uint32_t first, const bench_options *options);

#endif
