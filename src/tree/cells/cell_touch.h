/* cell_touch.h - which children of a cell do triangles touch? By the exact test, eight triangles at
 * a time. */
#ifndef WI_TREE_CELLS_CELL_TOUCH_H
#define WI_TREE_CELLS_CELL_TOUCH_H

#include "geom/cell_grid.h"
#include "mesh/mesh.h"
#include "prim/meet/tris_boxes.h"

typedef struct wi_cell_touch {
    wi_cell cells[8]; /* the children that there are, in the order of octants, */
    wi_box boxes[8];  /* and their actual regions */
    unsigned count;
    wi_tris_meet_boxes *meet;
} wi_cell_touch;

void wi_cell_touch_begin(wi_cell_touch *touch, const wi_cell_grid *grid, wi_cell cell,
                         wi_tris_meet_boxes *meet);

/* of_tri[i] has a bit for each child that triangle slots[i] touches, of eight at most, where the
 * motion of the mesh has it before the pose. Adds to *exact_tests: see wi_tris_meet_boxes. */
void wi_cell_touch_tris(const wi_cell_touch *touch, const wi_mesh *mesh, const uint32_t *slots,
                        unsigned count, uint8_t of_tri[8], uint64_t *exact_tests);

#endif
