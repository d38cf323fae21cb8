/* route.c - the animation of the paper second by second, with its three kinds of trees: octrees of
 * five levels, branch-on-need trees of five and of six. Tables 4 to 6.
 *
 * Played twice: with the exact test alone, which is timed, and with OpenGL beside it, where there
 * is one, whose occlusion queries are counted. Cells that are looked into are counted in the
 * second. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/gl.h"
#include "bench/spheres/spheres.h"

enum { PIXELS = 64, PICTURE_FRAME = 1000, PICTURE_TABLE = 5 };

static const struct {
    int table;
    uint32_t extent;
    uint64_t paper[SPHERES_KINDS];
} routes[SPHERES_EXTENTS] = {
    {4, 514, {944, 460, 896}}, {5, 832, {3128, 1612, 4206}}, {6, 1024, {3628, 3142, 7194}}};

static const struct {
    willow_cells cells;
    uint32_t levels;
} kinds[SPHERES_KINDS] = {{WILLOW_CELLS_OCTREE, 5}, {WILLOW_CELLS_BONO, 5}, {WILLOW_CELLS_BONO, 6}};

static bool see_nothing(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    (void)context, (void)question, (void)counts;
    return true;
}

static willow_tree_def tree_of(const spheres_route_row *row, spheres_gl *gl)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = row->cells;
    tree.collision_depth = spheres_depth(row->cells, row->extent, row->levels);
    tree.occupancy = gl ? spheres_gl_backend(gl) : (willow_occupancy){see_nothing, NULL};
    return tree;
}

static spheres_second *second_of(spheres_route_row *row, uint32_t frame)
{
    const uint32_t number = (uint32_t)spheres_time(frame);
    return &row->seconds[number < SPHERES_SECONDS ? number : SPHERES_SECONDS - 1];
}

static willow_result play_timed(const spheres_model *model, spheres_route_row *row, uint64_t *pairs)
{
    const willow_tree_def tree = tree_of(row, NULL);
    spheres_play play;
    willow_result result = spheres_play_open(&play, model, row->extent, &tree);
    for (uint32_t frame = 0; frame < SPHERES_FRAMES && result == WILLOW_OK; frame++) {
        spheres_second *second = second_of(row, frame);
        willow_pairs found = {.count = 0};
        if (stop_was_asked()) break;
        progress_show(frame, 2 * SPHERES_FRAMES);
        const double begin = now_ms();
        result = spheres_play_frame(&play, frame);
        if (result == WILLOW_OK) result = willow_find_pairs(play.world, play.scratch, NULL, &found);
        second->ms += now_ms() - begin;
        second->frames++;
        *pairs += found.count;
    }
    spheres_play_close(&play);
    return result;
}

static uint64_t cells_in(const willow_occupancy_stats *seen)
{
    return seen->seen + seen->missed + seen->empty + seen->wrong;
}

/* What is there after a frame, and what was looked into since the one before. */
static void note_frame(spheres_route_row *row, uint32_t frame, const willow_sphere_stats *now,
                       uint64_t queries)
{
    spheres_second *second = second_of(row, frame);
    uint32_t nodes = 0;
    for (int level = 0; level < WILLOW_MAX_CELL_DEPTH + 2; level++) nodes += now->cells[level];
    row->nodes_at[frame] = nodes;
    second->nodes += nodes;
    second->live += (double)now->bytes_live;
    second->cells += cells_in(&now->occupancy) - row->cells_asked;
    second->queries += queries - row->queries;
    row->cells_asked = cells_in(&now->occupancy);
    row->queries = queries;
}

static willow_result play_counted(const spheres_model *model, spheres_gl *gl,
                                  spheres_route_row *row, spheres_picture *picture, uint64_t *pairs)
{
    const willow_tree_def tree = tree_of(row, gl);
    willow_query_options options = willow_query_options_default();
    spheres_play play;
    options.use_occupancy = true;
    willow_result result = spheres_play_open(&play, model, row->extent, &tree);
    for (uint32_t frame = 0; frame < SPHERES_FRAMES && result == WILLOW_OK; frame++) {
        willow_sphere_stats now;
        willow_pairs found = {.count = 0};
        if (stop_was_asked()) break;
        progress_show(SPHERES_FRAMES + frame, 2 * SPHERES_FRAMES);
        result = spheres_play_frame(&play, frame);
        if (result == WILLOW_OK)
            result = willow_find_pairs(play.world, play.scratch, &options, &found);
        if (result == WILLOW_OK) result = spheres_play_measure(&play, &now);
        if (result != WILLOW_OK) break;
        *pairs += found.count;
        note_frame(row, frame, &now, gl ? spheres_gl_queries(gl) : 0);
        if (picture != NULL && frame == PICTURE_FRAME)
            result = spheres_take_picture(&play, model, frame, (float)row->extent, picture);
    }
    spheres_play_close(&play);
    return result;
}

static void take_means(spheres_route_row *row)
{
    for (int i = 0; i < SPHERES_SECONDS; i++) {
        spheres_second *second = &row->seconds[i];
        if (second->frames == 0) continue;
        second->nodes /= second->frames;
        second->live /= second->frames;
    }
}

static int measure_route(const spheres_model *model, spheres_route_row *row, spheres_rows *rows)
{
    const bool is_shown = row->table == PICTURE_TABLE && row->cells == WILLOW_CELLS_OCTREE;
    uint64_t pairs = 0, again = 0;
    spheres_gl *gl = spheres_gl_open(PIXELS);
    row->is_drawn = gl != NULL;
    willow_result result = play_timed(model, row, &pairs);
    if (result == WILLOW_OK)
        result = play_counted(model, gl, row, is_shown ? &rows->picture : NULL, &again);
    spheres_gl_close(gl);
    progress_clear();
    if (result != WILLOW_OK) return complain("bench", "the suite spheres: out of memory");
    take_means(row);
    rows->is_wrong = rows->is_wrong || pairs != again;
    return EXIT_FINE;
}

int spheres_route(const spheres_model *model, const bench_options *options, spheres_rows *rows)
{
    int code = EXIT_FINE;
    for (int i = 0; i < SPHERES_EXTENTS; i++)
        for (int kind = 0; kind < SPHERES_KINDS && code == EXIT_FINE; kind++) {
            spheres_route_row *row = &rows->routes[rows->route_count];
            row->table = routes[i].table;
            row->model = model->name;
            row->extent = routes[i].extent;
            row->cells = kinds[kind].cells;
            row->levels = kinds[kind].levels;
            row->paper = routes[i].paper[kind];
            progress_begin_part("bunnies",
                                (double)SPHERES_ROUTE_WEIGHT / (SPHERES_EXTENTS * SPHERES_KINDS));
            progress_worker(willow_cells_name(row->cells));
            code = measure_route(model, row, rows);
            if (code != EXIT_FINE) return code;
            if (stop_was_asked()) return EXIT_ERROR;
            rows->route_count++;
            code = spheres_print_route(row, options);
        }
    progress_worker("");
    return code;
}
