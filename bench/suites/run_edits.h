/* run_edits.h - `willow bench --suite edits`: row after row. */
#ifndef BENCH_SUITES_RUN_EDITS_H
#define BENCH_SUITES_RUN_EDITS_H

#include "bench/run/options.h"

/* An exit code. */
int bench_edits(const bench_options *options);

#endif
