/* selfcloth.c - a cloth falls over a ball that spins, and is wound up into folds within folds.
 *
 * Stands for the scene with which the field measures self-collision: the cloth on a spinning ball
 * of the UNC dynamic scene benchmarks (92 thousand triangles there). The ball is not a body here,
 * so that all pairs are pairs of the cloth with itself. It drags the cloth one way, then the other;
 * the hanging part lags behind, wraps round in several layers, and goes through itself. */
#include "cloth.h"
#include "scenes.h"
#include "sheet.h"

#include <stdlib.h>

enum { STEPS = 160 };

#define BALL 0.5
#define DISTANCE 0.01

typedef struct selfcloth {
    cloth cloth;
    uint32_t squares;
} selfcloth;

/* Radians per second: still while the cloth falls, then one way, the other, and back again. */
static double spin_at(double time)
{
    return 6 * ease((time - 0.4) / 0.3) - 13 * ease((time - 1.2) / 0.3) +
           13 * ease((time - 2.1) / 0.3);
}

static vec stop(const cloth_move *move)
{
    double distance = vec_length(move->now);
    if (distance >= BALL + DISTANCE) {
        return move->now;
    }
    vec normal = vec_unit(move->now);
    vec outside = vec_scale(BALL + DISTANCE, normal);
    vec drift = vec_scale(spin_at(move->time) * move->duration, vec_cross((vec){0, 0, 1}, outside));
    return cloth_rub(move->before, outside, normal, drift, 0.5);
}

static bool create(scene *s)
{
    selfcloth *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(1, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    cloth_def def = {.side = 3,
                     .centre = {0.03, 0.05, BALL + 0.2},
                     .key_count = STEPS + 1,
                     .key = random_key(WI_HASH_START, s->params.seed),
                     .stop = stop};
    data->squares = cloth_squares(s->asked.triangles);
    s->body_count = 1;
    s->params.triangles = 2 * data->squares * data->squares;
    s->bodies[0].self = true;
    s->bodies[0].motion = SCENE_KEYFRAMES;
    return sheet_fill_body(&s->bodies[0], data->squares, data->squares) &&
           cloth_create(&def, &data->cloth);
}

static void destroy(scene *s)
{
    selfcloth *data = s->data;
    cloth_destroy(&data->cloth);
    free(data);
}

static void key(const scene *s, uint32_t key, uint32_t body, uint32_t first, uint32_t count,
                float *xyz_out)
{
    const selfcloth *data = s->data;
    cloth_part part = {data->squares, first, count};
    (void)body; /* there is one */
    cloth_positions(&data->cloth, scene_step(s, scene_key_frame(s, key)), &part, xyz_out);
}

extern const scene_kind scene_selfcloth;
const scene_kind scene_selfcloth = {
    .name = "selfcloth",
    .summary = "one cloth on a ball that spins, wound up into layers that go through each other",
    .stands_for = "self-collision: the cloth on a ball of the UNC dynamic scene benchmarks",
    .defaults = {.triangles = 32768, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 2, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .inbetween = 10000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .key = key,
};
