/* cell_touch.c - see cell_touch.h. */
#include "tree/cells/cell_touch.h"

#include <string.h>

#include "base/check.h"

void wi_cell_touch_begin(wi_cell_touch *touch, const wi_cell_grid *grid, wi_cell cell,
                         wi_tris_meet_boxes *meet)
{
    touch->count = 0;
    touch->meet = meet;
    for (unsigned octants = wi_cell_octants(grid, cell); octants != 0; octants &= octants - 1) {
        const wi_cell child = wi_cell_child(cell, (unsigned)__builtin_ctz(octants));
        touch->cells[touch->count] = child;
        touch->boxes[touch->count++] = wi_cell_box(grid, child);
    }
    WI_ASSERT(touch->count > 0);
}

/* Lanes past the last have no meaning. */
static void read_tris(const wi_mesh *mesh, const uint32_t *slots, unsigned count, wi_tri8 *out)
{
    for (unsigned i = 0; i < WI_LANES; i++) {
        const uint32_t slot = slots[i < count ? i : 0];
        for (int corner = 0; corner < 3; corner++) {
            wi_mesh_model_position(mesh, mesh->tris[slot][corner], out->corner[corner][i]);
            out->corner[corner][i][3] = 0.0F;
        }
    }
}

void wi_cell_touch_tris(const wi_cell_touch *touch, const wi_mesh *mesh, const uint32_t *slots,
                        unsigned count, uint8_t of_tri[8], uint64_t *exact_tests)
{
    wi_tri8 tris;
    uint8_t meet[8];
    WI_ASSERT(count > 0 && count <= WI_LANES);
    read_tris(mesh, slots, count, &tris);
    touch->meet(&tris, count, touch->boxes, touch->count, meet, exact_tests);
    memset(of_tri, 0, WI_LANES);
    for (unsigned child = 0; child < touch->count; child++)
        for (unsigned i = 0; i < count; i++)
            of_tri[i] |= (uint8_t)(((unsigned)meet[child] >> i & 1U) << child);
}
