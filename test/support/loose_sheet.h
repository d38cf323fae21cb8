/* loose_sheet.h - a square of cells with a loose triangle in each, and bars across that it meets.
 */
#ifndef TEST_LOOSE_SHEET_H
#define TEST_LOOSE_SHEET_H

#include "support/chorus.h"

enum { SHEET_SIDE = 24, SHEET_CELLS = SHEET_SIDE * SHEET_SIDE, SHEET_BARS = 6 };

typedef struct loose_sheet {
    float at[3 * SHEET_CELLS][3];
    uint32_t tris[SHEET_CELLS][3];
    float bars[3 * SHEET_BARS][3]; /* another body */
    uint32_t bar_tris[SHEET_BARS][3];
} loose_sheet;

/* The bars, and triangles that are yet to be placed. */
void loose_sheet_make(loose_sheet *s);

/* Puts a triangle in a cell, with its corners at these heights. */
void loose_sheet_place(loose_sheet *s, uint32_t tri, uint32_t cell, const float z[3]);

/* Adds the sheet, then the bars, to all voices. */
void loose_sheet_add(chorus *c, const loose_sheet *s, bool borrows);

#endif
