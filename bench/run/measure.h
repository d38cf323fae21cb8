/* measure.h - all contenders on one scene, side by side. */
#ifndef BENCH_RUN_MEASURE_H
#define BENCH_RUN_MEASURE_H

#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/result.h"
#include "bench/run/stage.h"

/* Runs all contenders on one scene. False on failure, which has then been said on standard error,
 * and without a word if Ctrl-C was pressed (bench/common/stop.h). */
bool bench_run(bench_stage *stage, const char *spec, bench_field *field,
               const bench_options *options, bench_report *report);

#endif
