/* engine.h - how the library is to work: the options that check, info and bench have in common. */
#ifndef BENCH_PLAY_ENGINE_H
#define BENCH_PLAY_ENGINE_H

#include "willow/willow.h"

/* How bodies of a scene are handed over. X(enum, name, what it does) */
#define ENGINE_POSES(X)                                                                            \
    X(GIVEN, "given", "rigid bodies by their poses, others by their vertices")                     \
    X(APPLY, "apply", "all by their vertices; those of rigid bodies are moved as part of it")      \
    X(NONE, "none", "all by their vertices, moved in advance")                                     \
    X(ALL, "all", "all under a pose: rigid ones as given, others under a quarter turn")

typedef enum engine_poses {
#define ENGINE_POSES_ENTRY(name, words, what) POSES_##name,
    ENGINE_POSES(ENGINE_POSES_ENTRY)
#undef ENGINE_POSES_ENTRY
} engine_poses;

typedef struct engine_options {
    uint32_t threads;
    willow_kernel kernel;
    willow_broad broad;
    willow_tree_def tree;
    willow_descend descend;
    bool has_watches;        /* pairs are asked for through a watch of every two bodies, */
    willow_watch_kind watch; /* of this kind */
    engine_poses poses;
    bool has_poses; /* --set says so */
    bool plans;     /* bodies whose paths are known get these once, and stand under no pose */
    bool morphs;    /* bodies that are morphs get their targets once, and stand under their poses */
    bool float_skins; /* who hands over vertices of skinned bodies computes them in float */
    bool skip_neighbours;
    bool test_flat;
    double near_distance;    /* of near questions; 0: what suits the scene */
    double touch_distance;   /* of questions about steps, as what follows */
    double tolerance;        /* 0: the default of the library */
    uint32_t max_iterations; /* the same */
    bool skip_close_at_rest;
    uint32_t trees; /* of a bench: worlds that are made in so many frames, evenly apart, of which
                       the nearest answers; 0 and 1: one, made in frame 0 */
} engine_options;

enum { ENGINE_TREES_MAX = 8 };

engine_options engine_options_default(void);

/* Each takes the value of one option; an exit code, with what was wrong on standard error. */
int engine_take_threads(engine_options *e, const char *command_name, const char *text);
int engine_take_kernel(engine_options *e, const char *command_name, const char *text);
int engine_take_method(engine_options *e, const char *command_name, const char *text);
int engine_take_set(engine_options *e, const char *command_name, const char *text);

/* The same for "key=value" from elsewhere; complaints begin with `where`, as "--method hybrid: ".
 */
int engine_take_setting(engine_options *e, const char *command_name, const char *where,
                        const char *text);

/* The words that these options know, each list ended by NULL. */
extern const char *const engine_methods[], *const engine_builds[], *const engine_kernels[];
extern const char *const engine_broads[], *const engine_descends[], *const engine_pose_words[];
extern const char *const engine_events[], *const engine_watches[], *const engine_references[];
extern const char *const engine_volumes[], *const engine_set_keys[];

/* The words that a key of --set takes; NULL if it takes numbers or is no key. */
const char *const *engine_set_words(const char *key);

/* How a world is made with these options. */
willow_world_def engine_world_def(const engine_options *e);
willow_query_options engine_query_options(const engine_options *e);

#endif
