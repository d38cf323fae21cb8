/* Ten thousand worlds, a thousand at once, as many as have numbers of their own, and a hundred
 * thousand bodies in one. */
#include "support/scale_cases.h"
#include "support/test.h"

/* Checked builds walk the list of free ids whenever a body goes. */
#if defined(WILLOW_CHECKED)
enum { BODIES = 20000 };
#else
enum { BODIES = 100000 };
#endif

static void ten_thousand_worlds_come_and_go(void **state)
{
    (void)state;
    scale_worlds_in_a_row(10000);
}

static void a_thousand_worlds_live_side_by_side(void **state)
{
    (void)state;
    scale_worlds_at_once(1000);
}

static void no_world_takes_the_bodies_of_the_next_65534(void **state)
{
    (void)state;
    scale_worlds_apart(65534);
}

static void a_hundred_thousand_bodies_meet_move_and_go(void **state)
{
    (void)state;
    scale_bodies(BODIES, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_worlds_come_and_go),
        cmocka_unit_test(a_thousand_worlds_live_side_by_side),
        cmocka_unit_test(no_world_takes_the_bodies_of_the_next_65534),
        cmocka_unit_test(a_hundred_thousand_bodies_meet_move_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
