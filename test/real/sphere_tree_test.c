/* Table 1 of Rodriguez and Franquesa 2005: how many cells the surface of a bunny touches, level by
 * level, at four sizes, halved in the middle or at powers of two. Theirs, of 5,110 triangles, is
 * not to be had; the bunny of libigl, mirrored, is nearly the same surface. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/mesh_text.h"
#include "support/real_data.h"
#include "support/test.h"

enum { LEVELS = 7 };

static const char name[] = "meshes/igl_bunny.off";

static const struct {
    float extent;
    willow_cells cells;
    uint32_t paper[LEVELS + 1]; /* by level from 1 on */
} rows[] = {
    {514.0F, WILLOW_CELLS_OCTREE, {0, 1, 8, 42, 193, 819, 3394}},
    {514.0F, WILLOW_CELLS_BONO, {0, 1, 2, 9, 44, 192, 820, 3385}},
    {768.0F, WILLOW_CELLS_OCTREE, {0, 1, 8, 42, 193, 819, 3394}},
    {768.0F, WILLOW_CELLS_BONO, {0, 1, 4, 16, 99, 436, 1850, 7659}},
    {896.0F, WILLOW_CELLS_OCTREE, {0, 1, 8, 42, 193, 819, 3394}},
    {896.0F, WILLOW_CELLS_BONO, {0, 1, 7, 30, 142, 593, 2551, 10463}},
    {1023.0F, WILLOW_CELLS_OCTREE, {0, 1, 8, 42, 193, 819, 3394}},
    {1023.0F, WILLOW_CELLS_BONO, {0, 1, 8, 43, 192, 812, 3348, 13716}},
};

static text_mesh bunny;

/* The longest side is as long as `extent` now, and z points the other way. */
static float (*scaled(float extent))[3]
{
    float(*at)[3] = malloc(bunny.vertex_count * sizeof *at), longest = 0.0F;
    assert_true(at != NULL);
    for (int axis = 0; axis < 3; axis++) {
        float least = INFINITY, most = -INFINITY;
        for (uint32_t i = 0; i < bunny.vertex_count; i++) {
            least = fminf(least, bunny.positions[i][axis]);
            most = fmaxf(most, bunny.positions[i][axis]);
        }
        longest = fmaxf(longest, most - least);
    }
    for (uint32_t i = 0; i < bunny.vertex_count; i++)
        for (int axis = 0; axis < 3; axis++)
            at[i][axis] =
                (axis == 2 ? -1.0F : 1.0F) * bunny.positions[i][axis] * (extent / longest);
    return at;
}

static willow_sphere_stats whole_tree(float extent, willow_cells cells)
{
    willow_world *world = fixture_world(NULL);
    willow_body_def def = willow_body_def_default();
    willow_body_stats stats;
    float(*at)[3] = scaled(extent);
    def.mesh = FIXTURE_MESH(at, bunny.vertex_count, bunny.tris, bunny.triangle_count);
    def.tree.method = WILLOW_METHOD_SPHERE;
    def.tree.cells = cells;
    def.tree.collision_depth = cells == WILLOW_CELLS_BONO ? LEVELS : LEVELS - 1;
    def.tree.grow_whole = true;
    const willow_body_id body = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_body_get_stats(world, body, &stats));
    fixture_close(world, NULL);
    free(at);
    return stats.sphere;
}

static void assert_near(double found, double paper, double share)
{
    if (fabs(found - paper) > share * paper) fail_msg("%g cells, the paper %g", found, paper);
}

static void cells_of_the_bunny_are_as_many_as_in_the_paper(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const willow_sphere_stats stats = whole_tree(rows[i].extent, rows[i].cells);
        double found = 0, paper = 0;
        for (unsigned level = 1; level <= LEVELS; level++) {
            found += rows[i].paper[level] > 0 ? stats.cells[level] : 0;
            paper += rows[i].paper[level];
            if (level >= 4)
                assert_near(rows[i].paper[level] > 0 ? stats.cells[level] : 0, rows[i].paper[level],
                            0.05);
        }
        print_message("%4.0f %-6s %6.0f cells, the paper %6.0f\n", (double)rows[i].extent,
                      willow_cells_name(rows[i].cells), found, paper);
        assert_near(found, paper, 0.04);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cells_of_the_bunny_are_as_many_as_in_the_paper),
};

TEST_GROUP_FUNCTION(sphere_tree)
{
    char path[REAL_DATA_PATH];
    if (!real_data_has(name)) return real_data_skip(name);
    real_data_path(name, path);
    mesh_file_read(path, &bunny);
    const int failed = cmocka_run_group_tests_name("sphere_tree", tests, NULL, NULL);
    text_mesh_free(&bunny);
    return failed;
}
