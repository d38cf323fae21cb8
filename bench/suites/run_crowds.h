/* run_crowds.h - broad phases on crowds of boxes. */
#ifndef BENCH_SUITES_RUN_CROWDS_H
#define BENCH_SUITES_RUN_CROWDS_H

#include "bench/run/options.h"

/* Measures all crowds that the options name. An exit code. */
int bench_crowds(const bench_options *options);

#endif
