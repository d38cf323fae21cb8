/* trial_test.c - what setting targets means: what adds up, what ends a trial, and
 * who sees it. A sheet of two triangles falls on another one. */
#include <math.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "willow/willow.h"

enum { CORNERS = 4 };

static const uint32_t faces[2][3] = {{0, 1, 2}, {2, 1, 3}};
static const uint16_t groups[2] = {1, 1};
static const float square[CORNERS][3] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}};

typedef struct trial {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id floor, sheet;
    float lent[CORNERS][3]; /* to the sheet, if it borrows */
} trial;

/* The square at a height, smaller so that no edges touch edges in one plane. */
static void sheet_at(float height, float out[CORNERS][3])
{
    for (int i = 0; i < CORNERS; i++) {
        for (int axis = 0; axis < 2; axis++) out[i][axis] = 0.5F * square[i][axis];
        out[i][2] = height;
    }
}

static willow_body_def sheet_def(const float positions[CORNERS][3])
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = CORNERS,
                                 .indices = faces,
                                 .triangle_count = 2,
                                 .triangle_groups = groups};
    return def;
}

static void update(trial *t)
{
    char reason[200] = "";
    assert_ok(willow_world_update(t->world, 0.0, NULL));
    if (!willow_world_validate(t->world, reason, sizeof reason)) fail_msg("%s", reason);
}

/* The sheet is 1 above the floor. */
static void open_trial(trial *t, willow_method method, bool borrows)
{
    memset(t, 0, sizeof *t);
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&t->allocator);
    t->world = fixture_world(&def);
    t->scratch = fixture_scratch(t->world);
    willow_body_def body = sheet_def(square);
    body.tree.method = method;
    t->floor = fixture_body(t->world, &body);
    sheet_at(1.0F, t->lent);
    body.mesh.positions = t->lent;
    body.mesh.borrow = borrows;
    t->sheet = fixture_body(t->world, &body);
    update(t);
}

static void close_trial(trial *t)
{
    assert_int_equal(willow_world_bytes(t->world), atomic_load(&t->allocator.bytes));
    fixture_close(t->world, t->scratch);
    assert_true(test_allocator_is_clean(&t->allocator));
}

static bool is_tried(const trial *t)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(t->world, t->sheet, &info));
    return info.has_target;
}

static bool is_stale(const trial *t)
{
    willow_pairs pairs;
    return willow_find_pairs(t->world, t->scratch, NULL, &pairs) == WILLOW_STALE;
}

/* Of the first impact; 2 if there is none. All impacts must say the same. */
static double first_time(trial *t)
{
    willow_first_impact first;
    willow_impacts impacts;
    double least = 2.0;
    assert_ok(willow_time_of_impact(t->world, t->scratch, NULL, &first));
    assert_ok(willow_find_impacts(t->world, t->scratch, NULL, &impacts));
    for (size_t i = 0; i < impacts.count; i++) least = fmin(least, impacts.items[i].time);
    assert_true(first.found == (impacts.count > 0));
    assert_true((first.found ? first.impact.time : 2.0) == least);
    return least;
}

static void expect_time(trial *t, double expected)
{
    const double time = first_time(t);
    if (!(time <= expected && time >= expected - 2e-6))
        fail_msg("first impact at %.9g, expected at %.9g", time, expected);
}

static void set_target(trial *t, uint32_t first, uint32_t count, float height)
{
    float to[CORNERS][3];
    sheet_at(height, to);
    assert_ok(willow_body_set_target(t->world, t->sheet, first, count, to + first, 0));
    assert_true(is_tried(t));
    assert_true(is_stale(t));
}

static void set_one_vertex(trial *t)
{
    assert_ok(willow_body_set_vertices(t->world, t->sheet, 2, 1, t->lent[2], 0));
}

/* ---- what it means ---- */

static const willow_method methods[] = {WILLOW_METHOD_BRUTE,    WILLOW_METHOD_BOTTOM_UP,
                                        WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID,
                                        WILLOW_METHOD_REBUILD,  WILLOW_METHOD_AUTO};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void what_has_no_target_stands_still(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * METHODS; i++) {
        trial t;
        open_trial(&t, methods[i / 2], i % 2 == 1);
        assert_false(is_tried(&t));
        expect_time(&t, 2.0);
        set_target(&t, 0, CORNERS, -1.0F);
        update(&t);
        expect_time(&t, 0.5);
        close_trial(&t);
    }
}

