/* bench.h - what is to be measured, and what came out.
 *
 * The pieces, in the order in which a run passes through them:
 *   bench.c          options from the command line
 *   bench_question.c what may be asked
 *   bench_suite.c    which scenes, one after the other
 *   bench_field.c    who takes part, and with which settings
 *   bench_stage.c    positions of a block of frames, in the arrays that all contenders read
 *   bench_willow.c   a Willow method as a contender      bench_peer.c  a peer as one
 *   bench_ask.c      questions as calls of the library, and answers as numbers
 *   bench_run.c      the rules of measuring: blocks, rotation, what is counted
 *   bench_pairs.c    results as sorted lists: hashes, and what only one of two has
 *   bench_compare.c  who answers as whom: wrong methods, and what peers lose
 *   bench_row.c      what came out, as one row of named numbers per contender
 *   bench_growth.c   how times grow with the size of a scene
 *   bench_print.c    rows as JSON lines, CSV, or a table for people
 *   bench_stream.c   how fast memory can be streamed: the limit of every refit
 *   report*.c        rows as files: a page, data, Markdown
 *   probe*.c         single costs that whole frames do not show */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "bench/morphs.h"
#include "bench/paths.h"
#include "bench/peer.h"
#include "cli/engine.h"
#include "scenes/scenes.h"
#include "willow/willow.h"

/* ---- what is to be measured ---- */

/* What a question is like. */
enum {
    ASKS_PAIRS = 1,      /* for triangles that meet, or nothing: what peers can answer */
    ASKS_STEPS = 2,      /* about the step from a frame to the next one */
    ASKS_DISTANCE = 4,   /* takes the key `distance` */
    ASKS_NEIGHBOURS = 8, /* skip_neighbours changes its answer */
};

/* X(enum, name, what it is like) */
#define BENCH_QUESTIONS(X)                                                                         \
    X(PAIRS, "pairs", ASKS_PAIRS | ASKS_NEIGHBOURS)                                                \
    X(FIRST, "first", ASKS_PAIRS | ASKS_NEIGHBOURS)                                                \
    X(SELF, "self", ASKS_PAIRS | ASKS_NEIGHBOURS)                                                  \
    X(IMPACTS, "impacts", ASKS_STEPS | ASKS_DISTANCE)                                              \
    X(TOI, "toi", ASKS_STEPS | ASKS_DISTANCE)                                                      \
    X(NEAR, "near", ASKS_DISTANCE | ASKS_NEIGHBOURS)                                               \
    X(NEAR_FEATURES, "near_features", ASKS_DISTANCE)                                               \
    X(NONE, "none", ASKS_PAIRS)

typedef enum bench_question {
#define BENCH_QUESTION_ENTRY(name, words, like) QUESTION_##name,
    BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
} bench_question;

enum {
#define BENCH_QUESTION_ENTRY(name, words, like) +1
    BENCH_QUESTION_COUNT = 0 BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
};

const char *bench_question_name(bench_question question);

/* Whether it is like that: ASKS_ of above. */
bool bench_question_is(bench_question question, unsigned like);

/* What it finds, for people: "pairs" or "impacts". */
const char *bench_question_finds(bench_question question);

typedef enum bench_format { FORMAT_JSON, FORMAT_TABLE, FORMAT_CSV } bench_format;

enum { BENCH_SCENES_MAX = 64 };

