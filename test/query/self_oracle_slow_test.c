/* The cases of self_oracle_test.c, in hundreds of thousands and with larger meshes. */
#include "support/fold_cases.h"
#include "support/test.h"

static void every_tree_knows_where_a_small_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&(fold_numbers){
        .meshes = 40, .smallest = 4, .largest = 40, .shapes = 24, .trees = 3, .seed = 1000});
}

static void every_tree_knows_where_a_folding_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&(fold_numbers){
        .meshes = 8, .smallest = 30, .largest = 160, .shapes = 24, .trees = 4, .seed = 3000});
}

static void every_tree_knows_where_a_large_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&(fold_numbers){
        .meshes = 4, .smallest = 150, .largest = 600, .shapes = 18, .trees = 5, .seed = 5000});
}

static void every_tree_knows_when_a_triangle_has_turned_over(void **state)
{
    (void)state;
    const fold_kind kinds[] = {FOLD_KIND_PUSHED, FOLD_KIND_CROSSED, FOLD_KIND_PINCHED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fold_run_kind(kinds[i], &(fold_numbers){.meshes = 120,
                                                .smallest = 8,
                                                .largest = 64,
                                                .shapes = 20,
                                                .trees = 2,
                                                .seed = 7000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_knows_where_a_small_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_where_a_folding_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_where_a_large_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_when_a_triangle_has_turned_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
