/* bumpy.c - two bumpy spheres that deform all the time and move into each other.
 *
 * Stands for the first experiment of Larsson and Akenine-Moller 2001 ("Collision detection for
 * continuously deforming bodies"): every vertex of both bodies moves in every one of 200 steps,
 * they touch first near step 60, and at the end they overlap deeply and are partly past each
 * other. Waves travel over the spheres; they are long against the triangles of the coarsest mesh,
 * so all sizes show the same motion. */
#include "base/trig.h"
#include "icosphere.h"
#include "random.h"
#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAVE_COUNT = 4, STEPS = 200 };

typedef struct wave {
    double direction[3]; /* times the wave number */
    double phase, speed; /* radians, radians per step */
    double height;
} wave;

typedef struct bumpy {
    icosphere sphere;
    wave waves[2][WAVE_COUNT];
} bumpy;

static uint32_t nearest_level(uint32_t triangles)
{
    uint32_t level = 0;
    while (level < ICOSPHERE_LEVEL_MAX &&
           triangles > (icosphere_triangles(level) + icosphere_triangles(level + 1)) / 2) {
        level++;
    }
    return level;
}

static void make_wave(wave *w, uint64_t key, double number, double height)
{
    double d[3];
    for (uint64_t k = 0; k < 3; k++) {
        d[k] = random_between(key, k, -1, 1);
    }
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++) {
        w->direction[k] = number * d[k] / (length > 0.1 ? length : 0.1);
    }
    w->phase = random_between(key, 3, 0, 6.28125);
    w->speed = random_between(key, 4, 0.05, 0.15);
    w->height = height;
}

static void make_waves(bumpy *data, uint32_t seed)
{
    static const double numbers[WAVE_COUNT] = {5, 7, 9, 12};
    static const double heights[WAVE_COUNT] = {0.030, 0.025, 0.020, 0.015};
    for (uint64_t body = 0; body < 2; body++) {
        for (uint64_t i = 0; i < WAVE_COUNT; i++) {
            uint64_t key = random_key(random_key(random_key(WI_HASH_START, seed), body), i);
            make_wave(&data->waves[body][i], key, numbers[i], heights[i]);
        }
    }
}

static bool copy_mesh(scene_body *body, const icosphere *sphere)
{
    size_t size = 3 * (size_t)sphere->triangle_count * sizeof *sphere->indices;
    body->vertex_count = sphere->vertex_count;
    body->triangle_count = sphere->triangle_count;
    body->indices = malloc(size);
    if (body->indices == NULL) {
        return false;
    }
    memcpy(body->indices, sphere->indices, size);
    return true;
}

static bool create(scene *s)
{
    bumpy *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(2, sizeof *s->bodies);
    uint32_t level = nearest_level(s->asked.triangles);
    if (data == NULL || s->bodies == NULL || !icosphere_create(level, &data->sphere)) {
        return false;
    }
    s->body_count = 2;
    s->params.triangles = data->sphere.triangle_count;
    make_waves(data, s->params.seed);
    return copy_mesh(&s->bodies[0], &data->sphere) && copy_mesh(&s->bodies[1], &data->sphere);
}

static void destroy(scene *s)
{
    bumpy *data = s->data;
    free(data->sphere.directions);
    free(data->sphere.indices);
    free(data);
}

static double radius_at(const wave waves[WAVE_COUNT], double step, const double d[3])
{
    double radius = 1;
    for (int i = 0; i < WAVE_COUNT; i++) {
        const wave *w = &waves[i];
        double along = w->direction[0] * d[0] + w->direction[1] * d[1] + w->direction[2] * d[2];
        radius += w->height * wi_sin(along + w->phase + w->speed * step);
    }
    return radius;
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const bumpy *data = s->data;
    double step = (double)frame * STEPS / s->frame_count;
    double side = body == 0 ? -0.5 : 0.5;
    double centre_x = side * (2.93 - 0.016 * step), centre_y = side * 0.6;
    for (uint32_t i = 0; i < data->sphere.vertex_count; i++) {
        const double *d = data->sphere.directions + 3 * (size_t)i;
        double radius = radius_at(data->waves[body], step, d);
        xyz_out[3 * (size_t)i] = (float)(centre_x + radius * d[0]);
        xyz_out[3 * (size_t)i + 1] = (float)(centre_y + radius * d[1]);
        xyz_out[3 * (size_t)i + 2] = (float)(radius * d[2]);
    }
}

extern const scene_kind scene_bumpy;
const scene_kind scene_bumpy = {
    .name = "bumpy",
    .summary = "two bumpy spheres, always deforming, move into each other; contact near step 60",
    .stands_for = "Larsson and Akenine-Moller 2001, experiment 1",
    .defaults = {.triangles = 20480, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .positions = positions,
    .destroy = destroy,
};
