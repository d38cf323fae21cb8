/* Every method, setting, leaf size, arity and kernel gives the answers of loops over all triangles.
 */
#include <pthread.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_cases.h"

static void every_tree_finds_the_pairs_of_every_kind_of_mesh(void **state)
{
    (void)state;
    zoo_tally sum = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_tally tally = {0};
        if (test_is_slow())
            zoo_run_every_tree(kind, 60, 3, 1, 100 + kind, &tally);
        else
            zoo_run_every_tree(kind, 20, 3, 2, 2 * kind + 1, &tally);
        zoo_tally_print(zoo_kind_name(kind), &tally);
        zoo_tally_add(&sum, &tally);
    }
    zoo_tally_print("all kinds", &sum);
    assert_true(sum.posed > 0);
}

/* The arguments of zoo_run_every_tree. */
static const struct deep_tree {
    zoo_kind kind;
    uint32_t size, frames, share, seed;
    bool is_slow;
} deep_trees[] = {
    {ZOO_KIND_SPHERE, 70, 3, 1, 7, false},   {ZOO_KIND_SOUP, 100, 3, 2, 9, false},
    {ZOO_KIND_GRID, 600, 2, 1, 200, true},   {ZOO_KIND_SPHERE, 400, 2, 1, 202, true},
    {ZOO_KIND_ROLLED, 300, 2, 1, 204, true},
};

static void every_tree_finds_the_pairs_of_meshes_many_leaves_deep(void **state)
{
    (void)state;
    zoo_tally tally = {0};
    for (size_t i = 0; i < sizeof deep_trees / sizeof deep_trees[0]; i++) {
        const struct deep_tree *t = &deep_trees[i];
        if (t->is_slow == test_is_slow())
            zoo_run_every_tree(t->kind, t->size, t->frames, t->share, t->seed, &tally);
    }
    zoo_tally_print("deep trees", &tally);
}

static void run_pose(zoo_kind kind, zoo_pose_kind pose, zoo_tally *tally)
{
    if (!test_is_slow()) {
        zoo_run_poses(kind, pose, 12, 3, 50 + 2 * pose + kind, tally);
        return;
    }
    for (uint64_t seed = 0; seed < 3; seed++)
        zoo_run_poses(kind, pose, 32, 4, 1000 * seed + kind, tally);
}

static void bodies_in_every_pose_meet_as_their_vertices_do(void **state)
{
    (void)state;
    zoo_tally sum = {0};
    for (zoo_pose_kind pose = 0; pose < ZOO_POSE_COUNT; pose++) {
        zoo_tally tally = {0};
        for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) run_pose(kind, pose, &tally);
        zoo_tally_print(zoo_pose_kind_name(pose), &tally);
        assert_true(pose == ZOO_POSE_IDENTITY ? tally.posed == 0 : tally.posed > 0);
        zoo_tally_add(&sum, &tally);
    }
    zoo_tally_print("all poses", &sum);
}

/* Seeds of worlds, and the arguments of zoo_run_random that come with them. */
static const struct random_worlds {
    uint64_t first, count;
    uint32_t size, frames;
    bool is_slow;
} random_worlds[] = {
    {0, 40, 60, 4, false},
    {1003, 3, 400, 3, false},
    {10000, 250, 70, 4, true},
    {20000, 8, 500, 3, true},
};

static void random_worlds_answer_random_questions(void **state)
{
    (void)state;
    zoo_tally tally = {0};
    for (size_t i = 0; i < sizeof random_worlds / sizeof random_worlds[0]; i++) {
        const struct random_worlds *w = &random_worlds[i];
        if (w->is_slow != test_is_slow()) continue;
        for (uint64_t seed = w->first; seed < w->first + w->count; seed++)
            zoo_run_random(w->size, w->frames, seed, &tally);
    }
    zoo_tally_print("random worlds", &tally);
    assert_true(tally.posed > 0);
}

/* ---- single questions ---- */

typedef struct asked_world {
    zoo_scene scene;
    zoo_world w;
    zoo_answers answers;
} asked_world;

/* A sphere, a crumpled sheet and a lattice, each with itself and the others. */
static void make_asked_world(asked_world *asked, uint32_t variant)
{
    *asked = (asked_world){0};
    zoo_scene_add(&asked->scene, ZOO_KIND_SPHERE, 60, 1);
    zoo_scene_add(&asked->scene, ZOO_KIND_CRUMPLED, 60, 2);
    zoo_scene_add(&asked->scene, ZOO_KIND_LATTICE, 40, 3);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 8, 4));
    setup.world.thread_count = 2;
    zoo_world_create(&asked->w, &asked->scene, &setup);
}

