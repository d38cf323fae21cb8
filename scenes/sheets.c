/* sheets.c - sheets of squares above each other in one body: smooth, rough or exactly flat.
 *
 * Stands for stacks of paper, sheets of metal and cloths that are laid together, and for a cloth
 * far away from the origin. Squares have sides of length 1. Variants: a `cloth` has waves that
 * travel; `flat` sheets are exactly so, and `rough` ones the same with vertices that are off a
 * little; `tilted` and `rough_tilted` are these at 45 degrees, exactly flat again; `far` is the
 * cloth at a million from the origin in x, y and z, with sides of a quarter, so that its
 * positions are rounded to sixteenths, and `far_back` has these rounded positions, shifted back to
 * the origin. */
#include "scenes.h"
#include "sheet.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40 };

#define GAP 0.5     /* between two sheets that are flat */
#define ROUGH 0.125 /* how far vertices may be off then */
#define FAR 1e6
#define FAR_SIDE 0.25

typedef struct sheets {
    uint32_t squares; /* of a side */
    bool has_waves, is_rough, is_tilted, is_far, is_back;
} sheets;

static bool is_variant(const scene *s, const char *name)
{
    return strcmp(s->params.variant, name) == 0;
}

/* The triangles of one sheet, once for each of them. */
static bool fill_sheets(scene_body *body, uint32_t squares, uint32_t parts)
{
    scene_body one = {.self = true};
    if (!sheet_fill_body(&one, squares, squares)) return false;
    const size_t count = 3 * (size_t)one.triangle_count;
    *body = one;
    body->vertex_count *= parts;
    body->triangle_count *= parts;
    body->indices = malloc(parts * count * sizeof *body->indices);
    for (size_t i = 0; body->indices != NULL && i < parts * count; i++) {
        body->indices[i] = one.indices[i % count] + (uint32_t)(i / count) * one.vertex_count;
    }
    free(one.indices);
    return body->indices != NULL;
}

static bool create(scene *s)
{
    sheets *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(1, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    const double wanted = 0.5 * s->asked.triangles / s->asked.parts;
    data->squares = 1;
    while ((data->squares + 0.5) * (data->squares + 0.5) < wanted) data->squares++;
    data->is_far = is_variant(s, "far") || is_variant(s, "far_back");
    data->is_back = is_variant(s, "far_back");
    data->has_waves = is_variant(s, "cloth") || data->is_far;
    data->is_rough = is_variant(s, "rough") || is_variant(s, "rough_tilted");
    data->is_tilted = is_variant(s, "tilted") || is_variant(s, "rough_tilted");
    s->body_count = 1;
    s->params.triangles = 2 * data->squares * data->squares * s->params.parts;
    return fill_sheets(&s->bodies[0], data->squares, s->params.parts);
}

/* How high a cloth is above its plane: two waves that cross and travel. */
static double cloth_height(double x, double y, double step)
{
    return 3 * wi_sin(0.11 * x + 0.05 * y + 0.1 * step) +
           1.5 * wi_sin(0.17 * y - 0.04 * x - 0.13 * step);
}

static vec sheet_point(const scene *s, uint32_t frame, uint32_t part, uint32_t x, uint32_t y)
{
    const sheets *data = s->data;
    const uint32_t row = data->squares + 1;
    vec at = {x, y, GAP * part};
    if (data->has_waves) {
        at.z = 8.0 * part + cloth_height(x, y, scene_step(s, frame));
    } else {
        at.x += 0.125 * scene_step(s, frame); /* within the plane, so that what is flat stays so */
    }
    if (data->is_rough) {
        uint64_t key = random_key(WI_HASH_START, s->params.seed);
        at.z += random_between(key, ((uint64_t)part * row + y) * row + x, -ROUGH, ROUGH);
    }
    return at;
}

/* Two axes change by whole numbers and halves: a plane stays exactly one, but for roughness. */
static vec tilt(vec at) { return (vec){at.x, at.y - at.z, at.y + at.z}; }

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const sheets *data = s->data;
    const uint32_t row = data->squares + 1, count = s->bodies[body].vertex_count;
    const vec far = {FAR, FAR, FAR};
    for (uint32_t i = 0; i < count; i++) {
        vec at = sheet_point(s, frame, i / (row * row), i % row, i / row % row);
        if (data->is_tilted) at = tilt(at);
        if (data->is_far) at = vec_along(far, FAR_SIDE, at);
        vec_store(at, xyz_out, i);
        if (data->is_back) {
            const float *p = xyz_out + 3 * (size_t)i;
            vec rounded = {(double)p[0], (double)p[1], (double)p[2]};
            vec_store(vec_sub(rounded, far), xyz_out, i);
        }
    }
}

extern const scene_kind scene_sheets;
const scene_kind scene_sheets = {
    .name = "sheets",
    .summary = "sheets of squares above each other in one body: a cloth, or flat, tilted, far away",
    .stands_for = "stacks of paper and metal, and coordinates far from the origin",
    .defaults = {.triangles = 20000, .parts = 1, .frames = FRAMES, .seed = 1, .variant = "cloth"},
    .lowest = {.triangles = 2, .parts = 1, .frames = 1},
    .highest = {.triangles = 2000000, .parts = 10000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "cloth flat rough tilted rough_tilted far far_back",
    .create = create,
    .positions = positions,
};
