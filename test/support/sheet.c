/* sheet.c - see sheet.h. */
#include "support/sheet.h"

#include <string.h>

void sheet_make_tris(uint32_t side, uint32_t (*tris)[3])
{
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < side; y++)
        for (uint32_t x = 0; x + 1 < side; x++) {
            const uint32_t v = y * side + x;
            memcpy(tris[count++], (const uint32_t[3]){v, v + 1, v + side}, sizeof tris[0]);
            memcpy(tris[count++], (const uint32_t[3]){v + 1, v + side + 1, v + side},
                   sizeof tris[0]);
        }
}
