/* loose_sheet.c - triangles that share no vertex, so that any of them can go anywhere. */
#include "support/loose_sheet.h"
#include "support/fixture.h"

#include <string.h>

static void number_corners(uint32_t (*tris)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) tris[i][k] = 3 * i + k;
}

void loose_sheet_make(loose_sheet *s)
{
    memset(s, 0, sizeof *s);
    number_corners(s->tris, SHEET_CELLS);
    number_corners(s->bar_tris, SHEET_BARS);
    for (uint32_t i = 0; i < SHEET_BARS; i++) {
        const float y = 4.0F * (float)i + 0.25F;
        const float corners[3][3] = {{-1, y, -1}, {SHEET_SIDE + 1, y, -1}, {-1, y + 2, 1}};
        memcpy(s->bars + 3 * (size_t)i, corners, sizeof corners);
    }
}

void loose_sheet_place(loose_sheet *s, uint32_t tri, uint32_t cell, const float z[3])
{
    const float x = (float)(cell % SHEET_SIDE), y = (float)(cell / SHEET_SIDE);
    const float corners[3][3] = {{x, y, z[0]}, {x + 0.75F, y, z[1]}, {x, y + 0.75F, z[2]}};
    memcpy(s->at + 3 * (size_t)tri, corners, sizeof corners);
}

void loose_sheet_add(chorus *c, const loose_sheet *s, bool borrows)
{
    chorus_add_body(c,
                    &(willow_mesh_def){.positions = s->at,
                                       .vertex_count = 3 * SHEET_CELLS,
                                       .indices = s->tris,
                                       .triangle_count = SHEET_CELLS,
                                       .borrow = borrows},
                    false);
    chorus_add_body(c, &FIXTURE_MESH(s->bars, 3 * SHEET_BARS, s->bar_tris, SHEET_BARS), false);
}
