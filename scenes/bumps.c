/* bumps.c - the waves of bumpy spheres. Way in: bumps_make, bumps_radius, bumps_set_create. */
#include "bumps.h"
#include "base/trig.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

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

bumps bumps_make(uint64_t key)
{
    static const double numbers[WAVE_COUNT] = {5, 7, 9, 12};
    static const double heights[WAVE_COUNT] = {0.030, 0.025, 0.020, 0.015};
    bumps b;
    for (uint64_t i = 0; i < WAVE_COUNT; i++) {
        make_wave(&b.waves[i], random_key(key, i), numbers[i], heights[i]);
    }
    return b;
}

double bumps_radius(const bumps *b, double step, const double d[3])
{
    double radius = 1;
    for (int i = 0; i < WAVE_COUNT; i++) {
        const wave *w = &b->waves[i];
        double along = w->direction[0] * d[0] + w->direction[1] * d[1] + w->direction[2] * d[2];
        radius += w->height * wi_sin(along + w->phase + w->speed * step);
    }
    return radius;
}

void bumps_positions(const bumps *b, double step, const icosphere *sphere, float *xyz_out)
{
    for (uint32_t i = 0; i < sphere->vertex_count; i++) {
        const double *d = sphere->directions + 3 * (size_t)i;
        double radius = bumps_radius(b, step, d);
        for (int k = 0; k < 3; k++) {
            xyz_out[3 * (size_t)i + (size_t)k] = (float)(radius * d[k]);
        }
    }
}

bool bumps_set_create(bumps_set *set, scene *s, uint32_t body_count)
{
    *set = (bumps_set){.of_body = calloc(body_count, sizeof *set->of_body)};
    s->bodies = calloc(body_count, sizeof *s->bodies);
    if (set->of_body == NULL || s->bodies == NULL ||
        !icosphere_create(icosphere_nearest_level(s->asked.triangles), &set->sphere)) {
        return false;
    }
    s->body_count = body_count;
    s->params.triangles = set->sphere.triangle_count;
    for (uint32_t i = 0; i < body_count; i++) {
        set->of_body[i] = bumps_make(random_key(random_key(WI_HASH_START, s->params.seed), i));
        if (!icosphere_fill_body(&s->bodies[i], &set->sphere)) {
            return false;
        }
    }
    return true;
}

void bumps_set_destroy(bumps_set *set)
{
    icosphere_destroy(&set->sphere);
    free(set->of_body);
}