static void targets_add_up_and_the_last_one_counts(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * METHODS; i++) {
        trial t;
        open_trial(&t, methods[i / 2], i % 2 == 1);
        set_target(&t, 1, 1, 0.5F); /* others stay */
        update(&t);
        expect_time(&t, 2.0);
        set_target(&t, 3, 1, -0.25F);
        update(&t);
        expect_time(&t, 0.8);
        set_target(&t, 1, 1, -3.0F); /* again, before and after an update */
        set_target(&t, 0, 1, -1.0F);
        update(&t);
        expect_time(&t, 0.25);
        set_target(&t, 0, 2, 1.0F);
        update(&t);
        expect_time(&t, 0.8);
        set_target(&t, 0, CORNERS, 1.0F); /* all stay: a trial all the same */
        update(&t);
        expect_time(&t, 2.0);
        assert_true(is_tried(&t));
        close_trial(&t);
    }
}

static void a_target_of_no_vertices_is_none(void **state)
{
    (void)state;
    trial t;
    open_trial(&t, WILLOW_METHOD_AUTO, false);
    const uint64_t hash = willow_world_hash(t.world);
    assert_ok(willow_body_set_target(t.world, t.sheet, 2, 0, NULL, 0));
    assert_false(is_tried(&t) || is_stale(&t));
    assert_true(willow_world_hash(t.world) == hash);
    close_trial(&t);
}

static void vertices_and_pose_may_both_go(void **state)
{
    (void)state;
    trial t;
    open_trial(&t, WILLOW_METHOD_AUTO, false);
    willow_pose pose = willow_pose_identity();
    pose.translation.z = -0.5F;
    set_target(&t, 0, CORNERS, 0.0F);
    assert_ok(willow_body_set_target_pose(t.world, t.sheet, &pose));
    update(&t);
    expect_time(&t, 1.0 / 1.5);
    set_target(&t, 0, CORNERS, 1.0F);
    update(&t);
    expect_time(&t, 2.0); /* down by 0.5 only */
    pose.translation.z = -2.0F;
    assert_ok(willow_body_set_target_pose(t.world, t.sheet, &pose));
    update(&t);
    expect_time(&t, 0.5);
    close_trial(&t);
}

/* How far paths bend is known of vertices; boxes with a margin, and boxes that are not tight since
 * few vertices were set, know less. */
static void no_tree_changes_when_a_turning_body_hits(void **state)
{
    (void)state;
    static const float margins[] = {0.0F, 0.5F, 1e30F};
    uint64_t expected = 0;
    for (int i = 0; i < 6 * METHODS; i++) {
        trial t;
        willow_impacts impacts;
        willow_tree_def tree = willow_tree_def_default();
        const float far[3] = {900.0F, 0.0F, 700.0F};
        const willow_pose pose = {{0.25F, 0, -0.5F}, {0.5F, 0.125F, 0, 1}};
        open_trial(&t, methods[i % METHODS], false);
        tree.method = methods[i % METHODS];
        tree.margin = margins[i / METHODS % 3];
        assert_ok(willow_body_set_tree(t.world, t.sheet, &tree));
        if (i >= 3 * METHODS) { /* there and back */
            assert_ok(willow_body_set_vertices(t.world, t.sheet, 3, 1, far, 0));
            update(&t);
            assert_ok(willow_body_set_vertices(t.world, t.sheet, 3, 1, t.lent[3], 0));
            update(&t);
        }
        set_target(&t, 1, 2, 0.75F);
        assert_ok(willow_body_set_target_pose(t.world, t.sheet, &pose));
        update(&t);
        assert_ok(willow_find_impacts(t.world, t.scratch, NULL, &impacts));
        assert_true(impacts.count > 0 && first_time(&t) > 0.1);
        if (i == 0) expected = hash_impacts(&impacts);
        if (i > 0 && hash_impacts(&impacts) != expected) fail_msg("other impacts in world %d", i);
        close_trial(&t);
    }
}

/* ---- what ends it ---- */

static void set_vertices(trial *t)
{
    assert_ok(willow_body_set_vertices(t->world, t->sheet, 0, CORNERS, t->lent, 0));
}

static void begin_vertices(trial *t) { assert_ok(willow_body_begin_vertices(t->world, t->sheet)); }

