/* needles.c - long thin triangles that are parallel, along the diagonal of space.
 *
 * Stands for hair, grass and wires: boxes along the axes are the worst bounds of a diagonal needle,
 * since they overlap those of thousands of others that it does not come near. The needles stand on
 * a plane in rows, all in one body, and touch nothing. */
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>

enum { FRAMES = 40 };

#define LENGTH 100.0 /* with 1 between needles, and a tenth of that as their width */
#define WIDTH 0.1

static bool create(scene *s)
{
    s->bodies = calloc(1, sizeof *s->bodies);
    if (s->bodies == NULL) return false;
    s->body_count = 1;
    scene_body *body = &s->bodies[0];
    body->self = true;
    body->triangle_count = s->params.triangles;
    body->vertex_count = 3 * s->params.triangles;
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    for (uint32_t i = 0; body->indices != NULL && i < body->vertex_count; i++) body->indices[i] = i;
    return body->indices != NULL;
}

static uint32_t side_of(uint32_t needles)
{
    uint32_t side = 1;
    while (side * side < needles) side++;
    return side;
}

/* Each slides a little along itself as time goes on. */
static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const vec along = vec_unit((vec){1, 1, 1}), right = vec_unit((vec){1, -1, 0}),
              up = vec_cross(along, right);
    const uint32_t side = side_of(s->params.triangles);
    const uint64_t key = random_key(WI_HASH_START, s->params.seed);
    (void)body; /* there is one */
    for (uint32_t i = 0; i < s->params.triangles; i++) {
        double slide = random_between(key, i, -5, 5) + 0.1 * wi_sin(scene_step(s, frame) + i);
        vec foot = vec_along(vec_scale(slide, along), i % side, right);
        foot = vec_along(foot, i / side, up);
        vec_store(foot, xyz_out, 3 * i);
        vec_store(vec_along(foot, WIDTH, right), xyz_out, 3 * i + 1);
        vec_store(vec_along(foot, LENGTH, along), xyz_out, 3 * i + 2);
    }
}

extern const scene_kind scene_needles;
const scene_kind scene_needles = {
    .name = "needles",
    .summary = "parallel needles along the diagonal of space, side by side in one body",
    .stands_for = "hair, grass and wires: what boxes along the axes bound worst",
    .defaults = {.triangles = 20000, .frames = FRAMES, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 1000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .positions = positions,
};
