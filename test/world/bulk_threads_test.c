/* Bodies in bulk are as bodies one by one, with any number of workers; and where one element is
 * refused, or there is no memory, nothing has changed. */
#include <math.h>
#include <string.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { MANY = 700 }; /* more than two chunks of work */

static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tris[12] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};

static willow_body_def def_of(uint32_t number)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(corners, 4, tris, 4);
    def.pose.translation =
        (willow_vec3){(float)(number % 9), (float)(number % 7), (float)(number / 63)};
    def.pose.rotation.z = (float)(number % 5);
    def.user_data = number;
    return def;
}

static willow_world *open_world(uint32_t threads, test_allocator *allocator)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = threads;
    if (allocator) def.allocator = test_allocator_functions(allocator);
    return fixture_world(&def);
}

static uint64_t pairs_of(willow_world *world)
{
    willow_scratch *scratch = fixture_scratch(world);
    willow_pairs pairs;
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    assert_true(pairs.count > 0);
    const uint64_t hash = willow_pairs_hash(&pairs);
    willow_scratch_destroy(scratch);
    return hash;
}

typedef struct crowd {
    willow_body_def defs[MANY];
    willow_pose poses[MANY];
    willow_body_id ids[2][MANY];
} crowd;

/* Each world is told the same: the first in bulk. Every fifth body shares the first one, which was
 * there before; those to go are every third, in another order. */
static void play(crowd *c, uint32_t threads)
{
    willow_world *worlds[2] = {open_world(threads, NULL), open_world(1, NULL)};
    willow_body_id gone[2][MANY / 3];
    for (int w = 0; w < 2; w++) {
        const willow_body_def first = def_of(0);
        const willow_body_id lender = fixture_body(worlds[w], &first);
        for (uint32_t i = 0; i < MANY; i++) {
            c->defs[i] = def_of(i);
            if (i % 5 == 4) c->defs[i].share = lender;
            c->poses[i] = def_of(i * 31 % MANY).pose;
        }
        if (w == 0) assert_ok(willow_bodies_create(worlds[w], c->defs, MANY, c->ids[w]));
        for (uint32_t i = 0; i < MANY && w == 1; i++)
            c->ids[w][i] = fixture_body(worlds[w], &c->defs[i]);
        for (uint32_t i = 0; i < MANY / 3; i++)
            gone[w][i] = c->ids[w][(i * 3 + 300) % (MANY / 3 * 3)];
    }
    assert_true(willow_world_hash(worlds[0]) == willow_world_hash(worlds[1]));
    assert_true(pairs_of(worlds[0]) == pairs_of(worlds[1]));
    assert_ok(willow_bodies_set_poses(worlds[0], c->ids[0], c->poses, MANY));
    for (uint32_t i = 0; i < MANY; i++)
        assert_ok(willow_body_set_pose(worlds[1], c->ids[1][i], &c->poses[i]));
    assert_true(willow_world_hash(worlds[0]) == willow_world_hash(worlds[1]));
    assert_true(pairs_of(worlds[0]) == pairs_of(worlds[1]));
    assert_ok(willow_bodies_destroy(worlds[0], gone[0], MANY / 3));
    for (uint32_t i = 0; i < MANY / 3; i++) assert_ok(willow_body_destroy(worlds[1], gone[1][i]));
    assert_true(willow_world_hash(worlds[0]) == willow_world_hash(worlds[1]));
    assert_true(pairs_of(worlds[0]) == pairs_of(worlds[1]));
    for (int w = 0; w < 2; w++) fixture_close(worlds[w], NULL);
}

static void bodies_in_bulk_are_as_bodies_one_by_one(void **state)
{
    (void)state;
    static crowd c;
    for (uint32_t threads = 1; threads <= 4; threads += TEST_MORE_WORKERS) play(&c, threads);
}

/* The last pose of a body counts, in whatever order they come. */
static void a_body_that_is_posed_twice_is_where_the_last_pose_is(void **state)
{
    (void)state;
    willow_world *world = open_world(3, NULL);
    const willow_body_def def = def_of(0);
    willow_body_id ids[600];
    willow_pose poses[600];
    const willow_body_id two[2] = {fixture_body(world, &def), fixture_body(world, &def)};
    for (uint32_t i = 0; i < 600; i++) {
        ids[i] = two[i % 2];
        poses[i] = def_of(i).pose;
    }
    assert_ok(willow_bodies_set_poses(world, ids, poses, 600));
    for (uint32_t i = 0; i < 2; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(world, two[i], &info));
        assert_memory_equal(&info.pose, &poses[598 + i], sizeof info.pose);
    }
    fixture_close(world, NULL);
}