static void free_asked_world(asked_world *asked)
{
    zoo_world_destroy(&asked->w);
    zoo_answers_free(&asked->answers);
    zoo_scene_destroy(&asked->scene);
}

static void a_limit_gives_the_first_pairs_and_says_so(void **state)
{
    (void)state;
    for (uint32_t variant = WILLOW_METHOD_BRUTE; variant < ZOO_VARIANT_COUNT; variant++) {
        asked_world asked;
        make_asked_world(&asked, variant);
        zoo_question question = zoo_question_plain();
        zoo_answers_find(&asked.scene, &question, &asked.answers);
        size_t count = asked.answers.pairs.count;
        assert_true(count > 100);
        for (size_t limit = 1; limit < count + 3; limit++) {
            question.max_results = limit;
            question.use_threads = limit % 2 == 0;
            size_t got = zoo_check_pairs(&asked.w, &question, &asked.answers);
            assert_int_equal(got, limit < count ? limit : count);
        }
        print_message("%s: limits from 1 to %zu\n", zoo_variant_name(variant), count + 2);
        free_asked_world(&asked);
    }
}

/* More than a walk holds before it hands out. */
static void visits_of_many_go_on_after_every_pause(void **state)
{
    (void)state;
    for (uint32_t variant = WILLOW_METHOD_BRUTE; variant < ZOO_VARIANT_COUNT; variant++) {
        zoo_scene scene = {0};
        zoo_world w;
        zoo_answers answers = {0};
        zoo_question question = zoo_question_plain();
        question.box = (willow_box){{-1, -1, -1}, {1, 0.75F, 1}};
        zoo_scene_add(&scene, ZOO_KIND_ROLLED, 600, 1);
        zoo_scene_add(&scene, ZOO_KIND_GRID, 600, 2);
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 8, 2));
        zoo_world_create(&w, &scene, &setup);
        zoo_answers_find(&scene, &question, &answers);
        size_t pairs = zoo_check_visit(&w, &question, &answers);
        size_t in_box = zoo_check_box(&w, &question, &answers);
        print_message("%s: %zu triangles in the box, %zu pairs found\n", zoo_variant_name(variant),
                      in_box, pairs);
        assert_true(pairs > 300 && in_box > 600);
        zoo_world_destroy(&w);
        zoo_answers_free(&answers);
        zoo_scene_destroy(&scene);
    }
}

static void bodies_may_be_named_in_any_order_and_twice(void **state)
{
    (void)state;
    asked_world asked;
    size_t pairs = 0, subsets = 0;
    make_asked_world(&asked, WILLOW_METHOD_BOTTOM_UP);
    asked.scene.bodies[1].self = false;
    zoo_world_destroy(&asked.w);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, willow_tree_def_default());
    zoo_world_create(&asked.w, &asked.scene, &setup);
    zoo_question question = zoo_question_plain();
    question.is_named = true;
    for (uint32_t length = 0; length <= 4; length++)
        for (uint32_t code = 0; code < 81; code++, subsets++) {
            question.body_count = length;
            for (uint32_t i = 0, rest = code; i < length; i++, rest /= 3)
                question.bodies[i] = rest % 3;
            zoo_answers_find(&asked.scene, &question, &asked.answers);
            pairs += zoo_world_check(&asked.w, &question, &asked.answers);
        }
    print_message("%zu lists of bodies, %zu pairs found\n", subsets, pairs);
    assert_true(pairs > 0);
    free_asked_world(&asked);
}

static void bodies_meet_only_if_both_want_to(void **state)
{
    (void)state;
    static const uint64_t bits[] = {0, 1, 2, UINT64_C(1) << 63, UINT64_MAX};
    enum { BITS = sizeof bits / sizeof bits[0] };
    size_t pairs = 0, found = 0;
    for (uint32_t code = 0; code < BITS * BITS * BITS * BITS; code++) {
        zoo_scene scene = {0};
        zoo_world w;
        zoo_answers answers = {0};
        zoo_scene_add(&scene, ZOO_KIND_SINGLE, 1, 1);
        zoo_scene_add(&scene, ZOO_KIND_SPHERE, 8, 1);
        scene.bodies[0].category_bits = bits[code % BITS];
        scene.bodies[0].mask_bits = bits[code / BITS % BITS];
        scene.bodies[1].category_bits = bits[code / BITS / BITS % BITS];
        scene.bodies[1].mask_bits = bits[code / BITS / BITS / BITS];
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, willow_tree_def_default());
        zoo_world_create(&w, &scene, &setup);
        zoo_question question = zoo_question_plain();
        zoo_answers_find(&scene, &question, &answers);
        size_t count = zoo_world_check(&w, &question, &answers);
        pairs += count;
        found += count > 0;
        zoo_world_destroy(&w);
        zoo_answers_free(&answers);
        zoo_scene_destroy(&scene);
    }
    print_message("%zu of %d choices of bits let them meet, %zu pairs found\n", found,
                  BITS * BITS * BITS * BITS, pairs);
    assert_true(pairs > 0);
}

