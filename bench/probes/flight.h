/* flight.h - bodies on their way in a kinetic world, updated at any rate. */
#ifndef BENCH_PROBES_FLIGHT_H
#define BENCH_PROBES_FLIGHT_H

#include "bench/play/engine.h"
#include "bench/play/paths.h"

/* What a flight came to. */
typedef struct flight_outcome {
    uint64_t triangles; /* of the bodies that took part */
    uint64_t updates, events, values, checked;
    double update_ms; /* the mean of all updates */
    double setup_ms;  /* making the bodies, their plans, and the first update */
} flight_outcome;

/* All bodies that have keyframes follow these, a unit of time from each to the next, with `between`
 * updates between two of them. Events are handled one by one, and trees stay as they were built, so
 * that everything but the rate is the same. An exit code. */
int flight_along_keys(const paths *p, const engine_options *engine, uint32_t between,
                      flight_outcome *out);

/* The first body of a scene flies straight on, in so many updates. An exit code. */
int flight_straight(const scene *s, const engine_options *engine, uint32_t updates,
                    flight_outcome *out);

#endif
