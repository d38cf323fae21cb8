/* Steps of bodies that functions of the user deform: between two contexts, with every method,
 * against BRUTE, and against bodies that are given the same positions; what the checker finds at
 * the end of a step; and how steps end. */
#include "support/bend.h"
#include "support/fixture.h"
#include "support/step_stage.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"

enum { BODIES = STEP_BODIES };

/* How the bodies go through a step. */
typedef struct course {
    zoo_mesh meshes[BODIES];
    bend start[BODIES], end[BODIES];
    bool is_posed, turns;
} course;

static void open_course(course *c, uint64_t seed)
{
    uint64_t random = seed;
    memset(c, 0, sizeof *c);
    c->is_posed = seed % 3 != 0;
    c->turns = seed % 3 == 2;
    for (uint32_t i = 0; i < BODIES; i++) {
        zoo_mesh_create(&c->meshes[i], i == 0 ? ZOO_KIND_SPHERE : ZOO_KIND_GRID, 40, seed + i);
        c->start[i] = c->end[i] = bend_straight();
        c->start[i].shear = (float)test_random_between(&random, -0.25, 0.25);
        c->end[i].shear = (float)test_random_between(&random, -1.0, 1.0);
        c->end[i].curve = (float)test_random_between(&random, -0.5, 0.5);
    }
}

static void close_course(course *c)
{
    for (uint32_t i = 0; i < BODIES; i++) zoo_mesh_destroy(&c->meshes[i]);
}

static void bend_all(const zoo_mesh *mesh, const bend *b, willow_vec3 *out)
{
    assert_true(mesh->vertex_count <= 256);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->positions[i];
        out[i] = bend_apply(b, (willow_vec3){p[0], p[1], p[2]});
    }
}

static willow_result set_course(step_stage *s, course *c, uint32_t i)
{
    const willow_deformation def = bend_deformation(&c->start[i]);
    willow_result result = willow_body_set_deformation(s->world, s->bodies[i], &def);
    if (result != WILLOW_OK) return result;
    return willow_body_set_target_deformation(s->world, s->bodies[i], &c->end[i]);
}

static willow_result set_positions(step_stage *s, course *c, uint32_t i)
{
    willow_vec3 at[256];
    const uint32_t count = c->meshes[i].vertex_count;
    bend_all(&c->meshes[i], &c->start[i], at);
    willow_result result = willow_body_set_vertices(s->world, s->bodies[i], 0, count, at, 0);
    if (result != WILLOW_OK) return result;
    bend_all(&c->meshes[i], &c->end[i], at);
    return willow_body_set_target(s->world, s->bodies[i], 0, count, at, 0);
}

static willow_body_def body_def(const course *c, willow_tree_def tree, uint32_t i)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(&c->meshes[i]);
    def.tree = tree;
    def.self = i == 0;
    def.thickness = 0.01F;
    if (c->is_posed) def.pose = step_poses[i];
    return def;
}

static willow_result add_bodies(step_stage *s, course *c, willow_tree_def tree, bool deforms)
{
    willow_result result = WILLOW_OK;
    for (uint32_t i = 0; i < BODIES && result == WILLOW_OK; i++) {
        const willow_body_def def = body_def(c, tree, i);
        result = willow_body_create(s->world, &def, &s->bodies[i]);
        if (result == WILLOW_OK) result = (deforms ? set_course : set_positions)(s, c, i);
        if (result == WILLOW_OK && c->turns)
            result = willow_body_set_target_pose(s->world, s->bodies[i], &step_poses[1 - i]);
    }
    return result;
}

static step_stage open_stage(course *c, willow_tree_def tree, uint32_t threads, bool deforms)
{
    step_stage s;
    willow_world_def world = willow_world_def_default();
    world.thread_count = threads;
    s.world = fixture_world(&world);
    assert_ok(add_bodies(&s, c, tree, deforms));
    step_stage_begin(&s);
    return s;
}

