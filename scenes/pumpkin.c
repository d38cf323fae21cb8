/* pumpkin.c - a pumpkin falls, and breaks into rigid pieces all at once.
 *
 * Stands for instantaneous fracture (Otaduy and others 2007, section 5.4): a hollow body of 10,000
 * triangles breaks into 2 to 64 pieces, which fly apart, turn and go through each other. Which
 * piece a triangle is of is decided by the nearest of as many directions. */
#include "camera.h"
#include "shell_cracks.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200, BREAK_STEP = 20, LEVELS = 5, RIBS = 14, MOST_PIECES = 64 };

#define THICKNESS 0.18
#define FALL 1.2

typedef struct pumpkin {
    shell_cracks shell;
    uint8_t *piece; /* by triangle of the mesh */
    vec towards[MOST_PIECES], centre[MOST_PIECES], axis[MOST_PIECES];
    uint8_t *piece_of_tri, *piece_of_vertex; /* of the body */
    float *rest;
} pumpkin;

static vec direction_of(const round_mesh *m, uint32_t v)
{
    const double polar = SCENE_PI * m->down[v], s = wi_sin(polar);
    return (vec){s * wi_cos(m->around[v]), s * wi_sin(m->around[v]), wi_cos(polar)};
}

static vec pumpkin_point(const round_mesh *m, uint32_t v, double depth)
{
    const vec d = direction_of(m, v);
    const double s = wi_sin(SCENE_PI * m->down[v]);
    const double rib = 0.05 * s * wi_cos(RIBS * m->around[v]);
    const double radius = (1 + rib) * (1 - depth * THICKNESS);
    return (vec){radius * d.x, radius * d.y, 0.8 * radius * d.z};
}

/* ---- pieces ---- */

/* Along a spiral from pole to pole, each a bit off. */
static void choose_directions(const scene *s, pumpkin *p)
{
    const uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), 26);
    const uint32_t count = s->params.parts;
    for (uint32_t i = 0; i < count; i++) {
        const double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
        const double angle = 2.399963229728653 * i;
        const vec on = {r * wi_cos(angle), r * wi_sin(angle), z};
        p->towards[i] = vec_unit(
            vec_along(on, 0.25 / sqrt((double)count), vec_random_unit(random_key(key, i))));
        p->axis[i] = vec_random_unit(random_key(key, 1000 + i));
    }
}

static uint32_t nearest(const scene *s, const pumpkin *p, vec d)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->params.parts; i++)
        if (vec_dot(d, p->towards[i]) > vec_dot(d, p->towards[best])) best = i;
    return best;
}

/* A triangle that hangs on its piece by a corner goes to one beside it. */
static void tidy_pieces(pumpkin *p)
{
    const round_mesh *m = &p->shell.mesh;
    for (uint32_t tri = 0; tri < m->tri_count; tri++) {
        int same = 0;
        for (uint32_t e = 3 * tri; e < 3 * tri + 3; e++)
            same += p->piece[m->beside[e] / 3] == p->piece[tri];
        if (same == 0) p->piece[tri] = p->piece[m->beside[3 * (size_t)tri] / 3];
    }
}

static bool choose_pieces(const scene *s, pumpkin *p)
{
    const round_mesh *m = &p->shell.mesh;
    uint32_t count[MOST_PIECES] = {0};
    const uint32_t frame = scene_frame_of_step(s, BREAK_STEP);
    p->piece = malloc(m->tri_count * sizeof *p->piece);
    if (p->piece == NULL) return false;
    for (uint32_t tri = 0; tri < m->tri_count; tri++) {
        const uint32_t *v = m->tris[tri];
        const vec middle =
            vec_add(vec_add(direction_of(m, v[0]), direction_of(m, v[1])), direction_of(m, v[2]));
        p->piece[tri] = (uint8_t)nearest(s, p, middle);
    }
    tidy_pieces(p);
    for (uint32_t tri = 0; tri < m->tri_count; tri++) {
        vec *centre = &p->centre[p->piece[tri]];
        *centre = vec_add(*centre, pumpkin_point(m, m->tris[tri][0], 0.5));
        count[p->piece[tri]]++;
    }
    for (uint32_t e = 0; e < 3 * m->tri_count; e++)
        if (p->piece[e / 3] != p->piece[m->beside[e] / 3]) shell_cracks_break(&p->shell, e, frame);
    for (uint32_t i = 0; i < s->params.parts; i++)
        if (count[i] > 0) p->centre[i] = vec_scale(1.0 / count[i], p->centre[i]);
    return true;
}

