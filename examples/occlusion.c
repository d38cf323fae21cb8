/* occlusion.c - two rings whose trees of cells grow where they meet, while OpenGL looks which cells
 * their surfaces touch. The exact test decides, so that answers do not depend on it.
 *
 *     cc occlusion.c $(pkg-config --cflags --libs willow_gl willow) -lm */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "willow/willow.h"
#include "willow_gl.h"

enum { SIDES = 32, VERTICES = SIDES * SIDES, TRIANGLES = 2 * VERTICES };

static float positions[VERTICES][3];
static uint32_t triangles[TRIANGLES][3];

static void make_ring(void)
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float a = 6.2831853F * (float)(i / SIDES) / SIDES;
        const float b = 6.2831853F * (float)(i % SIDES) / SIDES;
        positions[i][0] = (1.0F + 0.3F * cosf(b)) * cosf(a);
        positions[i][1] = (1.0F + 0.3F * cosf(b)) * sinf(a);
        positions[i][2] = 0.3F * sinf(b);
        const uint32_t row = i / SIDES * SIDES, right = row + (i + 1) % SIDES;
        const uint32_t up = (i + SIDES) % VERTICES, both = (right + SIDES) % VERTICES;
        const uint32_t two[2][3] = {{i, up, right}, {right, up, both}};
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 3; c++) triangles[2 * i + (uint32_t)t][c] = two[t][c];
    }
}

static void add_ring(willow_world *world, willow_gl *gl, float x, willow_body_id *out)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = VERTICES,
                                 .indices = triangles,
                                 .triangle_count = TRIANGLES};
    def.tree.method = WILLOW_METHOD_SPHERE;
    def.tree.occupancy = willow_gl_occupancy(gl);
    def.pose.translation.x = x;
    willow_body_create(world, &def, out);
}

int main(void)
{
    willow_world_def def = willow_world_def_default();
    willow_query_options options = willow_query_options_default();
    willow_gl *gl = NULL;
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id rings[2];
    willow_body_stats stats;
    willow_pairs pairs;
    char reason[100];
    if (willow_gl_create(NULL, &gl, reason, sizeof reason) != WILLOW_OK) {
        printf("there is no OpenGL here: %s\n", reason);
        return 0;
    }
    make_ring();
    willow_world_create(&def, &world);
    willow_scratch_create(world, &scratch);
    for (int i = 0; i < 2; i++) add_ring(world, gl, 0.6F * (float)i, &rings[i]);
    options.use_occupancy = true;          /* and not use_threads */
    for (int step = 0; step < 8; step++) { /* pools are enlarged where they were too small */
        willow_world_update(world, 0.1 * step, NULL);
        willow_find_pairs(world, scratch, &options, &pairs);
    }
    const willow_gl_stats drawn = willow_gl_get_stats(gl);
    printf("%zu pairs; %s answered %" PRIu64 " queries\n", pairs.count, willow_gl_renderer(gl),
           drawn.queries);
    for (int i = 0; i < 2; i++) {
        willow_body_get_stats(world, rings[i], &stats);
        const willow_occupancy_stats *seen = &stats.sphere.occupancy;
        printf("ring %d: of %" PRIu64 " cells with surface the raster missed %" PRIu64 "\n", i,
               seen->seen + seen->missed, seen->missed);
    }
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    willow_gl_destroy(gl);
    return pairs.count > 0 ? 0 : 1;
}
