/* spot.c - bodies in one spot: rings (tori) that all have about the same place.
 *
 * Stands for what a program does that makes all bodies at the origin before it moves them: every
 * two bodies meet, so a search that collects before it looks takes the square of their number.
 * Variants: `scattered` rings are turned and shifted by a part of their size, each in its own way;
 * `equal` ones have the same positions in frame 0, to the bit. */
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40 };

#define RING 1.0 /* the radius of the ring, and of its tube */
#define TUBE 0.4

typedef struct spot {
    uint32_t across, along; /* squares round the tube, and round the ring */
    bool is_equal;
    vec *rest;
} spot;

static uint32_t wrap_index(const spot *data, uint32_t x, uint32_t y)
{
    return y % data->along * data->across + x % data->across;
}

static bool fill_body(const spot *data, scene_body *body)
{
    body->vertex_count = data->across * data->along;
    body->triangle_count = 2 * body->vertex_count;
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    uint32_t *out = body->indices;
    for (uint32_t i = 0; out != NULL && i < body->vertex_count; i++, out += 6) {
        uint32_t x = i % data->across, y = i / data->across;
        uint32_t a = i, b = wrap_index(data, x + 1, y), c = wrap_index(data, x, y + 1),
                 d = wrap_index(data, x + 1, y + 1);
        const uint32_t square[6] = {a, b, c, b, d, c};
        memcpy(out, square, sizeof square);
    }
    return out != NULL;
}

static bool fill_rest(spot *data)
{
    data->rest = calloc((size_t)data->across * data->along, sizeof *data->rest);
    for (uint32_t i = 0; data->rest != NULL && i < data->across * data->along; i++) {
        double tube = 2 * SCENE_PI * (i % data->across) / data->across;
        double ring = 2 * SCENE_PI * (i / data->across) / data->along;
        double radius = RING + TUBE * wi_cos(tube);
        data->rest[i] = (vec){radius * wi_cos(ring), radius * wi_sin(ring), TUBE * wi_sin(tube)};
    }
    return data->rest != NULL;
}

static bool create(scene *s)
{
    spot *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    s->body_count = s->params.bodies;
    uint32_t squares = s->asked.triangles / 2, across = (uint32_t)sqrt(0.8 * squares);
    data->across = across > 3 ? across : 3;
    data->along = squares / data->across > 3 ? squares / data->across : 3;
    data->is_equal = strcmp(s->params.variant, "equal") == 0;
    s->params.triangles = 2 * data->across * data->along;
    bool fine = fill_rest(data);
    for (uint32_t i = 0; fine && i < s->body_count; i++) fine = fill_body(data, &s->bodies[i]);
    return fine;
}

static void destroy(scene *s)
{
    spot *data = s->data;
    free(data->rest);
    free(data);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const spot *data = s->data;
    uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), body);
    vec way = vec_random_unit(key), place = {0, 0, 0};
    turn own = turn_about((vec){0, 0, 1}, 0);
    if (!data->is_equal) {
        own = turn_about(vec_random_unit(random_key(key, 1)), random_between(key, 5, 0, 3));
        place = vec_scale(0.3, vec_random_unit(random_key(key, 2)));
    }
    place = vec_along(place, 0.02 * scene_step(s, frame), way);
    for (uint32_t i = 0; i < s->bodies[body].vertex_count; i++) {
        vec at = data->is_equal ? data->rest[i] : turn_apply(&own, data->rest[i]);
        vec_store(vec_add(place, at), xyz_out, i);
    }
}

extern const scene_kind scene_spot;
const scene_kind scene_spot = {
    .name = "spot",
    .summary = "rings that all have about the same place, or exactly the same, and leave it slowly",
    .stands_for = "bodies that a program makes at the origin",
    .defaults =
        {.triangles = 64, .bodies = 100, .frames = FRAMES, .seed = 1, .variant = "scattered"},
    .lowest = {.triangles = 18, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 100000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "scattered equal",
    .create = create,
    .destroy = destroy,
    .positions = positions,
};
