/* Crowds: more pairs of bodies than a search looks at once, so that they come some at a time. Every
 * search finds what those that choose all pairs at once find, and one that may end early does. */
#include <string.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

/* Twice the pairs of bodies that are chosen at a time, and more. */
enum { BODIES = 200, TRIS = 2 };

#define GAP 0.01F

/* Bodies of two triangles that lie over each other along the diagonal of space: the boxes of all of
 * them overlap, and none meet. */
typedef struct crowd {
    float at[BODIES][3 * TRIS][3], next[BODIES][3 * TRIS][3];
} crowd;

static void place(crowd *c)
{
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3 * TRIS; k++)
            for (int axis = 0; axis < 3; axis++) {
                const float corner = k % 3 == axis ? 10.0F : 0.0F;
                c->at[i][k][axis] = corner + GAP * (float)(2 * i + k / 3);
                c->next[i][k][axis] = c->at[i][k][axis];
            }
}

static void shift(float tri[3][3], float by)
{
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) tri[k][axis] += by;
}

static willow_world *open_crowd(const crowd *c, willow_method method, uint32_t threads, bool self)
{
    static const uint32_t tris[3 * TRIS] = {0, 1, 2, 3, 4, 5};
    willow_world_def world_def = willow_world_def_default();
    world_def.thread_count = threads;
    willow_world *world = fixture_world(&world_def);
    for (int i = 0; i < BODIES; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(c->at[i], 3 * TRIS, tris, TRIS);
        def.tree.method = method;
        def.self = self;
        willow_body_id body = fixture_body(world, &def);
        assert_ok(willow_body_set_target(world, body, 0, 3 * TRIS, c->next[i], 0));
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

static bool count_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    size_t *sum = context;
    sum[0]++;
    sum[1] += 1000 * a.body.index1 + b.body.index1;
    return true;
}

/* Visits all, finds all: equal numbers, whatever the order. */
static void check_pairs(const willow_world *world, size_t wanted)
{
    willow_scratch *scratch = fixture_scratch(world);
    size_t sum[2] = {0, 0}, expected = 0;
    willow_first_pair first;
    willow_pairs pairs;
    assert_ok(willow_visit_pairs(world, scratch, NULL, count_pair, sum));
    assert_ok(willow_find_first_pair(world, scratch, NULL, &first));
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    for (size_t i = 0; i < pairs.run_count; i++)
        expected += pairs.runs[i].count *
                    (1000 * pairs.runs[i].body_a.index1 + pairs.runs[i].body_b.index1);
    assert_int_equal(pairs.count, wanted);
    assert_int_equal(sum[0], wanted);
    assert_int_equal(sum[1], expected);
    assert_int_equal(first.found, wanted > 0);
    willow_scratch_destroy(scratch);
}

static void pairs_that_come_late_are_found(void **state)
{
    (void)state;
    static crowd c;
    for (int method = 0; method < WILLOW_METHOD_COUNT; method += 3) {
        place(&c);
        willow_world *world = open_crowd(&c, (willow_method)method, 1, true);
        check_pairs(world, 0);
        willow_world_destroy(world);

        /* Through its own second triangle and the first of the next body. */
        for (int axis = 0; axis < 3; axis++) c.at[150][0][axis] += 2.5F * GAP;
        world = open_crowd(&c, (willow_method)method, 1, true);
        willow_scratch *scratch = fixture_scratch(world);
        willow_pairs pairs;
        assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
        const size_t count = pairs.count;
        willow_scratch_destroy(scratch);
        assert_true(count > 1);
        check_pairs(world, count);
        willow_world_destroy(world);
    }
}

/* Only within a body: what is looked at last. */
static void a_pair_within_a_body_is_found_behind_all_others(void **state)
{
    (void)state;
    static crowd c;
    place(&c);
    c.at[7][3][0] -= 1.5F * GAP;
    c.at[7][3][1] -= 1.5F * GAP;
    c.at[7][3][2] -= 1.5F * GAP;
    willow_world *world = open_crowd(&c, WILLOW_METHOD_AUTO, 1, true);
    check_pairs(world, 1);
    willow_world_destroy(world);
}

static willow_first_impact check_first(const willow_world *world, bool use_threads)
{
    willow_query_options options = willow_query_options_default();
    willow_scratch *scratch = fixture_scratch(world);
    willow_first_impact first;
    willow_impacts impacts;
    options.use_threads = use_threads;
    assert_ok(willow_time_of_impact(world, scratch, &options, &first));
    assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
    const char *words = impacts_differ_first(&impacts, &first);
    if (words) fail_msg("the first impact: %s", words);
    willow_scratch_destroy(scratch);
    return first;
}

/* Two bodies far from each other in order come to their neighbours; the later one is faster, or
 * both are as fast, and then the first in order counts. */
static void the_first_impact_may_be_of_the_last_pair(void **state)
{
    (void)state;
    static crowd c;
    for (int i = 0; i < 4; i++) {
        place(&c);
        shift(c.next[20] + 3, 1.5F * GAP);
        shift(c.next[180] + 3, (i % 2 == 0 ? 2.5F : 1.5F) * GAP);
        willow_world *world =
            open_crowd(&c, i < 2 ? WILLOW_METHOD_AUTO : WILLOW_METHOD_BRUTE, 3, false);
        const willow_first_impact first = check_first(world, true);
        assert_true(first.found && first.impact.time > 0.0);
        willow_world_destroy(world);
    }
}

/* All bodies in one place: a search looks at a few, and threads do not show. */
static void a_search_ends_at_the_first_that_it_finds(void **state)
{
    (void)state;
    static crowd c;
    place(&c);
    for (int i = 1; i < BODIES; i++) memcpy(c.at[i], c.at[0], sizeof c.at[i]);
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads < 4; threads++) {
        willow_world *world = open_crowd(&c, WILLOW_METHOD_AUTO, threads, false);
        willow_scratch *scratch = fixture_scratch(world);
        willow_query_options options = willow_query_options_default();
        willow_first_pair pair;
        willow_first_impact first;
        options.use_threads = true;
        assert_ok(willow_find_first_pair(world, scratch, &options, &pair));
        assert_true(pair.found && willow_scratch_stats(scratch).body_pairs == 1);
        willow_scratch_reset_stats(scratch);
        assert_ok(willow_time_of_impact(world, scratch, &options, &first));
        assert_true(first.found && first.impact.time == 0.0 && first.impact.is_decided);
        assert_true(willow_scratch_stats(scratch).leaf_pairs <= 8);
        if (threads == 1) hash = hash_first_impact(&first);
        assert_true(hash == hash_first_impact(&first));
        willow_scratch_destroy(scratch);
        willow_world_destroy(world);
    }
}