typedef struct filter_record {
    pthread_t caller;
    size_t calls, strangers, repeats;
    willow_tri_ref last_a, last_b;
} filter_record;

static bool record_and_refuse(void *context, willow_tri_ref a, willow_tri_ref b)
{
    filter_record *record = context;
    record->calls++;
    record->strangers += pthread_equal(record->caller, pthread_self()) == 0;
    record->repeats +=
        memcmp(&a, &record->last_a, sizeof a) == 0 && memcmp(&b, &record->last_b, sizeof b) == 0;
    record->last_a = a;
    record->last_b = b;
    return false;
}

static void the_filter_is_asked_once_per_pair_on_the_calling_thread(void **state)
{
    (void)state;
    asked_world asked;
    make_asked_world(&asked, WILLOW_METHOD_BOTTOM_UP);
    zoo_question question = zoo_question_plain();
    zoo_answers_find(&asked.scene, &question, &asked.answers);
    for (int use_threads = 0; use_threads < 2; use_threads++) {
        filter_record record = {.caller = pthread_self()};
        willow_query_options options = willow_query_options_default();
        willow_pairs got;
        options.filter = record_and_refuse;
        options.filter_context = &record;
        options.use_threads = use_threads != 0;
        assert_ok(willow_find_pairs(asked.w.world, asked.w.scratch, &options, &got));
        assert_int_equal(got.count, 0);
        assert_int_equal(got.run_count, 0);
        assert_true(got.complete);
        assert_int_equal(record.calls, asked.answers.pairs.count);
        assert_int_equal(record.strangers, 0);
        assert_int_equal(record.repeats, 0);
    }
    print_message("%zu pairs found\n", asked.answers.pairs.count);
    assert_true(asked.answers.pairs.count > 0);
    free_asked_world(&asked);
}

static void results_stay_until_the_next_query(void **state)
{
    (void)state;
    asked_world asked;
    make_asked_world(&asked, WILLOW_METHOD_BOTTOM_UP);
    willow_pairs first, second;
    willow_scratch *other = fixture_scratch(asked.w.world);
    assert_ok(willow_find_pairs(asked.w.world, asked.w.scratch, NULL, &first));
    uint64_t hash = willow_pairs_hash(&first);
    assert_ok(willow_find_self_pairs(asked.w.world, other, NULL, &second));
    assert_true(second.count > 0 && second.count < first.count);
    assert_true(willow_pairs_hash(&first) == hash);
    assert_true(willow_pairs_hash(&second) != hash);
    willow_scratch_destroy(other);
    print_message("%zu pairs found\n", first.count);
    free_asked_world(&asked);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_tree_finds_the_pairs_of_every_kind_of_mesh),
    cmocka_unit_test(every_tree_finds_the_pairs_of_meshes_many_leaves_deep),
    cmocka_unit_test(bodies_in_every_pose_meet_as_their_vertices_do),
    cmocka_unit_test(random_worlds_answer_random_questions),
    cmocka_unit_test(a_limit_gives_the_first_pairs_and_says_so),
    cmocka_unit_test(visits_of_many_go_on_after_every_pause),
    cmocka_unit_test(bodies_may_be_named_in_any_order_and_twice),
    cmocka_unit_test(bodies_meet_only_if_both_want_to),
    cmocka_unit_test(the_filter_is_asked_once_per_pair_on_the_calling_thread),
    cmocka_unit_test(results_stay_until_the_next_query),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(every_tree_finds_the_pairs_of_every_kind_of_mesh),
    cmocka_unit_test(every_tree_finds_the_pairs_of_meshes_many_leaves_deep),
    cmocka_unit_test(bodies_in_every_pose_meet_as_their_vertices_do),
    cmocka_unit_test(random_worlds_answer_random_questions),
};

TEST_GROUP_WITH_SLOW(oracle, tests, slow_tests);
