/* run_fracture.h - `willow bench --suite fracture`: row after row. */
#ifndef BENCH_SUITES_RUN_FRACTURE_H
#define BENCH_SUITES_RUN_FRACTURE_H

#include "bench/run/options.h"

/* Whether a scene is one that this suite plays: its triangles come and go. */
bool bench_is_fracture_scene(const char *spec);

/* An exit code. */
int bench_fracture(const bench_options *options);

#endif
