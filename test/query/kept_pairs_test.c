/* Pairs within a body are kept by the scratch that found them: asked again, nothing is tested, and
 * the answer is that of a scratch that knows nothing, whatever was changed in between. */
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "willow/willow.h"

enum { BODIES = 3, TRIS = 60, VERTICES = TRIS + 2, GROUPS = 3 };

/* Bands through random points: triangles that share vertices, and cross. */
typedef struct stage {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[BODIES];
    float at[VERTICES][3];
    uint16_t groups[TRIS];
    uint64_t random;
} stage;

static void scatter(stage *s)
{
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            s->at[i][axis] = (float)test_random_between(&s->random, -1.0, 1.0);
}

static void add_body(stage *s, int number)
{
    uint32_t tris[TRIS][3];
    uint64_t masks[GROUPS];
    willow_body_def def = willow_body_def_default();
    for (uint32_t i = 0; i < TRIS; i++) {
        for (uint32_t k = 0; k < 3; k++) tris[i][k] = i + k;
        s->groups[i] = (uint16_t)(1 + i % 2);
    }
    for (int i = 0; i < GROUPS; i++) masks[i] = UINT64_MAX;
    scatter(s);
    def.mesh = FIXTURE_MESH(s->at, VERTICES, tris, TRIS);
    def.mesh.triangle_groups = s->groups;
    def.mesh.group_masks = masks;
    def.mesh.group_count = GROUPS;
    def.self = true;
    def.tree.method = (willow_method)(test_random(&s->random) % WILLOW_METHOD_COUNT);
    s->bodies[number] = fixture_body(s->world, &def);
}

static void open_stage(stage *s, uint32_t threads)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = threads;
    *s = (stage){.world = fixture_world(&def), .random = 5};
    for (int i = 0; i < BODIES; i++) add_body(s, i);
    assert_ok(willow_world_update(s->world, 0, NULL));
    s->scratch = fixture_scratch(s->world);
}

static bool count_call(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (*(size_t *)context)++;
    return (a.tri + b.tri) % 3 != 0;
}

/* One question to a scratch that knows something, and to one that does not. */
static size_t compare(stage *s, const willow_query_options *options, bool is_self)
{
    willow_pairs pairs, expected;
    size_t calls[2] = {0, 0};
    willow_query_options asked = *options;
    willow_scratch *fresh = fixture_scratch(s->world);
    asked.filter_context = &calls[0];
    assert_ok(
        (is_self ? willow_find_self_pairs : willow_find_pairs)(s->world, fresh, &asked, &expected));
    asked.filter_context = &calls[1];
    assert_ok((is_self ? willow_find_self_pairs : willow_find_pairs)(s->world, s->scratch, &asked,
                                                                     &pairs));
    assert_int_equal(pairs.count, expected.count);
    assert_int_equal(pairs.complete, expected.complete);
    assert_true(willow_pairs_hash(&pairs) == willow_pairs_hash(&expected));
    assert_int_equal(calls[0], calls[1]);
    if (options->witness)
        assert_memory_equal(pairs.witnesses, expected.witnesses,
                            pairs.count * sizeof *pairs.witnesses);
    const size_t count = pairs.count;
    willow_scratch_destroy(fresh);
    return count;
}

static willow_query_stats ask_self(stage *s, const willow_query_options *options)
{
    willow_pairs pairs;
    willow_scratch_reset_stats(s->scratch);
    assert_ok(willow_find_self_pairs(s->world, s->scratch, options, &pairs));
    return willow_scratch_stats(s->scratch);
}

