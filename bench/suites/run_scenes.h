/* run_scenes.h - measures scene after scene, prints rows, and writes files. */
#ifndef BENCH_SUITES_RUN_SCENES_H
#define BENCH_SUITES_RUN_SCENES_H

#include "bench/run/options.h"

/* Runs all scenes and hands on what came out. An exit code. */
int bench_scenes(const bench_options *options);

#endif
