/* probe.h - what the probes share: their options, a whole scene in a world, and one line of output.
 *
 *   main.c         the program: which probe, and what it may be told
 *   refit.c        a refit against a streaming pass
 *   build.c        a build against that of the yardstick
 *   decide.c       exact decisions against the yardstick's test
 *   threads.c      threads against copies of the process (process_copies.c)
 *   reconstruct.c  steps in which everything is new, and updates alone (update_forms.c)
 *   decay.c        trees that were kept for long against fresh ones
 *   impacts.c      impacts of a step against pairs at its end
 *   toi.c          decisions about moving features against the yardstick's test (steps.c)
 *   kinetic.c      what kinetic trees promise (flight.c)
 *   bodies.c       what many small bodies cost each */
#ifndef BENCH_PROBES_PROBE_H
#define BENCH_PROBES_PROBE_H

#include "bench/common/json_line.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/run/ask.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

/* What the command line asks for. */
typedef struct probe_options {
    bench_options bench;  /* what `willow bench` knows too */
    bool has_threads;     /* --threads was given */
    const char *files[2]; /* words behind the name, of probes that take files */
    uint32_t file_count;
} probe_options;

/* From --scene, or `fallback` if there is none. */
const char *probe_spec(const bench_options *options, const char *fallback);

/* The line of JSON that a probe prints, with what all of them say. */
json_line probe_line_begin(const char *probe, const bench_options *options);

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

int probe_refit(const probe_options *probe);
int probe_build(const probe_options *probe);
int probe_decide(const probe_options *probe);
int probe_threads(const probe_options *probe);
int probe_reconstruct(const probe_options *probe);
int probe_decay(const probe_options *probe);
int probe_impacts(const probe_options *probe);
int probe_toi(const probe_options *probe);
int probe_kinetic(const probe_options *probe);
int probe_bodies(const probe_options *probe);

#endif
