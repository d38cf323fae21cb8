/* tube.c - the mesh of closed tubes. Way in: tube_place_of, tube_indices. */
#include "tube.h"

tube_place tube_place_of(tube t, uint32_t vertex)
{
    if (vertex == 0 || vertex == tube_vertices(t) - 1) {
        return (tube_place){vertex == 0 ? 0 : 1, 1, 0};
    }
    double angle = 2 * SCENE_PI * ((vertex - 1) % t.around) / t.around;
    double ring = (vertex - 1) / t.around + 1;
    return (tube_place){ring / (t.rings + 1), wi_cos(angle), wi_sin(angle)};
}

static uint32_t *triangle(uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

/* Ring by ring, so that triangles that are near in space are mostly near in memory. */
void tube_indices(tube t, uint32_t first, uint32_t *indices_out)
{
    uint32_t *out = indices_out, last = first + tube_vertices(t) - 1;
    for (uint32_t ring = 0; ring <= t.rings; ring++) {
        uint32_t to = first + 1 + ring * t.around, from = to - t.around;
        for (uint32_t i = 0; i < t.around; i++) {
            uint32_t next = (i + 1) % t.around;
            if (ring == 0) {
                out = triangle(out, first, to + next, to + i);
            } else if (ring == t.rings) {
                out = triangle(out, last, from + i, from + next);
            } else {
                out = triangle(out, from + i, from + next, to + i);
                out = triangle(out, from + next, to + next, to + i);
            }
        }
    }
}
