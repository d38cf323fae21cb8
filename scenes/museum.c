/* museum.c - a work of art in a closed room: a soup of triangles that becomes another one, four
 * times.
 *
 * Stands for the second experiment of Larsson's paper C (2003, chapter 7), the museum of the BART
 * benchmark at its highest complexity: 65,536 triangles without a common vertex, five keyframes at
 * 0, 1, 2, 3 and 4 seconds, straight between them, 300 frames, two lights; the soup reflects. The
 * room here has plain walls. Sheets of triangles stay together from keyframe to keyframe, and each
 * goes where it likes: a tree that was built for one keyframe is a bad one for the next. The five
 * keyframes are references of a morph, of which two are in use at a time. The camera goes around
 * the soup, and in the end turns to a wall. */
#include "camera.h"
#include "random.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 300, KEYS = 5, SHEETS = 64, ART = 0, ROOM = 1, BODIES = 2, WALL_PARTS = 8 };

#define HALF_ROOM 6.0
#define ROOM_HEIGHT 7.0
#define ART_HEIGHT 3.0 /* of its middle */

typedef struct museum {
    float *keys[KEYS];
    float *walls;
} museum;

/* ---- the soup ---- */

/* Where a point of a sheet is: u and v go from 0 to 1 over the whole surface. */
static vec ball_point(double u, double v)
{
    double around = 2 * SCENE_PI * u, down = SCENE_PI * (0.02 + 0.96 * v);
    return vec_scale(
        1.7, (vec){wi_sin(down) * wi_cos(around), wi_sin(down) * wi_sin(around), wi_cos(down)});
}

static vec ring_point(double u, double v)
{
    double around = 2 * SCENE_PI * u, across = 2 * SCENE_PI * v;
    double radius = 1.5 + 0.55 * wi_cos(across);
    return (vec){radius * wi_cos(around), radius * wi_sin(around), 0.55 * wi_sin(across)};
}

static vec screw_point(double u, double v)
{
    double around = 6 * SCENE_PI * u;
    return (vec){1.8 * (v - 0.5) * wi_cos(around), 1.8 * (v - 0.5) * wi_sin(around),
                 3.4 * (u - 0.5)};
}

static vec flag_point(double u, double v)
{
    return (vec){3.6 * (u - 0.5), 0.5 * wi_sin(9 * u) + 0.4 * wi_cos(7 * v), 3 * (v - 0.5)};
}

static vec shell_point(double u, double v)
{
    double around = 4 * SCENE_PI * u, across = 2 * SCENE_PI * v, grown = 0.3 + 0.7 * u;
    double radius = grown * (1.1 + 0.5 * wi_cos(across));
    return (vec){radius * wi_cos(around), radius * wi_sin(around),
                 grown * 0.5 * wi_sin(across) + 1.6 * (u - 0.5)};
}

static vec key_point(uint32_t key, double u, double v)
{
    switch (key) {
    case 0: return ball_point(u, v);
    case 1: return ring_point(u, v);
    case 2: return screw_point(u, v);
    case 3: return flag_point(u, v);
    default: return shell_point(u, v);
    }
}

/* Sheets are squares of the surface, each in another place at every keyframe. An odd factor makes
 * every sheet come to one place. */
static uint32_t sheet_place(uint32_t sheet, uint32_t key)
{
    static const uint32_t factors[KEYS] = {1, 27, 45, 11, 53};
    return (sheet * factors[key] + 17 * key) % SHEETS;
}

static uint32_t whole_root(uint32_t number)
{
    uint32_t root = 1;
    while ((root + 1) * (root + 1) <= number) root++;
    return root;
}

/* Three corners around a point of a sheet, a little apart from those of all others. */
static void place_triangle(const scene *s, uint32_t key, uint32_t tri, float *xyz_out)
{
    const uint32_t per_sheet = (s->params.triangles + SHEETS - 1) / SHEETS;
    const uint32_t side = whole_root(per_sheet - 1 > 0 ? per_sheet - 1 : 1) + 1;
    const uint32_t at = sheet_place(tri / per_sheet, key), within = tri % per_sheet;
    const uint64_t own =
        random_key(random_key(random_key(WI_HASH_START, s->params.seed), tri), key);
    const double size = 1.0 / (8.0 * side);
    const double u = (at % 8) / 8.0 + (within % side) * size;
    const double v = (at / 8) / 8.0 + (within / side) * size;
    for (uint32_t k = 0; k < 3; k++) {
        const double across = u + size * (k == 1) + 0.2 * size * random_unit(own, 2 * k);
        const double down = v + size * (k == 2) + 0.2 * size * random_unit(own, 2 * k + 1);
        vec point = key_point(key, across, down);
        point.z += ART_HEIGHT;
        vec_store(point, xyz_out, k);
    }
}

static bool fill_keys(const scene *s, museum *data)
{
    for (uint32_t key = 0; key < KEYS; key++) {
        data->keys[key] = malloc(9 * (size_t)s->params.triangles * sizeof(float));
        if (data->keys[key] == NULL) return false;
        for (uint32_t i = 0; i < s->params.triangles; i++) {
            place_triangle(s, key, i, data->keys[key] + 9 * (size_t)i);
        }
    }
    return true;
}

static const float *reference(const scene *s, uint32_t body, uint32_t number)
{
    const museum *data = s->data;
    (void)body;
    return data->keys[number];
}

/* From 0 to 4 seconds. */
static double seconds_at(const scene *s, uint32_t frame)
{
    const double last = s->frame_count > 1 ? s->frame_count - 1 : 1;
    return (KEYS - 1) * (frame / last);
}