static void set_pose(trial *t)
{
    const willow_pose pose = willow_pose_identity();
    assert_ok(willow_body_set_pose(t->world, t->sheet, &pose));
}

static void moving_the_body_ends_its_trial(void **state)
{
    (void)state;
    static const struct {
        void (*move)(trial *t);
        bool borrows;
    } ways[] = {
        {set_vertices, false},  {set_one_vertex, false}, {set_pose, false},
        {begin_vertices, true}, {set_pose, true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int is_updated = 0; is_updated < 2; is_updated++) {
            trial t;
            willow_pose pose = willow_pose_identity();
            open_trial(&t, WILLOW_METHOD_AUTO, ways[i].borrows);
            const uint64_t hash = willow_world_hash(t.world);
            pose.translation.z = -1.0F;
            set_target(&t, 0, CORNERS, -1.0F);
            assert_ok(willow_body_set_target_pose(t.world, t.sheet, &pose));
            assert_true(willow_world_hash(t.world) != hash);
            if (is_updated) {
                update(&t);
                expect_time(&t, 1.0 / 3.0);
                assert_true(willow_world_hash(t.world) != hash);
            }
            ways[i].move(&t);
            assert_false(is_tried(&t));
            assert_true(is_stale(&t));
            update(&t);
            expect_time(&t, 2.0);
            assert_true(willow_world_hash(t.world) == hash); /* as if it had not been */
            set_target(&t, 2, 1, 0.0F); /* others stay again, and do not go where they went */
            update(&t);
            expect_time(&t, 1.0);
            close_trial(&t);
        }
}

/* A trial begins where the body is when it ends, so the next one begins elsewhere. */
static void the_next_trial_begins_where_the_body_is(void **state)
{
    (void)state;
    trial t;
    float to[CORNERS][3];
    open_trial(&t, WILLOW_METHOD_AUTO, false);
    set_target(&t, 0, CORNERS, -1.0F);
    update(&t);
    sheet_at(3.0F, to);
    assert_ok(willow_body_set_vertices(t.world, t.sheet, 0, CORNERS, to, 0));
    set_target(&t, 0, 1, -1.0F);
    update(&t);
    expect_time(&t, 0.75);
    close_trial(&t);
}

static void other_trees_and_groups_leave_it(void **state)
{
    (void)state;
    trial t;
    static const uint64_t masks[2] = {0, 2};
    open_trial(&t, WILLOW_METHOD_AUTO, false);
    set_target(&t, 0, CORNERS, -1.0F);
    update(&t);
    for (int i = 0; i < 4 * METHODS; i++) {
        willow_tree_def tree = willow_tree_def_default();
        tree.method = methods[i % METHODS];
        tree.leaf_triangles = i % 2 == 0 ? 1 : 4;
        tree.margin = i % 3 == 0 ? 0.25F : 0.0F;
        assert_ok(willow_body_set_tree(t.world, t.sheet, &tree));
        if (i % 5 == 0) update(&t);
        assert_ok(willow_body_set_group_masks(t.world, t.sheet, i % 2 == 0 ? masks : NULL,
                                              i % 2 == 0 ? 2 : 0));
        assert_true(is_tried(&t));
        update(&t);
        expect_time(&t, 0.5);
    }
    close_trial(&t);
}

/* ---- who sees it ---- */

static void other_questions_do_not_see_it(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        trial t;
        willow_pairs pairs;
        willow_near near;
        willow_body_info before, after;
        willow_vec3 vertices[CORNERS];
        willow_query_options options = willow_query_options_default();
        open_trial(&t, methods[i], false);
        assert_ok(willow_body_get_info(t.world, t.sheet, &before));
        set_target(&t, 0, CORNERS, 0.0F); /* into the floor */
        update(&t);
        assert_ok(willow_find_pairs(t.world, t.scratch, NULL, &pairs));
        assert_int_equal(pairs.count, 0);
        for (int features = 0; features < 2; features++) {
            options.features = features;
            options.near_distance = 0.99;
            assert_ok(willow_find_near(t.world, t.scratch, &options, &near));
            assert_int_equal(near.count, 0);
            options.near_distance = 1.0;
            assert_ok(willow_find_near(t.world, t.scratch, &options, &near));
            assert_true(near.count > 0 && near.items[0].distance == 1.0);
        }
        assert_ok(willow_body_get_info(t.world, t.sheet, &after));
        assert_memory_equal(&before.box, &after.box, sizeof before.box);
        assert_ok(willow_body_copy_vertices(t.world, t.sheet, 0, CORNERS, vertices));
        assert_memory_equal(vertices, t.lent, sizeof vertices);
        close_trial(&t);
    }
}

