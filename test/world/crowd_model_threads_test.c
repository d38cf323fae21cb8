/* Worlds of many bodies that come and go, move, change categories and try out steps: with every
 * broad phase, all questions find what asking each two bodies alone finds. What a world keeps of
 * its broad phase from update to update, for whoever asked, is compared with a fresh one (W9, W10).
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"

enum { MOST = 26, UPDATES = 40, NEAR_EVERY = 5 };

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t tris[12] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};

/* Where nobody moves in a step nothing is an impact, so that a runner, far away, always does. */
typedef struct crowd {
    willow_world *world;
    willow_scratch *scratch, *alone;
    willow_body_id ids[MOST], runner;
    uint32_t count;
    uint64_t random;
    size_t pairs, impacts, near; /* found by all questions so far */
} crowd;

static crowd crowd_open(willow_broad broad, uint64_t seed)
{
    willow_world_def def = willow_world_def_default();
    def.broad = broad;
    def.thread_count = seed % 2 == 0 ? 3 : 1;
    crowd c = {.world = fixture_world(&def), .random = seed};
    c.scratch = fixture_scratch(c.world);
    c.alone = fixture_scratch(c.world);
    willow_body_def body = willow_body_def_default();
    body.mesh = FIXTURE_MESH(corners, 4, tris, 4);
    body.pose.translation.y = 1e9F;
    c.runner = fixture_body(c.world, &body);
    return c;
}

static void crowd_close(crowd *c)
{
    willow_scratch_destroy(c->alone);
    fixture_close(c->world, c->scratch);
}

/* Bodies of one size, close together, and now and then a huge one or one far away. */
static willow_pose random_pose(crowd *c)
{
    const bool is_far = test_random(&c->random) % 16 == 0;
    const double reach = is_far ? 1e6 : 3.0;
    willow_pose pose = willow_pose_identity();
    pose.translation.x = (float)test_random_between(&c->random, -reach, reach);
    pose.translation.y = (float)test_random_between(&c->random, -3.0, 3.0);
    pose.translation.z = (float)test_random_between(&c->random, -1.0, 1.0);
    pose.rotation.x = (float)test_random_between(&c->random, -1.0, 1.0);
    return pose;
}

static void add_body(crowd *c)
{
    float at[4][3];
    const bool is_huge = test_random(&c->random) % 12 == 0;
    for (int i = 0; i < 12; i++) ((float *)at)[i] = ((const float *)corners)[i] * (is_huge ? 5 : 1);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 4, tris, test_random(&c->random) % 16 == 0 ? 0 : 4);
    def.pose = random_pose(c);
    def.self = test_random(&c->random) % 8 == 0;
    def.thickness = test_random(&c->random) % 8 == 0 ? 0.05F : 0.0F;
    c->ids[c->count++] = fixture_body(c->world, &def);
}

static void remove_body(crowd *c)
{
    const uint32_t which = (uint32_t)(test_random(&c->random) % c->count);
    assert_ok(willow_body_destroy(c->world, c->ids[which]));
    c->ids[which] = c->ids[--c->count];
}

static void change_body(crowd *c)
{
    const willow_body_id id = c->ids[test_random(&c->random) % c->count];
    const willow_pose pose = random_pose(c);
    switch (test_random(&c->random) % 5) {
    case 0:
        assert_ok(willow_body_set_category_bits(c->world, id, test_random(&c->random) % 4));
        break;
    case 1: assert_ok(willow_body_set_mask_bits(c->world, id, test_random(&c->random) % 4)); break;
    case 2: assert_ok(willow_body_set_target_pose(c->world, id, &pose)); break;
    default: assert_ok(willow_body_set_pose(c->world, id, &pose)); break;
    }
}

/* Some updates change nothing, some one body, some nearly all. */
static void crowd_step(crowd *c)
{
    static const uint32_t changes[] = {0, 1, 2, 10};
    for (uint32_t i = changes[test_random(&c->random) % 4]; i-- > 0 && c->count > 0;)
        change_body(c);
    while (c->count < MOST && test_random(&c->random) % 3 != 0) add_body(c);
    while (c->count > 0 && test_random(&c->random) % 4 == 0) remove_body(c);
    const willow_pose far = {{0, 2e9F, 0}, {0, 0, 0, 1}};
    assert_ok(willow_body_set_target_pose(c->world, c->runner, &far));
    assert_ok(willow_world_update(c->world, 0, NULL));
}

/* ---- each two bodies alone ---- */

typedef struct answers {
    uint64_t pairs;
    size_t pair_count, impact_count, near_count;
} answers;

