/* info.h - what `willow info` was asked for. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "bench/play/engine.h"
#include "io/clip.h"

typedef struct info_options {
    engine_options engine;
    clip_options clip;
    bool json;
    bool verbose;         /* every body, not only the first ones */
    bool is_about_target; /* an option was given that needs one */
} info_options;

/* Prints motion, meshes and trees of a target in its first frame; an exit code. */
int info_target(char *const *words, uint32_t count, const info_options *options);

#endif
