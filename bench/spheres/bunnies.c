/* bunnies.c - one bunny moves over three on a fixed route, as in section 5.4 of the paper: how much
 * of the four trees is there at a time, beside four whole ones. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

enum { BUNNIES = 4, FRAMES = 2200, DEPTH = 6 };

/* The animation of the paper takes about seven seconds. */
static const double SECONDS = 7.0;

typedef struct bunnies {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[BUNNIES];
} bunnies;

static willow_pose pose_at(double x, double y, double z)
{
    willow_pose pose = willow_pose_identity();
    pose.translation = (willow_vec3){(float)x, (float)y, (float)z};
    return pose;
}

/* The moving one goes along the row and dips into each of the others. */
static willow_pose route(double extent, double share)
{
    const double x = -1.4 + 5.2 * share, along = 3.0 * share;
    const double dip = along - (double)(int)along, height = 1.02 - 1.2 * dip * (1.0 - dip);
    return pose_at(extent * x, extent * height, extent * 0.1);
}

static void close_bunnies(bunnies *b)
{
    if (b->scratch) willow_scratch_destroy(b->scratch);
    willow_world_destroy(b->world);
}

static willow_result open_bunnies(const spheres_model *model, uint32_t extent, bool whole,
                                  willow_cells cells, bunnies *b)
{
    const willow_world_def def = willow_world_def_default();
    willow_tree_def tree = willow_tree_def_default();
    *b = (bunnies){.world = NULL};
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = cells;
    tree.collision_depth = DEPTH;
    tree.grow_whole = whole;
    willow_result result = willow_world_create(&def, &b->world);
    if (result == WILLOW_OK) result = willow_scratch_create(b->world, &b->scratch);
    for (int i = 0; i < BUNNIES && result == WILLOW_OK; i++) {
        const willow_pose pose =
            i == 0 ? route(extent, 0.0) : pose_at(extent * 1.2 * (i - 1), 0, 0);
        result = spheres_add(b->world, model, (float)extent, &tree, &pose, &b->bodies[i]);
    }
    return result == WILLOW_OK ? willow_world_update(b->world, 0, NULL) : result;
}

/* Sums over the bodies. */
static willow_result measure(const bunnies *b, willow_sphere_stats *sum)
{
    *sum = (willow_sphere_stats){.grown = 0};
    for (int i = 0; i < BUNNIES; i++) {
        willow_body_stats stats;
        const willow_result result = willow_body_get_stats(b->world, b->bodies[i], &stats);
        if (result != WILLOW_OK) return result;
        sum->bytes_live += stats.sphere.bytes_live;
        sum->bytes_live_most += stats.sphere.bytes_live_most;
        sum->bytes_pool += stats.sphere.bytes_pool;
        sum->grown += stats.sphere.grown;
        sum->forgotten += stats.sphere.forgotten;
        sum->pool_exhausted = sum->pool_exhausted || stats.sphere.pool_exhausted;
    }
    return WILLOW_OK;
}

static willow_result play_frame(const bunnies *b, uint32_t frame, spheres_bunnies_row *row)
{
    const double share = (double)frame / FRAMES;
    const willow_pose pose = route(row->extent, share);
    willow_sphere_stats now;
    willow_pairs pairs;
    willow_result result = willow_body_set_pose(b->world, b->bodies[0], &pose);
    if (result == WILLOW_OK) result = willow_world_update(b->world, SECONDS * share, NULL);
    if (result == WILLOW_OK) result = willow_find_pairs(b->world, b->scratch, NULL, &pairs);
    if (result == WILLOW_OK) result = measure(b, &now);
    if (result != WILLOW_OK) return result;
    row->live += (double)now.bytes_live / FRAMES;
    row->most = (double)now.bytes_live_most;
    row->pool = (double)now.bytes_pool;
    row->pairs += pairs.count;
    row->grown = now.grown;
    row->forgotten = now.forgotten;
    row->exhausted += now.pool_exhausted;
    return WILLOW_OK;
}

static willow_result play(const spheres_model *model, spheres_bunnies_row *row)
{
    bunnies b;
    willow_sphere_stats whole;
    willow_result result = open_bunnies(model, row->extent, true, row->cells, &b);
    if (result == WILLOW_OK) result = measure(&b, &whole);
    if (result == WILLOW_OK) row->whole = (double)whole.bytes_live;
    close_bunnies(&b);
    if (result == WILLOW_OK)
        result = open_bunnies(model, row->extent, false, row->cells, &b);
    else
        return result;
    for (uint32_t frame = 0; frame < FRAMES && result == WILLOW_OK && !stop_was_asked(); frame++) {
        progress_show(frame, FRAMES);
        result = play_frame(&b, frame, row);
    }
    progress_clear();
    close_bunnies(&b);
    return result;
}

int spheres_bunnies(const spheres_model *model, const bench_options *options, uint32_t *row_count)
{
    static const uint32_t extents[] = {514, 832, 1024};
    enum { ROWS = 6 };
    int code = EXIT_FINE;
    for (int i = 0; i < ROWS && code == EXIT_FINE; i++) {
        progress_begin_part("bunnies", (double)SPHERES_BUNNIES_WEIGHT / ROWS);
        progress_worker(willow_cells_name(i % 2 == 0 ? WILLOW_CELLS_OCTREE : WILLOW_CELLS_BONO));
        spheres_bunnies_row row = {.model = model->name,
                                   .extent = extents[i / 2],
                                   .depth = DEPTH,
                                   .frames = FRAMES,
                                   .cells = i % 2 == 0 ? WILLOW_CELLS_OCTREE : WILLOW_CELLS_BONO};
        if (play(model, &row) != WILLOW_OK)
            return complain("bench", "the suite spheres: out of memory");
        if (stop_was_asked()) return EXIT_ERROR;
        code = spheres_print_bunnies(&row, options);
        ++*row_count;
    }
    progress_worker("");
    return code;
}
