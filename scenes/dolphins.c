/* dolphins.c - a school of dolphins that swim closely together, beat their tails and roll.
 *
 * Stands for the second experiment of Larsson 2003 ("Adaptive algorithms for collision detection
 * and ray tracing of deformable meshes", paper B, chapter 6): twelve dolphins, three references
 * each, 400 steps, and models of 564, 2,256, 9,024 and 36,096 triangles that all have the same
 * shape. A dolphin is a closed tube, and one more for each fin, the flukes together. The references
 * have the tail up, level and down; they follow each other in a beat. Dolphins graze each other,
 * mostly with their fins, and never go deep.
 *
 * The scene school has a thousand of them, of which ten swim so closely together; all others are
 * far from each other and stay inside boxes that they know in advance. It stands for worlds in
 * which nearly everything that moves is of no interest: what their updates cost should not depend
 * on the triangles of those that are far. */
#include "scenes.h"
#include "tube.h"

#include <stdlib.h>

enum { STEPS = 400, REFERENCES = 3, LEVEL_MAX = 6, COARSEST = 564 };

/* ---- the shape ---- */

/* Nose towards +x, back towards +z. The parts of the coarsest model; 564 triangles together. */
enum { TRUNK, DORSAL, RIGHT, LEFT, FLUKES, PART_COUNT };

static const tube coarse_parts[PART_COUNT] = {{12, 17}, {6, 3}, {6, 3}, {6, 3}, {6, 4}};

/* The trunk at eleven places from the nose to the tail, equally far apart: half its width, half its
 * height, and the height of its middle. */
static const double trunk[11][3] = {
    {0.020, 0.016, -0.050}, {0.052, 0.044, -0.042}, {0.118, 0.130, -0.004}, {0.145, 0.158, 0.000},
    {0.162, 0.180, 0.000},  {0.155, 0.174, 0.000},  {0.127, 0.150, 0.002},  {0.090, 0.116, 0.006},
    {0.056, 0.080, 0.010},  {0.032, 0.050, 0.014},  {0.012, 0.024, 0.016},
};

/* One number of the trunk: a smooth curve through the places. */
static double trunk_at(double along, int number)
{
    double at = 10 * along;
    int i = (int)floor(at);
    i = i < 9 ? i : 9;
    return curve(trunk[i > 0 ? i - 1 : 0][number], trunk[i][number], trunk[i + 1][number],
                 trunk[i < 9 ? i + 2 : 10][number], at - i);
}

static vec trunk_point(const tube_place *at)
{
    double tip = at->along <= 0 || at->along >= 1 ? 0 : 1;
    return (vec){1 - 1.9 * at->along, tip * trunk_at(at->along, 0) * at->sine,
                 trunk_at(at->along, 2) + tip * trunk_at(at->along, 1) * at->cosine};
}

/* A flat fin that starts within the trunk and is swept back. */
typedef struct fin {
    vec root, reach;            /* where it starts, and from there to its tip */
    vec flat;                   /* the direction in which it is thin */
    double chord, thick, swept; /* half its width and half its thickness at the root; backwards */
} fin;

static const fin fins[PART_COUNT] = {
    [DORSAL] = {{0.02, 0, 0.10}, {-0.24, 0, 0.24}, {0, 1, 0}, 0.17, 0.022, 0.05},
    [RIGHT] = {{0.42, -0.06, -0.08}, {-0.16, -0.26, -0.12}, {0, -0.4, 0.9}, 0.085, 0.018, 0.08},
    [LEFT] = {{0.42, 0.06, -0.08}, {-0.16, 0.26, -0.12}, {0, -0.4, -0.9}, 0.085, 0.018, 0.08},
};

static vec fin_point(const fin *f, const tube_place *at)
{
    double u = at->along, narrow = u < 1 ? sqrt(1 - u) * (1 - 0.35 * u) : 0;
    narrow = u > 0 ? narrow : 0;
    vec middle = vec_along(f->root, u, f->reach);
    middle.x += f->chord * narrow * at->cosine - f->swept * u * u;
    return vec_along(middle, f->thick * narrow * at->sine, f->flat);
}

/* From the left tip to the right one, with a notch behind the middle. */
static vec flukes_point(const tube_place *at)
{
    double side = 1 - 2 * at->along, out = fabs(side);
    double narrow = out < 1 ? sqrt(1 - out) * (1 - 0.3 * out) : 0;
    double notch = at->cosine < 0 ? 1 - 0.35 * ease(1 - 4 * out) : 1;
    return (vec){-0.90 - 0.13 * out * out - 0.02 * out + 0.10 * narrow * notch * at->cosine,
                 0.29 * side, 0.016 + 0.014 * narrow * at->sine};
}

