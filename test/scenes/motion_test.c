/* Motion as data: whoever computes positions from what a scene hands out, by the formulas of
 * scene_motion, has the bits of scene_positions. The formulas are written once more here. */
#include <math.h>
#include <stdlib.h>
#include "geom/pose.h"
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"

static float *floats_of(const scene *s, uint32_t body)
{
    float *xyz = calloc(3 * (size_t)s->bodies[body].vertex_count + 1, sizeof *xyz);
    assert_non_null(xyz);
    return xyz;
}

/* ---- the formulas ---- */

static void compute_rigid(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    willow_pose pose;
    scene_rest(s, body, out);
    scene_pose(s, frame, body, &pose);
    willow_pose_apply(&pose, out, 0, s->bodies[body].vertex_count, (willow_vec3 *)out);
}

static void compute_keyframes(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    uint32_t key = 0;
    while (key + 1 < scene_key_count(s) && scene_key_frame(s, key + 1) <= frame) key++;
    scene_key_positions(s, key, body, out);
    uint32_t from = scene_key_frame(s, key), to = scene_key_frame(s, key + 1);
    if (frame == from) return;
    assert_true(key + 1 < scene_key_count(s) && frame < to);
    float *next = floats_of(s, body);
    scene_key_positions(s, key + 1, body, next);
    double share = (double)(frame - from) / (double)(to - from);
    for (size_t i = 0; i < 3 * (size_t)s->bodies[body].vertex_count; i++) {
        double a = (double)out[i], b = (double)next[i];
        out[i] = (float)(a + share * (b - a));
    }
    free(next);
}

/* Where a vertex is and where it goes. */
typedef struct plan {
    double start[3], since;
    float velocity[3];
} plan;

static void plan_at(const plan *p, double time, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = p->start[k] + (time - p->since) * (double)p->velocity[k];
}

static void compute_plans(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    uint32_t vertex_count = s->bodies[body].vertex_count;
    plan *plans = calloc(vertex_count, sizeof *plans);
    size_t change_count;
    const scene_change *changes = scene_changes(s, body, &change_count);
    double time = scene_time(s, frame);
    assert_non_null(plans);
    scene_positions(s, 0, body, out);
    for (size_t i = 0; i < vertex_count; i++)
        for (int k = 0; k < 3; k++) plans[i].start[k] = (double)out[3 * i + (size_t)k];
    for (size_t i = 0; i < change_count && changes[i].time <= time; i++) {
        plan *p = &plans[changes[i].vertex];
        plan_at(p, changes[i].time, p->start);
        p->since = changes[i].time;
        memcpy(p->velocity, changes[i].velocity, sizeof p->velocity);
    }
    for (size_t i = 0; i < vertex_count; i++) {
        double at[3];
        plan_at(&plans[i], time, at);
        for (size_t k = 0; k < 3; k++) out[3 * i + k] = (float)at[k];
    }
    free(plans);
}

static void compute_morph(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    float weights[SCENE_REFERENCE_MAX];
    willow_pose pose;
    scene_weights(s, frame, body, weights);
    scene_pose(s, frame, body, &pose);
    wi_pose m = wi_pose_from(&pose);
    for (size_t i = 0; i < s->bodies[body].vertex_count; i++) {
        double p[3];
        for (size_t k = 0; k < 3; k++) {
            p[k] = (double)weights[0] * (double)scene_reference(s, body, 0)[3 * i + k];
            for (uint32_t r = 1; r < scene_reference_count(s); r++)
                p[k] = p[k] + (double)weights[r] * (double)scene_reference(s, body, r)[3 * i + k];
        }
        for (size_t k = 0; k < 3; k++)
            out[3 * i + k] = (float)(m.column[0][k] * p[0] + m.column[1][k] * p[1] +
                                     m.column[2][k] * p[2] + m.translation[k]);
    }
}

static void compute_skin(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    const willow_skin skin = scene_skin(s, body);
    willow_affine joints[SCENE_JOINT_MAX];
    scene_joints(s, frame, body, joints);
    memcpy(out, scene_reference(s, body, 0),
           3 * (size_t)s->bodies[body].vertex_count * sizeof *out);
    for (size_t i = 0; i < s->bodies[body].vertex_count; i++) {
        double sum[3] = {0, 0, 0};
        for (size_t w = 0; w < skin.weights_per_vertex; w++) {
            const size_t at = i * skin.weights_per_vertex + w;
            const willow_affine *j = &joints[skin.joints[at]];
            const willow_affine *b = &skin.inverse_bind[skin.joints[at]];
            for (size_t k = 0; k < 3 && skin.weights[at] > 0; k++) {
                double m[4];
                for (size_t c = 0; c < 4; c++)
                    m[c] = j->row[k][0] * b->row[0][c] + j->row[k][1] * b->row[1][c] +
                           j->row[k][2] * b->row[2][c];
                m[3] += j->row[k][3];
                sum[k] += (double)skin.weights[at] *
                          (m[0] * (double)out[3 * i] + m[1] * (double)out[3 * i + 1] +
                           m[2] * (double)out[3 * i + 2] + m[3]);
            }
        }
        for (size_t k = 0; k < 3; k++) out[3 * i + k] = (float)sum[k];
    }
}

static void compute(const scene *s, uint32_t frame, uint32_t body, float *out)
{
    switch (s->bodies[body].motion) {
    case SCENE_RIGID: compute_rigid(s, frame, body, out); return;
    case SCENE_KEYFRAMES: compute_keyframes(s, frame, body, out); return;
    case SCENE_PLANS: compute_plans(s, frame, body, out); return;
    case SCENE_MORPH: compute_morph(s, frame, body, out); return;
    case SCENE_SKIN: compute_skin(s, frame, body, out); return;
    case SCENE_POSITIONS: fail_msg("%s has no data", s->kind->name);
    }
}

