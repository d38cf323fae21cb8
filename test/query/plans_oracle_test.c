/* Bodies that follow flight plans are where their paths are, and every method answers as loops over
 * all triangles do: at any time, after any change of plans. */
#include "support/plan_script.h"
#include "support/test.h"

static void run_scripts(uint64_t first, uint64_t count, uint32_t bodies, uint32_t size,
                        uint32_t updates)
{
    plan_tally tally = {0};
    for (uint64_t seed = first; seed < first + count; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = plan_script_run(&c, bodies, size, updates, &tally);
        if (wrong) fail_msg("script %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message("%zu scripts, %zu updates: %zu pairs, %zu within bodies, %zu near; %zu events, "
                  "%zu setups, %zu changes of plans, %zu keyframes, %zu steps back\n",
                  tally.scripts, tally.updates, tally.pairs, tally.self_pairs, tally.near,
                  tally.events, tally.setups, tally.plan_changes, tally.keyframes, tally.setbacks);
    assert_true(tally.pairs > 0 && tally.self_pairs > 0 && tally.near > 0);
    assert_true(tally.events > 0 && tally.setups > 0 && tally.plan_changes > 0);
    assert_true(tally.keyframes > 0 && tally.setbacks > 0);
}

static void small_bodies_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    run_scripts(1, 200, 3, 12, 12);
}

static void deeper_trees_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    run_scripts(100000, 10, 4, 120, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_bodies_on_changing_plans_meet_as_their_triangles_do),
        cmocka_unit_test(deeper_trees_on_changing_plans_meet_as_their_triangles_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
