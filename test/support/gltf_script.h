/* gltf_script.h - scripts of damaged glTF files: a case of gltf_cases.h with members, numbers and
 * bytes changed, or bytes as they come.
 *
 * Whatever a file says, it is refused with a reason within the limit of memory, or its clip keeps
 * what io/clip.h promises. What is chosen comes from a seed, or from bytes. */
#ifndef TEST_GLTF_SCRIPT_H
#define TEST_GLTF_SCRIPT_H

#include "support/choices.h"

typedef struct gltf_tally {
    size_t scripts, read, refused, frames;
} gltf_tally;

/* Plays one script. NULL, or words for what went wrong. */
const char *gltf_script_run(choices *c, gltf_tally *tally);

#endif
