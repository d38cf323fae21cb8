/* rays9.c - nine bodies that deform in every frame, and a camera that goes around them.
 *
 * Stands for the first experiment of Larsson's paper C (2003, chapter 7): 9 bodies of 81,920
 * triangles each, 280 frames, two lights, all bodies reflective, and a camera on whose way the
 * number of visible bodies varies, more than half of them in most frames. At step 200, as in the
 * paper, it has turned away from all of them.
 * Variants, by how the bodies are known to move: `free` has waves that run over the bodies, and no
 * more is known than positions; `morphs` are blends of three shapes under poses; `plans` are the
 * waves of `free` at keyframes, straight between them; `still` is `free` at rest. */
#include "bumps.h"
#include "camera.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 280, BODIES = 9, SHAPES = 3, AWAY = 200 };

/* Between the places of the grid. */
#define SPACING 2.7

typedef struct rays9 {
    bumps_set set;
    scene_motion motion;
    bool is_still;
    float *shapes[SHAPES]; /* of morphs; all bodies have the same */
} rays9;

/* ---- where bodies are ---- */

/* Bodies stand in a square, and hover. */
static vec centre_of(const scene *s, uint32_t body, double step)
{
    uint64_t key = random_key(random_key(random_key(WI_HASH_START, s->params.seed), body), 7);
    double phase = random_between(key, 0, 0, 2 * SCENE_PI), column = body % 3, row = body / 3 % 3;
    double layer = body / 9;
    vec place = {SPACING * (column - 1), SPACING * (row - 1), SPACING * layer};
    return vec_add(place, (vec){0, 0, 0.3 * wi_sin(phase + 0.045 * step)});
}

static double step_of(const scene *s, double step)
{
    const rays9 *data = s->data;
    return data->is_still ? 0 : step;
}

static void place(const scene *s, double step, uint32_t body, uint32_t first, uint32_t count,
                  float *xyz_out)
{
    const rays9 *data = s->data;
    const vec centre = centre_of(s, body, step);
    for (uint32_t i = 0; i < count; i++) {
        const double *d = data->set.sphere.directions + 3 * (size_t)(first + i);
        double radius = bumps_radius(&data->set.of_body[body], step, d);
        vec_store(vec_along(centre, radius, vec_load(d)), xyz_out, i);
    }
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    place(s, step_of(s, scene_step(s, frame)), body, 0, s->bodies[body].vertex_count, xyz_out);
}

static void key(const scene *s, uint32_t number, uint32_t body, uint32_t first, uint32_t count,
                float *xyz_out)
{
    place(s, scene_step(s, scene_key_frame(s, number)), body, first, count, xyz_out);
}

/* ---- morphs ---- */

/* Each shape has waves of its own, higher than those of `free`. */
static void fill_shape(const scene *s, rays9 *data, uint32_t shape)
{
    uint64_t own = random_key(random_key(random_key(WI_HASH_START, s->params.seed), shape), 9);
    const bumps waves = bumps_make(own);
    for (uint32_t i = 0; i < data->set.sphere.vertex_count; i++) {
        const double *d = data->set.sphere.directions + 3 * (size_t)i;
        double radius = 1 + 2 * (bumps_radius(&waves, 0, d) - 1);
        vec_store(vec_scale(radius, vec_load(d)), data->shapes[shape], i);
    }
}

static bool fill_shapes(const scene *s, rays9 *data)
{
    for (uint32_t i = 0; i < SHAPES; i++) {
        data->shapes[i] = malloc(3 * (size_t)data->set.sphere.vertex_count * sizeof(float));
        if (data->shapes[i] == NULL) return false;
        fill_shape(s, data, i);
    }
    return true;
}

static const float *reference(const scene *s, uint32_t body, uint32_t number)
{
    const rays9 *data = s->data;
    (void)body;
    return data->shapes[number];
}

