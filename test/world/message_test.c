/* message_test.c - messages are about the last call: a call that succeeds leaves none of an earlier
 * failure, whatever kind of call it is. */
#include <math.h>
#include "support/fixture.h"
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
    s->world = fixture_world(NULL);
    s->scratch = fixture_scratch(s->world);
    s->body = fixture_body(s->world, &def);
    def.mesh.borrow = true;
    s->lender = fixture_body(s->world, &def);
    assert_ok(willow_watch_create(s->world, NULL, s->body, s->lender, &s->watch));
    assert_ok(willow_world_update(s->world, 0.0, NULL));
}

static void close_site(site *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
}

/* The rows of these tables are made one by one, beyond the last one nothing is. */
#define CALL(...)                                                                                  \
    if (at++ == row) {                                                                             \
        assert_ok(__VA_ARGS__);                                                                    \
        return true;                                                                               \
    }

/* ---- calls on a world, in an order in which all of them succeed ---- */

static willow_vec3 stay(void *context, uint32_t vertex, willow_vec3 rest)
{
    (void)context;
    (void)vertex;
    return rest;
}

static bool call_world(site *s, uint32_t row)
{
    static const float weights[2] = {0.5F, 0.75F};
    static const double time = 0.0;
    const willow_body_def def = def_of_square();
    const willow_tree_def tree = willow_tree_def_default();
    const willow_pose pose = willow_pose_identity();
    const willow_vertex_plan plan = {{0, 0, 1}, {0, 0, 0}};
    const willow_morph_target target = {.values = square};
    willow_flightplan flight = willow_flightplan_default();
    willow_morph morph = willow_morph_default();
    willow_deformation deformation = willow_deformation_default();
    static const uint32_t no_joints[CORNERS];
    static const float ones[CORNERS] = {1, 1, 1, 1};
    const willow_affine joint = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    willow_skin skin = willow_skin_default();
    willow_world *w = s->world;
    const willow_body_id body = s->body;
    willow_body_topology topology;
    willow_watch *watch;
    willow_body_id id;
    uint32_t at = 0;
    flight.positions = square;
    flight.times = &time;
    flight.keyframe_count = 1;
    morph.targets = &target;
    morph.target_count = 1;
    deformation.position = stay;
    skin.joint_count = skin.weights_per_vertex = 1;
    skin.matrices = &joint;
    skin.joints = no_joints;
    skin.weights = ones;
    CALL(willow_world_update(w, 0.0, NULL))
    CALL(willow_body_create(w, &def, &id))
    CALL(willow_body_set_tree(w, body, &tree))
    CALL(willow_body_set_pose(w, body, &pose))
    CALL(willow_body_set_group_masks(w, body, masks, 2))
    CALL(willow_body_set_thickness(w, body, 0.5F))
    CALL(willow_body_set_self(w, body, true))
    CALL(willow_body_set_category_bits(w, body, 1))
    CALL(willow_body_set_mask_bits(w, body, 1))
    CALL(willow_body_set_user_data(w, body, 1))
    CALL(willow_body_set_vertices(w, body, 0, CORNERS, square, 0))
    CALL(willow_body_set_vertices(w, body, 1, 1, square[1], 0))
    CALL(willow_body_begin_vertices(w, s->lender))
    CALL(willow_body_set_velocities(w, body, 0, CORNERS, square, 0))
    CALL(willow_body_set_accelerations(w, body, 0, CORNERS, square, 0))
    CALL(willow_body_set_vertex_plan(w, body, 0, &plan))
    CALL(willow_body_set_flightplan(w, body, &flight))
    CALL(willow_world_set_target_time(w, 1.0))
    CALL(willow_world_update(w, 0.0, NULL))
    CALL(willow_body_set_morph_targets(w, body, &morph))
    CALL(willow_body_set_morph_weights(w, body, &weights[0], 1))
    CALL(willow_body_set_target_weights(w, body, &weights[1], 1))
    CALL(willow_body_set_skin(w, body, &skin))
    CALL(willow_body_set_joints(w, body, &joint, 1))
    CALL(willow_body_set_target_joints(w, body, &joint, 1))
    CALL(willow_body_set_deformation(w, body, &deformation))
    CALL(willow_body_touch_deformation(w, body))
    CALL(willow_body_set_target_deformation(w, body, NULL))
    CALL(willow_body_set_target(w, body, 0, CORNERS, square, 0))
    CALL(willow_body_set_target_pose(w, body, &pose))
    CALL(willow_watch_create(w, NULL, body, body, &watch))
    CALL(willow_body_get_topology(w, body, &topology))
    CALL(willow_world_update(w, 0.0, NULL))
    CALL(willow_body_destroy(w, s->lender))
    return false;
}