/* Before it breaks a vertex may belong to several pieces; all have the same pose then. */
static bool mark_body(scene *s, pumpkin *p)
{
    const scene_body *b = &s->bodies[0];
    p->piece_of_tri = malloc((size_t)b->triangle_count);
    p->piece_of_vertex = malloc((size_t)b->vertex_count);
    p->rest = malloc(3 * (size_t)b->vertex_count * sizeof *p->rest);
    if (!p->piece_of_tri || !p->piece_of_vertex || !p->rest) return false;
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        const shell_vertex v = shell_cracks_vertex(&p->shell, i);
        p->piece_of_vertex[i] = p->piece[v.cell];
        vec_store(pumpkin_point(&p->shell.mesh, v.vertex, v.depth), p->rest, i);
    }
    for (uint32_t t = 0; t < b->triangle_count; t++)
        p->piece_of_tri[t] = p->piece_of_vertex[b->indices[3 * (size_t)t]];
    return true;
}

static bool create(scene *s)
{
    pumpkin *p = calloc(1, sizeof *p);
    s->data = p;
    s->bodies = calloc(1, sizeof *s->bodies);
    if (p == NULL || s->bodies == NULL) return false;
    s->body_count = 1;
    s->params.triangles = s->asked.triangles & ~3U;
    const uint32_t outside = s->params.triangles / 2;
    const uint32_t around = (uint32_t)(1.05 * sqrt((double)outside));
    choose_directions(s, p);
    if (!round_create(&p->shell.mesh, outside, around, false) ||
        !shell_cracks_begin(&p->shell, LEVELS, false) || !choose_pieces(s, p) ||
        !shell_cracks_play(&p->shell, s->frame_count))
        return false;
    s->bodies[0].self = true;
    return lives_fill_body(&p->shell.lives, &s->bodies[0]) && mark_body(s, p);
}

static void destroy(scene *s)
{
    pumpkin *p = s->data;
    shell_cracks_destroy(&p->shell);
    free(p->piece);
    free(p->piece_of_tri);
    free(p->piece_of_vertex);
    free(p->rest);
    free(p);
}

/* ---- where it is ---- */

static uint32_t break_frame(const scene *s, uint32_t body)
{
    (void)body;
    return scene_frame_of_step(s, BREAK_STEP);
}

static uint32_t piece(const scene *s, uint32_t body, uint32_t triangle)
{
    const pumpkin *p = s->data;
    (void)body;
    return p->piece_of_tri[triangle];
}

/* Falls with the square of time, and bounces off the floor with half the speed. */
static double height(double t)
{
    const double hit = 1.5;
    if (t < 0) return FALL * (1 - (t + BREAK_STEP) * (t + BREAK_STEP) / (BREAK_STEP * BREAK_STEP));
    const double x = t / 100;
    return x < hit ? 0.5 * x * (hit - x) : 0;
}

/* Pieces go outwards, and turn about themselves. */
static willow_pose piece_pose(const scene *s, uint32_t frame, uint32_t body, uint32_t number)
{
    const pumpkin *p = s->data;
    const double t = scene_step(s, frame) - BREAK_STEP, since = t > 0 ? t / 100 : 0;
    const vec c = p->centre[number];
    const vec away = {c.x, c.y, 0.4 * c.z};
    const turn turning = turn_about(p->axis[number], 0.9 * since);
    const vec at = vec_along(c, 0.55 * since, away);
    vec place = vec_sub(at, turn_apply(&turning, c));
    (void)body;
    place.z += height(t);
    return turn_pose(&turning, place);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const pumpkin *p = s->data;
    willow_pose poses[MOST_PIECES];
    for (uint32_t i = 0; i < s->params.parts; i++) poses[i] = piece_pose(s, frame, body, i);
    for (uint32_t i = 0; i < s->bodies[body].vertex_count; i++) {
        willow_vec3 at;
        willow_pose_apply(&poses[p->piece_of_vertex[i]], p->rest + 3 * (size_t)i, 0, 1, &at);
        xyz_out[3 * (size_t)i] = at.x;
        xyz_out[3 * (size_t)i + 1] = at.y;
        xyz_out[3 * (size_t)i + 2] = at.z;
    }
}

extern const scene_kind scene_pumpkin;
const scene_kind scene_pumpkin = {
    .name = "pumpkin",
    .summary = "a hollow pumpkin falls and breaks into rigid pieces all at once",
    .stands_for = "instantaneous fracture: Otaduy and others 2007, section 5.4",
    .defaults = {.triangles = 10000, .parts = 8, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 2000, .parts = 2, .frames = 1},
    .highest = {.triangles = 100000, .parts = MOST_PIECES, .frames = 100000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .break_frame = break_frame,
    .piece = piece,
    .piece_pose = piece_pose,
};