static willow_tree_def tree_of(willow_method method, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

static step_answers answers_of(course *c, willow_tree_def tree, uint32_t threads, bool deforms)
{
    step_stage s = open_stage(c, tree, threads, deforms);
    const step_answers found = step_stage_ask(&s);
    step_stage_close(&s);
    return found;
}

static void all_methods_find_the_impacts_of_the_same_positions(void **state)
{
    size_t impacts = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        static course c;
        open_course(&c, seed);
        const step_answers wanted = answers_of(&c, tree_of(WILLOW_METHOD_BRUTE, 0), 1, false);
        impacts += wanted.impact_count;
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            const willow_tree_def tree = tree_of(method, seed % 2 == 0 ? 2 : 16);
            const uint32_t threads = 1 + ((uint32_t)method + (uint32_t)seed) % 2;
            const step_answers found = answers_of(&c, tree, threads, true);
            step_answers_expect(&wanted, &found, willow_method_name(method));
        }
        close_course(&c);
    }
    print_message("%zu impacts\n", impacts);
    assert_true(impacts > 0);
}

/* ---- what is asked, and what is promised ---- */

static void blend_asks_for_what_a_step_reaches(void **state)
{
    static course c;
    (void)state;
    open_course(&c, 0);
    c.start[0].shear = c.end[0].shear = 0.0F;
    c.end[0].curve = 0.0F;
    for (uint32_t i = 0; i < c.meshes[1].vertex_count; i++) c.meshes[1].positions[i][0] += 64.0F;
    step_stage s = open_stage(&c, tree_of(WILLOW_METHOD_BLEND, 2), 1, true);
    c.end[1].positions = c.end[1].boxes = 0; /* checked builds ask more in the update */
    const willow_query_options options = willow_query_options_default();
    willow_impacts impacts;
    assert_ok(willow_find_impacts(s.world, s.scratch, &options, &impacts));
    assert_int_equal(c.end[1].positions, 0); /* nothing comes near it */
    step_stage_close(&s);
    close_course(&c);
}

static willow_deformation_report check(const step_stage *s)
{
    willow_deformation_report report;
    assert_ok(willow_body_check_deformation(s->world, s->bodies[0], &report));
    return report;
}

static void the_checker_looks_at_the_end_of_a_step(void **state)
{
    static course c;
    (void)state;
    open_course(&c, 0);
    step_stage s = open_stage(&c, tree_of(WILLOW_METHOD_BLEND, 2), 1, true);
    const willow_deformation_report kept = check(&s);
    assert_int_equal(kept.fault, WILLOW_DEFORMATION_KEPT);
    assert_false(kept.is_target);
    assert_int_equal(kept.vertices_checked, 2 * c.meshes[0].vertex_count);
    c.end[0].shrink = 0.001F;
    assert_int_equal(check(&s).fault, WILLOW_DEFORMATION_NOT_INSIDE);
    assert_true(check(&s).is_target && check(&s).node > 0);
    c.end[0].has_no_boxes = true;
    assert_int_equal(check(&s).fault, WILLOW_DEFORMATION_NOT_A_BOX);
    c.end[0].is_restless = true;
    assert_int_equal(check(&s).fault, WILLOW_DEFORMATION_CHANGES);
    assert_true(check(&s).is_target);
    c.end[0].is_restless = false;
    c.end[0].bad_vertex = 7;
    assert_int_equal(check(&s).fault, WILLOW_DEFORMATION_NOT_FINITE);
    c.start[0].shrink = 0.001F; /* that of now comes first */
    assert_false(check(&s).is_target);
    step_stage_close(&s);
    close_course(&c);
}

static void a_promise_that_is_not_kept_does_no_harm(void **state)
{
    static course c;
    char reason[200] = "";
    (void)state;
    for (int fault = 0; fault < 3; fault++) {
        open_course(&c, 2);
        c.end[0].shrink = fault == 0 ? 4.0F : 0.0F;
        c.end[0].has_no_boxes = fault == 1;
        c.end[0].bad_vertex = fault == 2 ? 3 : UINT32_MAX;
        step_stage s = open_stage(&c, tree_of(WILLOW_METHOD_BLEND, 2), 2, true);
        (void)step_stage_ask(&s);
        if (!willow_world_validate(s.world, reason, sizeof reason)) fail_msg("%s", reason);
        step_stage_close(&s);
        close_course(&c);
    }
}

