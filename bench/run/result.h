/* result.h - what came out of measuring all contenders on one scene. */
#ifndef BENCH_RUN_RESULT_H
#define BENCH_RUN_RESULT_H

#include "bench/run/contender.h"
#include "bench/run/options.h"

/* The counted frames, in the order in which they ran; with --repeat frames come again. */
typedef struct bench_series {
    uint32_t *frame;
    double *update_ms, *query_ms;
    uint64_t *pairs, *rays;
    uint32_t count;
} bench_series;

/* Room for `capacity` frames. False for want of memory; destroy it in any case. */
bool bench_series_create(bench_series *series, size_t capacity);
void bench_series_destroy(bench_series *series);

typedef struct bench_result {
    const char *name, *kernel;
    bool is_peer, skips_neighbours;
    bool is_near; /* it has other positions: contender_is_near */
    uint32_t threads;
    char motion[32]; /* how bodies were handed over: contender_motion */
    uint32_t way;    /* of steps: see contender_way; else 0 */
    bench_series series;
    const char *peer_version; /* NULL: part of this project */
    double setup_ms;
    uint64_t rays;        /* the same */
    uint64_t pairs, hash; /* over all frames, uncounted ones too */
    uint64_t lost, extra; /* against Willow: a peer's, or with positions that are near */
    bool is_wrong;        /* a Willow method that answers otherwise than another */
    bench_counts counts;
} bench_result;

typedef struct bench_report {
    const scene *scene;
    const char *spec;
    const bench_options *options;
    uint32_t frames;
    bool is_within; /* neighbours within bodies are in the answer, or could be */
    bench_result *results;
    uint32_t result_count;
} bench_report;

/* Whether differences are counted, and do not mean that a method of Willow is wrong. */
static inline bool bench_result_may_differ(const bench_result *result)
{
    return result->is_peer || result->is_near;
}

void bench_report_destroy(bench_report *report);

#endif
