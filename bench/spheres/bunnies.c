/* bunnies.c - one bunny moves over three on a fixed route, as in section 5.4 of the paper: how much
 * of the four trees is there at a time, beside four whole ones. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

enum { DEPTH = 6 };

static willow_tree_def tree_of(willow_cells cells, bool whole)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = cells;
    tree.collision_depth = DEPTH;
    tree.grow_whole = whole;
    return tree;
}

static willow_result play_frame(spheres_play *play, uint32_t frame, spheres_bunnies_row *row)
{
    willow_sphere_stats now;
    willow_pairs pairs;
    willow_result result = spheres_play_frame(play, frame);
    if (result == WILLOW_OK) result = willow_find_pairs(play->world, play->scratch, NULL, &pairs);
    if (result == WILLOW_OK) result = spheres_play_measure(play, &now);
    if (result != WILLOW_OK) return result;
    row->live += (double)now.bytes_live / SPHERES_FRAMES;
    row->most = (double)now.bytes_live_most;
    row->pool = (double)now.bytes_pool;
    row->pairs += pairs.count;
    row->grown = now.grown;
    row->forgotten = now.forgotten;
    row->exhausted += now.pool_exhausted;
    return WILLOW_OK;
}

static willow_result measure_whole(const spheres_model *model, spheres_bunnies_row *row)
{
    const willow_tree_def tree = tree_of(row->cells, true);
    willow_sphere_stats whole;
    spheres_play play;
    willow_result result = spheres_play_open(&play, model, row->extent, &tree);
    if (result == WILLOW_OK) result = spheres_play_measure(&play, &whole);
    if (result == WILLOW_OK) row->whole = (double)whole.bytes_live;
    spheres_play_close(&play);
    return result;
}

static willow_result measure_grown(const spheres_model *model, spheres_bunnies_row *row)
{
    const willow_tree_def tree = tree_of(row->cells, false);
    spheres_play play;
    willow_result result = spheres_play_open(&play, model, row->extent, &tree);
    for (uint32_t frame = 0; frame < SPHERES_FRAMES && result == WILLOW_OK; frame++) {
        if (stop_was_asked()) break;
        progress_show(frame, SPHERES_FRAMES);
        result = play_frame(&play, frame, row);
    }
    progress_clear();
    spheres_play_close(&play);
    return result;
}

int spheres_bunnies(const spheres_model *model, const bench_options *options, spheres_rows *rows)
{
    static const uint32_t extents[SPHERES_EXTENTS] = {514, 832, 1024};
    int code = EXIT_FINE;
    enum { ROWS = 2 * SPHERES_EXTENTS };
    for (int i = 0; i < ROWS && code == EXIT_FINE; i++) {
        spheres_bunnies_row *row = &rows->bunnies[rows->bunny_count];
        *row = (spheres_bunnies_row){.model = model->name,
                                     .extent = extents[i / 2],
                                     .depth = DEPTH,
                                     .frames = SPHERES_FRAMES,
                                     .cells = i % 2 == 0 ? WILLOW_CELLS_OCTREE : WILLOW_CELLS_BONO};
        progress_begin_part("bunnies", (double)SPHERES_BUNNIES_WEIGHT / ROWS);
        progress_worker(willow_cells_name(row->cells));
        willow_result result = measure_whole(model, row);
        if (result == WILLOW_OK) result = measure_grown(model, row);
        if (result != WILLOW_OK) return complain("bench", "the suite spheres: out of memory");
        if (stop_was_asked()) return EXIT_ERROR;
        rows->bunny_count++;
        code = spheres_print_bunnies(row, options);
    }
    progress_worker("");
    return code;
}