/* Bodies in a row, and one that is so large that its roundings are larger than the row: no other
 * body is wider for it, and the one that it goes through is found. */
static void a_huge_body_brings_no_others_together(void **state)
{
    (void)state;
    static crowd c;
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3 * TRIS; k++)
            for (int axis = 0; axis < 3; axis++) {
                const float corner = k % 3 == axis ? 0.25F : 0.0F;
                c.at[i][k][axis] = corner + (axis == 0 ? (float)i : 0.0F);
                c.next[i][k][axis] = c.at[i][k][axis] + (axis == 1 ? 0.125F : 0.0F);
            }
    static const float huge[3][3] = {
        {0.125F, 1e15F, 1e15F}, {0.125F, -1e15F, 0}, {0.125F, 1e15F, 0}};
    for (int k = 0; k < 3 * TRIS; k++) memcpy(c.at[50][k], huge[k % 3], sizeof huge[0]);
    memcpy(c.next[50], c.at[50], sizeof c.at[50]);
    for (int method = 0; method < WILLOW_METHOD_COUNT; method += 3) {
        willow_world *world = open_crowd(&c, (willow_method)method, 1, false);
        willow_scratch *scratch = fixture_scratch(world);
        willow_query_options options = willow_query_options_default();
        willow_near near;
        willow_impacts impacts;
        options.near_distance = options.touch_distance = 0.01;
        assert_ok(willow_find_near(world, scratch, &options, &near));
        assert_true(near.count > 0);
        assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
        assert_true(impacts.count > 0);
        assert_true(willow_scratch_stats(scratch).body_pairs < 2 * BODIES);
        fixture_close(world, scratch);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pairs_that_come_late_are_found),
    cmocka_unit_test(a_pair_within_a_body_is_found_behind_all_others),
    cmocka_unit_test(the_first_impact_may_be_of_the_last_pair),
    cmocka_unit_test(a_search_ends_at_the_first_that_it_finds),
    cmocka_unit_test(a_huge_body_brings_no_others_together),
};

TEST_GROUP(crowd, tests);
