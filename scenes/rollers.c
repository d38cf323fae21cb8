/* rollers.c - a soft body with bumps that is pulled through two pairs of turning rollers.
 *
 * Stands for the armadillo between rollers of Li and others 2020 ("Incremental Potential Contact"),
 * a step of which is among the data on which continuous collision detection is compared: large
 * steps, in which a triangle sweeps over a hundred others, and contact everywhere. The body starts
 * above the rollers and apart from them, is squeezed flat between the first pair, which lies along
 * y, then between the second one, along x, and ends below. Where it waits to go in, its skin piles
 * up in folds that go through each other; what is still free or is out again sways. Body 0 is the
 * soft one; rollers are rigid and pull it down as fast as their surface turns. */
#include "scenes.h"
#include "tube.h"

#include <stdlib.h>

enum { STEPS = 24, ROLLERS = 4, BODIES = 1 + ROLLERS, WAVES = 3, RIDGES = 12 };

/* The soft body when nothing touches it, and its way: where its middle starts, and how far it goes
 * in a step. */
#define LENGTH 3.0
#define RADIUS 0.5
#define START 2.6
#define PULL 0.28

/* The rollers: half of the gap between two of them, and how far the body is pressed into them. */
#define ROLLER_RADIUS 0.6
#define ROLLER_LENGTH 2.4
#define RIDGE 0.02
#define GAP 0.12
#define PRESS 0.03
#define SECOND_PAIR (-1.4)

/* The folds: deeper than one radian of them is long, or they would not go over each other. */
#define FOLD_NUMBER 21.0
#define FOLD_DEPTH 0.09

#define SWAY 0.3

typedef struct bump {
    double around, along, phase; /* waves around and along the body */
} bump;

typedef struct rollers {
    tube soft, roller;
    bump bumps[WAVES];
    double sway_phase;
} rollers;

/* ---- the meshes ---- */

/* Squares, so far as whole numbers allow. */
static tube tube_of(double triangles, double girth, double length)
{
    double around = sqrt(0.5 * triangles * girth / length);
    return (tube){scaled_count(around, 1, 3), scaled_count(around, length / girth, 2)};
}

static bool fill_body(scene_body *body, tube t)
{
    body->vertex_count = tube_vertices(t);
    body->triangle_count = tube_triangles(t);
    body->indices = malloc(3 * (size_t)body->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) {
        return false;
    }
    tube_indices(t, 0, body->indices);
    return true;
}

static void make_bumps(rollers *data, uint64_t key)
{
    for (uint32_t i = 0; i < WAVES; i++) {
        uint64_t part = random_key(key, i);
        data->bumps[i] = (bump){.around = 2.0 + i,
                                .along = random_between(part, 0, -9, 9),
                                .phase = random_between(part, 1, 0, 2 * SCENE_PI)};
    }
    data->sway_phase = random_between(random_key(key, WAVES), 0, 0, 2 * SCENE_PI);
}

/* All rollers together have half as many triangles as the soft body. */
static bool create(scene *s)
{
    rollers *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(BODIES, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    data->soft = tube_of(s->asked.triangles, 2 * SCENE_PI * RADIUS, LENGTH);
    data->roller =
        tube_of(0.5 * s->asked.triangles / ROLLERS, 2 * SCENE_PI * ROLLER_RADIUS, ROLLER_LENGTH);
    make_bumps(data, random_key(WI_HASH_START, s->params.seed));
    s->body_count = BODIES;
    s->params.triangles = tube_triangles(data->soft);
    s->bodies[0].self = true;
    for (uint32_t i = 1; i < BODIES; i++) {
        s->bodies[i].motion = SCENE_RIGID;
        if (!fill_body(&s->bodies[i], data->roller)) {
            return false;
        }
    }
    return fill_body(&s->bodies[0], data->soft);
}

/* ---- the rollers ---- */

/* The first two lie along y and stand on both sides of the body in x; the others the other way. */
static bool is_first_pair(uint32_t body) { return body <= 2; }

static double side_of(uint32_t body) { return body % 2 == 1 ? 1 : -1; }

/* Flat ends, and ridges that grip. */
static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const rollers *data = s->data;
    const tube t = data->roller;
    for (uint32_t i = 0; i < tube_vertices(t); i++) {
        tube_place at = tube_place_of(t, i);
        double ring = at.along * (t.rings + 1) - 1, last = t.rings - 1;
        bool is_tip = ring < -0.5 || ring > last + 0.5;
        double share = ring < 0 ? 0 : ring > last ? 1 : ring / last;
        double turned = 2 * SCENE_PI * ((i + t.around - 1) % t.around) / t.around;
        double radius = is_tip ? 0 : ROLLER_RADIUS * (1 + RIDGE * wi_cos(RIDGES * turned));
        double across = radius * at.cosine, up = radius * at.sine;
        double along = ROLLER_LENGTH * (share - 0.5);
        vec place = is_first_pair(body) ? (vec){across, -along, up} : (vec){along, across, up};
        vec_store(place, xyz_out, i);
    }
}

