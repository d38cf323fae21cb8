/* Flight plans as users meet them: where vertices are, what changes mean,
 * what it costs, and that none of it depends on threads. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

/* ---- a small world ---- */

/* Two triangles that share an edge, and a vertex that nobody uses. */
static const float square[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 5, 5}};
static const uint32_t square_tris[2][3] = {{0, 1, 2}, {0, 2, 3}};
enum { SQUARE = 5 };

static willow_world *open_world(uint32_t threads)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = threads;
    willow_world *world = fixture_world(&def);
    return world;
}

static willow_body_def square_def(willow_method method)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(square, SQUARE, square_tris, 2);
    def.tree.method = method;
    return def;
}

static willow_body_id add(willow_world *world, const willow_body_def *def)
{
    willow_body_id body = fixture_body(world, def);
    return body;
}

static willow_body_id add_square(willow_world *world, willow_method method)
{
    const willow_body_def def = square_def(method);
    return add(world, &def);
}

static willow_update_report update(willow_world *world, double time)
{
    willow_update_report report;
    assert_ok(willow_world_update(world, time, &report));
    assert_true(willow_world_validate(world, NULL, 0));
    return report;
}

static willow_vec3 where(const willow_world *world, willow_body_id body, uint32_t vertex)
{
    willow_vec3 at;
    assert_ok(willow_body_copy_vertices(world, body, vertex, 1, &at));
    return at;
}

static void assert_at(const willow_world *world, willow_body_id body, uint32_t vertex, float x,
                      float y, float z)
{
    const willow_vec3 at = where(world, body, vertex);
    if (at.x != x || at.y != y || at.z != z)
        fail_msg("vertex %u is at (%.9g, %.9g, %.9g), not at (%.9g, %.9g, %.9g)", vertex,
                 (double)at.x, (double)at.y, (double)at.z, (double)x, (double)y, (double)z);
}

static bool has_plan(const willow_world *world, willow_body_id body)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(world, body, &info));
    return info.has_plan;
}

/* What every test below does for every method. */
static void for_every_method(void (*test)(willow_world *world, willow_body_id body))
{
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_world *world = open_world(1);
        test(world, add_square(world, method));
        willow_world_destroy(world);
    }
}

/* Two keyframes of the square: as it is at time 1, and all of it moved by (4, 8, 0) at time 3. */
static void set_keys(willow_world *world, willow_body_id body)
{
    static const double times[] = {1.0, 3.0};
    float keys[2][SQUARE][3];
    willow_flightplan plan = willow_flightplan_default();
    for (int i = 0; i < 3 * SQUARE; i++) {
        keys[0][i / 3][i % 3] = square[i / 3][i % 3];
        keys[1][i / 3][i % 3] = square[i / 3][i % 3] + (i % 3 == 0 ? 4.0F : i % 3 == 1 ? 8.0F : 0);
    }
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = 2;
    assert_ok(willow_body_set_flightplan(world, body, &plan));
    memset(keys, 0xFF, sizeof keys); /* it was copied */
}

static void set_velocity(willow_world *world, willow_body_id body, uint32_t vertex, float x,
                         float y, float z)
{
    const float v[3] = {x, y, z};
    assert_ok(willow_body_set_velocities(world, body, vertex, 1, v, 0));
}

static void set_acceleration(willow_world *world, willow_body_id body, uint32_t vertex, float x)
{
    const float a[3] = {x, 0, 0};
    assert_ok(willow_body_set_accelerations(world, body, vertex, 1, a, 0));
}

/* ---- where vertices are ---- */

static void check_lines(willow_world *world, willow_body_id body)
{
    update(world, 10.0);
    set_velocity(world, body, 1, 1, 2, -3);
    set_velocity(world, body, 4, 0, 0, 1);
    update(world, 10.5);
    assert_at(world, body, 1, 1.5F, 1, -1.5F);
    assert_at(world, body, 0, 0, 0, 0);
    assert_at(world, body, 4, 5, 5, 5.5F); /* nobody uses it, but it moves */
    update(world, 12.0);
    assert_at(world, body, 1, 3, 4, -6);
    update(world, 9.0); /* before it began */
    assert_at(world, body, 1, 0, -2, 3);
}

static void a_velocity_moves_a_vertex_and_no_other(void **state)
{
    (void)state;
    for_every_method(check_lines);
}

