/* table.c - Tables 1 and 2 of the paper: how many cells the surface touches, level by level. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

static const struct {
    uint32_t extent;
    willow_cells cells;
    uint32_t levels;
    uint64_t paper[2][SPHERES_LEVELS + 1]; /* bunny, dragon */
} table_rows[] = {
    {514,
     WILLOW_CELLS_OCTREE,
     6,
     {{4457, 1, 8, 42, 193, 819, 3394, 0}, {2216, 1, 8, 26, 102, 406, 1673, 0}}},
    {514,
     WILLOW_CELLS_BONO,
     7,
     {{4453, 1, 2, 9, 44, 192, 820, 3385}, {2265, 1, 2, 9, 27, 101, 406, 1719}}},
    {768,
     WILLOW_CELLS_OCTREE,
     6,
     {{4457, 1, 8, 42, 193, 819, 3394, 0}, {2216, 1, 8, 26, 102, 406, 1673, 0}}},
    {768,
     WILLOW_CELLS_BONO,
     7,
     {{10065, 1, 4, 16, 99, 436, 1850, 7659}, {5113, 1, 5, 14, 59, 221, 919, 3894}}},
    {896,
     WILLOW_CELLS_OCTREE,
     6,
     {{4457, 1, 8, 42, 193, 819, 3394, 0}, {2216, 1, 8, 26, 102, 406, 1673, 0}}},
    {896,
     WILLOW_CELLS_BONO,
     7,
     {{13787, 1, 7, 30, 142, 593, 2551, 10463}, {7079, 1, 6, 19, 83, 310, 1297, 5363}}},
    {1023,
     WILLOW_CELLS_OCTREE,
     6,
     {{4457, 1, 8, 42, 193, 819, 3394, 0}, {2216, 1, 8, 26, 102, 406, 1673, 0}}},
    {1023,
     WILLOW_CELLS_BONO,
     7,
     {{18120, 1, 8, 43, 192, 812, 3348, 13716}, {9281, 1, 8, 26, 100, 401, 1696, 7049}}},
};

static willow_result count_cells(const spheres_model *model, spheres_table_row *row)
{
    const willow_world_def def = willow_world_def_default();
    const willow_pose pose = willow_pose_identity();
    willow_tree_def tree = willow_tree_def_default();
    willow_world *world = NULL;
    willow_body_stats stats;
    willow_body_id body;
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = row->cells;
    tree.collision_depth = row->levels; /* and a level more by section 5.3, which is not counted */
    tree.grow_whole = true;
    willow_result result = willow_world_create(&def, &world);
    if (result == WILLOW_OK)
        result = spheres_add(world, model, (float)row->extent, &tree, &pose, &body);
    if (result == WILLOW_OK) result = willow_world_update(world, 0, NULL);
    if (result == WILLOW_OK) result = willow_body_get_stats(world, body, &stats);
    for (uint32_t level = 1; level <= row->levels && result == WILLOW_OK; level++) {
        row->nodes[level] = stats.sphere.cells[level];
        row->nodes[0] += row->nodes[level];
    }
    willow_world_destroy(world);
    return result;
}

int spheres_table(int table, const spheres_model *model, const bench_options *options,
                  spheres_rows *rows)
{
    const uint32_t count = sizeof table_rows / sizeof *table_rows;
    int code = EXIT_FINE;
    progress_begin_part(table == 1 ? "table 1" : "table 2", SPHERES_TABLE_WEIGHT / 2.0);
    for (uint32_t i = 0; i < count && code == EXIT_FINE; i++) {
        if (stop_was_asked()) return EXIT_ERROR;
        progress_show_of("row", i, count);
        spheres_table_row *row = &rows->tables[rows->table_count];
        *row = (spheres_table_row){.table = table,
                                   .model = model->name,
                                   .extent = table_rows[i].extent,
                                   .cells = table_rows[i].cells,
                                   .levels = table_rows[i].levels};
        for (int level = 0; level <= SPHERES_LEVELS; level++)
            row->paper[level] = table_rows[i].paper[table - 1][level];
        if (count_cells(model, row) != WILLOW_OK)
            return complain("bench", "the suite spheres: out of memory");
        rows->table_count++;
        progress_clear();
        code = spheres_print_table(row, options);
    }
    return code;
}
