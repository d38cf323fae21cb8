/* plan_script.h - a world whose bodies follow flight plans that change, played in several ways.
 *
 * Way in: plan_script_run. From choices it makes bodies, plans, changes of plans and times, and
 * plays them in worlds of kinetic trees (a stream, a batch, and straight on without events), in one
 * of any methods, and in one without trees. After every update all of them must have their vertices
 * where the definition says (plan_model), be sound, and give the same answers. */
#ifndef TEST_PLAN_SCRIPT_H
#define TEST_PLAN_SCRIPT_H

#include "support/choices.h"

typedef struct plan_tally {
    size_t scripts, updates;
    size_t pairs, self_pairs, near; /* found, in all updates */
    size_t events, setups, plan_changes, keyframes, setbacks;
} plan_tally;

/* Up to so many bodies, triangles in each and updates. NULL, or words for what went wrong, which
 * stay until the next call. */
const char *plan_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                            plan_tally *tally);

/* The scripts of `count` seeds; fails the test if something goes wrong, or if nothing happened. */
void plan_scripts_check(uint64_t first, uint64_t count, uint32_t bodies, uint32_t size,
                        uint32_t updates);

#endif