typedef struct bench_options {
    const char *scenes[BENCH_SCENES_MAX]; /* from --scene and --suite, in order */
    uint32_t scene_count;                 /* 0: none was named */
    const char *methods;                  /* as on the command line; NULL if not given */
    const char *suite_methods;            /* those of a suite, if none are given */
    const char *suite_question;           /* the same for the question */
    const char *probe;                    /* NULL: whole frames */
    const char *files[2];                 /* words behind the options, for a probe */
    uint32_t file_count;
    bench_question questions[BENCH_QUESTION_COUNT]; /* from --query, in order, each once */
    uint32_t question_count; /* 0: --query was not given, and pairs are meant */
    bench_question question; /* the one of them that is asked now */
    uint32_t frames;         /* 0: all that the scene has */
    uint32_t repeat;
    engine_options engine; /* for all methods, which may set more for themselves */
    bool has_threads;      /* --threads was given */
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

/* A list of scenes and sizes under one name; the table is ended by one without a name. */
typedef struct bench_suite {
    const char *name;
    const char *const *specs; /* ended by NULL */
    const char *methods;      /* who takes part with flight plans and morphs, and is asked this,
                                 unless the command line says otherwise; NULL: without */
    const char *question;
    bool strangers; /* no body is asked for pairs within */
} bench_suite;

extern const bench_suite bench_suites[];

/* The scenes of the suite `impacts`, ended by NULL; some may not be built in. */
extern const char *const bench_impact_specs[];

/* Adds a scene, or all of a suite, to the list, unless it is there already. An exit code. */
int bench_add_scene(bench_options *options, const char *spec);
int bench_add_suite(bench_options *options, const char *name);

/* Whether a scene of this name is built in. */
bool bench_has_scene(const char *spec);

/* Whether the scene has as many frames as are asked for, and enough to count some. An exit code. */
int bench_check_frames(const bench_options *options, const char *spec, const scene *s);

/* How many frames are run: those of --frames, or all. Steps begin in all but the last of a scene.
 */
uint32_t bench_frames(const bench_options *options, const scene *s);

/* ---- the stage: a scene and the arrays that all contenders read ---- */

/* How many frames a block has; it may be one more where keyframes are followed. */
enum { BLOCK_FRAMES = 10, BLOCK_FRAMES_MAX = 11 };

typedef struct bench_stage {
    scene *scene;
    bool *self;            /* by body: pairs within it are asked for */
    bool has_steps;        /* the question is about steps */
    bool has_paths;        /* bodies whose paths are known are not shown: --plans */
    paths paths;           /* these, if so */
    bool has_morphs;       /* bodies that are morphs are not shown: --morphs */
    uint32_t block_frames; /* see bench_block_frames */
    float **now;           /* by body: the caller's array, in the frame that is shown */
    float **next;          /* with steps: the same, in the frame behind it */
    float *
        *block[BLOCK_FRAMES_MAX + 1]; /* by frame of the block and body: positions made in advance;
                                     with steps also those of the frame behind the block */
} bench_stage;

/* Blocks in which keyframes, so many frames apart, come first as seldom as anywhere else: the first
 * frame of a block is not counted, and reaching a keyframe may cost more than other frames do. */
uint32_t bench_block_frames(uint32_t key_distance);

/* Takes the scene over. False for want of memory; destroy it in any case. */
bool bench_stage_create(bench_stage *stage, scene *s, const bench_options *options);
void bench_stage_destroy(bench_stage *stage);

/* Whether pairs within any body are asked for. */
bool bench_stage_has_self(const bench_stage *stage);

/* Puts frame 0 of all bodies into the callers' arrays. */
void bench_stage_begin(bench_stage *stage);

/* So many frames and, with steps, the one behind them, which the scene must have. */
void bench_stage_fill(bench_stage *stage, uint32_t first_frame, uint32_t count);

/* Copies one frame of the block to the callers' arrays; with steps, the next one too. */
void bench_stage_show(bench_stage *stage, uint32_t frame_in_block);

/* ---- results of queries as lists ---- */

/* Where the question is not for pairs there are no items: `count` says how many answers there were
 * and `digest` stands for all of them, bit by bit. */
typedef struct pair_list {
    peer_pair *items; /* sorted, each once, after pair_list_sort */
    size_t count, capacity;
    uint64_t digest;
} pair_list;

bool pair_list_append(pair_list *list, const peer_pair *items, size_t count);
void pair_list_sort(pair_list *list);

/* Leaves out pairs within one body that share a vertex. */
void pair_list_drop_neighbours(pair_list *list, const scene *s);

/* The number that willow_pairs_hash gives for the same pairs. *fine turns false for want of
 * memory. */
uint64_t pair_list_hash(const pair_list *list, bool *fine);

bool pair_list_equal(const pair_list *a, const pair_list *b);

/* Calls `report` for every pair that only one list has: `lost` if it is in `wanted` alone. */
typedef void pair_difference(void *context, bool lost, const peer_pair *pair);
void pair_list_compare(const pair_list *wanted, const pair_list *got, pair_difference *report,
                       void *context);

/* ---- contenders ---- */

/* The stages that a query passes through before it has pairs, in order: counters of
 * willow_query_stats. A new one needs a line here, and is then a field of JSON and CSV and a column
 * of the table of stages. X(argument, counter, head of its column) */
#define BENCH_STAGES(X, argument)                                                                  \
    X(argument, body_pairs, "bodies")                                                              \
    X(argument, nodes_opened, "nodes")                                                             \
    X(argument, volume_tests, "volumes")                                                           \
    X(argument, leaf_pairs, "leaves")                                                              \
    X(argument, vertices_blended, "blended")                                                       \
    X(argument, leaf_pairs_culled, "culled")                                                       \
    X(argument, stars, "stars")                                                                    \
    X(argument, stars_left, "stars left")                                                          \
    X(argument, triangle_tests, "triangles")                                                       \
    X(argument, exact_tests, "exact")                                                              \
    X(argument, feature_tests, "features")

/* What a contender did over all frames. */
typedef struct bench_counts {
    willow_query_stats query;    /* of a Willow method only */
    willow_update_report update; /* all updates but the first; of a Willow method only */
    uint64_t nodes_updated;      /* by updates and queries */
    uint64_t setups;             /* of kinetic trees, with the first */
    uint64_t values;             /* ends of boxes that updates wrote */
    uint64_t refit_bytes_read, refit_bytes_written; /* by one update; 0 if it does not refit all */
    uint64_t updates;                               /* how many there were */
    uint64_t nodes, leaves;                         /* of all trees, after the last frame */
    uint32_t height;                                /* of the highest */
    double cost;                                    /* mean of their costs */
    willow_tree_def tree;                           /* as resolved; of a Willow method only */
    willow_method stands_for;                       /* the first body's then: what AUTO is */
    double distance;                                /* that was asked with */
    uint64_t bytes;                                 /* all that it holds */
    uint64_t bytes_mesh;                            /* of these: indices and positions */
    uint64_t bytes_hierarchy;                       /* nodes and the orders that go with them */
    double bytes_per_triangle; /* hierarchy and bookkeeping, results and scratch apart */
} bench_counts;

/* What keeping kinetic trees takes: numbers of bench_counts.update. X(argument, counter, head of
 * its column) */
#define BENCH_KINETICS(X, argument)                                                                \
    X(argument, events, "events")                                                                  \
    X(argument, values_updated, "ends")                                                            \
    X(argument, queue_operations, "queue")                                                         \
    X(argument, certificates_checked, "checked")                                                   \
    X(argument, vertices_evaluated, "vertices")                                                    \
    X(argument, plan_changes, "changes")

typedef struct contender contender;

/* What the two kinds of contenders can do. All return false on failure and leave words in
 * contender->message. */
typedef struct contender_ops {
    bool (*create)(contender *c, const bench_stage *stage, const bench_options *options);
    void (*destroy)(contender *c);
    void (*prepare)(contender *c, uint32_t frame); /* not timed; NULL: nothing to do */
    bool (*update)(contender *c, uint32_t frame);  /* setters and update: timed */
    bool (*query)(contender *c);                   /* timed */
    bool (*copy_pairs)(contender *c, pair_list *out);
    void (*count)(contender *c, bench_counts *out);
} contender_ops;

enum { CONTENDER_NAME_MAX = 96 };

struct contender {
    const contender_ops *ops;
    char name[CONTENDER_NAME_MAX];
    const char *kernel;
    engine_options engine; /* of a Willow method, or */
    const peer_def *peer;  /* not NULL: a peer */
    void *state;
    char message[256];
};

extern const contender_ops willow_contender_ops, peer_contender_ops;

/* Whether it leaves out triangles of one body that share a vertex; else it decides them (C2). */
bool contender_skips_neighbours(const contender *c);

/* In which way it moves bodies through a step of this scene: a vertex goes straight on, or turns
 * with its body. Ways with equal numbers are equal to the bit. */
uint32_t contender_way(const contender *c, const scene *s);

/* The question as peers know it. They are asked for pairs only. */
peer_question bench_peer_question(bench_question question);

enum { CONTENDER_MAX = 64, BENCH_METHODS_MAX = 2048 };

typedef struct bench_field {
    contender entries[CONTENDER_MAX];
    uint32_t count;
} bench_field;

/* Methods of the literature that are Willow's under certain settings.
 *
 * van den Bergen 1997 is the baseline of Larsson and Akenine-Moeller 2001: a binary tree of boxes
 * in model space, split at the middle of the longest side, one triangle per leaf, all of it
 * refitted; boxes of two bodies are held against each other along the axes of both.
 *
 * X(name, method, settings, what it is) */
#define BENCH_CLASSICS(X)                                                                          \
    X("van_den_bergen", "bottom_up", "arity=2:leaf_triangles=1:build=midpoint:poses=all",          \
      "van den Bergen 1997: a binary tree of single triangles, refitted in model space")

typedef struct bench_classic {
    const char *name, *method, *settings;
} bench_classic;

/* Ended by one without a name. */
extern const bench_classic bench_classics[];

/* Who takes part, from --method and --peers. An exit code. */
int bench_choose(bench_field *f, const bench_options *options, const scene *s);

/* Leaves out peers that cannot answer the question, and says so. An exit code: somebody must be
 * left. */
int bench_leave_out(bench_field *f, const bench_options *options, const bench_stage *stage);

/* ---- what came out ---- */

/* The counted frames, in the order in which they ran; with --repeat frames come again. */
typedef struct bench_series {
    uint32_t *frame;
    double *update_ms, *query_ms;
    uint64_t *pairs;
    uint32_t count;
} bench_series;

/* Room for `capacity` frames. False for want of memory; destroy it in any case. */
bool bench_series_create(bench_series *series, size_t capacity);
void bench_series_destroy(bench_series *series);

typedef struct bench_result {
    const char *name, *kernel;
    bool is_peer, skips_neighbours;
    uint32_t way; /* of steps: see contender_way; else 0 */
    bench_series series;
    const char *peer_version; /* NULL: part of this project */
    double setup_ms;
    uint64_t pairs, hash; /* over all frames, uncounted ones too */
    uint64_t lost, extra; /* a peer's, against Willow */
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

/* What is needed to compare answers. */
typedef struct bench_jury {
    const scene *scene;
    bench_question question;
    bench_result *results; /* by contender: what was found goes there */
    uint32_t count;
    uint32_t listed; /* differences that were told, or not any more */
} bench_jury;

/* Adds up and compares the answers to one frame, one list per contender; neighbours may be gone
 * from the lists then. False for want of memory. */
bool bench_compare_frame(bench_jury *jury, pair_list *lists, uint32_t frame);

/* Tells how many differences were not told. */
void bench_jury_close(const bench_jury *jury);

/* Runs all contenders on one scene. False on failure, which has then been said on standard
 * error. */
bool bench_run(bench_stage *stage, const char *spec, bench_field *field,
               const bench_options *options, bench_report *report);
void bench_report_destroy(bench_report *report);

/* Runs all scenes and hands on what came out. An exit code. */
int bench_scenes(const bench_options *options);

/* ---- probes ---- */

int bench_probe(const bench_options *options);

/* --limit without a scene: the streaming bandwidth, and refits of several sizes against it. */
int bench_limit(const bench_options *options);

/* The words for --query and --probe, each list ended by NULL. */
extern const char *const bench_questions[], *const bench_probes[];

#endif
