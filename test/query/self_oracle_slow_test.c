/* The cases of self_oracle_test.c, in hundreds of thousands and with larger meshes. */
#include "support/fold_cases.h"
#include "support/test.h"

static void run_all(const fold_numbers *numbers, size_t least)
{
    fold_tally sum = {0};
    for (fold_kind kind = 0; kind < FOLD_KIND_COUNT; kind++) fold_run_kind(kind, numbers, &sum);
    print_message("%zu meshes, %zu shapes, %zu checks\n", sum.meshes, sum.clear + sum.met,
                  sum.checks);
    assert_true(sum.checks >= least);
}

static void every_tree_knows_where_a_small_mesh_meets_itself(void **state)
{
    (void)state;
    run_all(
        &(fold_numbers){
            .meshes = 200, .smallest = 6, .largest = 120, .shapes = 26, .trees = 4, .seed = 1000},
        300000);
}

static void every_tree_knows_where_a_larger_mesh_meets_itself(void **state)
{
    (void)state;
    run_all(
        &(fold_numbers){
            .meshes = 16, .smallest = 150, .largest = 600, .shapes = 20, .trees = 5, .seed = 5000},
        25000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_knows_where_a_small_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_where_a_larger_mesh_meets_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
