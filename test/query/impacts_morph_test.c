/* Steps of morphing bodies between two sets of weights, and what is near them: with every method,
 * against BRUTE, and against bodies that are given the same positions. */
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
    bool is_posed, turns;
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

static step_stage open_stage(const course *c, willow_tree_def tree, uint32_t threads, bool morphs)
{
    step_stage s;
    willow_world_def world = willow_world_def_default();
    world.thread_count = threads;
    s.world = fixture_world(&world);
    for (uint32_t i = 0; i < BODIES; i++) {
        float from[256][3];
        willow_body_def def = willow_body_def_default();
        positions_at(c, i, c->start[i], from);
        def.mesh = zoo_mesh_def(&c->meshes[i]);
        if (!morphs) def.mesh.positions = from;
        def.tree = tree;
        def.self = i == 0;
        def.thickness = 0.01F;
        if (c->is_posed) def.pose = step_poses[i];
        s.bodies[i] = fixture_body(s.world, &def);
        if (morphs)
            give_morph(&s, c, i);
        else
            give_positions(&s, c, i);
        if (c->turns)
            assert_ok(willow_body_set_target_pose(s.world, s.bodies[i], &step_poses[1 - i]));
    }
    step_stage_begin(&s);
    return s;
}

static willow_tree_def tree_of(willow_method method)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    tree.leaf_triangles = 4;
    return tree;
}

static step_answers answers_of(const course *c, willow_tree_def tree, uint32_t threads, bool morphs)
{
    step_stage s = open_stage(c, tree, threads, morphs);
    const step_answers out = step_stage_ask(&s);
    step_stage_close(&s);
    return out;
}

static size_t compare_methods(const course *c)
{
    const step_answers brute = answers_of(c, tree_of(WILLOW_METHOD_BRUTE), 1, true);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_tree_def tree = tree_of(method);
        for (uint32_t threads = 1; threads <= 2; threads++) {
            const step_answers own = answers_of(c, tree, threads, true);
            step_answers_expect(&brute, &own, willow_method_name(method));
            tree.arity = 2;
            tree.blend_both = true;
            tree.volume = WILLOW_VOLUME_SPHERE;
        }
    }
    return brute.impact_count + brute.near_count;
}

static void all_methods_find_the_impacts_of_brute(void **state)
{
    size_t contacts = 0;
    (void)state;
    for (uint64_t seed = 2; seed <= 3; seed++) {
        course c;
        open_course(&c, seed % 3 == 0 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE, seed);
        contacts += compare_methods(&c);
        c.is_posed = true;
        contacts += compare_methods(&c);
        c.turns = true;
        contacts += compare_methods(&c);
        close_course(&c);
    }
    print_message("%zu contacts\n", contacts);
    assert_true(contacts > 0);
}

/* Without a pose both ends are rounded once in either way. */
static void a_step_of_weights_is_the_step_of_its_positions(void **state)
{
    size_t contacts = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        course c;
        open_course(&c, seed % 2 == 0 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE, seed);
        const step_answers given = answers_of(&c, tree_of(WILLOW_METHOD_HYBRID), 1, false);
        const step_answers own = answers_of(&c, tree_of(WILLOW_METHOD_BLEND), 1, true);
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
    step_stage s = open_stage(&c, tree_of(WILLOW_METHOD_BLEND), 1, true);
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
    cmocka_unit_test(all_methods_find_the_impacts_of_brute),
    cmocka_unit_test(a_step_of_weights_is_the_step_of_its_positions),
    cmocka_unit_test(weights_and_vertices_replace_each_other_as_targets),
};

TEST_GROUP(impacts_morph, tests);