static void check_parabolas(willow_world *world, willow_body_id body)
{
    const willow_vertex_plan plan = {{1, 0, 0}, {0, 2, 0}};
    assert_ok(willow_body_set_vertex_plan(world, body, 2, &plan));
    update(world, 2.0);
    assert_at(world, body, 2, 3, 5, 0);
    set_acceleration(world, body, 2, -1); /* goes on with (1, 4, 0) */
    update(world, 4.0);
    assert_at(world, body, 2, 3 + 2 - 2, 5 + 8, 0);
    set_velocity(world, body, 2, 0, 1, 0); /* accelerates no longer */
    update(world, 6.0);
    assert_at(world, body, 2, 3, 15, 0);
}

static void an_acceleration_bends_the_path_that_was(void **state)
{
    (void)state;
    for_every_method(check_parabolas);
}

static void check_keyframes(willow_world *world, willow_body_id body)
{
    set_keys(world, body);
    update(world, 0.5);
    assert_at(world, body, 1, 1, 0, 0);
    update(world, 1.5);
    assert_at(world, body, 1, 2, 2, 0);
    update(world, 3.0);
    assert_at(world, body, 1, 5, 8, 0);
    update(world, 100.0);
    assert_at(world, body, 1, 5, 8, 0);
    update(world, 2.0);
    assert_at(world, body, 2, 3, 5, 0);
}

static void keyframes_are_joined_by_straight_lines(void **state)
{
    (void)state;
    for_every_method(check_keyframes);
}

static void check_leaving_keyframes(willow_world *world, willow_body_id body)
{
    static const float there[3] = {7, 7, 7};
    set_keys(world, body);
    update(world, 2.0);
    set_velocity(world, body, 0, 0, 0, 1);
    set_acceleration(world, body, 1, 2); /* goes on with the (2, 4, 0) of the keyframes */
    assert_ok(willow_body_set_vertices(world, body, 2, 1, there, 0));
    assert_at(world, body, 2, 7, 7, 7);
    update(world, 3.0);
    assert_at(world, body, 0, 2, 4, 1);
    assert_at(world, body, 1, 3 + 2 + 1, 4 + 4, 0);
    assert_at(world, body, 2, 7, 7, 7);
    assert_at(world, body, 3, 4, 9, 0);
    set_keys(world, body); /* all are on keyframes again */
    update(world, 2.0);
    assert_at(world, body, 2, 3, 5, 0);
    assert_true(has_plan(world, body));
}

static void vertices_leave_keyframes_one_by_one(void **state)
{
    (void)state;
    for_every_method(check_leaving_keyframes);
}

static void check_end(willow_world *world, willow_body_id body)
{
    assert_false(has_plan(world, body));
    set_keys(world, body);
    update(world, 2.0);
    assert_true(has_plan(world, body));
    assert_ok(willow_body_set_vertices(world, body, 0, SQUARE, square, 0));
    assert_false(has_plan(world, body));
    set_velocity(world, body, 3, 1, 0, 0); /* a new one, before anything else */
    update(world, 4.0);
    assert_true(has_plan(world, body));
    for (uint32_t i = 0; i < 3; i++)
        assert_at(world, body, i, square[i][0], square[i][1], square[i][2]);
    assert_at(world, body, 3, 2, 1, 0);
}

static void positions_for_all_vertices_end_the_plan(void **state)
{
    (void)state;
    for_every_method(check_end);
}

static void check_pose(willow_world *world, willow_body_id body)
{
    const willow_pose pose = {{10, 0, 0}, {0, 0, 1, 0}}; /* half a turn about z */
    assert_ok(willow_body_set_pose(world, body, &pose));
    set_velocity(world, body, 1, 1, 2, 0);
    update(world, 1.0);
    assert_at(world, body, 1, 8, -2, 0);
}

static void plans_are_in_the_frame_of_the_mesh(void **state)
{
    (void)state;
    for_every_method(check_pose);
}

/* A third of a unit cannot be a float, nor a double: where a path restarts from a rounded place it
 * would be off by more than the last bit after so many changes. */
static void check_continuity(willow_world *world, willow_body_id body)
{
    const float speed = 1.0F / 3.0F;
    enum { CHANGES = 3000 };
    for (int i = 0; i <= CHANGES; i++) {
        update(world, (double)i / 1000.0);
        set_velocity(world, body, 1, i % 2 == 0 ? speed : 2.0F * speed, -speed, 1e-7F);
    }
    const long double way = (long double)speed * CHANGES / 1000.0L;
    const willow_vec3 at = where(world, body, 1);
    assert_true(fabsl((long double)at.x - (1.0L + 1.5L * way)) <= (long double)FLT_EPSILON);
    assert_true(fabsl((long double)at.y + way) <= (long double)FLT_EPSILON / 2.0L);
    assert_true(fabs((double)at.z - 3e-7) < 1e-13);
}

