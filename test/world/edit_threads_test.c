/* Queries after edits, from four workers: scripts of edits give the answers of BRUTE. */
#include "support/edit_script.h"
#include "support/test.h"

static void edited_bodies_answer_the_same_from_four_workers(void **state)
{
    (void)state;
    edit_tally tally = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = edit_script_run(&c, 60, 4, &tally);
        if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message("%zu edits, %zu updates, %zu pairs\n", tally.edits, tally.updates, tally.pairs);
    assert_true(tally.edits > 0 && tally.pairs > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(edited_bodies_answer_the_same_from_four_workers),
};

TEST_GROUP(edit_threads, tests);
