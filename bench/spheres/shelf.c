/* shelf.c - thousands of different bodies of which few collide: what their hierarchies take, and
 * how long it takes from the first update to the first answer. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

#include <math.h>
#include <stdlib.h>

enum {
    RINGS = 16,
    SIDES = 16,
    VERTICES = RINGS * SIDES,
    TRIANGLES = 2 * VERTICES,
    BODIES = 10000,
    WHOLE_BODIES = 200, /* of whole trees, which take too much: scaled to all */
    ROW = 100,
    DEPTH = 5,
    TOUCHING = 100 /* every so-manieth body leans on the next one */
};

typedef struct shelf_kind {
    const char *name;
    willow_method method;
    bool whole;
    uint32_t bodies;
} shelf_kind;

/* A ring whose bumps are another one's for every number. */
static void make_ring(uint32_t number, float at[VERTICES][3], uint32_t tris[TRIANGLES][3])
{
    const double turn = 6.283185307179586;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const double a = turn * (i / SIDES) / RINGS, b = turn * (i % SIDES) / SIDES;
        const double waves = 2.0 + number % 7, phase = 0.001 * number;
        const double width = 0.3 + 0.05 * sin(waves * a + phase) * cos(3.0 * b + phase);
        at[i][0] = (float)((1.0 + width * cos(b)) * cos(a));
        at[i][1] = (float)((1.0 + width * cos(b)) * sin(a));
        at[i][2] = (float)(width * sin(b));
        const uint32_t k = i / SIDES * SIDES, right = k + (i + 1) % SIDES;
        const uint32_t up = (i + SIDES) % VERTICES, both = (right + SIDES) % VERTICES;
        const uint32_t two[2][3] = {{i, up, right}, {right, up, both}};
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 3; c++) tris[2 * i + (uint32_t)t][c] = two[t][c];
    }
}

static willow_result add_ring(willow_world *world, uint32_t number, const willow_tree_def *tree)
{
    static float at[VERTICES][3];
    static uint32_t tris[TRIANGLES][3];
    willow_body_def def = willow_body_def_default();
    willow_body_id body;
    make_ring(number, at, tris);
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = tris, .triangle_count = TRIANGLES};
    def.tree = *tree;
    def.pose.translation =
        (willow_vec3){3.0F * (float)(number % ROW) + (number % TOUCHING == 0 ? 0.7F : 0.0F),
                      3.0F * (float)(number / ROW), 0.0F};
    return willow_body_create(world, &def, &body);
}

static willow_result sum_bytes(const willow_world *world, const willow_body_id *bodies,
                               uint32_t count, double *sum)
{
    for (uint32_t i = 0; i < count; i++) {
        willow_body_stats stats;
        const willow_result result = willow_body_get_stats(world, bodies[i], &stats);
        if (result != WILLOW_OK) return result;
        *sum += (double)stats.bytes_hierarchy;
    }
    return WILLOW_OK;
}

static willow_result fill(willow_world *world, const shelf_kind *kind)
{
    willow_tree_def tree = willow_tree_def_default();
    willow_result result = WILLOW_OK;
    tree.method = kind->method;
    tree.grow_whole = kind->whole;
    tree.collision_depth = DEPTH;
    for (uint32_t i = 0; i < kind->bodies && result == WILLOW_OK && !stop_was_asked(); i++) {
        progress_show_of("body", i, kind->bodies);
        result = add_ring(world, i, &tree);
    }
    progress_clear();
    return result;
}

static willow_result play(const shelf_kind *kind, spheres_shelf_row *row)
{
    const willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id *bodies = malloc(kind->bodies * sizeof *bodies);
    willow_pairs pairs;
    willow_result result = bodies ? willow_world_create(&def, &world) : WILLOW_OUT_OF_MEMORY;
    if (result == WILLOW_OK) result = willow_scratch_create(world, &scratch);
    if (result == WILLOW_OK) result = fill(world, kind);
    const double begin = now_ms();
    if (result == WILLOW_OK) result = willow_world_update(world, 0, NULL);
    if (result == WILLOW_OK) result = willow_find_pairs(world, scratch, NULL, &pairs);
    const double scale = (double)BODIES / kind->bodies;
    row->ms = scale * (now_ms() - begin);
    if (result == WILLOW_OK) {
        row->pairs = pairs.count;
        (void)willow_world_copy_bodies(world, bodies, kind->bodies);
        result = sum_bytes(world, bodies, kind->bodies, &row->bytes);
    }
    row->bytes *= scale;
    if (scratch) willow_scratch_destroy(scratch);
    if (world) willow_world_destroy(world);
    free(bodies);
    return result;
}

int spheres_shelf(const bench_options *options, uint32_t *row_count)
{
    static const shelf_kind kinds[] = {
        {"sphere", WILLOW_METHOD_SPHERE, false, BODIES},
        {"sphere, grown whole", WILLOW_METHOD_SPHERE, true, WHOLE_BODIES},
        {"auto", WILLOW_METHOD_AUTO, false, BODIES},
    };
    const size_t count = sizeof kinds / sizeof *kinds;
    int code = EXIT_FINE;
    for (size_t i = 0; i < count && code == EXIT_FINE; i++) {
        progress_begin_part("shelf", (double)SPHERES_SHELF_WEIGHT / (double)count);
        progress_worker(kinds[i].name);
        spheres_shelf_row row = {
            .method = kinds[i].name, .bodies = kinds[i].bodies, .triangles = TRIANGLES};
        if (play(&kinds[i], &row) != WILLOW_OK)
            return complain("bench", "the suite spheres: out of memory");
        if (stop_was_asked()) return EXIT_ERROR;
        code = spheres_print_shelf(&row, options);
        ++*row_count;
    }
    progress_worker("");
    return code;
}
