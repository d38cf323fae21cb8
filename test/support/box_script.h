/* box_script.h - scripts of boxes that move, for willow/broad.h: uniform, in clusters, with heavy
 * tails, all in one spot, on a line, on cell boundaries; standing, teleporting, growing, dying.
 *
 * After every step pairs, events and searches are held against loops over all boxes, and the
 * validator is asked. What is chosen comes from a seed, or from bytes. */
#ifndef TEST_BOX_SCRIPT_H
#define TEST_BOX_SCRIPT_H

#include "support/choices.h"
#include "willow/broad.h"

typedef struct box_tally {
    size_t scripts, steps, boxes, pairs, begun, ended, found, met_by_rays, near_pairs;
} box_tally;

/* Plays one script of so many steps and boxes at most, or until nothing is left to choose from.
 * NULL, or words for what went wrong. */
const char *box_script_run(choices *c, const willow_broad_def *def, uint32_t steps, uint32_t boxes,
                           box_tally *tally);

/* The same with a kind, a kernel and a number of dimensions that are chosen, too. */
const char *box_script_of_any_kind(choices *c, uint32_t steps, uint32_t boxes, box_tally *tally);

#endif
