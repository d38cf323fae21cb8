/* Meshes that fold meet themselves exactly where every pair of triangles, looked at alone, says so:
 * with every tree, at the very border between missing, touching and cutting. */
#include "support/fold_cases.h"
#include "support/test.h"

/* Meshes of one to four leaves: nothing hides what is decided about a leaf. */
static void every_tree_knows_where_a_small_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&(fold_numbers){
        .meshes = 16, .smallest = 4, .largest = 32, .shapes = 16, .trees = 2, .seed = 1});
}

static void every_tree_knows_where_a_folding_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&(fold_numbers){
        .meshes = 8, .smallest = 32, .largest = 120, .shapes = 15, .trees = 3, .seed = 100});
}

/* Where triangles are upright or without area but for a hair, and the outline is beyond doubt. */
static void every_tree_knows_when_a_triangle_has_turned_over(void **state)
{
    (void)state;
    const fold_kind kinds[] = {FOLD_KIND_PUSHED, FOLD_KIND_CROSSED, FOLD_KIND_PINCHED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fold_run_kind(kinds[i], &(fold_numbers){.meshes = 100,
                                                .smallest = 8,
                                                .largest = 32,
                                                .shapes = 12,
                                                .trees = 1,
                                                .seed = 200});
}

/* Of so many triangles that leaves have others all around them: only there is anything taken for
 * flat, and may be met by a part of the mesh from far away. */
static void every_tree_knows_where_a_larger_mesh_meets_itself(void **state)
{
    (void)state;
    const fold_kind kinds[] = {FOLD_KIND_HINGED, FOLD_KIND_ROLLED,  FOLD_KIND_WAVY,
                               FOLD_KIND_TIPPED, FOLD_KIND_SMEARED, FOLD_KIND_STAIR,
                               FOLD_KIND_BALL,   FOLD_KIND_TORUS};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fold_run_kind(kinds[i], &(fold_numbers){.meshes = 6,
                                                .smallest = 350,
                                                .largest = 550,
                                                .shapes = 6,
                                                .trees = 3,
                                                .seed = 1000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_knows_where_a_small_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_where_a_folding_mesh_meets_itself),
        cmocka_unit_test(every_tree_knows_when_a_triangle_has_turned_over),
        cmocka_unit_test(every_tree_knows_where_a_larger_mesh_meets_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
