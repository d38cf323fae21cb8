/* many.c - a crowd of bodies in a box that bounce off each other and off its walls.
 *
 * Stands for the third experiment of Larsson and Akenine-Moeller 2001 ("Collision detection for
 * continuously deforming bodies"): 27 bodies, 3 by 3 by 3, that move, turn and deform for 200
 * steps in a dense place and hit each other often, with a simple response. The response is a
 * simulation of balls that runs once, when the scene is made; it keeps the centres for every step.
 * The balls are smaller than the bodies, so that bodies meet before they part; walls stop the whole
 * body.
 * Variants: `spheres` are bumpy spheres; `arms` have arms that wave; `rigid` are the same spheres
 * without the deformation, moved by their poses; of `resting` spheres all but every ninth stay as
 * they are in the middle of the time, touching each other. */
#include "bumps.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, PARTS = 4, ARM_COUNT = 6 };

/* Between the places of the grid; no two bodies touch there. */
#define SPACING 2.3

typedef struct arm {
    vec direction, sideways; /* where it points, where it waves to */
    double phase, speed;     /* radians, radians per step */
} arm;

typedef struct walker {
    vec axis;     /* about which it turns */
    double speed; /* radians per step */
    arm arms[ARM_COUNT];
} walker;

typedef struct many {
    bumps_set set;
    bool has_arms, has_resting;
    double half_side, ball; /* of the box; the radius at which bodies bounce */
    walker *walkers;
    vec *centres; /* of step 0, then those of step 1, and so on to STEPS */
} many;

/* ---- the bounces ---- */

/* Balls of equal weight swap their speeds along the line between them, if they get nearer. */
static void bounce(vec *speed_a, vec *speed_b, vec a, vec b, double ball)
{
    vec between = vec_sub(b, a);
    double closing = vec_dot(vec_sub(*speed_b, *speed_a), between);
    double squared = vec_dot(between, between);
    if (squared < 4 * ball * ball && closing < 0) {
        *speed_a = vec_along(*speed_a, closing / squared, between);
        *speed_b = vec_along(*speed_b, -closing / squared, between);
    }
}

/* One coordinate: a ball beyond the limit comes back. */
static void bounce_wall(double place, double limit, double *speed)
{
    if ((place > limit && *speed > 0) || (place < -limit && *speed < 0)) {
        *speed = -*speed;
    }
}

static void move_balls(const many *data, uint32_t count, vec *places, vec *speeds)
{
    double limit = data->half_side - BUMPS_RADIUS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        places[i] = vec_along(places[i], 1.0 / PARTS, speeds[i]);
        bounce_wall(places[i].x, limit, &speeds[i].x);
        bounce_wall(places[i].y, limit, &speeds[i].y);
        bounce_wall(places[i].z, limit, &speeds[i].z);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            bounce(&speeds[i], &speeds[j], places[i], places[j], data->ball);
        }
    }
}

/* Fills the centres of all later steps from those of step 0. */
static void run_bounces(many *data, uint32_t count, vec *speeds)
{
    for (uint32_t step = 1; step <= STEPS; step++) {
        vec *now = data->centres + (size_t)step * count;
        memcpy(now, now - count, count * sizeof *now);
        for (int part = 0; part < PARTS; part++) {
            move_balls(data, count, now, speeds);
        }
    }
}

/* ---- the start ---- */

static uint32_t grid_side(uint32_t count)
{
    uint32_t side = 1;
    while (side * side * side < count) {
        side++;
    }
    return side;
}

static vec grid_place(uint32_t i, uint32_t side)
{
    double middle = 0.5 * (side - 1);
    vec place = {i % side - middle, i / side % side - middle, i / (side * side) - middle};
    return vec_scale(SPACING, place);
}

static void make_arm(arm *a, uint32_t number, uint64_t key)
{
    double sign = number % 2 == 0 ? 1 : -1;
    vec own = {number / 2 == 0 ? sign : 0, number / 2 == 1 ? sign : 0, number / 2 == 2 ? sign : 0};
    a->direction = vec_unit(vec_along(own, 0.4, vec_random_unit(key)));
    a->sideways = vec_unit(vec_cross(a->direction, vec_random_unit(random_key(key, 0))));
    a->phase = random_between(key, 3, 0, 2 * SCENE_PI);
    a->speed = random_between(key, 4, 0.1, 0.25);
}

static void make_walker(walker *w, uint64_t key)
{
    w->axis = vec_random_unit(key);
    w->speed = random_between(key, 3, 0.02, 0.06);
    for (uint32_t i = 0; i < ARM_COUNT; i++) {
        make_arm(&w->arms[i], i, random_key(key, i));
    }
}

