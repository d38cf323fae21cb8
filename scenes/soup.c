/* soup.c - random triangles in a cube, several bodies of them, each going its own way.
 *
 * Stands for no paper: it is the scene in which nothing is smooth, connected or near where its
 * neighbour in memory is, so it finds what tidy meshes hide. Pairs within bodies count too.
 * Variants: `apart` gives every triangle its own vertices; `strips` lets neighbours share them,
 * in bands that are drawn through random points and so cross each other. */
#include "random.h"
#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between the frames of a beat everything moves straight; strips turn every so many vertices. */
enum { BEAT = 8, BEND = 6 };

typedef struct soup {
    double size; /* of a triangle; the cube has side 1 */
    bool strips;
} soup;

static bool fill_body(const scene *s, scene_body *body)
{
    const soup *data = s->data;
    uint32_t triangles = s->params.triangles;
    body->self = true;
    body->triangle_count = triangles;
    body->vertex_count = data->strips ? triangles + 2 : 3 * triangles;
    body->indices = malloc(3 * (size_t)triangles * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < triangles; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            body->indices[3 * (size_t)i + k] = data->strips ? i + k : 3 * i + k;
        }
    }
    return true;
}

/* Small enough that a triangle meets only a few others, however many there are. */
static double triangle_size(double count)
{
    double size = 0.5;
    while (size * size * size * count > 2) {
        size *= 0.875;
    }
    return size;
}

static bool create(scene *s)
{
    soup *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    s->body_count = s->params.bodies;
    data->strips = strcmp(s->params.variant, "strips") == 0;
    data->size = triangle_size((double)s->params.triangles * s->params.bodies);
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (!fill_body(s, &s->bodies[i])) {
            return false;
        }
    }
    return true;
}

/* A point that visits a new random place in the cube every beat. */
static void wander(uint64_t key, uint32_t frame, double out[3])
{
    double share = (double)(frame % BEAT) / BEAT;
    uint64_t from = random_key(key, frame / BEAT), to = random_key(key, frame / BEAT + 1);
    for (uint64_t k = 0; k < 3; k++) {
        out[k] = (1 - share) * random_unit(from, k) + share * random_unit(to, k);
    }
}

/* Around `centre`, anew in every frame. */
static void scatter(const double centre[3], double size, uint64_t key, uint32_t frame, float *out)
{
    uint64_t now = random_key(key, frame);
    for (uint64_t k = 0; k < 3; k++) {
        double fixed = random_between(key, k, -0.5, 0.5);
        double jitter = random_between(now, k, -0.125, 0.125);
        out[k] = (float)(centre[k] + size * (fixed + jitter));
    }
}

static void place_apart(const soup *data, uint64_t key, uint32_t frame, uint32_t triangles,
                        float *xyz_out)
{
    for (uint32_t i = 0; i < triangles; i++) {
        double centre[3];
        uint64_t own = random_key(key, i);
        wander(own, frame, centre);
        for (uint32_t k = 0; k < 3; k++) {
            scatter(centre, data->size, random_key(own, k), frame, xyz_out + 9 * (size_t)i + 3 * k);
        }
    }
}

static void place_strips(const soup *data, uint64_t key, uint32_t frame, uint32_t vertices,
                         float *xyz_out)
{
    for (uint32_t i = 0; i < vertices; i++) {
        double from[3], to[3], centre[3];
        double share = (double)(i % BEND) / BEND;
        wander(random_key(key, i / BEND), frame, from);
        wander(random_key(key, i / BEND + 1), frame, to);
        for (int k = 0; k < 3; k++) {
            centre[k] = (1 - share) * from[k] + share * to[k];
        }
        scatter(centre, data->size, random_key(key, (uint64_t)i << 32), frame,
                xyz_out + 3 * (size_t)i);
    }
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const soup *data = s->data;
    uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), body);
    if (data->strips) {
        place_strips(data, key, frame, s->bodies[body].vertex_count, xyz_out);
    } else {
        place_apart(data, key, frame, s->bodies[body].triangle_count, xyz_out);
    }
}

extern const scene_kind scene_soup;
const scene_kind scene_soup = {
    .name = "soup",
    .summary = "random triangles that move at random, several bodies, pairs within them too",
    .stands_for = "nothing smooth: random input for tests",
    .defaults = {.triangles = 500, .bodies = 4, .frames = 40, .seed = 1, .variant = "apart"},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 1000000, .bodies = 10000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "apart strips",
    .create = create,
    .positions = positions,
};
