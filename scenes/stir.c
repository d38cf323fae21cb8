/* stir.c - a vessel full of small pieces that a spoon stirs, so that neighbours part and mix.
 *
 * Stands for motion under which a kept hierarchy decays: the pieces are one body, and those that
 * start side by side, in space and in memory, end far from each other, so that boxes over them grow
 * until they hold the whole vessel. The flow is a ring that rolls in itself while it goes round:
 * a piece at the distance d from the heart of the ring rolls and goes round with speeds that depend
 * on d alone, which is a formula for every frame. The spoon is rigid; it starts above the vessel,
 * dips in and goes round against the flow. */
#include "icosphere.h"
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, SPOON_LEVEL = 3 };

/* The ring: from the axis to its heart, and from there to its outside. */
#define RING 1.0
#define THICK 0.8

typedef struct stir {
    uint32_t piece_count;
    double size; /* from the middle of a piece to its corners */
    icosphere spoon;
} stir;

/* ---- the pieces ---- */

/* Big enough that some touch, however many there are: the boxes around them fill about a fiftieth
 * of the ring. */
static double piece_size(uint32_t count)
{
    double size = 1;
    while (size * size * size * count > 0.15) {
        size *= 0.984375;
    }
    return size;
}

static bool fill_pieces(scene_body *body, uint32_t count)
{
    static const uint32_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    body->self = true;
    body->vertex_count = 4 * count;
    body->triangle_count = 4 * count;
    body->indices = malloc(12 * (size_t)count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    for (size_t i = 0; i < 12 * (size_t)count; i++) {
        body->indices[i] = (uint32_t)(i / 12) * 4 + sides[i % 12];
    }
    return true;
}

/* Pieces go round the ring in their order; within the ring they are anywhere. */
static vec piece_place(const stir *data, uint32_t piece, uint64_t key, double step)
{
    double off = THICK * sqrt(random_unit(key, 0));
    double roll = random_between(key, 1, 0, 2 * SCENE_PI) + (0.2 - 0.2 * off) * step;
    double around = 2 * SCENE_PI * piece / data->piece_count + (0.01 + 0.08 * off) * step;
    double radius = RING + off * wi_cos(roll);
    return (vec){radius * wi_cos(around), radius * wi_sin(around), off * wi_sin(roll)};
}

static void piece_positions(const scene *s, uint32_t frame, float *xyz_out)
{
    static const vec corners[4] = {{0.577, 0.577, 0.577},
                                   {0.577, -0.577, -0.577},
                                   {-0.577, 0.577, -0.577},
                                   {-0.577, -0.577, 0.577}};
    const stir *data = s->data;
    double step = scene_step(s, frame);
    for (uint32_t i = 0; i < data->piece_count; i++) {
        uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), i);
        vec place = piece_place(data, i, key, step);
        turn spin = turn_about(vec_random_unit(random_key(key, 2)),
                               random_between(key, 3, 0.02, 0.1) * step);
        for (uint32_t k = 0; k < 4; k++) {
            vec corner = turn_apply(&spin, corners[k]);
            vec_store(vec_along(place, data->size, corner), xyz_out, 4 * i + k);
        }
    }
}

/* ---- the spoon ---- */

static bool fill_spoon(scene_body *body, icosphere *spoon)
{
    if (!icosphere_create(SPOON_LEVEL, spoon)) {
        return false;
    }
    body->motion = SCENE_RIGID;
    body->vertex_count = spoon->vertex_count;
    body->triangle_count = spoon->triangle_count;
    body->indices = spoon->indices;
    spoon->indices = NULL;
    return true;
}

/* A sphere that is flat one way and drawn out to a handle upwards. */
static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const stir *data = s->data;
    (void)body; /* the other one is not rigid */
    for (uint32_t i = 0; i < data->spoon.vertex_count; i++) {
        vec d = vec_load(data->spoon.directions + 3 * (size_t)i);
        double handle = ease((d.z - 0.5) / 0.4);
        vec at = {0.3 * d.x * (1 - 0.7 * handle), 0.12 * d.y, 0.35 * d.z + 1.5 * handle};
        vec_store(at, xyz_out, i);
    }
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    double step = scene_step(s, frame);
    double around = -0.1 * step;
    double height = 1.4 * (1 - ease((step - 10) / 40)) - 0.1;
    turn about = turn_about((vec){0, 0, 1}, around);
    (void)body;
    return turn_pose(&about, (vec){RING * wi_cos(around), RING * wi_sin(around), height});
}

/* ---- the scene ---- */

static bool create(scene *s)
{
    stir *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(2, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    data->piece_count = (s->asked.triangles + 2) / 4;
    data->size = piece_size(data->piece_count);
    s->body_count = 2;
    s->params.triangles = 4 * data->piece_count;
    return fill_pieces(&s->bodies[0], data->piece_count) && fill_spoon(&s->bodies[1], &data->spoon);
}

static void destroy(scene *s)
{
    stir *data = s->data;
    icosphere_destroy(&data->spoon);
    free(data);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    (void)body; /* the other one is rigid */
    piece_positions(s, frame, xyz_out);
}

extern const scene_kind scene_stir;
const scene_kind scene_stir = {
    .name = "stir",
    .summary = "a spoon stirs thousands of small pieces; neighbours part, so kept trees decay",
    .stands_for = "motion without coherence between neighbours",
    .defaults = {.triangles = 20000, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 4, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .rest = rest,
    .pose = pose,
};
