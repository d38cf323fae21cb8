/* Bodies that follow flight plans are where their paths are, and every method answers as loops over
 * all triangles do: at any time, after any change of plans. */
#include "support/plan_script.h"
#include "support/test.h"

/* The arguments of plan_scripts_check, quick and slow. */
typedef struct script_numbers {
    uint64_t first, count;
    uint32_t bodies, size, updates;
} script_numbers;

static void check_scripts(const script_numbers numbers[2])
{
    const script_numbers *n = &numbers[test_is_slow()];
    plan_scripts_check(n->first, n->count, n->bodies, n->size, n->updates);
}

static void small_bodies_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    check_scripts((script_numbers[]){{1, 200, 3, 12, 12}, {1000000, 1500, 3, 12, 16}});
}

static void deeper_trees_on_changing_plans_meet_as_their_triangles_do(void **state)
{
    (void)state;
    check_scripts((script_numbers[]){{100000, 10, 4, 120, 10}, {2000000, 80, 4, 120, 16}});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_bodies_on_changing_plans_meet_as_their_triangles_do),
    cmocka_unit_test(deeper_trees_on_changing_plans_meet_as_their_triangles_do),
};

TEST_GROUP_WITH_SLOW(plans_oracle, tests, tests);
