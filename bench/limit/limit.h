/* limit.h - `willow bench --limit` without a scene. */
#ifndef BENCH_LIMIT_LIMIT_H
#define BENCH_LIMIT_LIMIT_H

#include "bench/run/options.h"

/* The streaming bandwidth, and refits of several sizes against it. An exit code. */
int bench_limit(const bench_options *options);

#endif