static void changes_leave_no_gaps(void **state)
{
    (void)state;
    for_every_method(check_continuity);
}

static void check_border(willow_world *world, willow_body_id body)
{
    willow_body_info info;
    set_velocity(world, body, 1, FLT_MAX, -FLT_MAX, 0);
    set_acceleration(world, body, 2, FLT_MAX);
    update(world, 1e30);
    assert_at(world, body, 1, FLT_MAX, -FLT_MAX, 0);
    assert_at(world, body, 2, FLT_MAX, 1, 0);
    assert_ok(willow_body_get_info(world, body, &info));
    assert_true(info.box.upper.x == FLT_MAX && info.box.lower.y == -FLT_MAX);
    update(world, DBL_MAX);
    assert_at(world, body, 1, FLT_MAX, -FLT_MAX, 0);
    set_velocity(world, body, 1, 0, 0, 0);
    update(world, 1.0); /* it stands where it was, and that is far away */
    assert_at(world, body, 1, FLT_MAX, -FLT_MAX, 0);
}

static void coordinates_stay_at_the_border_of_floats(void **state)
{
    (void)state;
    for_every_method(check_border);
}

static void merged_vertices_follow_the_one_that_stands_for_them(void **state)
{
    (void)state;
    static const float corners[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                        {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const uint32_t tris[2][3] = {{0, 1, 2}, {3, 5, 4}};
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_world *world = open_world(1);
        willow_body_def def = square_def(method);
        def.mesh.positions = corners;
        def.mesh.indices = tris;
        def.mesh.vertex_count = 6;
        def.mesh.weld_exact = true;
        const willow_body_id body = add(world, &def);
        set_velocity(world, body, 3, 9, 9, 9); /* it follows vertex 1 */
        set_velocity(world, body, 2, 0, 0, 1);
        update(world, 1.0);
        assert_at(world, body, 1, 1, 0, 0);
        assert_at(world, body, 3, 1, 0, 0);
        assert_at(world, body, 4, 0, 1, 1);
        willow_world_destroy(world);
    }
}

static void vertices_without_a_triangle_move(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_world *world = open_world(1);
        willow_body_def def = square_def(method);
        def.mesh.triangle_count = 0;
        const willow_body_id body = add(world, &def);
        update(world, 0.0);
        set_velocity(world, body, 1, 1, 0, 0);
        update(world, 1.0);
        update(world, 2.0);
        assert_at(world, body, 1, 3, 0, 0);
        willow_world_destroy(world);
    }
}

static void vectors_are_read_with_a_stride(void **state)
{
    (void)state;
    const float wide[2][5] = {{1, 0, 0, 9, 9}, {0, 2, 0, 9, 9}};
    willow_world *world = open_world(1);
    const willow_body_id body = add_square(world, WILLOW_METHOD_KINETIC_AABB);
    assert_ok(willow_body_set_velocities(world, body, 1, 2, wide, sizeof wide[0]));
    assert_ok(willow_body_set_accelerations(world, body, 2, 1, wide, sizeof wide[0]));
    update(world, 2.0);
    assert_at(world, body, 1, 3, 0, 0);
    assert_at(world, body, 2, 3, 5, 0);
    willow_world_destroy(world);
}

/* ---- the world around ---- */

static void check_stale(willow_world *world, willow_body_id body)
{
    willow_pairs pairs;
    update(world, 0.0);
    willow_scratch *scratch = fixture_scratch(world);
    set_velocity(world, body, 1, 0, 0, 1);
    assert_int_equal(willow_find_pairs(world, scratch, NULL, &pairs), WILLOW_STALE);
    update(world, 0.0);
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    assert_int_equal(update(world, 0.0).bodies_updated, 0); /* nobody is somewhere else */
    assert_int_equal(update(world, 1.0).bodies_updated, 1);
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    set_keys(world, body);
    assert_int_equal(willow_find_pairs(world, scratch, NULL, &pairs), WILLOW_STALE);
    update(world, 1.0);
    willow_scratch_destroy(scratch);
}

static void a_change_of_plans_makes_the_world_stale_and_time_does_not(void **state)
{
    (void)state;
    for_every_method(check_stale);
}

