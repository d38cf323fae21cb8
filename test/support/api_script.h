/* api_script.h - scripts that call anything in any order: bodies come and go, and are moved,
 * planned, morphed, deformed, posed, shared, re-treed and watched, one by one and in bulk; memory
 * fails; and every question is asked.
 *
 * All of it happens in two worlds: one of any methods and settings, whose memory fails, and one of
 * BRUTE with the scalar kernel. After every call vertices are in the same place in both, and after
 * updates answers are the same. A call that fails for want of memory has changed nothing (C6) and
 * goes well when it is made again. What is chosen comes from a seed, or from bytes. */
#ifndef TEST_API_SCRIPT_H
#define TEST_API_SCRIPT_H

#include "support/choices.h"

typedef struct api_tally {
    size_t scripts, calls, updates, questions, found;
    size_t failures; /* for want of memory */
    size_t refused;  /* calls that both worlds refused */
} api_tally;

/* Plays one script of so many calls at most, or until nothing is left to choose from, with meshes
 * of up to `size` triangles. NULL, or words for what went wrong. */
const char *api_script_run(choices *c, uint32_t size, uint32_t calls, api_tally *tally);

#endif
