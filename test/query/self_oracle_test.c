/* Meshes that fold meet themselves exactly where every pair of triangles, looked at alone, says so:
 * with every tree, at the very border between missing, touching and cutting. */
#include "support/fold_cases.h"
#include "support/test.h"

/* meshes, smallest, largest, shapes, trees, seed: quick and slow. */
static const fold_numbers small[] = {{16, 4, 32, 16, 2, 1}, {40, 4, 40, 24, 3, 1000}};
static const fold_numbers folding[] = {{8, 32, 120, 15, 3, 100}, {8, 30, 160, 24, 4, 3000}};
static const fold_numbers turning[] = {{100, 8, 32, 12, 1, 200}, {120, 8, 64, 20, 2, 7000}};
static const fold_numbers larger = {6, 350, 550, 6, 3, 1000};
static const fold_numbers largest = {4, 150, 600, 18, 5, 5000};

/* Meshes of one to four leaves: nothing hides what is decided about a leaf. */
static void every_tree_knows_where_a_small_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&small[test_is_slow()]);
}

static void every_tree_knows_where_a_folding_mesh_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&folding[test_is_slow()]);
}

/* Where triangles are upright or without area but for a hair, and the outline is beyond doubt. */
static void every_tree_knows_when_a_triangle_has_turned_over(void **state)
{
    (void)state;
    const fold_kind kinds[] = {FOLD_KIND_PUSHED, FOLD_KIND_CROSSED, FOLD_KIND_PINCHED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fold_run_kind(kinds[i], &turning[test_is_slow()]);
}

/* Of so many triangles that leaves have others all around them: only there is anything taken for
 * flat, and may be met by a part of the mesh from far away. */
static void every_tree_knows_where_a_larger_mesh_meets_itself(void **state)
{
    (void)state;
    const fold_kind kinds[] = {FOLD_KIND_HINGED, FOLD_KIND_ROLLED,  FOLD_KIND_WAVY,
                               FOLD_KIND_TIPPED, FOLD_KIND_SMEARED, FOLD_KIND_STAIR,
                               FOLD_KIND_BALL,   FOLD_KIND_TORUS};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) fold_run_kind(kinds[i], &larger);
}

static void every_tree_knows_where_a_large_mesh_of_any_kind_meets_itself(void **state)
{
    (void)state;
    fold_run_all(&largest);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_tree_knows_where_a_small_mesh_meets_itself),
    cmocka_unit_test(every_tree_knows_where_a_folding_mesh_meets_itself),
    cmocka_unit_test(every_tree_knows_when_a_triangle_has_turned_over),
    cmocka_unit_test(every_tree_knows_where_a_larger_mesh_meets_itself),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(every_tree_knows_where_a_small_mesh_meets_itself),
    cmocka_unit_test(every_tree_knows_where_a_folding_mesh_meets_itself),
    cmocka_unit_test(every_tree_knows_when_a_triangle_has_turned_over),
    cmocka_unit_test(every_tree_knows_where_a_large_mesh_of_any_kind_meets_itself),
};

TEST_GROUP_WITH_SLOW(self_oracle, tests, slow_tests);
