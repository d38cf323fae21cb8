/* probe.h - what the probes share: one body of a scene in a world, and one line of output. */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "bench/peers/plain.h"
#include "cli/bench.h"
#include "cli/bench_stream.h"
#include "cli/cli.h"
#include "cli/json_line.h"

/* The first body of a scene in several poses, and one caller's array. */
typedef struct probe_body {
    scene *scene;
    uint32_t vertex_count, triangle_count;
    const uint32_t *indices;
    float *now;
    float **poses;
    uint32_t pose_count;
} probe_body;

/* From --scene, or `fallback` if there is none. */
const char *probe_spec(const bench_options *options, const char *fallback);

/* An exit code; destroy it in any case. */
int probe_body_create(probe_body *body, const char *spec);
void probe_body_destroy(probe_body *body);

/* Copies a pose to the caller's array; poses repeat. */
void probe_body_show(probe_body *body, uint32_t pose);

plain_mesh probe_plain_mesh(const probe_body *body);

/* A world with that body alone. An exit code; what was made is in *world in any case. */
int probe_world_create(const probe_body *body, const bench_options *options, willow_method method,
                       willow_world **world, willow_body_id *id);

/* The line of JSON that a probe prints, with what all of them say. */
json_line probe_line_begin(const char *probe, const bench_options *options);

/* How often the two sides of a comparison take turns, from --repeat. */
uint32_t probe_rounds(const bench_options *options);

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
int probe_refit_measure(probe_body *body, const bench_options *options, refit_outcome *out);

int probe_refit(const bench_options *options);
int probe_build(const bench_options *options);
int probe_decide(const bench_options *options);

#endif
