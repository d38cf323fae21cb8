/* Morphs as users meet them: where vertices are, and what ends them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

static const float square[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 5, 5}};
static const uint32_t square_tris[2][3] = {{0, 1, 2}, {0, 2, 3}};
enum { SQUARE = 5 };

typedef struct stage {
    willow_world *world;
    willow_body_id body;
} stage;

static stage open_stage(willow_method method)
{
    willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    stage s;
    body.mesh = FIXTURE_MESH(square, SQUARE, square_tris, 2);
    body.tree.method = method;
    s.world = fixture_world(&def);
    s.body = fixture_body(s.world, &body);
    return s;
}

static void update(const stage *s)
{
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    assert_true(willow_world_validate(s->world, NULL, 0));
}

static void expect_at(const stage *s, uint32_t vertex, float x, float y, float z)
{
    willow_vec3 at;
    assert_ok(willow_body_copy_vertices(s->world, s->body, vertex, 1, &at));
    if (at.x != x || at.y != y || at.z != z)
        fail_msg("vertex %u is at (%.9g, %.9g, %.9g), not at (%.9g, %.9g, %.9g)", vertex,
                 (double)at.x, (double)at.y, (double)at.z, (double)x, (double)y, (double)z);
}

static willow_result weigh(const stage *s, float a, float b)
{
    const float weights[2] = {a, b};
    return willow_body_set_morph_weights(s->world, s->body, weights, 2);
}

/* The first lifts all, the second moves two vertices along x. */
static const float lift[SQUARE][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const float aside[2][3] = {{2, 0, 0}, {4, 0, 0}};
static const uint32_t aside_of[2] = {4, 1};

static willow_morph offsets(willow_morph_target targets[2])
{
    willow_morph morph = willow_morph_default();
    targets[0] = (willow_morph_target){.values = lift};
    targets[1] = (willow_morph_target){.values = aside, .vertices = aside_of, .vertex_count = 2};
    morph.targets = targets;
    morph.target_count = 2;
    return morph;
}

static void set_offsets(const stage *s)
{
    willow_morph_target targets[2];
    const willow_morph morph = offsets(targets);
    assert_ok(willow_body_set_morph_targets(s->world, s->body, &morph));
}

static willow_body_info info_of(const stage *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info;
}

static void for_every_method(void (*test)(const stage *s))
{
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        const stage s = open_stage(method);
        test(&s);
        willow_world_destroy(s.world);
    }
}

/* ---- where vertices are ---- */

static void check_offsets(const stage *s)
{
    set_offsets(s);
    update(s);
    expect_at(s, 1, 1, 0, 0);
    assert_ok(weigh(s, 2, -0.5F));
    expect_at(s, 1, -1, 0, 2); /* as last set, before the update too */
    update(s);
    expect_at(s, 1, -1, 0, 2);
    expect_at(s, 4, 4, 5, 7); /* nobody uses it, but it moves */
    expect_at(s, 0, 0, 0, 2);
    assert_ok(weigh(s, 0, 0));
    update(s);
    expect_at(s, 1, 1, 0, 0);
    assert_true(info_of(s).has_morph && info_of(s).morph_target_count == 2);
}

static void offsets_are_added_to_where_vertices_were(void **state)
{
    (void)state;
    for_every_method(check_offsets);
}

static void check_absolute(const stage *s)
{
    const willow_morph_target targets[2] = {{.values = square}, {.values = lift}};
    willow_morph morph = willow_morph_default();
    morph.kind = WILLOW_MORPH_ABSOLUTE;
    morph.targets = targets;
    morph.target_count = 2;
    assert_ok(willow_body_set_morph_targets(s->world, s->body, &morph));
    update(s);
    expect_at(s, 2, 1, 1, 0); /* the first one */
    assert_ok(weigh(s, 0.5F, 0.25F));
    update(s);
    expect_at(s, 2, 0.5F, 0.5F, 0.25F);
    assert_ok(weigh(s, 0, 0)); /* all at one point */
    update(s);
    expect_at(s, 4, 0, 0, 0);
}

static void absolute_targets_are_summed_up(void **state)
{
    (void)state;
    for_every_method(check_absolute);
}

