/* bumpy.c - two bumpy spheres that deform all the time and move into each other.
 *
 * Stands for the first experiment of Larsson and Akenine-Moeller 2001 ("Collision detection for
 * continuously deforming bodies"): every vertex of both bodies moves in every one of 200 steps,
 * they touch first near step 60, and at the end they overlap deeply and are partly past each
 * other. Waves travel over the spheres; they are long against the triangles of the coarsest mesh,
 * so all sizes show the same motion. */
#include "bumps.h"
#include "scenes.h"

#include <stdlib.h>

enum { STEPS = 200 };

static bool create(scene *s)
{
    s->data = calloc(1, sizeof(bumps_set));
    return s->data != NULL && bumps_set_create(s->data, s, 2);
}

static void destroy(scene *s)
{
    bumps_set_destroy(s->data);
    free(s->data);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const bumps_set *set = s->data;
    double step = scene_step(s, frame);
    double side = body == 0 ? -0.5 : 0.5;
    double centre_x = side * (2.93 - 0.016 * step), centre_y = side * 0.6;
    for (uint32_t i = 0; i < set->sphere.vertex_count; i++) {
        const double *d = set->sphere.directions + 3 * (size_t)i;
        double radius = bumps_radius(&set->of_body[body], step, d);
        xyz_out[3 * (size_t)i] = (float)(centre_x + radius * d[0]);
        xyz_out[3 * (size_t)i + 1] = (float)(centre_y + radius * d[1]);
        xyz_out[3 * (size_t)i + 2] = (float)(radius * d[2]);
    }
}

extern const scene_kind scene_bumpy;
const scene_kind scene_bumpy = {
    .name = "bumpy",
    .summary = "two bumpy spheres, always deforming, move into each other; contact near step 60",
    .stands_for = "Larsson and Akenine-Moeller 2001, experiment 1",
    .defaults = {.triangles = 20480, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .positions = positions,
    .destroy = destroy,
};