/* ---- scenes ---- */

static const struct {
    const char *spec;
    scene_motion motions[2]; /* of body 0, and of the last one */
} cases[] = {
    {"many:triangles=80,bodies=9,variant=rigid", {SCENE_RIGID, SCENE_RIGID}},
    {"tumble:triangles=320", {SCENE_RIGID, SCENE_RIGID}},
    {"tablecloth:triangles=512", {SCENE_KEYFRAMES, SCENE_RIGID}},
    {"tablecloth:triangles=3200,inbetween=6", {SCENE_KEYFRAMES, SCENE_RIGID}},
    {"selfcloth:triangles=512,inbetween=4", {SCENE_KEYFRAMES, SCENE_KEYFRAMES}},
    {"avatar:triangles=1000", {SCENE_KEYFRAMES, SCENE_KEYFRAMES}},
    {"avatar:triangles=3000,variant=dress,inbetween=4", {SCENE_KEYFRAMES, SCENE_KEYFRAMES}},
    {"spheres:triangles=1280", {SCENE_PLANS, SCENE_PLANS}},
    {"spheres:triangles=320,frames=77", {SCENE_PLANS, SCENE_PLANS}},
    {"morphing:triangles=320", {SCENE_MORPH, SCENE_MORPH}},
    {"dolphins:triangles=564", {SCENE_MORPH, SCENE_MORPH}},
    {"morphing:triangles=320,variant=inside", {SCENE_MORPH, SCENE_MORPH}},
    {"faces:triangles=320", {SCENE_MORPH, SCENE_MORPH}},
    {"walker:triangles=1000", {SCENE_SKIN, SCENE_RIGID}},
    {"bumpy:triangles=80", {SCENE_POSITIONS, SCENE_POSITIONS}},
    {"stir:triangles=400", {SCENE_POSITIONS, SCENE_RIGID}},
    {"rollers:triangles=400", {SCENE_POSITIONS, SCENE_RIGID}},
};

static void bodies_say_how_they_move(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = fixture_scene(cases[i].spec);
        assert_int_equal(s->bodies[0].motion, cases[i].motions[0]);
        assert_int_equal(s->bodies[s->body_count - 1].motion, cases[i].motions[1]);
        for (uint32_t body = 0; body < s->body_count; body++)
            assert_int_equal(s->bodies[body].is_rigid, s->bodies[body].motion == SCENE_RIGID);
        scene_destroy(s);
    }
}

static void the_data_of_a_motion_gives_its_positions_bit_for_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = fixture_scene(cases[i].spec);
        for (uint32_t frame = 0; frame < s->frame_count; frame += 7)
            for (uint32_t body = 0; body < s->body_count; body++) {
                if (s->bodies[body].motion == SCENE_POSITIONS) continue;
                size_t size = 3 * (size_t)s->bodies[body].vertex_count * sizeof(float);
                float *found = floats_of(s, body), *computed = floats_of(s, body);
                scene_positions(s, frame, body, found);
                compute(s, frame, body, computed);
                if (memcmp(found, computed, size) != 0)
                    fail_msg("%s: body %u differs in frame %u", cases[i].spec, (unsigned)body,
                             (unsigned)frame);
                free(found);
                free(computed);
            }
        scene_destroy(s);
    }
}

static void keyframes_reach_to_the_last_frame_and_no_further_than_needed(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t keys, last;
    } counts[] = {{"tablecloth:triangles=2,frames=1", 1, 0},
                  {"tablecloth:triangles=2,frames=9", 9, 8},
                  {"tablecloth:triangles=2,frames=9,inbetween=3", 3, 8},
                  {"tablecloth:triangles=2,frames=10,inbetween=3", 4, 12},
                  {"tablecloth:triangles=2,frames=2,inbetween=1000", 2, 1001}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        scene *s = fixture_scene(counts[i].spec);
        assert_int_equal(scene_key_count(s), counts[i].keys);
        assert_int_equal(scene_key_frame(s, scene_key_count(s) - 1), counts[i].last);
        scene_destroy(s);
    }
}

/* With frames between, keys are what they were, and what is between them is another shape. */
static void keyframes_are_frames_of_the_clip_that_has_nothing_between_them(void **state)
{
    (void)state;
    scene *all = fixture_scene("tablecloth:triangles=512"),
          *few = fixture_scene("tablecloth:triangles=512,inbetween=9");
    float *a = floats_of(all, 0), *b = floats_of(all, 0);
    size_t size = 3 * (size_t)all->bodies[0].vertex_count * sizeof *a;
    for (uint32_t frame = 0; frame < 120; frame += 5) {
        scene_positions(all, frame, 0, a);
        scene_positions(few, frame, 0, b);
        assert_int_equal(memcmp(a, b, size) == 0, frame % 10 == 0);
    }
    free(a);
    free(b);
    scene_destroy(all);
    scene_destroy(few);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_say_how_they_move),
    cmocka_unit_test(the_data_of_a_motion_gives_its_positions_bit_for_bit),
    cmocka_unit_test(keyframes_reach_to_the_last_frame_and_no_further_than_needed),
    cmocka_unit_test(keyframes_are_frames_of_the_clip_that_has_nothing_between_them),
};

TEST_GROUP(motion, tests);
