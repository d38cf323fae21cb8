/* run_cliffs.h - `willow bench --suite cliffs`: row after row, and the page of them. */
#ifndef BENCH_SUITES_RUN_CLIFFS_H
#define BENCH_SUITES_RUN_CLIFFS_H

#include "bench/run/options.h"

/* An exit code. */
int bench_cliffs(const bench_options *options);

#endif