/* Their inner sides go down. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    double step = scene_step(s, frame);
    double away = side_of(body) * (ROLLER_RADIUS + GAP);
    double angle = side_of(body) * PULL / ROLLER_RADIUS * step;
    if (is_first_pair(body)) {
        turn roll = turn_about((vec){0, 1, 0}, -angle);
        return turn_pose(&roll, (vec){away, 0, 0});
    }
    turn roll = turn_about((vec){1, 0, 0}, angle);
    return turn_pose(&roll, (vec){0, away, SECOND_PAIR});
}

/* ---- the soft body ---- */

/* Half the room that a pair of rollers leaves so far above it or below. It goes on growing where
 * the rollers end, so that the body widens smoothly. */
static double room_at(double above)
{
    double height = fabs(above), left = ROLLER_RADIUS * ROLLER_RADIUS - height * height;
    double room = ROLLER_RADIUS + GAP + PRESS - sqrt(left > 0 ? left : 0);
    return height < ROLLER_RADIUS ? room : room + 3 * (height - ROLLER_RADIUS);
}

/* From 0, where the rollers end, to almost 1 between them. */
static double squeeze_at(double above)
{
    double squeeze = 1 - room_at(above) / (ROLLER_RADIUS + GAP + PRESS);
    return squeeze > 0 ? squeeze : 0;
}

static double pressed(double x, double room)
{
    double share = x / room;
    return x / sqrt(1 + share * share);
}

/* What is pressed in one direction widens in the other. */
static vec press(vec p)
{
    double first = p.z, second = p.z - SECOND_PAIR;
    double wide_y = 1 + 0.5 * squeeze_at(first), wide_x = 1 + 0.5 * squeeze_at(second);
    return (vec){pressed(p.x * wide_x, room_at(first)), pressed(p.y * wide_y, room_at(second)),
                 p.z};
}

/* How much the skin is folded there: above the first pair only. */
static double fold_at(double height)
{
    return ease((height - 0.3) / 0.4) * (1 - ease((height - 1.1) / 0.8));
}

/* Free above the first pair and below the second. */
static double free_at(double height)
{
    double top = ease((height - ROLLER_RADIUS) / 1.5);
    double bottom = ease((SECOND_PAIR - ROLLER_RADIUS - height) / 1.5);
    return top + bottom;
}

static double radius_at(const rollers *data, const tube_place *at, double angle)
{
    double end = 2 * at->along - 1, square = end * end, bumpy = 1;
    for (int i = 0; i < WAVES; i++) {
        const bump *b = &data->bumps[i];
        bumpy += 0.07 * wi_sin(b->around * angle + b->along * at->along + b->phase);
    }
    return RADIUS * bumpy * sqrt(1 - square * square * square);
}

static vec soft_point(const rollers *data, uint32_t vertex, double step)
{
    const tube t = data->soft;
    tube_place at = tube_place_of(t, vertex);
    double angle = 2 * SCENE_PI * ((vertex + t.around - 1) % t.around) / t.around;
    double along = LENGTH * (at.along - 0.5), height = along + START - PULL * step;
    double fold = fold_at(height), phase = FOLD_NUMBER * along;
    double radius = radius_at(data, &at, angle) * (1 + 0.15 * fold * wi_cos(phase));
    vec place = press(
        (vec){radius * at.cosine, radius * at.sine, height + FOLD_DEPTH * fold * wi_sin(phase)});
    double sway = SWAY * free_at(height), swing = 0.9 * step + data->sway_phase;
    return vec_add(place, (vec){sway * wi_sin(swing + height), sway * wi_cos(swing - height), 0});
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const rollers *data = s->data;
    double step = scene_step(s, frame);
    (void)body; /* the others are rigid */
    for (uint32_t i = 0; i < tube_vertices(data->soft); i++) {
        vec_store(soft_point(data, i, step), xyz_out, i);
    }
}

extern const scene_kind scene_rollers;
const scene_kind scene_rollers = {
    .name = "rollers",
    .summary = "a soft body pulled through turning rollers in large steps, with folds and contact",
    .stands_for = "Li and others 2020: armadillo-rollers, steps for continuous collision detection",
    .defaults = {.triangles = 16000, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .positions = positions,
    .rest = rest,
    .pose = pose,
};
