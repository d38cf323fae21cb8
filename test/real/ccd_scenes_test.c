/* A cloth that falls through a funnel, one step of a simulation that was made elsewhere: what its
 * makers found to collide with rational numbers is found, by the tests on moving primitives and by
 * a world. */
#include "support/ccd_check.h"
#include "support/real_data.h"
#include "support/test.h"

static void no_true_collision_of_the_cloth_is_missed(void **state)
{
    (void)state;
    ccd_check_primitives(&ccd_cloth_funnel);
}

static void a_world_finds_what_the_primitives_find(void **state)
{
    (void)state;
    ccd_check_world(&ccd_cloth_funnel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_true_collision_of_the_cloth_is_missed),
        cmocka_unit_test(a_world_finds_what_the_primitives_find),
    };
    if (!real_data_has(ccd_cloth_funnel.folder)) return real_data_skip(ccd_cloth_funnel.folder);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
