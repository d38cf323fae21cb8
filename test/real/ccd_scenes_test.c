/* Single steps of simulations that were made elsewhere: a cloth that falls through a funnel, and a
 * figure that is pulled through rollers, with seven million candidates. What their makers found to
 * collide with rational numbers is found, by the tests on moving primitives and by worlds. */
#include "support/ccd_check.h"
#include "support/real_data.h"
#include "support/test.h"

static void no_true_collision_of_the_cloth_is_missed(void **state)
{
    (void)state;
    ccd_check_primitives(&ccd_cloth_funnel);
}

static void a_world_finds_of_the_cloth_what_the_primitives_find(void **state)
{
    (void)state;
    ccd_check_world(&ccd_cloth_funnel);
}

static void no_true_collision_of_the_figure_is_missed(void **state)
{
    (void)state;
    ccd_check_primitives(&ccd_armadillo_rollers);
}

static void a_world_finds_of_the_figure_what_the_primitives_find(void **state)
{
    (void)state;
    ccd_check_world(&ccd_armadillo_rollers);
}

TEST_GROUP_FUNCTION(ccd_scenes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_true_collision_of_the_cloth_is_missed),
        cmocka_unit_test(a_world_finds_of_the_cloth_what_the_primitives_find),
        cmocka_unit_test(no_true_collision_of_the_figure_is_missed),
        cmocka_unit_test(a_world_finds_of_the_figure_what_the_primitives_find),
    };
    const ccd_case *const cases[] = {&ccd_cloth_funnel, &ccd_armadillo_rollers};
    for (int i = 0; i < 2; i++)
        if (!real_data_has(cases[i]->folder)) return real_data_skip(cases[i]->folder);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