static bool fail_and_call_world(site *s, uint32_t row)
{
    assert_int_equal(willow_body_set_pose(s->world, s->body, NULL), WILLOW_BAD_ARGUMENT);
    assert_string_equal(willow_world_message(s->world), "there is no pose");
    return call_world(s, row);
}

static void calls_on_a_world_that_succeed_leave_no_message(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_string_equal(willow_world_message(s.world), "");
    for (uint32_t row = 0; fail_and_call_world(&s, row); row++)
        if (willow_world_message(s.world)[0] != '\0')
            fail_msg("call %u left '%s'", row, willow_world_message(s.world));
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

static bool query(site *s, uint32_t row)
{
    const willow_box box = {{-1, -1, -1}, {1, 1, 1}};
    const willow_body_set a = {&s->body, 1}, b = {&s->lender, 1};
    const willow_vec3 point = {0, 0, 1};
    const willow_world *w = s->world;
    willow_scratch *scratch = s->scratch;
    willow_pairs pairs;
    willow_first_pair first;
    willow_impacts impacts;
    willow_first_impact impact;
    willow_near near;
    willow_near_cells cells;
    willow_closest_pair closest;
    willow_closest on;
    uint32_t at = 0;
    CALL(willow_find_pairs(w, scratch, NULL, &pairs))
    CALL(willow_find_self_pairs(w, scratch, NULL, &pairs))
    CALL(willow_find_first_pair(w, scratch, NULL, &first))
    CALL(willow_visit_pairs(w, scratch, NULL, see_pair, NULL))
    CALL(willow_visit_box(w, scratch, &box, NULL, see_tri, NULL))
    CALL(willow_find_impacts(w, scratch, NULL, &impacts))
    CALL(willow_time_of_impact(w, scratch, NULL, &impact))
    CALL(willow_find_near(w, scratch, NULL, &near))
    CALL(willow_find_near_cells(w, scratch, 3, NULL, &cells))
    CALL(willow_distance(w, scratch, &a, &b, NULL, &closest))
    CALL(willow_closest_point(w, scratch, &point, NULL, &on))
    CALL(willow_watch_find_pairs(s->watch, scratch, NULL, &pairs))
    CALL(willow_watch_find_first_pair(s->watch, scratch, NULL, &first))
    return false;
}

static bool fail_and_query(site *s, uint32_t row)
{
    assert_int_equal(willow_find_pairs(s->world, s->scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
    assert_string_equal(willow_scratch_message(s->scratch), "no place for the answer");
    return query(s, row);
}

static void queries_that_succeed_leave_no_message(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_string_equal(willow_scratch_message(s.scratch), "");
    for (uint32_t row = 0; fail_and_query(&s, row); row++)
        if (willow_scratch_message(s.scratch)[0] != '\0')
            fail_msg("query %u left '%s'", row, willow_scratch_message(s.scratch));
    close_site(&s);
}

/* The message of a world is not about queries, nor the other way round. */
static void worlds_and_scratches_keep_their_own_messages(void **state)
{
    (void)state;
    site s;
    open_site(&s);
    assert_int_equal(willow_body_set_pose(s.world, s.body, NULL), WILLOW_BAD_ARGUMENT);
    assert_true(query(&s, 0));
    assert_string_equal(willow_world_message(s.world), "there is no pose");
    assert_int_equal(willow_find_pairs(s.world, s.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
    const willow_pose pose = willow_pose_identity();
    assert_ok(willow_body_set_pose(s.world, s.body, &pose));
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