static void assert_new_hash(const willow_world *world, uint64_t *hashes, size_t *count)
{
    const uint64_t hash = willow_world_hash(world);
    for (size_t i = 0; i < *count; i++) assert_true(hashes[i] != hash);
    hashes[(*count)++] = hash;
}

static void check_hash(willow_world *world, willow_body_id body)
{
    uint64_t hashes[10];
    size_t count = 0;
    update(world, 1.0);
    assert_new_hash(world, hashes, &count);
    set_velocity(world, body, 1, 0, 0, 0);
    assert_new_hash(world, hashes, &count);
    set_velocity(world, body, 1, 0, 0, 1);
    assert_new_hash(world, hashes, &count);
    set_acceleration(world, body, 1, 1);
    assert_new_hash(world, hashes, &count);
    update(world, 2.0);
    assert_new_hash(world, hashes, &count);
    set_velocity(world, body, 1, 0, 0, 1);
    assert_new_hash(world, hashes, &count);
    set_keys(world, body);
    assert_new_hash(world, hashes, &count);
    const uint64_t keyed = hashes[count - 1];
    set_keys(world, body);
    assert_true(willow_world_hash(world) == keyed);
    set_velocity(world, body, 1, 0, 0, 1);
    assert_new_hash(world, hashes, &count);
}

static void the_hash_of_a_world_covers_plans(void **state)
{
    (void)state;
    for_every_method(check_hash);
}

/* ---- what it costs ---- */

/* A sheet of about so many triangles, with the same velocity for all. */
static willow_body_id add_sheet(willow_world *world, uint32_t size, willow_events events)
{
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_GRID, size, 3);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(mesh.positions, mesh.vertex_count, mesh.tris, mesh.triangle_count);
    def.tree.method = WILLOW_METHOD_KINETIC_AABB;
    def.tree.events = events;
    const willow_body_id body = add(world, &def);
    float(*same)[3] = calloc(mesh.vertex_count, sizeof *same);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) same[i][0] = 0.3F;
    assert_ok(willow_body_set_velocities(world, body, 0, mesh.vertex_count, same, 0));
    free(same);
    zoo_mesh_destroy(&mesh);
    return body;
}

static void a_body_that_only_translates_has_no_events(void **state)
{
    (void)state;
    for (uint32_t size = 10; size <= 10000; size *= 10)
        for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
            willow_world *world = open_world(1);
            add_sheet(world, size, events);
            update(world, 0.0);
            for (double time = 0.7; time < 50.0; time += 1.3) {
                const willow_update_report report = update(world, time);
                assert_int_equal(report.bodies_updated, 1);
                assert_int_equal(report.events + report.vertices_evaluated, 0);
                assert_int_equal(report.queue_operations + report.certificates_checked, 0);
                assert_int_equal(report.nodes_updated + report.setups, 0);
            }
            willow_world_destroy(world);
        }
}

static void time_that_goes_back_counts_a_setup(void **state)
{
    (void)state;
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++) {
        willow_world *world = open_world(1);
        const willow_body_id body = add_sheet(world, 100, events);
        assert_int_equal(update(world, 1.0).setups, 1); /* the first */
        assert_int_equal(update(world, 2.0).setups, 0);
        assert_int_equal(update(world, 1.5).setups, 1);
        assert_int_equal(update(world, 1.5).setups, 0);
        set_keys(world, add_square(world, WILLOW_METHOD_KINETIC_AABB));
        assert_int_equal(update(world, 1.75).setups, 1); /* the other one */
        const float v[3] = {0, 0, 1};
        assert_ok(willow_body_set_velocities(world, body, 0, 1, v, 0));
        const willow_update_report report = update(world, 1.8);
        assert_int_equal(report.setups, 0); /* one path of many */
        assert_int_equal(report.plan_changes, 1);
        assert_int_equal(report.certificates_checked > 0, events != WILLOW_EVENTS_NONE);
        assert_int_equal(report.nodes_updated > 0, events == WILLOW_EVENTS_NONE);
        willow_world_destroy(world);
    }
}

