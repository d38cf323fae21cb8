/* morph_script.h - a world in which a body morphs or deforms, played in several ways.
 *
 * Way in: morph_script_run. From choices it makes targets, weights, poses, steps and methods, and
 * plays them in worlds of blended trees, in one of any method, and in one without trees. After
 * every update all of them must be sound, have their vertices in the same places, and give the same
 * answers. */
#ifndef TEST_MORPH_SCRIPT_H
#define TEST_MORPH_SCRIPT_H

#include "support/choices.h"

typedef struct morph_tally {
    size_t scripts, updates, pairs, impacts, blended;
} morph_tally;

/* Up to so many triangles and updates. NULL, or words for what went wrong, which stay until the
 * next call. */
const char *morph_script_run(choices *c, uint32_t size, uint32_t updates, morph_tally *tally);

#endif
