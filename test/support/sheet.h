/* sheet.h - the triangles of a sheet of side x side vertices, two to a square, row by row. */
#ifndef TEST_SHEET_H
#define TEST_SHEET_H

#include <stdint.h>

#define SHEET_VERTICES(side) ((side) * (side))
#define SHEET_TRIS(side) (2 * ((side)-1) * ((side)-1))

/* There is room for SHEET_TRIS(side). */
void sheet_make_tris(uint32_t side, uint32_t (*tris)[3]);

#endif
