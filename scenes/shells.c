/* shells.c - balls within balls about one centre, that breathe.
 *
 * Stands for layers of an onion: skins over bodies, bottles in moulds. Boxes of all of them
 * overlap, no two meet, and a closest pair has thousands of others that are almost as close. The
 * outermost ball has the radius 1, and the gaps are a hundredth of its diameter, or what is left
 * for so many. Variants: shells that are `alike` are one ball in several sizes; `turned` ones are
 * turned against each other, so that no triangle lies over another. */
#include "icosphere.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40 };

static bool create(scene *s)
{
    icosphere *sphere = calloc(1, sizeof *sphere);
    s->data = sphere;
    return sphere != NULL && icosphere_fill_scene(s, sphere, s->params.bodies, SCENE_POSITIONS);
}

static void destroy(scene *s)
{
    icosphere_destroy(s->data);
    free(s->data);
}

static double radius_of(const scene *s, uint32_t body)
{
    const double room = 0.9 / s->body_count, gap = room < 0.02 ? room : 0.02;
    return 1 - gap * body;
}

/* All in the same way: one scaled is another, so that they cannot meet. Turned ones may, where
 * their triangles are large and the gap is small. */
static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const icosphere *sphere = s->data;
    const double breath = 1 + 0.01 * wi_sin(0.2 * scene_step(s, frame));
    const bool is_turned = strcmp(s->params.variant, "turned") == 0;
    const turn own = turn_about(vec_unit((vec){1, 2, 3}), is_turned ? body : 0.0);
    for (uint32_t i = 0; i < sphere->vertex_count; i++) {
        vec direction = vec_load(sphere->directions + 3 * (size_t)i);
        if (is_turned) direction = turn_apply(&own, direction);
        vec_store(vec_scale(breath * radius_of(s, body), direction), xyz_out, i);
    }
}

extern const scene_kind scene_shells;
const scene_kind scene_shells = {
    .name = "shells",
    .summary = "balls within balls about one centre, a hundredth of their size apart",
    .stands_for = "layers: skins over bodies, parts in moulds",
    .defaults = {.triangles = 20480, .bodies = 2, .frames = FRAMES, .variant = "alike"},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 10000, .frames = 1000000},
    .variants = "alike turned",
    .create = create,
    .destroy = destroy,
    .positions = positions,
};
