/* probe.h - what the probes share: one body of a scene in a world, a whole scene in one, and one
 * line of output.
 *
 *   probe_refit.c        a refit against a streaming pass
 *   probe_build.c        a build against that of the yardstick
 *   probe_decide.c       exact decisions against the yardstick's test
 *   probe_threads.c      threads against copies of the process (probe_copies.c)
 *   probe_reconstruct.c  steps in which everything is new, and updates alone (probe_forms.c)
 *   probe_decay.c        trees that were kept for long against fresh ones
 *   probe_impacts.c      impacts of a step against pairs at its end
 *   probe_toi.c          decisions about moving features against the yardstick's test
 *                        (probe_steps.c)
 *   probe_kinetic.c      what kinetic trees promise (probe_flight.c)
 *   probe_limit.c        refits of several sizes against the bandwidth of memory: --limit alone */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "bench/peers/plain.h"
#include "cli/bench_ask.h"
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

/* ---- whole scenes ---- */

/* A scene on a stage. An exit code; destroy the stage in any case. */
int probe_stage_create(bench_stage *stage, const char *spec, const bench_options *options);

/* How many there are: see bench_frames. */
uint32_t probe_frames(const bench_stage *stage, const bench_options *options);

/* The Willow methods of --method, or of `fallback` if there is no --method. Peers are refused. An
 * exit code. */
int probe_choose(bench_field *f, const bench_options *options, const char *fallback,
                 const scene *s);

/* "SPEC: 640 triangles in 2 bodies": how a table for people begins. */
void probe_print_scene(const char *spec, const scene *s);

/* The same, in a line of JSON. */
void probe_line_scene(json_line *line, const char *spec, const scene *s);

/* A world with all bodies of a scene, and what it answered last. */
typedef struct probe_player {
    player player;
    bench_question question;
    bench_answer answer;
    uint64_t bodies_built, subtrees_built; /* by updates since it was made */
} probe_player;

/* The world in the first frame of the stage's block, which is that of the scene's number `frame`.
 * False on failure, with words in player.message; destroy it in any case. */
bool probe_player_create(probe_player *p, const bench_stage *stage, uint32_t frame,
                         const engine_options *engine, bench_question question);
void probe_player_destroy(probe_player *p);

/* Goes to a frame, which is the one of that number in the stage's block, and asks. False on
 * failure. */
bool probe_player_step(probe_player *p, const bench_stage *stage, uint32_t in_block,
                       uint32_t frame);

/* A number by which answers of different worlds can be compared: bench_answer_digest. */
uint64_t probe_player_answer(const probe_player *p);

/* ---- the probes ---- */

int probe_refit(const bench_options *options);
int probe_build(const bench_options *options);
int probe_decide(const bench_options *options);
int probe_threads(const bench_options *options);
int probe_reconstruct(const bench_options *options);
int probe_decay(const bench_options *options);
int probe_impacts(const bench_options *options);
int probe_toi(const bench_options *options);
int probe_kinetic(const bench_options *options);

#endif
