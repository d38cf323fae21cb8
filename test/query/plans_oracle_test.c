/* Bodies that follow flight plans are where their paths are, and every method answers as loops over
 * all triangles do: at any time, after any change of plans. */
#include "support/plan_script.h"
#include "support/test.h"

static void small_bodies_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    plan_scripts_check(1, 200, 3, 12, 12);
}

static void deeper_trees_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    plan_scripts_check(100000, 10, 4, 120, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_bodies_on_changing_plans_meet_as_their_triangles_do),
        cmocka_unit_test(deeper_trees_on_changing_plans_meet_as_their_triangles_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
