/* debris.c - a block bursts: its pieces fly apart, turn, fall and lie on the ground.
 *
 * Stands for rubble: up to millions of rigid pieces of a few triangles, of which many have the same
 * shape, so that a program keeps one mesh for all of these (willow_body_def.share). A piece flies
 * on a parabola, turns about an axis of its own, and stays where it hits the ground; pieces on the
 * ground lie through each other. Nothing is simulated, so that any frame costs the same. Lengths
 * are in edges of a piece. */
#include "scenes.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, SHAPES = 6, VERTICES = 8, TRIANGLES = 12 };

/* Between the places of the block. */
#define SPACING 1.3

typedef struct debris {
    float shapes[SHAPES][VERTICES][3];
    uint32_t side; /* of the block, in pieces */
} debris;

/* Corners by bits of axes. */
static const uint32_t hull[TRIANGLES][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                            {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                            {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static uint64_t key_of(const scene *s, uint32_t number)
{
    return random_key(random_key(WI_HASH_START, s->params.seed), number);
}

/* Boxes of several sizes with corners that are knocked off. */
static void make_shape(uint64_t key, float (*out)[3])
{
    for (uint32_t i = 0; i < VERTICES; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double edge = random_between(key, axis, 0.3, 0.55);
            const double knock = random_between(key, 8 + 3 * i + axis, 0.6, 1);
            out[i][axis] = (float)((i >> axis & 1) != 0 ? edge * knock : -edge * knock);
        }
}

static bool make_piece(scene_body *body, uint32_t number)
{
    *body = (scene_body){.vertex_count = VERTICES,
                         .triangle_count = TRIANGLES,
                         .motion = SCENE_RIGID,
                         .like1 = number < SHAPES ? 0 : 1 + number % SHAPES};
    body->indices = malloc(sizeof hull);
    if (body->indices != NULL) memcpy(body->indices, hull, sizeof hull);
    return body->indices != NULL;
}

static bool create(scene *s)
{
    debris *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    while ((uint64_t)data->side * data->side * data->side < s->params.bodies) data->side++;
    for (uint32_t i = 0; i < SHAPES; i++) make_shape(key_of(s, UINT32_MAX - i), data->shapes[i]);
    for (; s->body_count < s->params.bodies; s->body_count++)
        if (!make_piece(&s->bodies[s->body_count], s->body_count)) return false;
    return true;
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const debris *data = s->data;
    memcpy(xyz_out, data->shapes[body % SHAPES], sizeof data->shapes[0]);
}

/* Where it was in the block, whose lowest pieces lie on the ground. */
static vec place_in_block(const debris *data, uint32_t body)
{
    const double middle = 0.5 * (data->side - 1);
    const uint32_t side = data->side;
    return (vec){SPACING * (body % side - middle), SPACING * (body / side % side - middle),
                 SPACING * (body / side / side) + 0.5};
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const debris *data = s->data;
    const uint64_t key = key_of(s, body);
    const double size = SPACING * data->side, gravity = size / 800;
    const vec from = place_in_block(data, body);
    const vec speed = {from.x * random_between(key, 0, 0.01, 0.03),
                       from.y * random_between(key, 1, 0.01, 0.03),
                       random_between(key, 2, 0, 0.035) * size};
    const double ground = (speed.z + sqrt(speed.z * speed.z + 2 * gravity * (from.z - 0.5))) /
                          gravity; /* when it gets there */
    const double step = scene_step(s, frame), time = step < ground ? step : ground;
    const turn spin =
        turn_about(vec_random_unit(random_key(key, 3)), random_between(key, 4, -0.2, 0.2) * time);
    vec at = vec_along(from, time, speed);
    at.z -= 0.5 * gravity * time * time;
    return turn_pose(&spin, at);
}

extern const scene_kind scene_debris;
const scene_kind scene_debris = {
    .name = "debris",
    .summary = "a block of many rigid pieces that bursts",
    .stands_for = "rubble: bodies that share a few meshes",
    .defaults = {.bodies = 1000, .frames = STEPS, .seed = 1},
    .lowest = {.bodies = 1, .frames = 1},
    .highest = {.bodies = 4000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .rest = rest,
    .pose = pose,
};