static vec part_point(int part, const tube_place *at)
{
    switch (part) {
    case TRUNK: return trunk_point(at);
    case FLUKES: return flukes_point(at);
    default: return fin_point(&fins[part], at);
    }
}

/* The back half goes over into an arc of that curvature, tail up if it is positive; the head nods a
 * little. */
static vec bend(vec p, double arc)
{
    const double from = 0.15;
    double behind = from - p.x;
    if (behind <= 0 || arc == 0) {
        p.z += 0.12 * arc * behind * behind;
        return p;
    }
    double angle = arc * behind, c = wi_cos(angle), s = wi_sin(angle);
    return (vec){from - s / arc + p.z * s, p.y, (1 - c) / arc + p.z * c};
}

/* ---- the models ---- */

typedef struct dolphins {
    tube parts[PART_COUNT];
    uint32_t vertex_count;
    float *references[REFERENCES];
} dolphins;

static uint32_t nearest_level(uint32_t triangles)
{
    uint32_t level = 0;
    while (level < LEVEL_MAX && triangles > COARSEST * 5u / 2 << 2 * level) {
        level++;
    }
    return level;
}

static void choose_parts(dolphins *data, uint32_t level)
{
    for (int i = 0; i < PART_COUNT; i++) {
        data->parts[i] = (tube){coarse_parts[i].around << level, coarse_parts[i].rings << level};
        data->vertex_count += tube_vertices(data->parts[i]);
    }
}

static bool create_references(dolphins *data)
{
    static const double arcs[REFERENCES] = {0.6, 0, -0.6};
    for (int r = 0; r < REFERENCES; r++) {
        float *out = malloc(3 * (size_t)data->vertex_count * sizeof *out);
        data->references[r] = out;
        if (out == NULL) {
            return false;
        }
        for (int part = 0; part < PART_COUNT; part++) {
            uint32_t count = tube_vertices(data->parts[part]);
            for (uint32_t i = 0; i < count; i++) {
                tube_place at = tube_place_of(data->parts[part], i);
                vec_store(bend(part_point(part, &at), arcs[r]), out, i);
            }
            out += 3 * (size_t)count;
        }
    }
    return true;
}

static bool fill_body(scene_body *body, const dolphins *data, uint32_t triangles)
{
    body->motion = SCENE_MORPH;
    body->vertex_count = data->vertex_count;
    body->triangle_count = triangles;
    body->indices = malloc(3 * (size_t)triangles * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    uint32_t *out = body->indices, first = 0;
    for (int part = 0; part < PART_COUNT; part++) {
        tube_indices(data->parts[part], first, out);
        out += 3 * (size_t)tube_triangles(data->parts[part]);
        first += tube_vertices(data->parts[part]);
    }
    return true;
}

static bool create(scene *s)
{
    dolphins *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    uint32_t level = nearest_level(s->asked.triangles);
    choose_parts(data, level);
    s->body_count = s->params.bodies;
    s->params.triangles = (uint32_t)COARSEST << 2 * level;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (!fill_body(&s->bodies[i], data, s->params.triangles)) {
            return false;
        }
    }
    return create_references(data);
}

static void destroy(scene *s)
{
    dolphins *data = s->data;
    for (int i = 0; i < REFERENCES; i++) {
        free(data->references[i]);
    }
    free(data);
}

/* ---- frames ---- */

static uint64_t key_of(const scene *s, uint32_t body)
{
    return random_key(random_key(WI_HASH_START, s->params.seed), body);
}

static const float *reference(const scene *s, uint32_t body, uint32_t number)
{
    const dolphins *data = s->data;
    (void)body; /* all have the same */
    return data->references[number];
}

/* A beat of the tail: two of the references at a time. */
static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    uint64_t key = key_of(s, body);
    double beat = wi_sin(random_between(key, 0, 0, 2 * SCENE_PI) +
                         random_between(key, 1, 0.14, 0.2) * scene_step(s, frame));
    weights_out[0] = (float)(beat > 0 ? beat : 0);
    weights_out[1] = (float)(1 - fabs(beat));
    weights_out[2] = (float)(beat < 0 ? -beat : 0);
}

/* The place in the school, seen from its middle: three abreast, two deep, as many rows as needed,
 * each dolphin a little to and fro. */
static vec place_in_school(uint64_t key, uint32_t body, uint32_t body_count, double step)
{
    double sway = random_between(key, 2, 0.02, 0.04), phase = random_between(key, 3, 0, 6);
    double abreast = body % 3 - 1.0, deep = body / 3 % 2 - 0.5;
    double row = body / 6 - 0.5 * ((body_count - 1) / 6);
    return (vec){2.1 * row + 0.5 * deep + 0.3 * abreast + 0.2 * wi_sin(phase + 0.5 * sway * step),
                 0.47 * abreast + 0.07 * wi_sin(2 * phase + sway * step),
                 0.5 * deep + 0.07 * wi_cos(3 * phase + 1.3 * sway * step)};
}

