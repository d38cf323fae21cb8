/* run_spheres.h - `willow bench --suite spheres`: row after row. */
#ifndef BENCH_SUITES_RUN_SPHERES_H
#define BENCH_SUITES_RUN_SPHERES_H

#include "bench/run/options.h"

/* An exit code. */
int bench_spheres(const bench_options *options);

#endif