static willow_query_options options_for(const willow_body_id *bodies, size_t count)
{
    willow_query_options options = willow_query_options_default();
    options.bodies = bodies;
    options.body_count = count;
    options.near_distance = 0.3;
    return options;
}

/* Sums, so that the order in which bodies are asked does not matter. */
static uint64_t hash_runs(const willow_pairs *pairs)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pairs->run_count; i++) {
        const willow_pair_run run = pairs->runs[i];
        willow_pair_run first = run;
        first.first = 0;
        const willow_pairs one = {
            .runs = &first, .run_count = 1, .items = pairs->items + run.first, .count = run.count};
        sum += willow_pairs_hash(&one);
    }
    return sum;
}

static void ask_pairs(const crowd *c, willow_scratch *scratch, const willow_query_options *options,
                      answers *out)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(c->world, scratch, options, &pairs));
    out->pairs += hash_runs(&pairs);
    out->pair_count += pairs.count;
}

/* Of different bodies. */
static size_t count_between(const willow_pair_run *runs, size_t run_count)
{
    size_t count = 0;
    for (size_t i = 0; i < run_count; i++)
        if (runs[i].body_a.index1 != runs[i].body_b.index1) count += runs[i].count;
    return count;
}

static void ask_far(const crowd *c, willow_scratch *scratch, const willow_query_options *options,
                    answers *out)
{
    willow_impacts impacts;
    willow_near near;
    assert_ok(willow_find_impacts(c->world, scratch, options, &impacts));
    out->impact_count += count_between(impacts.runs, impacts.run_count);
    assert_ok(willow_find_near(c->world, scratch, options, &near));
    out->near_count += count_between(near.runs, near.run_count);
}

/* Pairs within a body are those of the body alone. */
static void ask_two(const crowd *c, const willow_body_id both[2], bool is_far, answers *out)
{
    const willow_body_id three[3] = {both[0], both[1], c->runner};
    const willow_query_options options = options_for(both, 2), far = options_for(three, 3);
    answers within = {0};
    ask_pairs(c, c->alone, &options, out);
    for (int i = 0; i < 2; i++) {
        const willow_query_options one = options_for(&both[i], 1);
        ask_pairs(c, c->alone, &one, &within);
    }
    out->pairs -= within.pairs;
    out->pair_count -= within.pair_count;
    if (is_far) ask_far(c, c->alone, &far, out);
}

static answers ask_each_two(const crowd *c, const willow_body_id *ids, size_t count, bool is_far)
{
    answers sum = {0};
    for (size_t a = 0; a < count; a++) {
        const willow_query_options one = options_for(&ids[a], 1);
        ask_pairs(c, c->alone, &one, &sum);
        for (size_t b = a + 1; b < count; b++)
            ask_two(c, (const willow_body_id[2]){ids[a], ids[b]}, is_far, &sum);
    }
    return sum;
}

static bool count_and_go_on(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)a, (void)b;
    ++*(size_t *)context;
    return true;
}

static bool stop_at_first_tri(void *context, willow_tri_ref tri)
{
    *(uint32_t *)context ^= tri.body.index1 * 31 + tri.tri;
    return true;
}

static void check_some(crowd *c, const willow_body_id *ids, size_t count, bool is_all, bool is_far)
{
    willow_body_id some[MOST + 1];
    memcpy(some, ids, count * sizeof *ids);
    some[count] = c->runner;
    willow_query_options options = options_for(is_all ? NULL : some, is_all ? 0 : count + 1);
    const answers wanted = ask_each_two(c, ids, count, is_far);
    answers found = {0};
    size_t visited = 0;
    willow_first_pair first;
    options.use_threads = test_random(&c->random) % 2 == 0;
    ask_pairs(c, c->scratch, &options, &found);
    if (is_far) ask_far(c, c->scratch, &options, &found);
    assert_ok(willow_visit_pairs(c->world, c->scratch, &options, count_and_go_on, &visited));
    assert_ok(willow_find_first_pair(c->world, c->scratch, &options, &first));
    assert_int_equal(found.pair_count, wanted.pair_count);
    assert_true(found.pairs == wanted.pairs);
    assert_int_equal(found.impact_count, wanted.impact_count);
    assert_int_equal(found.near_count, wanted.near_count);
    assert_int_equal(visited, wanted.pair_count);
    assert_int_equal(first.found, wanted.pair_count > 0);
    c->pairs += found.pair_count;
    c->impacts += found.impact_count;
    c->near += found.near_count;
}