static void check_pose(const stage *s)
{
    const willow_pose pose = {{0.1F, 0, 0}, {0, 0, 0, 1}};
    set_offsets(s);
    assert_ok(weigh(s, 0.3F, 0));
    assert_ok(willow_body_set_pose(s->world, s->body, &pose));
    update(s);
    expect_at(s, 1, (float)(1.0 + (double)0.1F), 0, 0.3F);
}

static void the_pose_comes_after_the_morph_and_before_the_rounding(void **state)
{
    (void)state;
    for_every_method(check_pose);
}

static void a_base_and_weights_may_come_with_the_targets(void **state)
{
    static const float base[SQUARE][4] = {{7, 8, 9}, {0}, {0}, {0}, {0}};
    const float weights[2] = {1, 0};
    const stage s = open_stage(WILLOW_METHOD_AUTO);
    willow_morph_target targets[2];
    willow_morph morph = offsets(targets);
    (void)state;
    morph.base = base;
    morph.base_stride = sizeof *base;
    morph.weights = weights;
    assert_ok(willow_body_set_morph_targets(s.world, s.body, &morph));
    update(&s);
    expect_at(&s, 0, 7, 8, 10);
    willow_world_destroy(s.world);
}

/* The base of a second morph is where the first one has brought the vertices. */
static void check_second(const stage *s)
{
    set_offsets(s);
    assert_ok(weigh(s, 1, 0));
    set_offsets(s); /* not updated in between */
    assert_ok(weigh(s, 1, 0));
    update(s);
    expect_at(s, 0, 0, 0, 2);
}

static void a_second_morph_begins_where_the_first_one_was(void **state)
{
    (void)state;
    for_every_method(check_second);
}

static void beyond_the_range_of_floats_vertices_stay_at_its_border(void **state)
{
    const stage s = open_stage(WILLOW_METHOD_HYBRID);
    (void)state;
    set_offsets(&s);
    assert_ok(weigh(&s, FLT_MAX, -FLT_MAX));
    update(&s);
    expect_at(&s, 1, -FLT_MAX, 0, FLT_MAX);
    willow_world_destroy(s.world);
}

/* ---- what ends a morph ---- */

static void check_all(const stage *s)
{
    set_offsets(s);
    assert_ok(weigh(s, 1, 1));
    assert_ok(willow_body_set_vertices(s->world, s->body, 0, SQUARE, square, 0));
    update(s);
    expect_at(s, 1, 1, 0, 0);
    assert_false(info_of(s).has_morph);
    assert_int_equal(weigh(s, 1, 1), WILLOW_BAD_ARGUMENT);
}

static void check_some(const stage *s)
{
    const float there[3] = {3, 3, 3};
    set_offsets(s);
    update(s);
    assert_ok(weigh(s, 1, 1));
    assert_ok(willow_body_set_vertices(s->world, s->body, 0, 1, there, 0));
    expect_at(s, 1, 5, 0, 1);
    update(s);
    expect_at(s, 0, 3, 3, 3);
    expect_at(s, 1, 5, 0, 1); /* it stays */
    assert_false(info_of(s).has_morph);
}

static void check_plan(const stage *s)
{
    const float up[3] = {0, 0, 1};
    set_offsets(s);
    assert_ok(weigh(s, 0.5F, 0));
    update(s);
    assert_ok(willow_body_set_velocities(s->world, s->body, 2, 1, up, 0));
    assert_false(info_of(s).has_morph);
    assert_true(info_of(s).has_plan);
    assert_ok(willow_world_update(s->world, 2.0, NULL));
    expect_at(s, 2, 1, 1, 2.5F);
    expect_at(s, 1, 1, 0, 0.5F);
    set_offsets(s); /* and the other way round */
    assert_ok(weigh(s, 1, 0));
    assert_false(info_of(s).has_plan);
    assert_ok(willow_world_update(s->world, 3.0, NULL));
    expect_at(s, 2, 1, 1, 3.5F);
}

static void check_keys(const stage *s)
{
    static const double times[] = {0.0};
    willow_flightplan plan = willow_flightplan_default();
    set_offsets(s);
    assert_ok(weigh(s, 1, 1));
    update(s);
    plan.positions = lift;
    plan.times = times;
    plan.keyframe_count = 1;
    assert_ok(willow_body_set_flightplan(s->world, s->body, &plan));
    update(s);
    expect_at(s, 1, 0, 0, 1);
    assert_false(info_of(s).has_morph);
}

