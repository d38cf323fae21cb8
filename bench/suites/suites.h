/* suites.h - lists of scenes that are measured together, each under one name. */
#ifndef BENCH_SUITES_SUITES_H
#define BENCH_SUITES_SUITES_H

#include "bench/run/options.h"

/* A scene of a suite that has methods and questions of its own. */
typedef struct bench_suite_scene {
    const char *spec, *methods, *questions;
} bench_suite_scene;

/* A list of scenes and sizes under one name; the table is ended by one without a name. */
typedef struct bench_suite {
    const char *name;
    const char *const *specs; /* ended by NULL */
    const char *methods;  /* who takes part, with flight plans and morphs, unless the command line
                             says otherwise; NULL: without these */
    const char *question; /* what is asked unless the command line says so; NULL: pairs */
    bool strangers;       /* no body is asked for pairs within */
    bench_runner runner;
    const bench_suite_scene *scenes; /* ended by one without a spec; NULL: specs are all */
} bench_suite;

extern const bench_suite bench_suites[];

/* The scenes of the suite `impacts`, ended by NULL; some may not be built in. */
extern const char *const bench_impact_specs[];

/* Adds all scenes of a suite to the list. An exit code. */
int bench_add_suite(bench_options *options, const char *name);

/* Whether a scene of this name is built in. */
bool bench_has_scene(const char *spec);

#endif