/* Three vertices of one triangle; one overtakes another along x, and later the third. */
static void overtaking_is_counted(void **state)
{
    (void)state;
    static const float corners[3][3] = {{0, 0, 0}, {1, 4, 0}, {2, -4, 0}};
    static const uint32_t tri[3] = {0, 1, 2};
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        willow_world *world = open_world(1);
        willow_body_def def = square_def(WILLOW_METHOD_KINETIC_AABB);
        def.mesh.positions = corners;
        def.mesh.indices = tri;
        def.mesh.vertex_count = 3;
        def.mesh.triangle_count = 1;
        def.tree.events = events;
        def.tree.rebuild_ratio = INFINITY; /* a look for decay reads all positions */
        const willow_body_id body = add(world, &def);
        set_velocity(world, body, 0, 1, 0, 0);
        update(world, 0.0);
        willow_update_report report = update(world, 0.5);
        assert_int_equal(report.events + report.values_updated + report.vertices_evaluated, 0);
        report = update(world, 1.5); /* it is no longer the last */
        assert_true(report.events >= 1 && report.values_updated >= 1);
        assert_true(report.queue_operations >= report.events);
        assert_true(report.vertices_evaluated <= 3 * report.certificates_checked);
        report = update(world, 3.0); /* it is the first */
        assert_true(report.events >= 1 && report.values_updated >= 1);
        report = update(world, 1e6); /* and stays so */
        assert_int_equal(report.events + report.values_updated + report.vertices_evaluated, 0);
        willow_world_destroy(world);
    }
}

/* ---- threads ---- */

typedef struct outcome {
    willow_update_report sum;
    uint64_t pairs;
    size_t count;
} outcome;

static void add_report(willow_update_report *sum, const willow_update_report *r)
{
    sum->events += r->events;
    sum->values_updated += r->values_updated;
    sum->queue_operations += r->queue_operations;
    sum->certificates_checked += r->certificates_checked;
    sum->vertices_evaluated += r->vertices_evaluated;
    sum->plan_changes += r->plan_changes;
    sum->setups += r->setups;
    sum->nodes_updated += r->nodes_updated;
}

static void wave(willow_world *world, willow_body_id body, uint64_t *seed)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(world, body, &info));
    for (uint32_t i = 0; i < info.vertex_count; i += 5)
        set_velocity(world, body, i, 0, 0, (float)test_random_between(seed, -0.5, 0.5));
}

static outcome play(uint32_t threads)
{
    enum { SHEETS = 6 };
    outcome out = {0};
    uint64_t seed = 5;
    willow_world *world = open_world(threads);
    willow_body_id sheets[SHEETS];
    willow_scratch *scratch = fixture_scratch(world);
    for (int i = 0; i < SHEETS; i++) sheets[i] = add_sheet(world, 200, (willow_events)(i % 3));
    for (int step = 0; step < 20; step++) {
        willow_query_options options = willow_query_options_default();
        willow_pairs pairs;
        if (step % 4 == 0)
            for (int i = 0; i < SHEETS; i++) wave(world, sheets[i], &seed);
        const willow_update_report report = update(world, 0.25 * step);
        add_report(&out.sum, &report);
        options.use_threads = true;
        assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
        out.pairs = 31 * out.pairs + willow_pairs_hash(&pairs);
        out.count += pairs.count;
    }
    fixture_close(world, scratch);
    return out;
}

static void answers_and_counts_are_the_same_with_any_threads(void **state)
{
    (void)state;
    const outcome alone = play(1), two = play(2), four = play(4);
    print_message("%zu pairs, %zu events\n", alone.count, alone.sum.events);
    assert_true(alone.count > 0 && alone.sum.events > 0);
    assert_memory_equal(&alone, &two, sizeof alone);
    assert_memory_equal(&alone, &four, sizeof alone);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_velocity_moves_a_vertex_and_no_other),
    cmocka_unit_test(an_acceleration_bends_the_path_that_was),
    cmocka_unit_test(keyframes_are_joined_by_straight_lines),
    cmocka_unit_test(vertices_leave_keyframes_one_by_one),
    cmocka_unit_test(positions_for_all_vertices_end_the_plan),
    cmocka_unit_test(plans_are_in_the_frame_of_the_mesh),
    cmocka_unit_test(changes_leave_no_gaps),
    cmocka_unit_test(coordinates_stay_at_the_border_of_floats),
    cmocka_unit_test(merged_vertices_follow_the_one_that_stands_for_them),
    cmocka_unit_test(vertices_without_a_triangle_move),
    cmocka_unit_test(vectors_are_read_with_a_stride),
    cmocka_unit_test(a_change_of_plans_makes_the_world_stale_and_time_does_not),
    cmocka_unit_test(the_hash_of_a_world_covers_plans),
    cmocka_unit_test(a_body_that_only_translates_has_no_events),
    cmocka_unit_test(time_that_goes_back_counts_a_setup),
    cmocka_unit_test(overtaking_is_counted),
    cmocka_unit_test(answers_and_counts_are_the_same_with_any_threads),
};

TEST_GROUP(plan, tests);
