/* fold_shapes.h - what the kinds of fold_mesh.h are made with, and their functions.
 *
 * A kind is two functions: vertices and triangles once, then places by amount. Lengths are in cells
 * of the sheet. Who wants random numbers takes dials, waves and noise of the mesh. */
#ifndef TEST_FOLD_SHAPES_H
#define TEST_FOLD_SHAPES_H

#include "support/fold_mesh.h"

#define FOLD_PI 3.141592653589793

enum { FOLD_GRID_ROOM = 1024 }; /* vertices of the largest grid */

uint32_t fold_add_vertex(fold_mesh *mesh, double u, double v, double w);

/* Not if a vertex occurs twice. */
void fold_add_tri(fold_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/* Two triangles for every cell between vertices at[j * (nx + 1) + i], some of which may be equal.
 */
void fold_add_cells(fold_mesh *mesh, uint32_t nx, uint32_t ny, const uint32_t *at);

/* The cells of a sheet for which `has` holds; rest is (i, j, 0). */
typedef bool fold_has_cell(const fold_mesh *mesh, uint32_t i, uint32_t j);
void fold_add_sheet(fold_mesh *mesh, uint32_t nx, uint32_t ny, fold_has_cell *has);

/* Chooses nx and ny for the size, neither less than `least`, and adds a sheet of them. */
void fold_choose_sides(fold_mesh *mesh, uint32_t least);
void fold_add_whole_sheet(fold_mesh *mesh, uint32_t least);

/* What a dial says. */
double fold_between(const fold_mesh *mesh, uint32_t dial, double low, double high);
uint32_t fold_choice(const fold_mesh *mesh, uint32_t dial, uint32_t low, uint32_t high);

/* The sum of the waves of an axis at (u, v) of a sheet, from [-1, 1]. */
double fold_wave_at(const fold_mesh *mesh, uint32_t axis, double u, double v);

void fold_set(double out[3], double x, double y, double z);

/* A height for plane patches, by a dial: mostly none, else a slope, a shallow saddle or a shallow
 * wave. */
double fold_relief(const fold_mesh *mesh, uint32_t dial, double x, double y);

#define FOLD_FUNCTIONS(name, function, words)                                                      \
    void fold_build_##function(fold_mesh *mesh);                                                   \
    void fold_place_##function(const fold_mesh *mesh, double amount, double(*out)[3]);
FOLD_KINDS(FOLD_FUNCTIONS)
#undef FOLD_FUNCTIONS

#endif
