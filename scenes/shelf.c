/* shelf.c - thousands of different bodies in rows, of which a few collide.
 *
 * Stands for a large scene of rigid bodies, each with a mesh of its own, most of which never meet
 * anything: what a program pays for hierarchies that no question needs. Bodies are bumpy rings, all
 * of them different; every hundredth one leans on the next and rocks. Lengths are in radii. */
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>

enum { LEANING = 100, STEPS = 100, SIDES_MIN = 4 };

/* Between two of a row, and between rows. */
#define SPACING 3.0

/* Sides of a ring, and of a section through it. */
static uint32_t sides_of(uint32_t triangles)
{
    const uint32_t sides = (uint32_t)(sqrt(0.5 * triangles) + 0.5);
    return sides > SIDES_MIN ? sides : SIDES_MIN;
}

static bool make_body(scene_body *body, uint32_t sides)
{
    const uint32_t count = sides * sides;
    *body = (scene_body){.vertex_count = count, .triangle_count = 2 * count, .motion = SCENE_RIGID};
    body->indices = malloc(6 * sizeof(uint32_t) * count);
    if (body->indices == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = i / sides * sides, right = row + (i + 1) % sides;
        const uint32_t up = (i + sides) % count, both = (right + sides) % count;
        const uint32_t two[6] = {i, up, right, right, up, both};
        for (int k = 0; k < 6; k++) body->indices[6 * i + (uint32_t)k] = two[k];
    }
    return true;
}

static bool create(scene *s)
{
    const uint32_t sides = sides_of(s->params.triangles);
    s->params.triangles = 2 * sides * sides;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (s->bodies == NULL) return false;
    for (; s->body_count < s->params.bodies; s->body_count++)
        if (!make_body(&s->bodies[s->body_count], sides)) return false;
    return true;
}

/* No two numbers have the same bumps. */
static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const uint32_t sides = sides_of(s->params.triangles);
    const double step = 2 * SCENE_PI / sides, waves = 2.0 + body % 7, phase = 0.001 * body;
    for (uint32_t i = 0; i < sides * sides; i++) {
        const double a = step * (i / sides), b = step * (i % sides);
        const double width = 0.3 + 0.05 * wi_sin(waves * a + phase) * wi_cos(3 * b + phase);
        const double away = 1 + width * wi_cos(b);
        vec_store((vec){away * wi_cos(a), away * wi_sin(a), width * wi_sin(b)}, xyz_out, i);
    }
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const double rock = wi_sin(2 * SCENE_PI * scene_step(s, frame) / STEPS);
    const double lean = body % LEANING == 0 ? 0.7 + 0.1 * rock : 0;
    const turn none = turn_about((vec){0, 0, 1}, 0);
    const uint32_t row = (uint32_t)ceil(sqrt((double)s->params.bodies)); /* as many rows */
    return turn_pose(&none, (vec){SPACING * (body % row) + lean, SPACING * (body / row), 0});
}

extern const scene_kind scene_shelf;
const scene_kind scene_shelf = {
    .name = "shelf",
    .summary = "rows of rigid bodies with meshes of their own, of which a few collide",
    .stands_for = "hierarchies that no question needs: sphere-trees that are grown on demand",
    .defaults = {.triangles = 512, .bodies = 10000, .frames = STEPS},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 1000000, .frames = 1000000},
    .variants = "",
    .create = create,
    .rest = rest,
    .pose = pose,
};
