/* fans.c - triangles round one vertex: discs and cones, of few triangles or of thousands.
 *
 * Stands for caps of cylinders, cones and poles of spheres in meshes that were not made for
 * collision detection: all triangles of a fan share a vertex, so that a test of neighbours two by
 * two takes the square of their number. The parts of a body are fans of equal size, side by side,
 * and touch nothing. Variants: a `fan` is a wavy disc; a `cap` is a disc that is exactly flat and
 * stays so; a `cone` has its vertex above the rim. */
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40 };

/* Between the middles of two fans, whose radius is 1. */
#define SPACING 2.5

typedef struct fans {
    uint32_t rim;         /* vertices round each: as many as triangles */
    double *circle;       /* sine and cosine of every vertex of a rim */
    double height, waves; /* of the vertex in the middle; of the rim */
} fans;

static void fill_indices(const scene *s, uint32_t rim, uint32_t *out)
{
    for (uint32_t part = 0; part < s->params.parts; part++) {
        uint32_t middle = part * (rim + 1);
        for (uint32_t i = 0; i < rim; i++, out += 3) {
            out[0] = middle;
            out[1] = middle + 1 + i;
            out[2] = middle + 1 + (i + 1) % rim;
        }
    }
}

static void fill_circle(fans *data)
{
    for (uint32_t i = 0; i < data->rim; i++) {
        double angle = 2 * SCENE_PI * i / data->rim;
        data->circle[2 * i] = wi_sin(angle);
        data->circle[2 * i + 1] = wi_cos(angle);
    }
}

static bool create(scene *s)
{
    fans *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(1, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    data->rim = s->asked.triangles / s->asked.parts > 3 ? s->asked.triangles / s->asked.parts : 3;
    data->circle = calloc(data->rim, 2 * sizeof *data->circle);
    data->height = strcmp(s->params.variant, "cone") == 0 ? 1 : 0;
    data->waves = strcmp(s->params.variant, "cap") == 0 ? 0 : 0.1;
    s->params.triangles = data->rim * s->params.parts;
    s->body_count = 1;
    scene_body *body = &s->bodies[0];
    body->self = true;
    body->triangle_count = s->params.triangles;
    body->vertex_count = (data->rim + 1) * s->params.parts;
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    if (body->indices == NULL || data->circle == NULL) return false;
    fill_indices(s, data->rim, body->indices);
    fill_circle(data);
    return true;
}

static void destroy(scene *s)
{
    fans *data = s->data;
    free(data->circle);
    free(data);
}

static uint32_t side_of(uint32_t parts)
{
    uint32_t side = 1;
    while (side * side < parts) side++;
    return side;
}

/* The rim goes up and down five times; the waves travel. */
static void place_fan(const fans *data, vec middle, double step, float *xyz)
{
    vec_store(vec_add(middle, (vec){0, 0, data->height + 0.03 * wi_sin(0.4 * step)}), xyz, 0);
    for (uint32_t i = 0; i < data->rim; i++) {
        double share = (double)i / data->rim;
        double wave = data->waves * wi_sin(2 * SCENE_PI * 5 * share + 0.2 * step);
        vec rim = {data->circle[2 * i + 1], data->circle[2 * i], wave};
        if (data->waves == 0) rim.z = 0.03 * wi_sin(0.4 * step);
        vec_store(vec_add(middle, rim), xyz, 1 + i);
    }
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const fans *data = s->data;
    const uint32_t side = side_of(s->params.parts);
    (void)body; /* there is one */
    for (uint32_t part = 0; part < s->params.parts; part++) {
        vec middle = {SPACING * (part % side), SPACING * (part / side), 0};
        place_fan(data, middle, scene_step(s, frame), xyz_out + 3 * (size_t)part * (data->rim + 1));
    }
}

extern const scene_kind scene_fans;
const scene_kind scene_fans = {
    .name = "fans",
    .summary = "discs or cones of many triangles round one vertex each, side by side in one body",
    .stands_for = "caps, cones and poles: a vertex that thousands of triangles share",
    .defaults = {.triangles = 4096, .parts = 1, .frames = FRAMES, .variant = "fan"},
    .lowest = {.triangles = 3, .parts = 1, .frames = 1},
    .highest = {.triangles = 2000000, .parts = 100000, .frames = 1000000},
    .variants = "fan cap cone",
    .create = create,
    .destroy = destroy,
    .positions = positions,
};
