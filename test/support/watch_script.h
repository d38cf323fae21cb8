/* watch_script.h - watches of bodies that move, rest, are rebuilt, die and are made again.
 *
 * Ways in: watch_script_run, and watch_script_run_plans, in which most bodies follow plans and most
 * watches keep lists. From choices they make bodies of all methods, watches of all kinds and sizes,
 * and changes of all of these. After every update each watch must answer as the same question
 * without it does, to the bit, with any options; and fail as that does. Events must lead from one
 * set of leaves that meet to the next, in order of time, each within the update. */
#ifndef TEST_WATCH_SCRIPT_H
#define TEST_WATCH_SCRIPT_H

#include "support/choices.h"

typedef struct watch_tally {
    size_t scripts, updates, questions;
    size_t pairs, self_pairs;       /* found, in all questions */
    size_t kept, looked_into;       /* pairs of leaves, of all watches */
    size_t limited, restarts, gone; /* watches over their limit, begun anew, and of dead bodies */
    size_t recognised;              /* first pairs that lasted from question to question */
    size_t lists, gaps, begun, ceased; /* questions answered by lists; updates whose events are not
                                          complete, and events of the others */
    size_t edits;                      /* of bodies that follow plans */
} watch_tally;

/* Up to so many bodies, triangles in each and updates. NULL, or words for what went wrong, which
 * stay until the next call. */
const char *watch_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                             watch_tally *tally);
const char *watch_script_run_plans(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                                   watch_tally *tally);

#endif
