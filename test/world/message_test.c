/* message_test.c - messages are about the last call: a call that succeeds leaves none of an earlier
 * failure, whatever kind of call it is. */
#include <math.h>
#include "support/test.h"
#include "willow/willow.h"

enum { CORNERS = 4 };

static const uint32_t faces[2][3] = {{0, 1, 2}, {2, 1, 3}};
static const uint16_t groups[2] = {1, 1};
static const uint64_t masks[2] = {0, 2};
static const float square[CORNERS][3] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}};

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_watch *watch;
    willow_body_id body, lender; /* the second borrows its vertices */
} site;

static willow_body_def def_of_square(void)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = square,
                                 .vertex_count = CORNERS,
                                 .indices = faces,
                                 .triangle_count = 2,
                                 .triangle_groups = groups};
    return def;
}

static void open_site(site *s)
{
    willow_body_def def = def_of_square();
    const willow_world_def world = willow_world_def_default();
    assert_int_equal(willow_world_create(&world, &s->world), WILLOW_OK);
    assert_int_equal(willow_scratch_create(s->world, &s->scratch), WILLOW_OK);
    assert_int_equal(willow_body_create(s->world, &def, &s->body), WILLOW_OK);
    def.mesh.borrow = true;
    assert_int_equal(willow_body_create(s->world, &def, &s->lender), WILLOW_OK);
    assert_int_equal(willow_watch_create(s->world, NULL, s->body, s->lender, &s->watch), WILLOW_OK);
    assert_int_equal(willow_world_update(s->world, 0.0, NULL), WILLOW_OK);
}

static void close_site(site *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
}

/* ---- calls on a world, in an order in which all of them succeed ---- */

static willow_result update(site *s) { return willow_world_update(s->world, 0.0, NULL); }

static willow_result create(site *s)
{
    willow_body_id id;
    const willow_body_def def = def_of_square();
    return willow_body_create(s->world, &def, &id);
}

static willow_result set_tree(site *s)
{
    const willow_tree_def tree = willow_tree_def_default();
    return willow_body_set_tree(s->world, s->body, &tree);
}

static willow_result set_pose(site *s)
{
    const willow_pose pose = willow_pose_identity();
    return willow_body_set_pose(s->world, s->body, &pose);
}

static willow_result set_masks(site *s)
{
    return willow_body_set_group_masks(s->world, s->body, masks, 2);
}

static willow_result set_vertices(site *s)
{
    return willow_body_set_vertices(s->world, s->body, 0, CORNERS, square, 0);
}

static willow_result set_vertex(site *s)
{
    return willow_body_set_vertices(s->world, s->body, 1, 1, square[1], 0);
}

static willow_result begin_vertices(site *s)
{
    return willow_body_begin_vertices(s->world, s->lender);
}

static willow_result set_velocities(site *s)
{
    return willow_body_set_velocities(s->world, s->body, 0, CORNERS, square, 0);
}

static willow_result set_accelerations(site *s)
{
    return willow_body_set_accelerations(s->world, s->body, 0, CORNERS, square, 0);
}

static willow_result set_vertex_plan(site *s)
{
    const willow_vertex_plan plan = {{0, 0, 1}, {0, 0, 0}};
    return willow_body_set_vertex_plan(s->world, s->body, 0, &plan);
}

static willow_result set_flightplan(site *s)
{
    const double time = 0.0;
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = square;
    plan.times = &time;
    plan.keyframe_count = 1;
    return willow_body_set_flightplan(s->world, s->body, &plan);
}

static willow_result set_target_time(site *s)
{
    return willow_world_set_target_time(s->world, 1.0);
}

static willow_result set_targets(site *s)
{
    const willow_morph_target target = {.values = square};
    willow_morph morph = willow_morph_default();
    morph.targets = &target;
    morph.target_count = 1;
    return willow_body_set_morph_targets(s->world, s->body, &morph);
}

static willow_result set_weights(site *s)
{
    const float weight = 0.5F;
    return willow_body_set_morph_weights(s->world, s->body, &weight, 1);
}

static willow_result set_target_weights(site *s)
{
    const float weight = 0.75F;
    return willow_body_set_target_weights(s->world, s->body, &weight, 1);
}

static willow_vec3 stay(void *context, uint32_t vertex, willow_vec3 rest)
{
    (void)context;
    (void)vertex;
    return rest;
}

static willow_result set_deformation(site *s)
{
    willow_deformation deformation = willow_deformation_default();
    deformation.position = stay;
    return willow_body_set_deformation(s->world, s->body, &deformation);
}

static willow_result touch_deformation(site *s)
{
    return willow_body_touch_deformation(s->world, s->body);
}

static willow_result set_target_deformation(site *s)
{
    return willow_body_set_target_deformation(s->world, s->body, NULL);
}

static willow_result set_target(site *s)
{
    return willow_body_set_target(s->world, s->body, 0, CORNERS, square, 0);
}

static willow_result set_target_pose(site *s)
{
    const willow_pose pose = willow_pose_identity();
    return willow_body_set_target_pose(s->world, s->body, &pose);
}

static willow_result create_watch(site *s)
{
    willow_watch *watch;
    return willow_watch_create(s->world, NULL, s->body, s->body, &watch);
}

static willow_result get_topology(site *s)
{
    willow_body_topology topology;
    return willow_body_get_topology(s->world, s->body, &topology);
}

static willow_result destroy(site *s) { return willow_body_destroy(s->world, s->lender); }

typedef willow_result call(site *s);

