/* error.c - Figures 3 and 4 of the paper: how far the spheres around the cells of each level are
 * from the surface (section 5.2), for the bodies of Tables 1 and 2, with the levels that
 * section 5.3 has for depth 6. An octree is the same at all sizes and is measured once. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

enum { DEPTH = 6 };

static willow_result measure(const spheres_model *model, spheres_error_row *row)
{
    const willow_world_def def = willow_world_def_default();
    const willow_pose pose = willow_pose_identity();
    willow_tree_def tree = willow_tree_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id body;
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = row->cells;
    willow_result result = willow_world_create(&def, &world);
    if (result == WILLOW_OK) result = willow_scratch_create(world, &scratch);
    if (result == WILLOW_OK)
        result = spheres_add(world, model, (float)row->extent, &tree, &pose, &body);
    if (result == WILLOW_OK) result = willow_world_update(world, 0, NULL);
    for (uint32_t level = 2; level <= row->levels && result == WILLOW_OK; level++)
        result = willow_body_measure_cells(world, scratch, body,
                                           spheres_depth(row->cells, row->extent, level),
                                           &row->errors[level]);
    if (scratch) willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return result;
}

/* Cells that were measured are those that the tree has. */
static bool is_as_in_table(const spheres_error_row *row, const spheres_table_row *table)
{
    for (uint32_t level = 2; level <= row->levels; level++)
        if (row->errors[level].cells != table->nodes[level]) return false;
    return true;
}

/* A row of the table that is not measured again: its figure is 2 higher. */
static bool is_left_out(const spheres_rows *rows, const spheres_table_row *table, int figure)
{
    if (table->table != figure - 2) return true;
    for (uint32_t i = 0; i < rows->error_count; i++)
        if (table->cells == WILLOW_CELLS_OCTREE && rows->errors[i].figure == figure) return true;
    return false;
}

static uint32_t levels_of(const spheres_table_row *table)
{
    uint32_t levels = table->levels;
    while (spheres_depth(table->cells, table->extent, levels) > DEPTH) levels--;
    return levels;
}

int spheres_error(int figure, const spheres_model *model, const bench_options *options,
                  spheres_rows *rows)
{
    int code = EXIT_FINE;
    progress_begin_part(figure == 3 ? "figure 3" : "figure 4", SPHERES_ERROR_WEIGHT / 2.0);
    for (uint32_t i = 0; i < rows->table_count && code == EXIT_FINE; i++) {
        const spheres_table_row *table = &rows->tables[i];
        if (is_left_out(rows, table, figure)) continue;
        if (stop_was_asked()) return EXIT_ERROR;
        progress_show_of("row", i, rows->table_count);
        spheres_error_row *row = &rows->errors[rows->error_count];
        *row = (spheres_error_row){.figure = figure,
                                   .model = model->name,
                                   .extent = table->extent,
                                   .cells = table->cells,
                                   .levels = levels_of(table)};
        if (measure(model, row) != WILLOW_OK)
            return complain("bench", "the suite spheres: out of memory");
        rows->error_count++;
        rows->is_wrong = rows->is_wrong || !is_as_in_table(row, table);
        progress_clear();
        code = spheres_print_error(row, options);
    }
    return code;
}