static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    const double at = seconds_at(s, frame);
    (void)body;
    for (uint32_t i = 0; i < KEYS; i++) {
        const double off = fabs(at - i);
        weights_out[i] = (float)(off < 1 ? 1 - off : 0);
    }
}

/* ---- the room ---- */

/* A side of the room is a grid of squares: `out` is the axis across it, `side` which of the two. */
static void fill_wall(float *xyz, int out, int side)
{
    const double half[3] = {HALF_ROOM, HALF_ROOM, 0.5 * ROOM_HEIGHT};
    const int a = (out + 1) % 3, b = (out + 2) % 3;
    for (uint32_t i = 0; i < (WALL_PARTS + 1) * (WALL_PARTS + 1); i++) {
        double at[3];
        at[out] = side == 0 ? -half[out] : half[out];
        at[a] = half[a] * (2.0 * (i % (WALL_PARTS + 1)) / WALL_PARTS - 1);
        at[b] = half[b] * (2.0 * (i / (WALL_PARTS + 1)) / WALL_PARTS - 1);
        vec_store((vec){at[0], at[1], at[2] + half[2]}, xyz, i);
    }
}

static void index_wall(uint32_t *indices, uint32_t first)
{
    for (uint32_t i = 0; i < WALL_PARTS * WALL_PARTS; i++) {
        const uint32_t row = WALL_PARTS + 1;
        const uint32_t at = first + i / WALL_PARTS * row + i % WALL_PARTS;
        const uint32_t square[6] = {at, at + 1, at + row + 1, at, at + row + 1, at + row};
        for (uint32_t k = 0; k < 6; k++) indices[6 * i + k] = square[k];
    }
}

static bool fill_room(museum *data, scene_body *room)
{
    enum { WALLS = 6, POINTS = (WALL_PARTS + 1) * (WALL_PARTS + 1) };
    *room = (scene_body){.vertex_count = WALLS * POINTS,
                         .triangle_count = WALLS * WALL_PARTS * WALL_PARTS * 2,
                         .motion = SCENE_RIGID};
    room->indices = malloc(3 * (size_t)room->triangle_count * sizeof *room->indices);
    data->walls = malloc(3 * (size_t)room->vertex_count * sizeof *data->walls);
    if (room->indices == NULL || data->walls == NULL) return false;
    for (uint32_t i = 0; i < WALLS; i++) {
        fill_wall(data->walls + 3 * (size_t)(i * POINTS), (int)(i / 2), (int)(i % 2));
        index_wall(room->indices + (size_t)i * WALL_PARTS * WALL_PARTS * 6, i * POINTS);
    }
    return true;
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const museum *data = s->data;
    for (size_t i = 0; i < 3 * (size_t)s->bodies[body].vertex_count; i++) {
        xyz_out[i] = data->walls[i];
    }
}

/* ---- the scene ---- */

static bool fill_art(const scene *s, scene_body *art)
{
    *art = (scene_body){.vertex_count = 3 * s->params.triangles,
                        .triangle_count = s->params.triangles,
                        .motion = SCENE_MORPH};
    art->indices = malloc(3 * (size_t)s->params.triangles * sizeof *art->indices);
    if (art->indices == NULL) return false;
    for (uint32_t i = 0; i < 3 * s->params.triangles; i++) art->indices[i] = i;
    return true;
}

static bool create(scene *s)
{
    museum *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(BODIES, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    s->body_count = BODIES;
    return fill_art(s, &s->bodies[ART]) && fill_room(data, &s->bodies[ROOM]) && fill_keys(s, data);
}

static void destroy(scene *s)
{
    museum *data = s->data;
    for (int i = 0; i < KEYS; i++) free(data->keys[i]);
    free(data->walls);
    free(data);
}

static void camera(const scene *s, uint32_t frame, scene_camera *out)
{
    const double step = scene_step(s, frame), angle = 1.2 * SCENE_PI * step / STEPS;
    vec eye = {4.8 * wi_cos(angle), 4.8 * wi_sin(angle), 3.2 + 1.2 * wi_sin(2 * angle)};
    vec outside = vec_add(eye, (vec){eye.x - eye.y, eye.y + eye.x, 0});
    vec_store(eye, out->eye, 0);
    vec_store(vec_mix((vec){0, 0, ART_HEIGHT}, outside, ease((step - 275) / 15)), out->look_at, 0);
    out->vertical_degrees = 55;
}

static uint32_t lights(const scene *s, uint32_t frame, scene_light *out)
{
    (void)s, (void)frame;
    out[0] = (scene_light){.position = {4, -4, 6.5F}, .strength = 0.6F};
    out[1] = (scene_light){.position = {-4.5F, 3, 6}, .strength = 0.4F};
    return SCENE_LIGHTS;
}

static bool is_reflective(const scene *s, uint32_t body)
{
    (void)s;
    return body == ART;
}

extern const scene_kind scene_museum;
const scene_kind scene_museum = {
    .name = "museum",
    .summary = "a soup of triangles in a closed room becomes another one, four times",
    .stands_for = "Larsson 2003, paper C, experiment 2",
    .defaults = {.triangles = 65536, .frames = STEPS, .sampling = 1, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1, .sampling = 1},
    .highest = {.triangles = 1000000, .frames = 1000000, .sampling = 160, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .rest = rest,
    .reference_count = KEYS,
    .reference = reference,
    .weights = weights,
    .camera = camera,
    .lights = lights,
    .is_reflective = is_reflective,
};
