/* Meshes that fold meet themselves exactly where every pair of triangles, looked at alone, says so:
 * with every tree, at the very border between missing, touching and cutting. */
#include "support/fold_cases.h"
#include "support/test.h"

static void every_tree_knows_where_a_folding_mesh_meets_itself(void **state)
{
    (void)state;
    const fold_numbers numbers = {
        .meshes = 20, .smallest = 8, .largest = 120, .shapes = 18, .trees = 3, .seed = 1};
    fold_tally sum = {0};
    for (fold_kind kind = 0; kind < FOLD_KIND_COUNT; kind++) fold_run_kind(kind, &numbers, &sum);
    print_message("%zu meshes, %zu shapes, %zu checks\n", sum.meshes, sum.clear + sum.met,
                  sum.checks);
    assert_true(sum.checks > 20000);
}

/* Of so many triangles that leaves have others all around them: only there is anything taken for
 * flat, and may be met by a part of the mesh from far away. */
static void every_tree_knows_where_a_larger_mesh_meets_itself(void **state)
{
    (void)state;
    const fold_numbers numbers = {
        .meshes = 3, .smallest = 350, .largest = 550, .shapes = 9, .trees = 4, .seed = 1000};
    fold_tally sum = {0};
    for (fold_kind kind = 0; kind < FOLD_KIND_COUNT; kind++) fold_run_kind(kind, &numbers, &sum);
    print_message("%zu meshes, %zu shapes, %zu checks\n", sum.meshes, sum.clear + sum.met,
                  sum.checks);
    assert_true(sum.checks > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_knows_where_a_folding_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_where_a_larger_mesh_meets_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