static void positions_and_plans_end_a_morph(void **state)
{
    (void)state;
    for_every_method(check_all);
    for_every_method(check_some);
    for_every_method(check_plan);
    for_every_method(check_keys);
}

/* ---- the hash ---- */

static void the_hash_covers_targets_and_weights(void **state)
{
    const stage a = open_stage(WILLOW_METHOD_AUTO), b = open_stage(WILLOW_METHOD_AUTO);
    willow_morph_target targets[2];
    willow_morph morph = offsets(targets);
    float dense[SQUARE][3] = {{0}, {4, 0, 0}, {0}, {0}, {2, 0, 0}};
    (void)state;
    set_offsets(&a);
    targets[1] = (willow_morph_target){.values = dense}; /* the same, written out */
    assert_ok(willow_body_set_morph_targets(b.world, b.body, &morph));
    assert_int_equal(willow_world_hash(a.world), willow_world_hash(b.world));
    assert_ok(weigh(&a, 1, 0));
    assert_int_not_equal(willow_world_hash(a.world), willow_world_hash(b.world));
    assert_ok(weigh(&b, 1, 0));
    assert_int_equal(willow_world_hash(a.world), willow_world_hash(b.world));
    update(&a); /* it is of what users gave, not of trees */
    update(&b);
    assert_int_equal(willow_world_hash(a.world), willow_world_hash(b.world));
    dense[0][2] = 1; /* of a target that adds nothing now */
    assert_ok(weigh(&a, 0, 0));
    assert_ok(willow_body_set_morph_targets(b.world, b.body, &morph));
    assert_int_not_equal(willow_world_hash(a.world), willow_world_hash(b.world));
    willow_world_destroy(a.world);
    willow_world_destroy(b.world);
}

/* ---- what it costs ---- */

/* Given for all vertices or for few, a target that moves few takes little. */
static void offsets_of_few_vertices_are_stored_for_these_only(void **state)
{
    enum { COUNT = 4096, TARGETS = 16 };
    static float positions[COUNT][3], offsets_of[COUNT][3];
    static const uint32_t tri[1][3] = {{0, 1, 2}};
    willow_morph_target targets[TARGETS];
    willow_body_def body = willow_body_def_default();
    willow_world_def def = willow_world_def_default();
    willow_morph morph = willow_morph_default();
    stage s;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) positions[i][0] = (float)i;
    for (uint32_t i = 0; i < 40; i++) offsets_of[100 * i][1] = 1.0F;
    for (uint32_t i = 0; i < TARGETS; i++) targets[i] = (willow_morph_target){.values = offsets_of};
    morph.targets = targets;
    morph.target_count = TARGETS;
    body.mesh = FIXTURE_MESH(positions, COUNT, tri, 1);
    s.world = fixture_world(&def);
    s.body = fixture_body(s.world, &body);
    const size_t before = willow_world_bytes(s.world);
    assert_ok(willow_body_set_morph_targets(s.world, s.body, &morph));
    const size_t bytes = willow_world_bytes(s.world) - before;
    print_message("%zu bytes for a base and %d targets of 40 of %d vertices\n", bytes, TARGETS,
                  COUNT);
    assert_true(bytes < 12 * COUNT + TARGETS * (12 * 40 + COUNT / 4 + 256));
    willow_world_destroy(s.world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(offsets_are_added_to_where_vertices_were),
    cmocka_unit_test(absolute_targets_are_summed_up),
    cmocka_unit_test(the_pose_comes_after_the_morph_and_before_the_rounding),
    cmocka_unit_test(a_base_and_weights_may_come_with_the_targets),
    cmocka_unit_test(a_second_morph_begins_where_the_first_one_was),
    cmocka_unit_test(beyond_the_range_of_floats_vertices_stay_at_its_border),
    cmocka_unit_test(positions_and_plans_end_a_morph),
    cmocka_unit_test(the_hash_covers_targets_and_weights),
    cmocka_unit_test(offsets_of_few_vertices_are_stored_for_these_only),
};

TEST_GROUP(morph, tests);
