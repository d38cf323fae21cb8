/* sheet.c - squares in rows. Way in: sheet_fill_body. */
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

bool sheet_fill_body(scene_body *body, uint32_t across, uint32_t along)
{
    uint32_t row = across + 1;
    body->vertex_count = row * (along + 1);
    body->triangle_count = 2 * across * along;
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    uint32_t *out = body->indices;
    for (uint32_t y = 0; y < along; y++) {
        for (uint32_t x = 0; x < across; x++, out += 6) {
            uint32_t at = y * row + x;
            const uint32_t square[6] = {at, at + 1, at + row, at + 1, at + row + 1, at + row};
            memcpy(out, square, sizeof square);
        }
    }
    return true;
}
