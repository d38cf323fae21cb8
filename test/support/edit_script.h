/* edit_script.h - random scripts of edits among all other setters, on one body kept with several
 * methods side by side.
 *
 * A model knows which triangles and vertices there are. Calls that must be refused are, and change
 * nothing; numbers are used again no sooner than promised; all bodies have the same vertices, to
 * the bit, and the same answers as BRUTE; and samples of these are those of a second world made
 * afresh from the triangles that are left. */
#ifndef TEST_EDIT_SCRIPT_H
#define TEST_EDIT_SCRIPT_H

#include "support/choices.h"

typedef struct edit_tally {
    size_t scripts, calls, edits, refused, updates, fresh, reused, removed;
    size_t pairs, selves, impacts, near;
    size_t splits, parts, part_pairs;
} edit_tally;

/* NULL if all went well, or words. With more than one worker queries use all of them. */
const char *edit_script_run(choices *c, uint32_t calls, uint32_t workers, edit_tally *tally);

#endif