/* Boxes, points and rays of all bodies against those of each. */
static void check_places(crowd *c)
{
    const willow_box box = {{-1, -1, -1}, {1, 1, 1}};
    const willow_vec3 point = {0.5F, 0.25F, 4.0F};
    const willow_ray ray = {{-9, 0.1F, 0.2F}, 0.0F, {1, 0.01F, 0}, 20.0F};
    uint32_t sum = 0, wanted_sum = 0;
    willow_closest closest, one;
    willow_casts casts, cast;
    double nearest = (double)INFINITY;
    double first = (double)INFINITY;
    assert_ok(willow_visit_box(c->world, c->scratch, &box, NULL, stop_at_first_tri, &sum));
    assert_ok(willow_closest_point(c->world, c->scratch, &point, NULL, &closest));
    assert_ok(willow_cast_rays(c->world, c->scratch, &ray, 1, NULL, &casts));
    const double t = casts.states[0] == WILLOW_RAY_HIT ? casts.hits[0].t : (double)INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        const willow_query_options options = options_for(&c->ids[i], 1);
        willow_ray_options ray_options = willow_ray_options_default();
        ray_options.bodies = &c->ids[i];
        ray_options.body_count = 1;
        assert_ok(
            willow_visit_box(c->world, c->alone, &box, &options, stop_at_first_tri, &wanted_sum));
        assert_ok(willow_closest_point(c->world, c->alone, &point, &options, &one));
        assert_ok(willow_cast_rays(c->world, c->alone, &ray, 1, &ray_options, &cast));
        if (one.found && one.distance < nearest) nearest = one.distance;
        if (cast.states[0] == WILLOW_RAY_HIT && cast.hits[0].t < first) first = cast.hits[0].t;
    }
    assert_int_equal(sum, wanted_sum);
    assert_true(closest.found ? closest.distance == nearest : isinf(nearest));
    assert_true(t == first);
}

/* Some questions are asked in some updates only, so that worlds begin and cease to keep. */
static void play(crowd *c)
{
    for (int update = 0; update < UPDATES; update++) {
        crowd_step(c);
        const bool is_quiet = update > 8 && update < 28 && c->random % 2 == 0;
        const bool is_far = update % NEAR_EVERY == 0;
        if (is_quiet) continue;
        check_some(c, c->ids, c->count, true, is_far);
        check_some(c, c->ids, c->count - c->count / 4, false, is_far);
        if (is_far) check_places(c);
    }
}

static void every_broad_phase_finds_what_each_two_bodies_have(void **state)
{
    (void)state;
    for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++) {
        size_t pairs = 0, impacts = 0, near = 0;
        for (uint64_t seed = 1; seed <= 2; seed++) {
            crowd c = crowd_open((willow_broad)broad, seed);
            play(&c);
            pairs += c.pairs;
            impacts += c.impacts;
            near += c.near;
            crowd_close(&c);
        }
        print_message("%s: %zu pairs, %zu impacts, %zu near\n",
                      willow_broad_name((willow_broad)broad), pairs, impacts, near);
        assert_true(pairs > 100 && impacts > 10 && near > 100);
    }
}

/* ---- threads ---- */

enum { ASKERS = 3, ASKED = 20 };

typedef struct asker {
    const willow_world *world;
    uint64_t pairs;
    bool ok;
} asker;

static void *ask_often(void *arg)
{
    asker *a = arg;
    willow_scratch *scratch;
    a->ok = willow_scratch_create(a->world, &scratch) == WILLOW_OK;
    for (int i = 0; i < ASKED && a->ok; i++) {
        willow_pairs pairs;
        willow_closest closest;
        const willow_vec3 point = {(float)i, 0, 0};
        a->ok = willow_find_pairs(a->world, scratch, NULL, &pairs) == WILLOW_OK &&
                willow_closest_point(a->world, scratch, &point, NULL, &closest) == WILLOW_OK;
        a->pairs = a->ok ? willow_pairs_hash(&pairs) : 0;
    }
    willow_scratch_destroy(scratch);
    return NULL;
}

static void what_is_kept_is_read_by_many_threads(void **state)
{
    (void)state;
    crowd c = crowd_open(WILLOW_BROAD_AUTO, 8);
    for (int update = 0; update < 6; update++) {
        crowd_step(&c);
        pthread_t threads[ASKERS];
        asker askers[ASKERS];
        for (int i = 0; i < ASKERS; i++) {
            askers[i] = (asker){.world = c.world};
            assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
        }
        for (int i = 0; i < ASKERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < ASKERS; i++)
            assert_true(askers[i].ok && askers[i].pairs == askers[0].pairs);
    }
    crowd_close(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_broad_phase_finds_what_each_two_bodies_have),
    cmocka_unit_test(what_is_kept_is_read_by_many_threads),
};

TEST_GROUP(crowd_model_threads, tests);
