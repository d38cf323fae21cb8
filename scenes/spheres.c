/* spheres.c - two spheres that swell until they meet; what meets turns back.
 *
 * Stands for the scene with which Zachmann and Weller 2006 ("Kinetic bounding volume hierarchies
 * for collision detection of deformable objects", section 9) measure what a change of a flight plan
 * costs, 2 to 40 thousand triangles in both spheres together: every vertex goes straight away from
 * the middle of its sphere, and the velocities of triangles that collide are reversed. Here a
 * triangle collides at the first whole step at which one of its vertices that still goes outward is
 * a little within the ball that the other sphere would be without its dent. A ring of contact then
 * widens around a dent in each sphere, and every vertex turns at most once. */
#include "icosphere.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200, BODIES = 2 };

#define RADIUS 0.5
#define SPEED 0.0085 /* per step */
#define DEPTH 0.03   /* how far within the other ball a vertex turns back */

/* The way of a vertex: from `start` with `velocity`, and from the step `turned` on back again. They
 * are kept as the floats that they are handed out as; gcc 12 drops the rounding of numbers that go
 * to float and straight back to double. */
typedef struct way {
    float start[3], velocity[3];
    double turned; /* STEPS: never */
} way;

typedef struct ball {
    vec centre;
    double speed; /* of its radius */
    turn turned;  /* so that the two meshes do not mirror each other */
    way *ways;
    scene_change *changes;
    size_t change_count;
} ball;

typedef struct spheres {
    icosphere mesh;
    ball balls[BODIES];
} spheres;

/* ---- the ways ---- */

static vec wide(const float a[3]) { return (vec){(double)a[0], (double)a[1], (double)a[2]}; }

static vec way_outward(const way *w, double time)
{
    return vec_along(wide(w->start), time, wide(w->velocity));
}

static vec way_at(const way *w, double time)
{
    if (time < w->turned) {
        return way_outward(w, time);
    }
    vec back = vec_scale(-1, wide(w->velocity));
    return vec_along(way_outward(w, w->turned), time - w->turned, back);
}

static bool goes_outward(const way *w) { return w->turned >= STEPS; }

static void start_ways(ball *b, const icosphere *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        vec out = turn_apply(&b->turned, vec_load(mesh->directions + 3 * (size_t)i));
        vec_store(vec_along(b->centre, RADIUS, out), b->ways[i].start, 0);
        vec_store(vec_scale(b->speed, out), b->ways[i].velocity, 0);
        b->ways[i].turned = STEPS;
    }
}

/* ---- collisions ---- */

static bool is_within(const ball *b, double time, vec at)
{
    vec off = vec_sub(at, b->centre);
    double radius = RADIUS + b->speed * time - DEPTH;
    return vec_dot(off, off) < radius * radius;
}

/* Whether a vertex of the triangle goes outward and has reached the other ball. One that turns at
 * this very step still counts, so that the order of triangles does not matter. */
static bool collides(const ball *own, const ball *other, const uint32_t tri[3], double step)
{
    for (int k = 0; k < 3; k++) {
        const way *w = &own->ways[tri[k]];
        if (w->turned >= step && is_within(other, step, way_outward(w, step))) {
            return true;
        }
    }
    return false;
}

static void turn_back(ball *own, const ball *other, const icosphere *mesh, uint32_t step)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *tri = mesh->indices + 3 * (size_t)t;
        if (!collides(own, other, tri, step)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            way *w = &own->ways[tri[k]];
            w->turned = goes_outward(w) ? step : w->turned;
        }
    }
}

static void note_change(ball *b, double time, uint32_t vertex, float sign)
{
    const float *v = b->ways[vertex].velocity;
    b->changes[b->change_count++] =
        (scene_change){time, vertex, {sign * v[0], sign * v[1], sign * v[2]}};
}

/* Sorted by time and vertex, as they happen. */
static void run(spheres *data, ball *own, const ball *other)
{
    uint32_t vertex_count = data->mesh.vertex_count;
    for (uint32_t i = 0; i < vertex_count; i++) {
        note_change(own, 0, i, 1);
    }
    for (uint32_t step = 1; step < STEPS; step++) {
        turn_back(own, other, &data->mesh, step);
        for (uint32_t i = 0; i < vertex_count; i++) {
            if (own->ways[i].turned == step) {
                note_change(own, step, i, -1);
            }
        }
    }
}

/* ---- the scene ---- */

static bool start_ball(ball *b, const icosphere *mesh, uint32_t number, uint64_t key)
{
    double side = number == 0 ? -1 : 1;
    b->centre = (vec){1.25 * side, 0.2 * side, 0.1 * side};
    b->speed = SPEED * random_between(key, 0, 0.95, 1.05);
    b->turned = turn_about(vec_random_unit(random_key(key, 1)), random_between(key, 2, 0, 6));
    b->ways = calloc(mesh->vertex_count, sizeof *b->ways);
    b->changes = calloc(2 * (size_t)mesh->vertex_count, sizeof *b->changes);
    if (b->ways == NULL || b->changes == NULL) {
        return false;
    }
    start_ways(b, mesh);
    return true;
}

static bool create(scene *s)
{
    spheres *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(BODIES, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL ||
        !icosphere_create(icosphere_nearest_level(s->asked.triangles), &data->mesh)) {
        return false;
    }
    s->body_count = BODIES;
    s->params.triangles = data->mesh.triangle_count;
    uint64_t key = random_key(WI_HASH_START, s->params.seed);
    for (uint32_t i = 0; i < BODIES; i++) {
        s->bodies[i].motion = SCENE_PLANS;
        if (!icosphere_fill_body(&s->bodies[i], &data->mesh) ||
            !start_ball(&data->balls[i], &data->mesh, i, random_key(key, i))) {
            return false;
        }
    }
    run(data, &data->balls[0], &data->balls[1]);
    run(data, &data->balls[1], &data->balls[0]);
    return true;
}

static void destroy(scene *s)
{
    spheres *data = s->data;
    icosphere_destroy(&data->mesh);
    for (int i = 0; i < BODIES; i++) {
        free(data->balls[i].ways);
        free(data->balls[i].changes);
    }
    free(data);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const spheres *data = s->data;
    double time = scene_step(s, frame);
    for (uint32_t i = 0; i < data->mesh.vertex_count; i++) {
        vec_store(way_at(&data->balls[body].ways[i], time), xyz_out, i);
    }
}

static const scene_change *changes(const scene *s, uint32_t body, size_t *count_out)
{
    const spheres *data = s->data;
    *count_out = data->balls[body].change_count;
    return data->balls[body].changes;
}

extern const scene_kind scene_spheres;
const scene_kind scene_spheres = {
    .name = "spheres",
    .summary = "two spheres swell and meet; the velocities of what collides are reversed",
    .stands_for = "Zachmann and Weller 2006, section 9: expanding spheres",
    .defaults = {.triangles = 5120, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .changes = changes,
    .time = scene_step,
};
