/* Bodies that are edited, moved, planned, morphed, deformed and asked about at random answer as
 * BRUTE does, and as worlds made afresh (support/edit_script.h). */
#include "support/edit_script.h"
#include "support/test.h"

static void play(uint64_t first, uint64_t seeds, uint32_t calls)
{
    edit_tally tally = {0};
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = edit_script_run(&c, calls, 1, &tally);
        if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message("%zu calls, %zu edits (%zu refused), %zu updates (%zu afresh), %zu triangles "
                  "removed, %zu numbers used again, %zu pairs (%zu within), %zu impacts, %zu near, "
                  "%zu splits into "
                  "%zu parts with %zu pairs\n",
                  tally.calls, tally.edits, tally.refused, tally.updates, tally.fresh,
                  tally.removed, tally.reused, tally.pairs, tally.selves, tally.impacts, tally.near,
                  tally.splits, tally.parts, tally.part_pairs);
    assert_true(tally.parts > tally.splits && tally.part_pairs > 0 && tally.refused > 0 &&
                tally.reused > 0 && tally.selves > 0 && tally.impacts > 0);
}

static void edited_bodies_answer_as_brute_and_as_new_ones(void **state)
{
    (void)state;
    play(1, test_is_slow() ? 4000 : test_seeds(120), 60);
}

static void long_scripts_of_edits_stay_sound(void **state)
{
    (void)state;
    play(100001, test_is_slow() ? 400 : test_seeds(12), 600);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(edited_bodies_answer_as_brute_and_as_new_ones),
    cmocka_unit_test(long_scripts_of_edits_stay_sound),
};

TEST_GROUP_WITH_SLOW(edit_model, tests, tests);