static void every_number_of_a_target_is_in_the_hash(void **state)
{
    (void)state;
    trial t;
    enum { WAYS = 3 * CORNERS + 8 };
    uint64_t hashes[WAYS];
    for (int i = 0; i < WAYS; i++) {
        float to[CORNERS][3];
        willow_pose pose = willow_pose_identity();
        float numbers[7];
        open_trial(&t, WILLOW_METHOD_AUTO, false);
        sheet_at(1.0F, to);
        if (i < 3 * CORNERS) {
            to[i / 3][i % 3] += 0.25F;
            assert_ok(willow_body_set_target(t.world, t.sheet, 0, CORNERS, to, 0));
        } else if (i < WAYS - 1) {
            memcpy(numbers, &pose, sizeof numbers);
            numbers[i - 3 * CORNERS] += 0.25F;
            memcpy(&pose, numbers, sizeof numbers);
            assert_ok(willow_body_set_target_pose(t.world, t.sheet, &pose));
        }
        hashes[i] = willow_world_hash(t.world);
        for (int k = 0; k < i; k++) assert_true(hashes[k] != hashes[i]);
        update(&t);
        assert_true(willow_world_hash(t.world) == hashes[i]);
        close_trial(&t);
    }
}

/* ---- special bodies ---- */

static void bodies_without_triangles_may_try_steps(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        trial t;
        willow_body_id points, nothing;
        open_trial(&t, methods[i], false);
        willow_body_def def = sheet_def(square);
        def.mesh.triangle_count = 0;
        def.tree.method = methods[i];
        points = fixture_body(t.world, &def);
        def.mesh.vertex_count = 0;
        nothing = fixture_body(t.world, &def);
        update(&t);
        float to[CORNERS][3];
        sheet_at(-1.0F, to);
        assert_ok(willow_body_set_target(t.world, points, 0, CORNERS, to, 0));
        assert_ok(willow_body_set_target(t.world, nothing, 0, 0, NULL, 0));
        willow_pose pose = {{1, 2, 3}, {0.5F, 0.5F, 0.5F, 0.5F}};
        assert_ok(willow_body_set_target_pose(t.world, nothing, &pose));
        set_target(&t, 0, CORNERS, -1.0F);
        update(&t);
        expect_time(&t, 0.5);
        close_trial(&t);
    }
}

/* Merged vertices follow the first of them, whatever target they get. */
static void welded_vertices_go_together(void **state)
{
    (void)state;
    static const uint32_t seam[2][3] = {{0, 1, 2}, {3, 4, 5}};
    static const int from[6] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 2 * METHODS; i++) {
        trial t;
        float at[CORNERS][3], positions[6][3], to[6][3];
        open_trial(&t, methods[i / 2], false);
        sheet_at(2.0F, at);
        for (int k = 0; k < 6; k++) memcpy(positions[k], at[from[k]], sizeof positions[k]);
        willow_body_def def = sheet_def(square);
        def.mesh.positions = positions;
        def.mesh.vertex_count = 6;
        def.mesh.indices = seam;
        def.mesh.weld_exact = true;
        def.mesh.borrow = i % 2 == 1;
        def.tree.method = methods[i / 2];
        willow_body_id welded = fixture_body(t.world, &def);
        memcpy(to, positions, sizeof to);
        to[3][2] = to[4][2] = -9.0F; /* of no use */
        assert_ok(willow_body_set_target(t.world, welded, 3, 2, to + 3, 0));
        update(&t);
        expect_time(&t, 2.0);
        to[2][2] = -2.0F;
        assert_ok(willow_body_set_target(t.world, welded, 0, 6, to, 0));
        update(&t);
        expect_time(&t, 0.25); /* through the sheet, which is at 1 */
        close_trial(&t);
    }
}

/* ---- along plans ---- */

/* A narrow tree that is refitted keeps packed boxes (I15), which are those of the start of the
 * step: its end must not be checked against them, and has its own. */
