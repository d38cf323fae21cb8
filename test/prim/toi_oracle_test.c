/* Times of impact against rational numbers, on cases that are hard on purpose. */
#include "support/test.h"
#include "support/toi_cases.h"

static void the_time_is_never_late_and_never_early_by_more_than_the_tolerance(void **state)
{
    (void)state;
    if (test_is_slow())
        toi_check_families(7000, 400);
    else
        toi_check_families(1000, 80);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_time_is_never_late_and_never_early_by_more_than_the_tolerance),
};

TEST_GROUP_WITH_SLOW(toi_oracle, tests, tests);
