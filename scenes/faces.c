/* faces.c - two heads that pull faces close to each other: expressions are offsets of few vertices.
 *
 * Stands for characters as animation files have them: a base and ten targets, each of which moves
 * one part of the head and leaves the rest alone, all in use at weights of about 0.7. The heads
 * turn, and lean against each other by more and less. */
#include "morph_balls.h"

enum { STEPS = 200, EXPRESSIONS = 10, REFERENCES = 1 + EXPRESSIONS };

/* An expression moves what is within this angle of its middle: its cosine. */
#define REACH 0.86

/* ---- the references ---- */

/* Middles are spread over the head, along a spiral from pole to pole. */
static vec middle_of(int expression)
{
    double z = 1 - (2.0 * expression + 1) / EXPRESSIONS, angle = 2.4 * expression;
    double across = sqrt(1 - z * z);
    return (vec){across * wi_cos(angle), across * wi_sin(angle), z};
}

/* Out or in, and a little aside; smoothly down to nothing at the border. */
static vec offset_at(vec d, int expression, uint64_t key)
{
    double share = ease((vec_dot(d, middle_of(expression)) - REACH) / (1 - REACH));
    vec aside = vec_random_unit(random_key(key, (uint64_t)expression));
    vec way = vec_along(vec_scale(expression % 2 == 0 ? 0.25 : -0.2, d), 0.15, aside);
    return vec_scale(share, way);
}

static void fill_references(morph_balls *data, uint64_t key)
{
    for (uint32_t i = 0; i < data->sphere.vertex_count; i++) {
        vec d = vec_load(data->sphere.directions + 3 * (size_t)i);
        vec_store((vec){0.8 * d.x, 0.9 * d.y, 1.1 * d.z}, data->references[0], i);
        for (int e = 0; e < EXPRESSIONS; e++) {
            vec_store(offset_at(d, e, key), data->references[1 + e], i);
        }
    }
}

/* ---- the scene ---- */

static bool create(scene *s) { return morph_balls_create(s, fill_references); }

/* Each in its own beat, around 0.7. */
static void weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    double step = scene_step(s, frame);
    weights_out[0] = 1;
    for (int e = 0; e < EXPRESSIONS; e++) {
        double beat = 0.05 + 0.01 * e;
        weights_out[1 + e] = (float)(0.7 + 0.2 * wi_sin(beat * step + e + 3.0 * body));
    }
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const morph_balls *data = s->data;
    double step = scene_step(s, frame), side = body == 0 ? -1 : 1;
    turn spin = turn_about(data->axes[body], 0.015 * step);
    return turn_pose(&spin, (vec){side * (0.85 + 0.1 * wi_sin(0.04 * step)), 0.1 * side, 0});
}

extern const scene_kind scene_faces;
const scene_kind scene_faces = {
    .name = "faces",
    .summary = "two heads that touch pull faces: ten sparse targets at weights of 0.7",
    .stands_for = "blend shapes of animation files",
    .defaults = {.triangles = 20480, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = morph_balls_destroy,
    .pose = pose,
    .reference_count = REFERENCES,
    .has_offsets = true,
    .reference = morph_balls_reference,
    .weights = weights,
};
