/* refit.h - a refit against a streaming pass over the same bytes. */
#ifndef BENCH_LIMIT_REFIT_H
#define BENCH_LIMIT_REFIT_H

#include "bench/limit/single_body.h"
#include "bench/run/options.h"

/* How often the two sides of a comparison take turns, from --repeat. */
uint32_t refit_rounds(const bench_options *options);

/* What a refit moves: the caller's positions are read, then `read` bytes more; `written` bytes are
 * written in all. */
typedef struct refit_traffic {
    size_t positions, read, written;
} refit_traffic;

/* Medians of all rounds. */
typedef struct refit_outcome {
    refit_traffic bytes;
    double refit_ms, stream_ms;
    uint64_t sum;
} refit_outcome;

/* Refits of the body against passes over the same bytes. An exit code. */
int refit_measure(single_body *body, const bench_options *options, refit_outcome *out);

#endif