static bool start_walkers(many *data, const scene *s)
{
    uint32_t count = s->body_count, side = grid_side(count);
    vec *speeds = calloc(count, sizeof *speeds);
    data->walkers = calloc(count, sizeof *data->walkers);
    data->centres = calloc((STEPS + 1) * (size_t)count, sizeof *data->centres);
    bool fine = speeds != NULL && data->walkers != NULL && data->centres != NULL;
    data->half_side = 0.5 * SPACING * side;
    for (uint32_t i = 0; fine && i < count; i++) {
        uint64_t key = random_key(random_key(random_key(WI_HASH_START, s->params.seed), i), 100);
        make_walker(&data->walkers[i], key);
        data->centres[i] = grid_place(i, side);
        speeds[i] =
            vec_scale(random_between(key, 10, 0.02, 0.06), vec_random_unit(random_key(key, 11)));
    }
    if (fine) {
        run_bounces(data, count, speeds);
    }
    free(speeds);
    return fine;
}

static bool create(scene *s)
{
    many *data = calloc(1, sizeof *data);
    s->data = data;
    if (data == NULL || !bumps_set_create(&data->set, s, s->params.bodies)) {
        return false;
    }
    data->has_arms = strcmp(s->params.variant, "arms") == 0;
    data->ball = data->has_arms ? 0.75 : 0.95;
    data->has_resting = strcmp(s->params.variant, "resting") == 0;
    bool is_rigid = strcmp(s->params.variant, "rigid") == 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        s->bodies[i].motion = is_rigid ? SCENE_RIGID : SCENE_POSITIONS;
    }
    return start_walkers(data, s);
}

static void destroy(scene *s)
{
    many *data = s->data;
    bumps_set_destroy(&data->set);
    free(data->walkers);
    free(data->centres);
    free(data);
}

/* ---- frames ---- */

/* Straight between the centres of two steps. */
static vec centre_at(const scene *s, double step, uint32_t body)
{
    const many *data = s->data;
    size_t before = (size_t)floor(step);
    const vec *at = data->centres + before * s->body_count + body;
    return vec_mix(at[0], at[s->body_count], step - (double)before);
}

/* A small ball with its arms: where an arm points, the surface is pulled out and aside, but not
 * further than the spheres reach. */
static vec arms_point(const arm arms[ARM_COUNT], double step, vec d)
{
    vec at = vec_scale(0.5, d);
    for (int i = 0; i < ARM_COUNT; i++) {
        const arm *a = &arms[i];
        double reach = ease((vec_dot(d, a->direction) - 0.75) / 0.25);
        double swing = 0.25 * reach * reach * wi_sin(a->phase + a->speed * step);
        at = vec_along(vec_along(at, 0.55 * reach, a->direction), swing, a->sideways);
    }
    return at;
}

static vec body_point(const many *data, uint32_t body, double step, const double d[3])
{
    if (data->has_arms) {
        return arms_point(data->walkers[body].arms, step, vec_load(d));
    }
    return vec_scale(bumps_radius(&data->set.of_body[body], step, d), vec_load(d));
}

static turn turn_at(const many *data, double step, uint32_t body)
{
    const walker *w = &data->walkers[body];
    return turn_about(w->axis, w->speed * step);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const many *data = s->data;
    const bool rests = data->has_resting && body % 9 != 0;
    double step = rests ? STEPS / 2 : scene_step(s, frame);
    vec centre = centre_at(s, step, body);
    turn spin = turn_at(data, step, body);
    for (uint32_t i = 0; i < data->set.sphere.vertex_count; i++) {
        vec own = body_point(data, body, step, data->set.sphere.directions + 3 * (size_t)i);
        vec_store(vec_add(centre, turn_apply(&spin, own)), xyz_out, i);
    }
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const many *data = s->data;
    bumps_positions(&data->set.of_body[body], 0, &data->set.sphere, xyz_out);
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    double step = scene_step(s, frame);
    turn spin = turn_at(s->data, step, body);
    return turn_pose(&spin, centre_at(s, step, body));
}

extern const scene_kind scene_many;
const scene_kind scene_many = {
    .name = "many",
    .summary = "bodies that move, turn, deform and bounce off each other in a crowded box",
    .stands_for = "Larsson and Akenine-Moeller 2001, experiment 3",
    .defaults = {.triangles = 5120, .bodies = 27, .frames = STEPS, .seed = 1, .variant = "spheres"},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 1000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "spheres arms rigid resting",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .rest = rest,
    .pose = pose,
};
