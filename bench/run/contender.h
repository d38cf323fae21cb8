/* contender.h - who is measured: a method with its settings, or a peer; and what it counts. */
#ifndef BENCH_RUN_CONTENDER_H
#define BENCH_RUN_CONTENDER_H

#include "bench/peers/peer.h"
#include "bench/play/engine.h"
#include "bench/run/options.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

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
    const peer_def *peer;  /* not NULL: a peer, whose engine says `float_skins` alone */
    void *state;
    double idle_ms; /* of its last query: spent on keeping answers, which is not its work */
    char message[256];
};

extern const contender_ops willow_contender_ops, peer_contender_ops;

/* Whether it leaves out triangles of one body that share a vertex; else it decides them (C2). */
bool contender_skips_neighbours(const contender *c);

/* Whether its positions are near those of the scene instead of the same: made in float. Its answers
 * are then judged as those of peers. */
bool contender_is_near(const contender *c, const scene *s);

/* In which way it moves bodies through a step of this scene: a vertex goes straight on, or turns
 * with its body. Ways with equal numbers are equal to the bit. */
uint32_t contender_way(const contender *c, const scene *s);

/* What it is told of how the bodies of this scene move: "positions", or what it gets besides, as in
 * "poses+plans". */
void contender_motion(const contender *c, const scene *s, char *out, size_t size);

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

#endif