/* ---- how steps end ---- */

static bool has_target(const step_stage *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->bodies[0], &info));
    return info.has_target;
}

static void a_touch_ends_a_step_and_a_body_without_a_deformation_has_none(void **state)
{
    static course c;
    (void)state;
    open_course(&c, 0);
    step_stage s = open_stage(&c, tree_of(WILLOW_METHOD_AUTO, 2), 1, true);
    const uint64_t hash = willow_world_hash(s.world);
    assert_true(has_target(&s));
    assert_ok(willow_body_set_target_deformation(s.world, s.bodies[0], &c.start[0]));
    assert_int_not_equal(willow_world_hash(s.world), hash);
    assert_ok(willow_body_touch_deformation(s.world, s.bodies[0]));
    assert_false(has_target(&s));
    assert_ok(willow_world_update(s.world, 1.0, NULL));
    assert_ok(willow_body_set_target_deformation(s.world, s.bodies[0], &c.end[0]));
    const willow_vec3 up = {0, 0, 9};
    assert_ok(willow_body_set_target(s.world, s.bodies[0], 0, 1, &up, 0));
    assert_ok(willow_world_update(s.world, 2.0, NULL));
    c.end[0].positions = 0;
    (void)step_stage_ask(&s);
    assert_int_equal(c.end[0].positions, 0); /* it was replaced */
    assert_ok(willow_body_set_deformation(s.world, s.bodies[0], NULL));
    assert_int_equal(willow_body_set_target_deformation(s.world, s.bodies[0], &c.end[0]),
                     WILLOW_BAD_ARGUMENT);
    assert_non_null(strstr(willow_world_message(s.world), "no deformation"));
    assert_int_equal(willow_body_set_target_deformation(s.world, (willow_body_id){0}, NULL),
                     WILLOW_BAD_HANDLE);
    step_stage_close(&s);
    close_course(&c);
}

/* ---- memory ---- */

/* The same calls where the n-th allocation fails; false if there are fewer. */
static bool run_with_failure(course *c, willow_tree_def tree, size_t n, const step_answers *wanted)
{
    test_allocator allocator = {0};
    step_stage s;
    willow_world_def world = willow_world_def_default();
    world.allocator = test_allocator_functions(&allocator);
    s.world = fixture_world(&world);
    assert_ok(add_bodies(&s, c, tree, true));
    allocator.fail_at = allocator.calls + n;
    willow_result result = willow_world_update(s.world, 0.0, NULL);
    const bool has_failed = result != WILLOW_OK;
    if (has_failed) {
        assert_int_equal(result, WILLOW_OUT_OF_MEMORY);
        assert_ok(willow_world_update(s.world, 0.0, NULL));
    }
    allocator.fail_at = 0;
    s.scratch = fixture_scratch(s.world);
    const step_answers found = step_stage_ask(&s);
    step_answers_expect(wanted, &found, "after a failure");
    step_stage_close(&s);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void a_step_goes_on_after_memory_was_short(void **state)
{
    static const willow_method methods[] = {WILLOW_METHOD_BLEND, WILLOW_METHOD_HYBRID};
    static course c;
    (void)state;
    open_course(&c, 1);
    const step_answers wanted = answers_of(&c, tree_of(WILLOW_METHOD_BRUTE, 0), 1, false);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        size_t n = 0;
        do n++;
        while (run_with_failure(&c, tree_of(methods[i], 2), n, &wanted));
        assert_true(n > 4);
    }
    close_course(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_methods_find_the_impacts_of_the_same_positions),
    cmocka_unit_test(blend_asks_for_what_a_step_reaches),
    cmocka_unit_test(the_checker_looks_at_the_end_of_a_step),
    cmocka_unit_test(a_promise_that_is_not_kept_does_no_harm),
    cmocka_unit_test(a_touch_ends_a_step_and_a_body_without_a_deformation_has_none),
    cmocka_unit_test(a_step_goes_on_after_memory_was_short),
};

TEST_GROUP(impacts_deformation, tests);
