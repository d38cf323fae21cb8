/* Watches answer as the same questions without them: whatever moves, rests, is rebuilt or dies, and
 * whatever they may keep. */
#include "support/test.h"
#include "support/watch_script.h"

typedef const char *script(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                           watch_tally *t);

static watch_tally run(script *run_one, uint64_t first, uint64_t count, uint32_t bodies,
                       uint32_t size)
{
    watch_tally t = {0};
    for (uint64_t seed = first; seed < first + test_seeds(count); seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = run_one(&c, bodies, size, 16, &t);
        if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message("%zu scripts, %zu updates, %zu questions: %zu pairs between bodies, %zu within; "
                  "%zu over the limit, %zu of dead bodies; %zu first pairs recognised\n",
                  t.scripts, t.updates, t.questions, t.pairs, t.self_pairs, t.limited, t.gone,
                  t.recognised);
    assert_true(t.recognised > 0 && t.recognised < t.questions);
    assert_true(t.pairs > 0 && t.self_pairs > 0 && t.limited > 0 && t.gone > 0);
    return t;
}

/* Of small bodies, and of deeper trees. */
static void watches_answer_as_the_world_does(void **state)
{
    (void)state;
    for (int is_deep = 0; is_deep < 2; is_deep++) {
        const watch_tally t = is_deep ? run(watch_script_run, 100000, 12, 3, 400)
                                      : run(watch_script_run, 1, 300, 4, 24);
        print_message("%zu pairs of leaves kept, %zu looked into; %zu restarts\n", t.kept,
                      t.looked_into, t.restarts);
        assert_true(t.kept > 0 && t.looked_into > 0 && t.restarts > 0);
    }
}

static void lists_answer_as_the_world_does(void **state)
{
    (void)state;
    for (int is_deep = 0; is_deep < 2; is_deep++) {
        const watch_tally t = is_deep ? run(watch_script_run_plans, 200000, 10, 3, 300)
                                      : run(watch_script_run_plans, 1, 200, 3, 24);
        print_message("%zu of lists; %zu leaves begin to meet, %zu cease to; %zu gaps\n", t.lists,
                      t.begun, t.ceased, t.gaps);
        assert_true(t.lists > t.questions / 8 && t.begun > 0 && t.ceased > 0 && t.gaps > 0);
        assert_true(t.edits > 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(watches_answer_as_the_world_does),
    cmocka_unit_test(lists_answer_as_the_world_does),
};

TEST_GROUP(watch_oracle, tests);