static void what_did_not_change_is_not_tested_again(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, 2);
    willow_query_options options = willow_query_options_default();
    for (int threads = 0; threads < 2; threads++) {
        options.use_threads = threads == 1;
        options.skip_neighbours = threads == 1;
        willow_query_stats stats = ask_self(&s, &options);
        assert_true(stats.triangle_tests > 0 && stats.body_pairs == BODIES);
        for (int i = 1; i < 4; i++) { /* update after update */
            assert_ok(willow_world_update(s.world, 4 * threads + i, NULL));
            stats = ask_self(&s, &options);
            assert_true(stats.triangle_tests == 0 && stats.nodes_opened == 0 &&
                        stats.volume_tests == 0);
            assert_int_equal(stats.body_pairs, BODIES);
        }
        options.test_flat = true; /* which does not change the answer */
        assert_true(ask_self(&s, &options).triangle_tests == 0);
        options.test_flat = false;
    }
    fixture_close(s.world, s.scratch);
}

/* Of several bodies only the one that was changed. */
static void what_changed_is_searched_again(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, 1);
    const uint64_t all = ask_self(&s, NULL).triangle_tests;
    const willow_pose pose = {.translation = {1, 2, 3}, .rotation = {0.5F, 0.5F, 0, 0.5F}};
    uint64_t masks[GROUPS] = {0, 2, 4};
    for (int change = 0; change < 4; change++) {
        scatter(&s);
        if (change == 0)
            assert_ok(willow_body_set_vertices(s.world, s.bodies[1], 0, VERTICES, s.at, 0));
        if (change == 1) assert_ok(willow_body_set_pose(s.world, s.bodies[1], &pose));
        if (change == 2)
            assert_ok(willow_body_set_group_masks(s.world, s.bodies[1], masks, GROUPS));
        if (change == 3) {
            assert_ok(willow_body_destroy(s.world, s.bodies[1]));
            add_body(&s, 1); /* in the place of the other */
        }
        assert_ok(willow_world_update(s.world, change, NULL));
        const uint64_t some = ask_self(&s, NULL).triangle_tests;
        assert_true(some > 0 && some < all);
        assert_true(ask_self(&s, NULL).triangle_tests == 0);
    }
    fixture_close(s.world, s.scratch);
}

static void change(stage *s, int step)
{
    const int number = (int)(test_random(&s->random) % BODIES);
    const willow_body_id body = s->bodies[number];
    willow_tree_def tree = willow_tree_def_default();
    willow_pose pose = willow_pose_identity();
    uint64_t masks[GROUPS] = {0, 2 + 4 * (test_random(&s->random) % 2), 0};
    masks[2] = (masks[1] & 4) / 2 + 4;
    scatter(s);
    switch (test_random(&s->random) % 7) {
    case 0: assert_ok(willow_body_set_vertices(s->world, body, 3, 9, s->at, 0)); break;
    case 1: assert_ok(willow_body_set_vertices(s->world, body, 0, VERTICES, s->at, 0)); break;
    case 2:
        pose.translation.x = (float)test_random_between(&s->random, -1.0, 1.0);
        assert_ok(willow_body_set_pose(s->world, body, &pose));
        break;
    case 3: assert_ok(willow_body_set_group_masks(s->world, body, masks, GROUPS)); break;
    case 4:
        assert_ok(willow_body_destroy(s->world, body));
        add_body(s, number);
        break;
    case 5:
        tree.method = (willow_method)(test_random(&s->random) % WILLOW_METHOD_COUNT);
        assert_ok(willow_body_set_tree(s->world, body, &tree));
        break;
    default: break;
    }
    assert_ok(willow_world_update(s->world, step, NULL));
}

static void answers_are_those_of_a_scratch_that_knows_nothing(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint32_t threads = 1; threads < 3; threads++) {
        stage s;
        open_stage(&s, threads);
        for (int step = 1; step < 200; step++) {
            willow_query_options options = willow_query_options_default();
            options.use_threads = true;
            options.skip_neighbours = test_random(&s.random) % 2 == 0;
            options.witness = test_random(&s.random) % 4 == 0;
            if (test_random(&s.random) % 4 == 0) options.filter = count_call;
            if (test_random(&s.random) % 4 == 0) options.max_results = test_random(&s.random) % 300;
            change(&s, step);
            found += compare(&s, &options, test_random(&s.random) % 2 == 0);
        }
        fixture_close(s.world, s.scratch);
    }
    printf("%zu pairs\n", found);
    assert_true(found > 0);
}

