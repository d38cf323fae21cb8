/* The same as plans_oracle_test.c, for longer. */
#include "support/plan_script.h"
#include "support/test.h"

static void small_bodies_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    plan_scripts_check(1000000, 1500, 3, 12, 16);
}

static void deeper_trees_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    plan_scripts_check(2000000, 80, 4, 120, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_bodies_on_changing_plans_meet_as_their_triangles_do),
        cmocka_unit_test(deeper_trees_on_changing_plans_meet_as_their_triangles_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