static void check_refused(willow_world *world, willow_result result, willow_result wanted,
                          const char *words, uint64_t before)
{
    assert_int_equal(result, wanted);
    if (strstr(willow_world_message(world), words) == NULL)
        fail_msg("%s", willow_world_message(world));
    assert_true(willow_world_hash(world) == before);
    assert_true(willow_world_validate(world, NULL, 0));
}

static void one_bad_element_refuses_all(void **state)
{
    (void)state;
    static crowd c;
    willow_world *world = open_world(3, NULL);
    willow_body_id *ids = c.ids[0], *others = c.ids[1];
    for (uint32_t i = 0; i < MANY; i++) c.poses[i] = (c.defs[i] = def_of(i)).pose;
    assert_ok(willow_bodies_create(world, c.defs, MANY, ids));
    assert_ok(willow_world_update(world, 0, NULL));
    const uint64_t before = willow_world_hash(world);

    c.defs[519].mesh.triangle_count = 5;
    c.defs[519].mesh.vertex_count = 2;
    check_refused(world, willow_bodies_create(world, c.defs, MANY, others), WILLOW_BAD_MESH,
                  "519:", before);
    c.defs[3].share = (willow_body_id){MANY + 9, 0, 1};
    check_refused(world, willow_bodies_create(world, c.defs, MANY, others), WILLOW_BAD_HANDLE,
                  "3:", before);
    assert_int_equal(others[0].index1, 0);

    c.poses[610].translation.y = NAN;
    check_refused(world, willow_bodies_set_poses(world, ids, c.poses, MANY), WILLOW_BAD_ARGUMENT,
                  "610:", before);
    const willow_body_id twice[3] = {ids[4], ids[9], ids[4]};
    check_refused(world, willow_bodies_destroy(world, twice, 3), WILLOW_BAD_HANDLE,
                  "2: body 5 is named twice", before);
    check_refused(world, willow_bodies_destroy(world, NULL, 3), WILLOW_BAD_ARGUMENT, "missing",
                  before);

    willow_scratch *scratch = fixture_scratch(world);
    willow_pairs pairs;
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs)); /* it is not stale */
    assert_ok(willow_bodies_destroy(world, twice, 2));
    assert_int_equal(willow_bodies_set_poses(world, ids, c.poses, MANY), WILLOW_BAD_HANDLE);
    assert_ok(willow_bodies_destroy(world, NULL, 0));
    fixture_close(world, scratch);
}

static void a_failed_allocation_leaves_no_body(void **state)
{
    (void)state;
    enum { FEW = 6 };
    static crowd c;
    size_t failures = 0;
    bool has_failed = true;
    for (size_t n = 1; has_failed; n++) {
        test_allocator allocator = {.fail_at = 0};
        willow_world *world = open_world(1, &allocator);
        const willow_body_def first = def_of(0);
        const willow_body_id lender = fixture_body(world, &first);
        for (uint32_t i = 0; i < FEW; i++) {
            c.defs[i] = def_of(i);
            if (i % 2 == 1) c.defs[i].share = lender;
        }
        const uint64_t before = willow_world_hash(world);
        allocator.fail_at = atomic_load(&allocator.calls) + n;
        const willow_result result = willow_bodies_create(world, c.defs, FEW, c.ids[0]);
        has_failed = result != WILLOW_OK;
        if (has_failed) check_refused(world, result, WILLOW_OUT_OF_MEMORY, "", before);
        failures += has_failed;
        fixture_close(world, NULL);
        assert_true(test_allocator_is_clean(&allocator));
    }
    print_message("%zu allocations failed\n", failures);
    assert_true(failures > FEW);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_in_bulk_are_as_bodies_one_by_one),
    cmocka_unit_test(a_body_that_is_posed_twice_is_where_the_last_pose_is),
    cmocka_unit_test(one_bad_element_refuses_all),
    cmocka_unit_test(a_failed_allocation_leaves_no_body),
};

TEST_GROUP(bulk_threads, tests);
