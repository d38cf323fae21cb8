/* raster.c - how often OpenGL alone would have missed that a cell has surface in it, at several
 * numbers of pixels: a whole tree of six levels is grown by a question about all of space. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/gl.h"
#include "bench/spheres/spheres.h"

#include <stdio.h>

enum { DEPTH = 6, EXTENT = 832 };

static bool go_on(void *context, willow_tri_ref tri)
{
    (void)context, (void)tri;
    return true;
}

/* Again until the pool has been large enough. */
static willow_result grow_all(willow_world *world, willow_body_id body, willow_sphere_stats *out)
{
    const willow_box all = {{-1e6F, -1e6F, -1e6F}, {1e6F, 1e6F, 1e6F}};
    willow_query_options options = willow_query_options_default();
    willow_scratch *scratch = NULL;
    willow_body_stats stats = {.sphere = {.pool_exhausted = true}};
    options.use_occupancy = true;
    willow_result result = willow_scratch_create(world, &scratch);
    while (result == WILLOW_OK && stats.sphere.pool_exhausted) {
        result = willow_world_update(world, 0, NULL);
        if (result == WILLOW_OK)
            result = willow_visit_box(world, scratch, &all, &options, go_on, NULL);
        if (result == WILLOW_OK) result = willow_body_get_stats(world, body, &stats);
    }
    *out = stats.sphere;
    if (scratch) willow_scratch_destroy(scratch);
    return result;
}

static willow_result measure(const spheres_model *model, spheres_gl *gl, spheres_raster_row *row)
{
    const willow_world_def def = willow_world_def_default();
    const willow_pose pose = willow_pose_identity();
    willow_tree_def tree = willow_tree_def_default();
    willow_sphere_stats stats;
    willow_world *world = NULL;
    willow_body_id body;
    tree.method = WILLOW_METHOD_SPHERE;
    tree.cells = row->cells;
    tree.collision_depth = DEPTH;
    tree.occupancy = spheres_gl_backend(gl);
    willow_result result = willow_world_create(&def, &world);
    if (result == WILLOW_OK)
        result = spheres_add(world, model, (float)row->extent, &tree, &pose, &body);
    if (result == WILLOW_OK) result = grow_all(world, body, &stats);
    if (result == WILLOW_OK) row->seen = stats.occupancy;
    row->queries = spheres_gl_queries(gl);
    snprintf(row->renderer, sizeof row->renderer, "%s", spheres_gl_renderer(gl));
    willow_world_destroy(world);
    return result;
}

int spheres_raster(const spheres_model *model, const bench_options *options, spheres_rows *rows)
{
    static const uint32_t pixels[] = {16, 64, 256};
    int code = EXIT_FINE;
    progress_begin_part("rasters", SPHERES_RASTER_WEIGHT / 2.0);
    for (int i = 0; i < 6 && code == EXIT_FINE; i++) {
        if (stop_was_asked()) return EXIT_ERROR;
        progress_show_of("row", (uint32_t)i, 6);
        spheres_raster_row *row = &rows->rasters[rows->raster_count];
        spheres_gl *gl = spheres_gl_open(pixels[i % 3]);
        if (gl == NULL) return EXIT_FINE;
        *row = (spheres_raster_row){.model = model->name,
                                    .pixels = pixels[i % 3],
                                    .extent = EXTENT,
                                    .cells = i < 3 ? WILLOW_CELLS_OCTREE : WILLOW_CELLS_BONO};
        const willow_result result = measure(model, gl, row);
        spheres_gl_close(gl);
        if (result != WILLOW_OK) return complain("bench", "the suite spheres: out of memory");
        rows->raster_count++;
        progress_clear();
        rows->is_wrong = rows->is_wrong || row->seen.wrong > 0;
        code = spheres_print_raster(row, options);
    }
    return code;
}