/* First a roll about x, then a turn about z. */
static willow_quat roll_then_turn(double roll, double around)
{
    double c = wi_cos(0.5 * roll), s = wi_sin(0.5 * roll);
    double d = wi_cos(0.5 * around), t = wi_sin(0.5 * around);
    return (willow_quat){(float)(d * s), (float)(t * s), (float)(t * c), (float)(d * c)};
}

/* The school swims in a wide circle; every dolphin rolls its own way and back. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const double circle = 8;
    double step = scene_step(s, frame), around = 0.01 * step;
    uint64_t key = key_of(s, body);
    double roll = random_between(key, 4, 0.8, 2.5) *
                  wi_sin(random_between(key, 5, 0, 2 * SCENE_PI) + 0.03 * step);
    vec at = place_in_school(key, body, s->body_count, step);
    turn about = turn_about((vec){0, 0, 1}, around);
    vec place = turn_apply(&about, (vec){at.x, at.y - circle, at.z});
    return (willow_pose){.translation = {(float)place.x, (float)place.y, (float)place.z},
                         .rotation = roll_then_turn(roll, around)};
}

/* ---- the school ---- */

enum { NEAR = 10 };

/* Between those that are far, and from the place of the near ones to the first of them. */
#define FAR_APART 6.0
#define FAR_AWAY 14.0

/* As far as a dolphin reaches from where it is, and a little more; its tail beats between the
 * references. */
static double reach_of(const dolphins *data)
{
    double most = 0;
    for (int r = 0; r < REFERENCES; r++)
        for (uint32_t i = 0; i < data->vertex_count; i++) {
            const float *p = data->references[r] + 3 * (size_t)i;
            const vec at = {(double)p[0], (double)p[1], (double)p[2]};
            most = vec_length(at) > most ? vec_length(at) : most;
        }
    return 1.001 * most;
}

/* The place that it sways about. */
static vec far_place(const scene *s, uint32_t body)
{
    const uint32_t number = body - NEAR;
    uint32_t side = 1;
    while ((uint64_t)side * side * side < s->body_count) side++;
    return (vec){FAR_AWAY + FAR_APART * (number % side), FAR_APART * (number / side % side),
                 FAR_APART * (number / side / side)};
}

static vec school_place(const scene *s, uint32_t body, double step)
{
    const uint64_t key = key_of(s, body);
    if (body < NEAR) return place_in_school(key, body, NEAR, step);
    const vec swaying = place_in_school(key, 0, 1, step), still = place_in_school(key, 0, 1, 0);
    return vec_add(far_place(s, body), vec_sub(swaying, still));
}

static willow_pose school_pose(const scene *s, uint32_t frame, uint32_t body)
{
    const uint64_t key = key_of(s, body);
    const double step = scene_step(s, frame);
    const double roll = random_between(key, 4, 0.8, 2.5) *
                        wi_sin(random_between(key, 5, 0, 2 * SCENE_PI) + 0.03 * step);
    const vec at = school_place(s, body, step);
    return (willow_pose){.translation = {(float)at.x, (float)at.y, (float)at.z},
                         .rotation = roll_then_turn(roll, 0)};
}

/* It sways by up to a fifth to each side of where it began. */
static willow_box school_loose_box(const scene *s, uint32_t body)
{
    const vec at = school_place(s, body, 0);
    const double reach = reach_of(s->data) + 0.45;
    return (willow_box){
        .lower = {(float)(at.x - reach), (float)(at.y - reach), (float)(at.z - reach)},
        .upper = {(float)(at.x + reach), (float)(at.y + reach), (float)(at.z + reach)}};
}

extern const scene_kind scene_school;
const scene_kind scene_school = {
    .name = "school",
    .summary = "a thousand dolphins, of which ten are near each other",
    .stands_for = "worlds in which nearly all that moves is far away",
    .defaults = {.triangles = 564, .bodies = 1000, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2500000, .bodies = 100000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .pose = school_pose,
    .loose_box = school_loose_box,
    .reference_count = REFERENCES,
    .reference = reference,
    .weights = weights,
};

extern const scene_kind scene_dolphins;
const scene_kind scene_dolphins = {
    .name = "dolphins",
    .summary = "a school of dolphins, close together, that beat their tails and roll",
    .stands_for = "Larsson 2003, paper B, experiment 2",
    .defaults = {.triangles = 9024, .bodies = 12, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2500000, .bodies = 1000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .pose = pose,
    .reference_count = REFERENCES,
    .reference = reference,
    .weights = weights,
};
