/* The readers of lists of steps of simulations, which need no file of others: what they take and
 * what they refuse. */
#include "support/ccd_scene.h"
#include "support/test.h"

static void lists_are_taken_or_refused(void **state)
{
    (void)state;
    static const char *const bad_pairs[] = {"",
                                            "[",
                                            "[[1,2]",
                                            "[[1,2],]",
                                            "[[1,2,3]]",
                                            "[[1]]",
                                            "[[1,-2]]",
                                            "[[1,2]] x",
                                            "[[1 2]]",
                                            "[1,2]",
                                            "[[1,2][3,4]]",
                                            "]",
                                            "[[1,99999999999]]"};
    static const char *const bad_booleans[] = {"",      "[true",        "[true,]",
                                               "[yes]", "[true false]", "[1]"};
    uint32_t pairs[3][2];
    bool booleans[3];
    size_t count;
    assert_true(ccd_scan_pairs("[[1,2],[30,4],\n [5 , 4294967295]]\n", pairs, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(pairs, ((const uint32_t[3][2]){{1, 2}, {30, 4}, {5, UINT32_MAX}}),
                        sizeof pairs);
    assert_true(ccd_scan_booleans("[true,false, true]", booleans, &count));
    assert_int_equal(count, 3);
    assert_true(booleans[0] && !booleans[1] && booleans[2]);
    assert_true(ccd_scan_pairs(" [ ] ", NULL, &count) && count == 0);
    assert_true(ccd_scan_booleans("[]", NULL, &count) && count == 0);
    for (size_t i = 0; i < sizeof bad_pairs / sizeof bad_pairs[0]; i++)
        if (ccd_scan_pairs(bad_pairs[i], NULL, &count)) fail_msg("taken: %s", bad_pairs[i]);
    for (size_t i = 0; i < sizeof bad_booleans / sizeof bad_booleans[0]; i++)
        if (ccd_scan_booleans(bad_booleans[i], NULL, &count))
            fail_msg("taken: %s", bad_booleans[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lists_are_taken_or_refused),
};

TEST_GROUP(ccd_files, tests);
