/* tally.h - everything that a play on a stage comes to, as lines of text: answers, counts, trees.
 *
 * Way in: tally_play. */
#ifndef TEST_GOLDEN_TALLY_H
#define TEST_GOLDEN_TALLY_H

#include "golden/stage.h"
#include "support/golden_file.h"

/* What the lines are about. */
typedef struct tally_case {
    const char *name;    /* of scene and motion */
    const char *setting; /* of the tree */
    stage_play play;
    stage_setup setup;
} tally_case;

/* Plays it and compares the lines with the file. Answers have one line for all settings; trees,
 * updates and the counts of queries have one for each. */
void tally_play(golden_file *file, const scene *s, const tally_case *c);

/* The same with watches of all kinds, which are asked in every frame. */
void tally_watch(golden_file *file, const scene *s, const tally_case *c);

/* Sections that these write. */
#define TALLY_SECTIONS "answers tree update query watch bytes"

#endif