static call *const world_calls[] = {
    update,
    create,
    set_tree,
    set_pose,
    set_masks,
    set_vertices,
    set_vertex,
    begin_vertices,
    set_velocities,
    set_accelerations,
    set_vertex_plan,
    set_flightplan,
    set_target_time,
    update,
    set_targets,
    set_weights,
    set_target_weights,
    set_deformation,
    touch_deformation,
    set_target_deformation,
    set_target,
    set_target_pose,
    create_watch,
    get_topology,
    update,
    destroy,
};

static void calls_on_a_world_that_succeed_leave_no_message(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_string_equal(willow_world_message(s.world), "");
    for (size_t i = 0; i < sizeof world_calls / sizeof world_calls[0]; i++) {
        assert_int_equal(willow_body_set_pose(s.world, s.body, NULL), WILLOW_BAD_ARGUMENT);
        assert_string_equal(willow_world_message(s.world), "there is no pose");
        if (world_calls[i](&s) != WILLOW_OK)
            fail_msg("call %zu: %s", i, willow_world_message(s.world));
        if (willow_world_message(s.world)[0] != '\0')
            fail_msg("call %zu left '%s'", i, willow_world_message(s.world));
    }
    close_site(&s);
}

/* These may run beside queries, so they leave everything alone. */
static void calls_that_only_read_leave_the_message(void **state)
{
    (void)state;
    site s;
    willow_body_info info;
    willow_body_stats stats;
    open_site(&s);
    assert_int_equal(willow_world_update(s.world, (double)NAN, NULL), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_get_info(s.world, s.body, &info), WILLOW_OK);
    assert_int_equal(willow_body_get_stats(s.world, s.body, &stats), WILLOW_OK);
    assert_string_equal(willow_world_message(s.world), "a time of nan is not finite");
    close_site(&s);
}

/* ---- queries ---- */

static bool see_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    (void)a;
    (void)b;
    return true;
}

static bool see_tri(void *context, willow_tri_ref tri)
{
    (void)context;
    (void)tri;
    return true;
}

static willow_result find_pairs(site *s)
{
    willow_pairs out;
    return willow_find_pairs(s->world, s->scratch, NULL, &out);
}

static willow_result find_self_pairs(site *s)
{
    willow_pairs out;
    return willow_find_self_pairs(s->world, s->scratch, NULL, &out);
}

static willow_result find_first_pair(site *s)
{
    willow_first_pair out;
    return willow_find_first_pair(s->world, s->scratch, NULL, &out);
}

static willow_result visit_pairs(site *s)
{
    return willow_visit_pairs(s->world, s->scratch, NULL, see_pair, NULL);
}

static willow_result visit_box(site *s)
{
    const willow_box box = {{-1, -1, -1}, {1, 1, 1}};
    return willow_visit_box(s->world, s->scratch, &box, NULL, see_tri, NULL);
}

static willow_result find_impacts(site *s)
{
    willow_impacts out;
    return willow_find_impacts(s->world, s->scratch, NULL, &out);
}

static willow_result time_of_impact(site *s)
{
    willow_first_impact out;
    return willow_time_of_impact(s->world, s->scratch, NULL, &out);
}

static willow_result find_near(site *s)
{
    willow_near out;
    return willow_find_near(s->world, s->scratch, NULL, &out);
}

static willow_result distance(site *s)
{
    willow_closest_pair out;
    const willow_body_set a = {&s->body, 1}, b = {&s->lender, 1};
    return willow_distance(s->world, s->scratch, &a, &b, NULL, &out);
}

static willow_result closest_point(site *s)
{
    willow_closest out;
    const willow_vec3 point = {0, 0, 1};
    return willow_closest_point(s->world, s->scratch, &point, NULL, &out);
}

static willow_result watch_find_pairs(site *s)
{
    willow_pairs out;
    return willow_watch_find_pairs(s->watch, s->scratch, NULL, &out);
}

static willow_result watch_find_first_pair(site *s)
{
    willow_first_pair out;
    return willow_watch_find_first_pair(s->watch, s->scratch, NULL, &out);
}

static call *const queries[] = {
    find_pairs, find_self_pairs, find_first_pair,  visit_pairs,
    visit_box,  find_impacts,    time_of_impact,   find_near,
    distance,   closest_point,   watch_find_pairs, watch_find_first_pair,
};

static void queries_that_succeed_leave_no_message(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_string_equal(willow_scratch_message(s.scratch), "");
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        assert_int_equal(willow_find_pairs(s.world, s.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
        assert_string_equal(willow_scratch_message(s.scratch), "no place for the answer");
        if (queries[i](&s) != WILLOW_OK)
            fail_msg("query %zu: %s", i, willow_scratch_message(s.scratch));
        if (willow_scratch_message(s.scratch)[0] != '\0')
            fail_msg("query %zu left '%s'", i, willow_scratch_message(s.scratch));
    }
    close_site(&s);
}

/* The message of a world is not about queries, nor the other way round. */
static void worlds_and_scratches_keep_their_own_messages(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_int_equal(willow_body_set_pose(s.world, s.body, NULL), WILLOW_BAD_ARGUMENT);
    assert_int_equal(find_pairs(&s), WILLOW_OK);
    assert_string_equal(willow_world_message(s.world), "there is no pose");
    assert_int_equal(willow_find_pairs(s.world, s.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
    assert_int_equal(set_pose(&s), WILLOW_OK);
    assert_string_equal(willow_scratch_message(s.scratch), "no place for the answer");
    close_site(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(calls_on_a_world_that_succeed_leave_no_message),
    cmocka_unit_test(calls_that_only_read_leave_the_message),
    cmocka_unit_test(queries_that_succeed_leave_no_message),
    cmocka_unit_test(worlds_and_scratches_keep_their_own_messages),
};

TEST_GROUP(message, tests);
