/* shatter.c - a vase that shakes is hit by a ball and breaks, shard by shard.
 *
 * Stands for what games and films show most: a body that deforms while cracks run through it, away
 * from where it is hit. A shard leaves when its last edge is broken. */
#include "icosphere.h"
#include "shell_cracks.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 120, HIT_STEP = 12, LEVELS = 2, SHARDS = 40, BALL_LEVEL = 3 };

#define THICKNESS 0.06
#define BALL_RADIUS 0.3
#define CRACK_SPEED 0.045 /* for each step */

typedef struct shatter {
    shell_cracks shell;
    uint8_t *shard; /* by triangle of the mesh */
    vec middle[SHARDS];
    double leaves[SHARDS]; /* the step in which a shard is free */
    icosphere ball;
} shatter;

/* A vase: narrow below, a belly, a neck, a lip. */
static double radius_at(double down)
{
    static const double radii[] = {0.62, 0.5, 0.46, 0.62, 0.86, 1.0, 1.0, 0.88, 0.68, 0.5, 0.42};
    const double at = 10 * down;
    const int i = at >= 9 ? 9 : (int)at;
    return curve(radii[i > 0 ? i - 1 : 0], radii[i], radii[i + 1], radii[i < 9 ? i + 2 : 10],
                 at - i);
}

/* The last eighth is the bottom. */
static vec vase_point(const round_mesh *m, uint32_t v, double depth)
{
    const double side = m->down[v] / 0.875, down = side < 1 ? side : 1;
    const double bottom = side < 1 ? 1 : (1 - m->down[v]) / 0.125;
    const double radius = (radius_at(down) - depth * THICKNESS) * bottom;
    const double z = 1.5 - 3 * down + (down > 0.9 ? depth * THICKNESS * 10 * (down - 0.9) : 0);
    return (vec){radius * wi_cos(m->around[v]), radius * wi_sin(m->around[v]), z};
}

static vec hit_point(void) { return (vec){1, 0, -0.1}; }

/* ---- shards ---- */

static vec middle_of(const round_mesh *m, uint32_t tri)
{
    const uint32_t *v = m->tris[tri];
    return vec_scale(1.0 / 3, vec_add(vec_add(vase_point(m, v[0], 0), vase_point(m, v[1], 0)),
                                      vase_point(m, v[2], 0)));
}

/* Shards are smaller near the hit. */
static void choose_middles(const scene *s, shatter *d)
{
    const uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), 27);
    for (uint32_t i = 0; i < SHARDS; i++) {
        const double share = random_unit(key, 3 * i);
        const double around = (random_unit(key, 3 * i + 1) - 0.5) * (i % 3 == 0 ? 2 : 1);
        const double down = i % 3 == 0 ? share : 0.3 + 0.45 * share;
        const double radius = radius_at(down);
        d->middle[i] = (vec){radius * wi_cos(SCENE_PI * around), radius * wi_sin(SCENE_PI * around),
                             1.5 - 3 * down};
    }
}

