/* Watches answer as the same questions without them: whatever moves, rests, is rebuilt or dies, and
 * whatever they may keep. */
#include "support/test.h"
#include "support/watch_script.h"

static void check_scripts(uint64_t first, uint64_t count, uint32_t bodies, uint32_t size,
                          uint32_t updates)
{
    watch_tally t = {0};
    for (uint64_t seed = first; seed < first + test_seeds(count); seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = watch_script_run(&c, bodies, size, updates, &t);
        if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message(
        "%zu scripts, %zu updates, %zu questions: %zu pairs between bodies, %zu within; "
        "%zu pairs of leaves kept, %zu looked into; %zu restarts, %zu over the limit, %zu "
        "of dead bodies; %zu first pairs recognised\n",
        t.scripts, t.updates, t.questions, t.pairs, t.self_pairs, t.kept, t.looked_into, t.restarts,
        t.limited, t.gone, t.recognised);
    assert_true(t.recognised > 0 && t.recognised < t.questions);
    assert_true(t.pairs > 0 && t.self_pairs > 0 && t.kept > 0 && t.looked_into > 0);
    assert_true(t.restarts > 0 && t.limited > 0 && t.gone > 0);
}

static void watches_of_small_bodies_answer_as_the_world_does(void **state)
{
    (void)state;
    check_scripts(1, 300, 4, 24, 16);
}

static void watches_of_deeper_trees_answer_as_the_world_does(void **state)
{
    (void)state;
    check_scripts(100000, 12, 3, 400, 16);
}

static void check_plans(uint64_t first, uint64_t count, uint32_t bodies, uint32_t size,
                        uint32_t updates)
{
    watch_tally t = {0};
    for (uint64_t seed = first; seed < first + test_seeds(count); seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = watch_script_run_plans(&c, bodies, size, updates, &t);
        if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message(
        "%zu scripts, %zu updates, %zu questions, %zu of lists: %zu pairs between bodies, "
        "%zu within; %zu leaves begin to meet, %zu cease to; %zu gaps, %zu over the "
        "limit, %zu of dead bodies; %zu first pairs recognised\n",
        t.scripts, t.updates, t.questions, t.lists, t.pairs, t.self_pairs, t.begun, t.ceased,
        t.gaps, t.limited, t.gone, t.recognised);
    assert_true(t.recognised > 0 && t.recognised < t.questions);
    assert_true(t.lists > t.questions / 8 && t.pairs > 0 && t.self_pairs > 0);
    assert_true(t.begun > 0 && t.ceased > 0 && t.gaps > 0 && t.limited > 0 && t.gone > 0);
}

static void lists_of_small_bodies_answer_as_the_world_does(void **state)
{
    (void)state;
    check_plans(1, 200, 3, 24, 16);
}

static void lists_of_deeper_trees_answer_as_the_world_does(void **state)
{
    (void)state;
    check_plans(200000, 10, 3, 300, 16);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(watches_of_small_bodies_answer_as_the_world_does),
    cmocka_unit_test(watches_of_deeper_trees_answer_as_the_world_does),
    cmocka_unit_test(lists_of_small_bodies_answer_as_the_world_does),
    cmocka_unit_test(lists_of_deeper_trees_answer_as_the_world_does),
};

TEST_GROUP(watch_oracle, tests);
