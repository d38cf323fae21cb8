/* density.c - how dense boxes are. Every box is looked at, and for each a search in a grid. */
#include "bench/crowds/crowds.h"

#include <math.h>
#include <stdlib.h>

typedef struct density_search {
    willow_broad_phase *phase;
    const willow_box *boxes;
    uint32_t dimensions, count;
    uint32_t *met; /* room for all */
} density_search;

static double diameter_of(const willow_box *box)
{
    const double x = (double)box->upper.x - (double)box->lower.x;
    const double y = (double)box->upper.y - (double)box->lower.y;
    const double z = (double)box->upper.z - (double)box->lower.z;
    return sqrt(x * x + y * y + z * z);
}

/* Boxes of at least this diameter that meet what is around a point; false if there is no memory. */
static bool count_around(const density_search *s, willow_vec3 at, double radius, double diameter,
                         uint32_t *most)
{
    const willow_box point = {at, at};
    size_t count = 0;
    uint32_t large = 0;
    if (willow_broad_find_box(s->phase, &point, radius, s->met, s->count, &count) != WILLOW_OK)
        return false;
    for (size_t i = 0; i < count; i++) large += diameter_of(&s->boxes[s->met[i]]) >= diameter;
    *most = large > *most ? large : *most;
    return true;
}

static bool look_at(const density_search *s, const willow_box *box, double cell, crowd_density *out)
{
    const double diameter = diameter_of(box);
    const willow_vec3 middle = {0.5F * (box->lower.x + box->upper.x),
                                0.5F * (box->lower.y + box->upper.y),
                                0.5F * (box->lower.z + box->upper.z)};
    bool ok = count_around(s, middle, 0.5 * diameter, diameter, &out->density);
    for (uint32_t corner = 0; corner < 1U << s->dimensions && ok; corner++) {
        const willow_vec3 at = {(corner & 1) != 0 ? box->upper.x : box->lower.x,
                                (corner & 2) != 0 ? box->upper.y : box->lower.y,
                                (corner & 4) != 0 ? box->upper.z : box->lower.z};
        ok = count_around(s, at, 0.5 * diameter, diameter, &out->density) &&
             count_around(s, at, cell, 0.0, &out->k);
    }
    return ok;
}

bool crowd_density_measure(const willow_box *boxes, uint32_t count, uint32_t dimensions,
                           double cell, crowd_density *out)
{
    willow_broad_def def = willow_broad_def_default();
    density_search s = {.boxes = boxes, .dimensions = dimensions, .count = count};
    *out = (crowd_density){0, 0};
    def.broad = WILLOW_BROAD_GRID;
    s.met = malloc(count * sizeof *s.met + 1);
    bool ok = s.met != NULL && willow_broad_create(&def, &s.phase) == WILLOW_OK &&
              willow_broad_update(s.phase, &(willow_broad_boxes){.boxes = boxes, .count = count}) ==
                  WILLOW_OK;
    for (uint32_t i = 0; i < count && ok; i++) ok = look_at(&s, &boxes[i], cell, out);
    willow_broad_destroy(s.phase);
    free(s.met);
    return ok;
}
