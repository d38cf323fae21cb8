/* question.h - what may be asked in every frame: the table of --query. */
#ifndef BENCH_RUN_QUESTION_H
#define BENCH_RUN_QUESTION_H

#include <stdbool.h>

/* What a question is like. */
enum {
    ASKS_PAIRS = 1,    /* for triangles that meet, or nothing: what peers can answer */
    ASKS_STEPS = 2,    /* about the step from a frame to the next one */
    ASKS_DISTANCE = 4, /* takes a distance: near_distance, or touch_distance if it is about steps */
    ASKS_NEIGHBOURS = 8, /* skip_neighbours changes its answer */
    ASKS_RAYS = 16,      /* casts rays */
    ASKS_BOXES = 32,     /* for pairs of boxes, without meshes: crowds */
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
    X(DISTANCE, "distance", ASKS_DISTANCE)                                                         \
    X(RAYS, "rays", ASKS_RAYS)                                                                     \
    X(PICKS, "picks", ASKS_RAYS)                                                                   \
    X(PICKS_1000, "picks_1000", ASKS_RAYS)                                                         \
    X(BROAD, "broad", ASKS_BOXES)                                                                  \
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

/* What it finds, for people: "pairs", "impacts" or "hits". */
const char *bench_question_finds(bench_question question);

/* All of their names, ended by NULL. */
extern const char *const bench_questions[];

/* False if there is no question of this name. */
bool bench_question_from_name(const char *name, bench_question *out);

#endif
