/* crowd_rays.c - a square full of bodies that walk about and morph, seen by one of them.
 *
 * Stands for what games and crowds ask of rays: 400 bodies on one floor, 4 million triangles
 * together, all of them moving, most of them hidden behind others. Every third body has as many
 * triangles as `triangles` says, all others a quarter of that. Bodies are blends of three shapes
 * under poses, of which all bodies of a size have the same. One body in eight reflects. */
#include "bumps.h"
#include "camera.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200, SHAPES = 3, SIZES = 2 };

#define SPACING 3.0

typedef struct crowd {
    icosphere sphere[SIZES];
    float *shapes[SIZES][SHAPES];
} crowd;

static uint32_t size_of(uint32_t body) { return body % 3 == 0 ? 0 : 1; }

/* Upright, and with waves of its own. */
static vec shape_point(const bumps *waves, vec d)
{
    const double unit[3] = {d.x, d.y, d.z};
    const double radius = 1 + 2 * (bumps_radius(waves, 0, unit) - 1);
    return (vec){0.7 * radius * d.x, 0.7 * radius * d.y, 1.3 * radius * d.z};
}

static bool fill_shape(const scene *s, crowd *data, uint32_t size, uint32_t shape)
{
    const icosphere *sphere = &data->sphere[size];
    uint64_t key = random_key(random_key(random_key(WI_HASH_START, s->params.seed), shape), 5);
    const bumps waves = bumps_make(key);
    float *xyz = malloc(3 * (size_t)sphere->vertex_count * sizeof *xyz);
    data->shapes[size][shape] = xyz;
    if (xyz == NULL) return false;
    for (uint32_t i = 0; i < sphere->vertex_count; i++) {
        vec_store(shape_point(&waves, vec_load(sphere->directions + 3 * (size_t)i)), xyz, i);
    }
    return true;
}

static bool fill_size(const scene *s, crowd *data, uint32_t size)
{
    const uint32_t level = icosphere_nearest_level(s->asked.triangles);
    const uint32_t own = level > size ? level - size : 0;
    if (!icosphere_create(own, &data->sphere[size])) return false;
    for (uint32_t i = 0; i < SHAPES; i++) {
        if (!fill_shape(s, data, size, i)) return false;
    }
    return true;
}

static bool create(scene *s)
{
    crowd *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) return false;
    s->body_count = s->params.bodies;
    for (uint32_t i = 0; i < SIZES; i++) {
        if (!fill_size(s, data, i)) return false;
    }
    s->params.triangles = data->sphere[0].triangle_count;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (!icosphere_fill_body(&s->bodies[i], &data->sphere[size_of(i)])) return false;
        s->bodies[i].motion = SCENE_MORPH;
    }
    return true;
}

static void destroy(scene *s)
{
    crowd *data = s->data;
    for (uint32_t i = 0; i < SIZES; i++) {
        icosphere_destroy(&data->sphere[i]);
        for (uint32_t k = 0; k < SHAPES; k++) free(data->shapes[i][k]);
    }
    free(data);
}

static const float *reference(const scene *s, uint32_t body, uint32_t number)
{
    const crowd *data = s->data;
    return data->shapes[size_of(body)][number];
}

static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    const double step = scene_step(s, frame);
    const double a = 0.5 + 0.5 * wi_sin(0.07 * step + body);
    const double b = 0.5 + 0.5 * wi_sin(0.043 * step + 2.0 * body);
    weights_out[0] = (float)(1 - a);
    weights_out[1] = (float)(a * b);
    weights_out[2] = (float)(a * (1 - b));
}

static double side_of(const scene *s)
{
    uint32_t side = 1;
    while (side * side < s->body_count) side++;
    return side;
}

/* Each walks a small circle around its place, and faces ahead. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    uint64_t key = random_key(random_key(random_key(WI_HASH_START, s->params.seed), body), 6);
    const double step = scene_step(s, frame), side = side_of(s);
    const double angle =
        random_between(key, 0, 0, 2 * SCENE_PI) + random_between(key, 1, -0.05, 0.05) * step;
    const double radius = random_between(key, 2, 0.2, 0.8);
    const uint32_t row = (uint32_t)side;
    const vec at = {SPACING * (body % row - 0.5 * (side - 1)) + radius * wi_cos(angle),
                    SPACING * (body / row - 0.5 * (side - 1)) + radius * wi_sin(angle), 1.3};
    const turn facing = turn_about((vec){0, 0, 1}, angle);
    return turn_pose(&facing, at);
}

/* From the edge of the square at the height of the heads, turning slowly. */
static void camera(const scene *s, uint32_t frame, scene_camera *out)
{
    const double step = scene_step(s, frame), half = 0.5 * SPACING * side_of(s);
    const double angle = 0.4 * wi_sin(2 * SCENE_PI * step / STEPS);
    const vec eye = {-half - 3, 0.3 * half, 3.6};
    vec_store(eye, out->eye, 0);
    vec_store(vec_add(eye, (vec){wi_cos(angle), wi_sin(angle) - 0.25, -0.12}), out->look_at, 0);
    out->vertical_degrees = 45;
}

static uint32_t lights(const scene *s, uint32_t frame, scene_light *out)
{
    const float half = (float)(0.5 * SPACING * side_of(s));
    (void)frame;
    out[0] = (scene_light){.position = {-half, -half, 30}, .strength = 0.6F};
    out[1] = (scene_light){.position = {-half, 0.5F * half, 12}, .strength = 0.4F};
    return SCENE_LIGHTS;
}

static bool is_reflective(const scene *s, uint32_t body)
{
    (void)s;
    return body % 8 == 0;
}

extern const scene_kind scene_crowd_rays;
const scene_kind scene_crowd_rays = {
    .name = "crowd_rays",
    .summary = "hundreds of bodies walk about and morph, most of them hidden behind others",
    .stands_for = "rays in a crowd: 400 bodies, 4 million triangles",
    .defaults = {.triangles = 20480, .bodies = 400, .frames = STEPS, .sampling = 1, .seed = 1},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1, .sampling = 1},
    .highest = {.triangles = 2000000,
                .bodies = 10000,
                .frames = 1000000,
                .sampling = 160,
                .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .pose = pose,
    .reference_count = SHAPES,
    .reference = reference,
    .weights = weights,
    .camera = camera,
    .lights = lights,
    .is_reflective = is_reflective,
};
