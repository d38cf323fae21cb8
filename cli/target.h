/* target.h - what a command is to work on: scene:NAME[:key=value,...], or one or more files. Either
 * way it is a clip, and commands know no more of it than that. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "io/clip.h"
#include "scenes/scenes.h"

typedef struct target {
    const clip *clip;
    clip *opened;   /* the same, to be closed */
    scene *scene;   /* what the clip was made of; NULL: of files */
    char *words;    /* as on the command line */
    char *title;    /* the same, but of many files the first and how many more */
    double open_ms; /* how long it took to open */
} target;

/* For the usage lines of all commands that take one. */
#define TARGET_HELP                                                                                \
    "TARGET is one or more files with one body or several, or scene:NAME[:key=value,...]; "        \
    "'willow\n"                                                                                    \
    "scene list' has the names. A file is glTF (.glb, .gltf), OBJ, PLY, STL or OFF; a sequence "   \
    "of\n"                                                                                         \
    "these ('frames/shell%03d.obj', a folder, a pattern in quotes); or MESH+CACHE with a point\n"  \
    "cache (.pc2, .mdd) or positions (.npy).\n"

/* Opens what `count` words name. False on failure, which has then been said on standard error;
 * close it in any case. */
bool target_open(target *t, const char *command_name, char *const *words, uint32_t count,
                 const clip_options *options);
void target_close(target *t);

/* Complains that there is no body of that name, with one that was perhaps meant. An exit code. */
int target_complain_body(const char *command_name, const char *option, const clip *c,
                         const char *name);

uint64_t target_triangle_total(const target *t);
uint64_t target_vertex_total(const target *t);

#endif