static void the_end_of_a_flight_has_boxes_of_its_own(void **state)
{
    (void)state;
    static const float down[CORNERS][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
    static const uint32_t arities[] = {2, 4, 8};
    static const willow_method kept[] = {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_TOP_DOWN,
                                         WILLOW_METHOD_HYBRID, WILLOW_METHOD_KINETIC_AABB,
                                         WILLOW_METHOD_KINETIC_BOXTREE};
    enum { KEPT = sizeof kept / sizeof kept[0] };
    for (int i = 0; i < 3 * KEPT; i++) {
        trial t;
        willow_tree_def tree = willow_tree_def_default();
        open_trial(&t, kept[i % KEPT], false);
        tree.method = kept[i % KEPT];
        tree.arity = arities[i / KEPT];
        tree.leaf_triangles = 1;
        assert_int_equal(willow_body_set_tree(t.world, t.sheet, &tree), WILLOW_OK);
        assert_int_equal(willow_body_set_velocities(t.world, t.sheet, 0, CORNERS, down, 0),
                         WILLOW_OK);
        assert_int_equal(willow_world_set_target_time(t.world, 2.0), WILLOW_OK);
        update(&t);
        expect_time(&t, 0.5);
        assert_int_equal(willow_world_set_target_time(t.world, 4.0), WILLOW_OK);
        update(&t);
        expect_time(&t, 0.25);
        close_trial(&t);
    }
}

/* ---- limits and rest ---- */

typedef struct seen {
    size_t asked;
    uint32_t refuse; /* pairs of this triangle of the first */
} seen;

static bool note(void *context, willow_tri_ref a, willow_tri_ref b)
{
    seen *s = context;
    (void)b;
    s->asked++;
    return a.tri != s->refuse;
}

/* The first so many in order; one more is not asked for without need. */
static void limits_cut_in_order(void **state)
{
    (void)state;
    trial t;
    open_trial(&t, WILLOW_METHOD_AUTO, false);
    set_target(&t, 0, CORNERS, -1.0F);
    update(&t);
    willow_query_options options = willow_query_options_default();
    willow_impacts impacts;
    willow_impact all[64];
    assert_ok(willow_find_impacts(t.world, t.scratch, &options, &impacts));
    assert_true(impacts.complete && impacts.count > 3 && impacts.count < 64);
    assert_int_equal(impacts.run_count, 1);
    const size_t count = impacts.count;
    memcpy(all, impacts.items, count * sizeof *all);
    for (size_t limit = 1; limit <= count + 1; limit++) {
        options.max_results = limit;
        assert_ok(willow_find_impacts(t.world, t.scratch, &options, &impacts));
        assert_int_equal(impacts.count, limit < count ? limit : count);
        assert_int_equal(impacts.complete, limit >= count);
        for (size_t i = 0; i < impacts.count; i++) {
            const willow_impact *got = &impacts.items[i], *expected = &all[i];
            assert_memory_equal(&got->a, &expected->a, sizeof got->a);
            assert_memory_equal(&got->b, &expected->b, sizeof got->b);
            assert_true(got->time == expected->time);
        }
    }
    seen s = {.refuse = 0};
    options.max_results = 0;
    options.filter = note;
    options.filter_context = &s;
    assert_ok(willow_find_impacts(t.world, t.scratch, &options, &impacts));
    assert_int_equal(s.asked, count);
    assert_true(impacts.count > 0 && impacts.count < count && impacts.complete);
    options.max_results = impacts.count;
    assert_ok(willow_find_impacts(t.world, t.scratch, &options, &impacts));
    assert_true(impacts.complete); /* what the filter leaves out does not count */
    close_trial(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_has_no_target_stands_still),
    cmocka_unit_test(targets_add_up_and_the_last_one_counts),
    cmocka_unit_test(a_target_of_no_vertices_is_none),
    cmocka_unit_test(vertices_and_pose_may_both_go),
    cmocka_unit_test(no_tree_changes_when_a_turning_body_hits),
    cmocka_unit_test(moving_the_body_ends_its_trial),
    cmocka_unit_test(the_next_trial_begins_where_the_body_is),
    cmocka_unit_test(other_trees_and_groups_leave_it),
    cmocka_unit_test(other_questions_do_not_see_it),
    cmocka_unit_test(every_number_of_a_target_is_in_the_hash),
    cmocka_unit_test(bodies_without_triangles_may_try_steps),
    cmocka_unit_test(welded_vertices_go_together),
    cmocka_unit_test(the_end_of_a_flight_has_boxes_of_its_own),
    cmocka_unit_test(limits_cut_in_order),
};

TEST_GROUP(trial, tests);
