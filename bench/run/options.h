/* options.h - what is to be measured, and how: the options of a run.
 *
 * The pieces of bench/, in the order in which a run passes through them:
 *   run/options      what the command line asks for      run/question   what may be asked
 *   suites/suites    lists of scenes                      suites/run_scenes  one after the other
 *   run/contenders   who takes part, and with which settings
 *   run/stage        positions of a block of frames, in the arrays that all contenders read
 *   run/contender_willow, run/contender_peer              a method, and a peer, as contenders
 *   run/ask          questions as calls of the library, and answers as numbers
 *   run/measure      the rules of measuring: blocks, rotation, what is counted
 *   run/pair_list    results as sorted lists: hashes, and what only one of two has
 *   run/compare      who answers as whom: wrong methods, and what peers lose
 *   run/row          what came out, as one row of named numbers per contender
 *   run/growth       how times grow with the size of a scene
 *   run/print        rows as JSON lines, CSV, or a table for people
 *   run/stream       how fast memory can be streamed: the limit of every refit
 *   limit/           refits of several sizes against that limit
 *   cliffs/          shapes that are slow, each beside a comparable
 *   crowds/          broad phases, on boxes without meshes
 *   edits/           what edits cost, in a slab that is cut
 *   fracture/        trees that are kept while bodies break
 *   spheres/         trees of cells that grow: cells, bytes, and thousands of bodies
 *   pages/           rows as files: a page with charts, data, Markdown
 *   probes/          a program of its own: single costs that whole frames do not show */
#ifndef BENCH_RUN_OPTIONS_H
#define BENCH_RUN_OPTIONS_H

#include "bench/play/engine.h"
#include "bench/run/question.h"
#include "scenes/scenes.h"

#include <getopt.h>

/* What contenders are told of how bodies move. */
typedef enum bench_motion {
    MOTION_AUTO,     /* --motion was not given: own, unless other options say how bodies move */
    MOTION_OWN,      /* what each understands: poses, plans and morphs; peers get positions */
    MOTION_POSITIONS /* positions for all, in every frame */
} bench_motion;

/* Who plays the rows of a suite: most have scenes, whose frames are played; others have rows of
 * their own, in folders of these names. */
typedef enum bench_runner {
    RUNS_FRAMES,
    RUNS_CLIFFS,
    RUNS_EDITS,
    RUNS_FRACTURE,
    RUNS_SPHERES
} bench_runner;

typedef enum bench_format { FORMAT_JSON, FORMAT_TABLE, FORMAT_CSV } bench_format;

enum { BENCH_SCENES_MAX = 64 };

typedef struct bench_options {
    const char *scenes[BENCH_SCENES_MAX];        /* from --scene and --suite, in order */
    const char *scene_methods[BENCH_SCENES_MAX]; /* by scene: those of a suite that has some for */
    bool skips_missing_peers; /* a list of a suite may name peers that this build has not */
    const char *scene_questions[BENCH_SCENES_MAX];  /* each of its scenes; the same for questions */
    uint32_t scene_count;                           /* 0: none was named */
    const char *methods;                            /* as on the command line; NULL if not given */
    const char *suite_methods;                      /* those of a suite, if none are given */
    const char *suite_question;                     /* the same for the question */
    bench_runner runner;                            /* who plays the rows */
    bench_question questions[BENCH_QUESTION_COUNT]; /* from --query, in order, each once */
    uint32_t question_count; /* 0: --query was not given, and pairs are meant */
    bench_question question; /* the one of them that is asked now */
    uint32_t frames;         /* 0: all that the scene has */
    uint32_t repeat;
    engine_options engine; /* for all methods, which may set more for themselves */
    bench_motion motion;   /* decides `plans`, `morphs` and `poses` of the engine, in the end */
    bool peers;
    bool strangers; /* no body is asked for pairs within */
    bench_format format;
    bool has_format;                              /* named on the command line */
    bool series;                                  /* every counted frame, in JSON */
    bool fifths;                                  /* means of parts of the run, in the table */
    bool stages;                                  /* what queries did, in the table */
    bool limit;                                   /* the streaming bandwidth too */
    const char *report, *page_template, *results; /* files to write; NULL: not */
    const char *command_line;                     /* for whoever reads these files later */
} bench_options;

/* One thread, pairs by vertices, all methods: what holds if nothing is said. */
bench_options bench_options_default(void);

/* Adds a scene to the list, unless it is there already. An exit code. */
int bench_add_scene(bench_options *options, const char *spec);

/* ---- options that all programs have ---- */

/* X(enum, word, whether it takes a value) */
#define BENCH_OPTIONS(X)                                                                           \
    X(SCENE, "scene", required_argument)                                                           \
    X(METHOD, "method", required_argument)                                                         \
    X(QUERY, "query", required_argument)                                                           \
    X(FRAMES, "frames", required_argument)                                                         \
    X(THREADS, "threads", required_argument)                                                       \
    X(KERNEL, "kernel", required_argument)                                                         \
    X(SET, "set", required_argument)                                                               \
    X(REPEAT, "repeat", required_argument)                                                         \
    X(PEERS, "peers", no_argument)                                                                 \
    X(TABLE, "table", no_argument)

/* A program numbers its own options from BENCH_OPTION_OWN on. */
enum {
    BENCH_OPTION_LETTERS = 255, /* smaller values are letters */
#define BENCH_OPTION_ENTRY(name, word, argument) BENCH_OPTION_##name,
    BENCH_OPTIONS(BENCH_OPTION_ENTRY)
#undef BENCH_OPTION_ENTRY
        BENCH_OPTION_OWN
};

/* Their rows in a table of struct option: BENCH_OPTIONS(BENCH_OPTION_ROW). */
#define BENCH_OPTION_ROW(name, word, argument) {word, argument, NULL, BENCH_OPTION_##name},

/* Takes the value of one of them. An exit code, with what was wrong on standard error. */
int bench_take_option(bench_options *options, int option, const char *value);

/* Names of questions with commas between, in place of those that were given before; or a format,
 * which must not differ from the one that was given before. Exit codes. */
int bench_take_questions(bench_options *options, const char *list);
int bench_take_format(bench_options *options, bench_format format);

/* Of --motion: an exit code. And once all options are read: what it comes to. */
int bench_take_motion(bench_options *options, const char *word);
void bench_settle_motion(bench_options *options);

/* ---- frames ---- */

/* Whether the scene has as many frames as are asked for, and enough to count some. An exit code. */
int bench_check_frames(const bench_options *options, const char *spec, const scene *s);

/* How many frames are run: those of --frames, or all. Steps begin in all but the last of a scene.
 */
uint32_t bench_frames(const bench_options *options, const scene *s);

#endif
