/* The cases of toi_oracle_test.c and many more. */
#include "support/test.h"
#include "support/toi_cases.h"

static void the_time_is_never_late_and_never_early_by_more_than_the_tolerance(void **state)
{
    (void)state;
    toi_check_families(7000, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_is_never_late_and_never_early_by_more_than_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
