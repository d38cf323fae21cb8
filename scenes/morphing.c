/* morphing.c - two bodies that change from one shape into a second and a third, and pass right
 * through each other meanwhile.
 *
 * Stands for the first experiment of Larsson 2003 ("Adaptive algorithms for collision detection and
 * ray tracing of deformable meshes", paper B, chapter 6): three references of 20,480 triangles, of
 * which two are in use at a time, and 400 steps. The references here are a bumpy ball, a star, and
 * a bone with a twist. The bodies start and end apart. In the variant `inside` they stay
 * in one place instead, one a little behind the other: as deep in each other as can be, and under
 * no pose. */
#include "bumps.h"
#include "morph_balls.h"

#include <string.h>

enum { STEPS = 400, REFERENCES = 3, SPIKES = 6 };

/* From the middle to the centres at first and in the end; a bone reaches 1.3. */
#define APART 1.6

/* ---- the references ---- */

/* A small ball that is drawn out to spikes, roughly along the axes. */
static vec star_point(vec d, uint64_t key)
{
    vec at = vec_scale(0.45, d);
    for (uint64_t i = 0; i < SPIKES; i++) {
        double side = i % 2 == 0 ? 1 : -1;
        vec axis = {i / 2 == 0 ? side : 0, i / 2 == 1 ? side : 0, i / 2 == 2 ? side : 0};
        vec spike = vec_unit(vec_along(axis, 0.4, vec_random_unit(random_key(key, i))));
        double reach = ease((vec_dot(d, spike) - 0.7) / 0.3);
        at = vec_along(at, 0.65 * reach, spike);
    }
    return at;
}

/* Long, thin in the middle, flat, and twisted about its length. */
static vec bone_point(vec d)
{
    double thick = 0.3 + 0.5 * d.x * d.x;
    turn twisted = turn_about((vec){1, 0, 0}, 1.5 * d.x);
    return turn_apply(&twisted, (vec){1.3 * d.x, 0.6 * thick * d.y, 1.2 * thick * d.z});
}

static void fill_references(morph_balls *data, uint64_t key)
{
    bumps waves = bumps_make(random_key(key, 0));
    uint64_t spikes = random_key(key, 1);
    bumps_positions(&waves, 0, &data->sphere, data->references[0]);
    for (uint32_t i = 0; i < data->sphere.vertex_count; i++) {
        vec d = vec_load(data->sphere.directions + 3 * (size_t)i);
        vec_store(star_point(d, spikes), data->references[1], i);
        vec_store(bone_point(d), data->references[2], i);
    }
}

/* ---- the scene ---- */

static bool create(scene *s) { return morph_balls_create(s, fill_references); }

static bool is_inside(const scene *s) { return strcmp(s->params.variant, "inside") == 0; }

/* From the first to the second, then from the second to the third. */
static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    double at = scene_step(s, frame) / (0.5 * STEPS);
    if (is_inside(s) && body == 0) {
        at += 0.05;
    }
    weights_out[0] = (float)(at < 1 ? 1 - at : 0);
    weights_out[1] = (float)(at < 1 ? at : 2 - at);
    weights_out[2] = (float)(at < 1 ? 0 : at - 1);
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const morph_balls *data = s->data;
    double step = scene_step(s, frame), side = body == 0 ? -1 : 1;
    if (is_inside(s)) {
        return willow_pose_identity();
    }
    double along = APART * (1 - 2 * step / STEPS);
    turn spin = turn_about(data->axes[body], 0.01 * step);
    return turn_pose(&spin, (vec){side * along, 0.1 * side, 0.05 * side});
}

extern const scene_kind scene_morphing;
const scene_kind scene_morphing = {
    .name = "morphing",
    .summary = "two bodies morph from ball to star to bone and pass right through each other",
    .stands_for = "Larsson 2003, paper B, experiment 1",
    .defaults = {.triangles = 20480, .frames = STEPS, .seed = 1, .variant = "through"},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "through inside",
    .create = create,
    .destroy = morph_balls_destroy,
    .pose = pose,
    .reference_count = REFERENCES,
    .reference = morph_balls_reference,
    .weights = weights,
};
