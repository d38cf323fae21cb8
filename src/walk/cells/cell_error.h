/* cell_error.h - how far the sphere around a cell is from the surface in the cell.
 *
 * After Rodriguez and Franquesa 2005 (BOCST), section 5.2: the largest distance of a point of the
 * sphere, which is a ball, from the parts of triangles that are in the cell. */
#ifndef WI_WALK_CELLS_CELL_ERROR_H
#define WI_WALK_CELLS_CELL_ERROR_H

#include "base/containers/array.h"
#include "geom/box.h"
#include "geom/cell_grid.h"
#include "mesh/mesh.h"
#include "prim/distance/closest.h"

/* A part of a triangle that is a triangle, and a ball around it. */
typedef struct wi_cell_piece {
    wi_spanned_tri tri;
    double middle[3], radius;
} wi_cell_piece;

typedef WI_ARRAY(wi_cell_piece) wi_cell_pieces;

/* What is measured is this part of the radius below the truth, at most. */
#define WI_CELL_ERROR_PART (1.0 / 256.0)

/* Cuts triangles, of which each touches the box, to what is in it. False if there is no memory. */
bool wi_cell_cut(wi_memory *memory, const wi_mesh *mesh, const uint32_t *slots, size_t count,
                 const wi_box *box, wi_cell_pieces *out);

/* The distance. There are pieces. */
double wi_cell_error(const wi_cell_pieces *pieces, const wi_sphere *sphere);

#endif