static uint32_t nearest(const shatter *d, vec p)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < SHARDS; i++) {
        const vec away = vec_sub(p, d->middle[i]);
        const double distance = vec_dot(away, away);
        if (distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

/* A crack runs away from the hit. */
static double step_of_crack(vec at)
{
    return HIT_STEP + vec_length(vec_sub(at, hit_point())) / CRACK_SPEED;
}

static bool plan(const scene *s, shatter *d)
{
    const round_mesh *m = &d->shell.mesh;
    d->shard = malloc(m->tri_count * sizeof *d->shard);
    if (d->shard == NULL) return false;
    for (uint32_t tri = 0; tri < m->tri_count; tri++)
        d->shard[tri] = (uint8_t)nearest(d, middle_of(m, tri));
    for (uint32_t e = 0; e < 3 * m->tri_count; e++) {
        const uint32_t shard = d->shard[e / 3];
        if (m->beside[e] == ROUND_RIM || shard == d->shard[m->beside[e] / 3]) continue;
        const uint32_t *v = m->tris[e / 3];
        const vec at = vec_mix(vase_point(m, v[e % 3], 0), vase_point(m, v[(e + 1) % 3], 0), 0.5);
        const double step = step_of_crack(at);
        shell_cracks_break(&d->shell, e, scene_frame_of_step(s, step));
        if (step > d->leaves[shard]) d->leaves[shard] = step;
    }
    return true;
}

static bool create(scene *s)
{
    shatter *d = calloc(1, sizeof *d);
    s->data = d;
    s->bodies = calloc(2, sizeof *s->bodies);
    if (d == NULL || s->bodies == NULL) return false;
    s->body_count = 2;
    s->params.triangles = s->asked.triangles & ~1U;
    const uint32_t outside = s->params.triangles / 2;
    const uint32_t around = (uint32_t)(0.5 * sqrt((double)outside)) * 2;
    choose_middles(s, d);
    if (!icosphere_create(BALL_LEVEL, &d->ball) || !icosphere_fill_body(&s->bodies[1], &d->ball) ||
        !round_create(&d->shell.mesh, outside & ~1U, around, true) ||
        !shell_cracks_begin(&d->shell, LEVELS, false) || !plan(s, d) ||
        !shell_cracks_play(&d->shell, s->frame_count))
        return false;
    s->bodies[0].self = true;
    s->bodies[1].motion = SCENE_RIGID;
    return lives_fill_body(&d->shell.lives, &s->bodies[0]);
}

static void destroy(scene *s)
{
    shatter *d = s->data;
    shell_cracks_destroy(&d->shell);
    icosphere_destroy(&d->ball);
    free(d->shard);
    free(d);
}

/* ---- where it is ---- */

/* It shakes in its second mode once it is hit. */
static vec shaken(vec p, double step)
{
    const double since = step - HIT_STEP;
    if (since <= 0) return p;
    const double swing = 0.06 * wi_sin(0.5 * since) / (1 + 0.02 * since);
    const double bend = swing * (p.z + 1.5) / 3;
    return (vec){p.x * (1 + swing) - bend, p.y * (1 - swing), p.z};
}

/* A shard that is free goes away from the hit, turns and falls. */
static vec flown(const shatter *d, uint32_t shard, vec p, double step)
{
    const double since = (step - d->leaves[shard]) / 40;
    if (since <= 0) return p;
    const vec c = d->middle[shard], away = {c.x - 0.5, c.y, 0.2};
    const turn turning = turn_about(vec_unit((vec){c.y, -c.x, 0.5}), 0.8 * since);
    const vec turned = vec_add(c, turn_apply(&turning, vec_sub(p, c)));
    const vec at = vec_along(turned, 0.5 * since, away);
    return (vec){at.x, at.y, at.z - 0.25 * since * since};
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const shatter *d = s->data;
    const double step = scene_step(s, frame);
    for (uint32_t i = 0; i < s->bodies[body].vertex_count; i++) {
        const shell_vertex v = shell_cracks_vertex(&d->shell, i);
        const vec p = shaken(vase_point(&d->shell.mesh, v.vertex, v.depth), step);
        vec_store(flown(d, d->shard[v.cell], p, step), xyz_out, i);
    }
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const shatter *d = s->data;
    (void)body;
    for (uint32_t i = 0; i < d->ball.vertex_count; i++)
        vec_store(vec_scale(BALL_RADIUS, vec_load(d->ball.directions + 3 * (size_t)i)), xyz_out, i);
}

/* Through the wall, and on through the vase, slowly. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const double step = scene_step(s, frame) - HIT_STEP;
    const double speed = step < 0 ? 0.06 : 0.015;
    const turn turning = turn_about((vec){0, 1, 0}, -0.05 * step);
    (void)body;
    return turn_pose(&turning, (vec){1 + BALL_RADIUS - speed * step, 0, -0.1});
}

extern const scene_kind scene_shatter;
const scene_kind scene_shatter = {
    .name = "shatter",
    .summary = "a vase that shakes is hit by a ball; cracks run through it, and shards leave",
    .stands_for = "progressive fracture of a body that deforms, hit by another",
    .defaults = {.triangles = 8000, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1000, .frames = 1},
    .highest = {.triangles = 50000, .frames = 100000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .rest = rest,
    .pose = pose,
};
