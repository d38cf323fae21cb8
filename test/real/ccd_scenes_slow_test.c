/* A figure that is pulled through rollers, one step of a simulation that was made elsewhere, with
 * seven million candidates: what its makers found to collide with rational numbers is found, by the
 * tests on moving primitives and by a world. */
#include "support/ccd_check.h"
#include "support/real_data.h"
#include "support/test.h"

static void no_true_collision_of_the_figure_is_missed(void **state)
{
    (void)state;
    ccd_check_primitives(&ccd_armadillo_rollers);
}

static void a_world_finds_what_the_primitives_find(void **state)
{
    (void)state;
    ccd_check_world(&ccd_armadillo_rollers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_true_collision_of_the_figure_is_missed),
        cmocka_unit_test(a_world_finds_what_the_primitives_find),
    };
    if (!real_data_has(ccd_armadillo_rollers.folder))
        return real_data_skip(ccd_armadillo_rollers.folder);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