/* ---- memory ---- */

enum { MANY = 3000 };

/* Small bodies, each of two triangles that cross. Returns the last. */
static willow_body_id add_many(willow_world *world, uint32_t count)
{
    static const float at[6][3] = {{0, 0, 0},  {2, 0, 0},  {0, 2, 0},
                                   {0, 0, -1}, {1, 1, -1}, {0, 0, 2}};
    static const uint32_t tris[6] = {0, 1, 2, 3, 4, 5};
    willow_body_id last = {0};
    for (uint32_t i = 0; i < count; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(at, 6, tris, 2);
        def.self = true;
        def.pose.translation.x = 4.0F * (float)i;
        last = fixture_body(world, &def);
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return last;
}

/* Bytes that a scratch takes to know one body, the last of so many. */
static size_t bytes_for_one(uint32_t count)
{
    test_allocator allocator = {0};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    const willow_body_id last = add_many(world, count);
    willow_scratch *scratch = fixture_scratch(world);
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_near near;
    options.bodies = &last;
    options.body_count = 1;
    assert_ok(willow_find_near(world, scratch, &options, &near)); /* which makes room to choose */
    const size_t before = allocator.bytes;
    assert_ok(willow_find_self_pairs(world, scratch, &options, &pairs));
    assert_int_equal(pairs.count, 1);
    const size_t bytes = allocator.bytes - before;
    fixture_close(world, scratch);
    assert_true(test_allocator_is_clean(&allocator));
    return bytes;
}

static void what_is_kept_takes_room_for_those_that_were_asked(void **state)
{
    (void)state;
    const size_t few = bytes_for_one(1), many = bytes_for_one(MANY);
    print_message("%zu bytes for one body, %zu for the last of %d\n", few, many, MANY);
    assert_true(many < few + MANY);
}

static void all_of_many_bodies_are_kept(void **state)
{
    (void)state;
    willow_world *world = fixture_world(NULL);
    (void)add_many(world, MANY);
    willow_scratch *scratch = fixture_scratch(world);
    for (int i = 0; i < 2; i++) {
        willow_pairs pairs;
        willow_scratch_reset_stats(scratch);
        assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
        assert_int_equal(pairs.count, MANY);
        assert_int_equal(willow_scratch_stats(scratch).triangle_tests > 0, i == 0);
    }
    fixture_close(world, scratch);
}

/* Asked before with other bodies, so that what fails is the keeping. */
static void without_memory_nothing_is_kept_and_answers_are_the_same(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    (void)add_many(world, 40);
    willow_scratch *scratch = fixture_scratch(world);
    willow_query_options options = willow_query_options_default();
    willow_body_id ids[40];
    willow_pairs pairs;
    options.bodies = ids;
    assert_int_equal(willow_world_copy_bodies(world, ids, 40), 40);
    options.body_count = 20;
    assert_ok(willow_find_self_pairs(world, scratch, &options, &pairs));
    options.bodies = ids + 20;
    for (int i = 0; i < 3; i++) {
        allocator.fails_from_now_on = i == 0;
        willow_scratch_reset_stats(scratch);
        assert_ok(willow_find_self_pairs(world, scratch, &options, &pairs));
        assert_int_equal(pairs.count, 20);
        assert_int_equal(willow_scratch_stats(scratch).triangle_tests > 0, i < 2);
    }
    fixture_close(world, scratch);
    assert_true(test_allocator_is_clean(&allocator));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_did_not_change_is_not_tested_again),
    cmocka_unit_test(what_changed_is_searched_again),
    cmocka_unit_test(answers_are_those_of_a_scratch_that_knows_nothing),
    cmocka_unit_test(what_is_kept_takes_room_for_those_that_were_asked),
    cmocka_unit_test(all_of_many_bodies_are_kept),
    cmocka_unit_test(without_memory_nothing_is_kept_and_answers_are_the_same),
};

TEST_GROUP(kept_pairs, tests);
