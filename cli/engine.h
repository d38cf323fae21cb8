/* engine.h - how the library is to work: the options that check, info and bench have in common. */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "willow/willow.h"

typedef struct engine_options {
    uint32_t threads;
    willow_kernel kernel;
    willow_tree_def tree;
    bool skip_neighbours;
} engine_options;

engine_options engine_options_default(void);

/* Each takes the value of one option; an exit code, with what was wrong on standard error. */
int engine_take_threads(engine_options *e, const char *command_name, const char *text);
int engine_take_kernel(engine_options *e, const char *command_name, const char *text);
int engine_take_method(engine_options *e, const char *command_name, const char *text);
int engine_take_set(engine_options *e, const char *command_name, const char *text);

/* The words that these options know, each list ended by NULL. */
extern const char *const engine_methods[], *const engine_builds[], *const engine_kernels[];
extern const char *const engine_set_keys[];

/* How a world is made with these options. */
willow_world_def engine_world_def(const engine_options *e);
willow_query_options engine_query_options(const engine_options *e);

#endif
