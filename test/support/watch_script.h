/* watch_script.h - watches of bodies that move, rest, are rebuilt, die and are made again.
 *
 * Way in: watch_script_run. From choices it makes bodies of all methods, watches of all kinds and
 * sizes, and changes of all of these. After every update each watch must answer as the same
 * question without it does, to the bit, with any options; and fail as that does. */
#ifndef TEST_WATCH_SCRIPT_H
#define TEST_WATCH_SCRIPT_H

#include "support/choices.h"

typedef struct watch_tally {
    size_t scripts, updates, questions;
    size_t pairs, self_pairs;       /* found, in all questions */
    size_t kept, looked_into;       /* pairs of leaves, of all watches */
    size_t limited, restarts, gone; /* watches over their limit, begun anew, and of dead bodies */
} watch_tally;

/* Up to so many bodies, triangles in each and updates. NULL, or words for what went wrong, which
 * stay until the next call. */
const char *watch_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                             watch_tally *tally);

#endif
