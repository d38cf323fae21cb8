/* Steps of morphing bodies between two sets of weights, and what is near them, are those of bodies
 * that are given the same positions. */
#include <math.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/step_stage.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "willow/willow.h"

enum { BODIES = STEP_BODIES };

/* How the bodies go through a step. */
typedef struct course {
    zoo_mesh meshes[BODIES];
    morph_model models[BODIES];
    float start[BODIES][MORPH_TARGETS], end[BODIES][MORPH_TARGETS];
} course;

static void open_course(course *c, willow_morph_kind kind, uint64_t seed)
{
    uint64_t random = seed;
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < BODIES; i++) {
        zoo_mesh_create(&c->meshes[i], i == 0 ? ZOO_KIND_SPHERE : ZOO_KIND_GRID, 40, seed + i);
        morph_model_create(&c->models[i], &c->meshes[i], kind, 4, seed + i);
        morph_model_choose(&c->models[i], MORPH_WEIGHTS_BETWEEN, &random);
        memcpy(c->start[i], c->models[i].weights, sizeof c->start[i]);
        morph_model_choose(&c->models[i],
                           seed % 2 == 0 ? MORPH_WEIGHTS_CONVEX : MORPH_WEIGHTS_NEGATIVE, &random);
        memcpy(c->end[i], c->models[i].weights, sizeof c->end[i]);
    }
}

static void close_course(course *c)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        morph_model_destroy(&c->models[i]);
        zoo_mesh_destroy(&c->meshes[i]);
    }
}

static void positions_at(const course *c, uint32_t body, const float *weights, float (*out)[3])
{
    morph_model m = c->models[body];
    memcpy(m.weights, weights, sizeof m.weights);
    for (uint32_t vertex = 0; vertex < m.mesh->vertex_count; vertex++) {
        double x[3];
        morph_model_at(&m, vertex, x);
        for (int axis = 0; axis < 3; axis++) out[vertex][axis] = (float)x[axis];
    }
}

static void give_morph(step_stage *s, const course *c, uint32_t i)
{
    willow_morph morph = morph_model_def(&c->models[i]);
    morph.weights = c->start[i];
    assert_ok(willow_body_set_morph_targets(s->world, s->bodies[i], &morph));
    assert_ok(willow_body_set_target_weights(s->world, s->bodies[i], c->end[i], 4));
}

static void give_positions(step_stage *s, const course *c, uint32_t i)
{
    float to[256][3];
    assert_true(c->meshes[i].vertex_count <= 256);
    positions_at(c, i, c->end[i], to);
    assert_ok(willow_body_set_target(s->world, s->bodies[i], 0, c->meshes[i].vertex_count, to, 0));
}

static step_stage open_stage(const course *c, willow_method method, bool morphs)
{
    step_stage s;
    s.world = fixture_world(NULL);
    for (uint32_t i = 0; i < BODIES; i++) {
        float from[256][3];
        willow_body_def def = willow_body_def_default();
        positions_at(c, i, c->start[i], from);
        def.mesh = zoo_mesh_def(&c->meshes[i]);
        if (!morphs) def.mesh.positions = from;
        def.tree.method = method;
        def.tree.leaf_triangles = 4;
        def.self = i == 0;
        def.thickness = 0.01F;
        s.bodies[i] = fixture_body(s.world, &def);
        if (morphs)
            give_morph(&s, c, i);
        else
            give_positions(&s, c, i);
    }
    step_stage_begin(&s);
    return s;
}

static step_answers answers_of(const course *c, willow_method method, bool morphs)
{
    step_stage s = open_stage(c, method, morphs);
    const step_answers out = step_stage_ask(&s);
    step_stage_close(&s);
    return out;
}

/* Without a pose both ends are rounded once in either way. */
static void a_step_of_weights_is_the_step_of_its_positions(void **state)
{
    size_t contacts = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        course c;
        open_course(&c, seed % 2 == 0 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE, seed);
        const step_answers given = answers_of(&c, WILLOW_METHOD_HYBRID, false);
        const step_answers own = answers_of(&c, WILLOW_METHOD_BLEND, true);
        step_answers_expect(&given, &own, "positions");
        contacts += own.impact_count;
        close_course(&c);
    }
    print_message("%zu impacts\n", contacts);
    assert_true(contacts > 0);
}

static uint64_t impacts_of(step_stage *s)
{
    willow_impacts impacts;
    assert_ok(willow_find_impacts(s->world, s->scratch, NULL, &impacts));
    return hash_impacts(&impacts);
}

static void weights_and_vertices_replace_each_other_as_targets(void **state)
{
    course c;
    float to[256][3];
    const float bad[4] = {0, 0, 0, INFINITY};
    (void)state;
    open_course(&c, WILLOW_MORPH_ABSOLUTE, 3);
    step_stage s = open_stage(&c, WILLOW_METHOD_BLEND, true);
    const uint64_t wanted = impacts_of(&s), hash = willow_world_hash(s.world);
    assert_int_equal(willow_body_set_target_weights(s.world, s.bodies[0], bad, 4),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_set_target_weights(s.world, s.bodies[0], bad, 3),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_world_hash(s.world), hash);
    positions_at(&c, 0, c.start[0], to); /* it stays where it is */
    assert_ok(willow_body_set_target(s.world, s.bodies[0], 0, c.meshes[0].vertex_count, to, 0));
    assert_int_not_equal(willow_world_hash(s.world), hash);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    const uint64_t other = impacts_of(&s);
    assert_ok(willow_body_set_target_weights(s.world, s.bodies[0], c.end[0], 4));
    assert_int_equal(willow_world_hash(s.world), hash);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    assert_int_equal(impacts_of(&s), wanted);
    assert_int_not_equal(other, wanted);
    assert_ok(willow_body_set_morph_weights(s.world, s.bodies[0], c.end[0], 4));
    willow_body_info info;
    assert_ok(willow_body_get_info(s.world, s.bodies[0], &info));
    assert_false(info.has_target); /* the step began where it was */
    step_stage_close(&s);
    close_course(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_step_of_weights_is_the_step_of_its_positions),
    cmocka_unit_test(weights_and_vertices_replace_each_other_as_targets),
};

TEST_GROUP(impacts_morph, tests);