static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    const double step = scene_step(s, frame);
    const double a = 0.5 + 0.5 * wi_sin(0.05 * step + body);
    const double b = 0.5 + 0.5 * wi_sin(0.031 * step + 2.0 * body);
    weights_out[0] = (float)(1 - a);
    weights_out[1] = (float)(a * b);
    weights_out[2] = (float)(a * (1 - b));
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const double step = scene_step(s, frame);
    uint64_t own = random_key(random_key(random_key(WI_HASH_START, s->params.seed), body), 8);
    const turn spin = turn_about(vec_random_unit(own), 0.01 * step);
    return turn_pose(&spin, centre_of(s, body, step));
}

/* ---- the scene ---- */

static scene_motion motion_of(const scene *s)
{
    if (strcmp(s->params.variant, "morphs") == 0) return SCENE_MORPH;
    return strcmp(s->params.variant, "plans") == 0 ? SCENE_KEYFRAMES : SCENE_POSITIONS;
}

static bool create(scene *s)
{
    rays9 *data = calloc(1, sizeof *data);
    s->data = data;
    if (data == NULL || !bumps_set_create(&data->set, s, s->params.bodies)) return false;
    data->motion = motion_of(s);
    data->is_still = strcmp(s->params.variant, "still") == 0;
    for (uint32_t i = 0; i < s->body_count; i++) s->bodies[i].motion = data->motion;
    return data->motion != SCENE_MORPH || fill_shapes(s, data);
}

static void destroy(scene *s)
{
    rays9 *data = s->data;
    bumps_set_destroy(&data->set);
    for (int i = 0; i < SHAPES; i++) free(data->shapes[i]);
    free(data);
}

/* ---- how it is looked at ---- */

/* One when the camera looks at nothing: at step AWAY and a little before and behind it. */
static double turned_away(double step)
{
    const double off = fabs(step - AWAY);
    return ease((16 - off) / 12);
}

/* Once around. For a while it is near and looks past some bodies; at step AWAY it has turned away
 * so far that none is left in the picture. */
static void camera(const scene *s, uint32_t frame, scene_camera *out)
{
    const double step = scene_step(s, frame), angle = 2 * SCENE_PI * step / STEPS;
    const double near = ease((40 - fabs(step - 65)) / 30);
    const double distance = 8.6 - 2 * near + 0.6 * wi_sin(3 * angle);
    const double height = 5.5 - 2 * near + wi_sin(2 * angle);
    const double aside = 0.6 * near * wi_sin(9 * angle) + 2.4 * turned_away(step);
    vec eye = {distance * wi_cos(angle), distance * wi_sin(angle), height};
    vec ahead = {-distance * wi_cos(angle + aside), -distance * wi_sin(angle + aside),
                 -0.2 - height + 6 * turned_away(step)};
    vec_store(eye, out->eye, 0);
    vec_store(vec_add(eye, ahead), out->look_at, 0);
    out->vertical_degrees = 38;
}

static uint32_t lights(const scene *s, uint32_t frame, scene_light *out)
{
    (void)s, (void)frame;
    out[0] = (scene_light){.position = {9, -7, 12}, .strength = 0.6F};
    out[1] = (scene_light){.position = {-8, 10, 7}, .strength = 0.4F};
    return SCENE_LIGHTS;
}

static bool is_reflective(const scene *s, uint32_t body)
{
    (void)s, (void)body;
    return true;
}

extern const scene_kind scene_rays9;
const scene_kind scene_rays9 = {
    .name = "rays9",
    .summary = "nine reflective bodies deform, and a camera goes around them",
    .stands_for = "Larsson 2003, paper C, experiment 1",
    .defaults = {.triangles = 81920,
                 .bodies = BODIES,
                 .frames = STEPS,
                 .inbetween = 9,
                 .sampling = 1,
                 .seed = 1,
                 .variant = "free"},
    .lowest = {.triangles = 1, .bodies = 1, .frames = 1, .sampling = 1},
    .highest = {.triangles = 2000000,
                .bodies = 90,
                .frames = 1000000,
                .inbetween = 1000000,
                .sampling = 160,
                .seed = UINT32_MAX},
    .variants = "free morphs plans still",
    .create = create,
    .destroy = destroy,
    .positions = positions,
    .pose = pose,
    .key = key,
    .reference_count = SHAPES,
    .reference = reference,
    .weights = weights,
    .camera = camera,
    .lights = lights,
    .is_reflective = is_reflective,
};
