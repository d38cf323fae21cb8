/* shelf.c - thousands of different bodies of which few collide (scenes/shelf.c): what their
 * hierarchies take, and how long it takes from the first update to the first answer. Meshes are
 * copied before. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/spheres/spheres.h"

#include <stdlib.h>

enum { DEPTH = 5 };

typedef struct shelf_kind {
    const char *name;
    willow_method method;
    bool whole;
} shelf_kind;

static const shelf_kind shelf_kinds[SPHERES_SHELVES] = {
    {"sphere", WILLOW_METHOD_SPHERE, false},
    {"sphere, grown whole", WILLOW_METHOD_SPHERE, true},
    {"auto", WILLOW_METHOD_AUTO, false},
};

static willow_result add_body(willow_world *world, const scene *s, uint32_t number,
                              const willow_tree_def *tree, float *positions, willow_body_id *out)
{
    const scene_body *body = &s->bodies[number];
    willow_body_def def = willow_body_def_default();
    scene_rest(s, number, positions);
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = body->vertex_count,
                                 .indices = body->indices,
                                 .triangle_count = body->triangle_count};
    def.tree = *tree;
    scene_pose(s, 0, number, &def.pose);
    return willow_body_create(world, &def, out);
}

static willow_result fill(willow_world *world, const scene *s, const shelf_kind *kind,
                          willow_body_id *bodies)
{
    willow_tree_def tree = willow_tree_def_default();
    willow_result result = WILLOW_OK;
    float *positions = malloc(3 * sizeof(float) * s->bodies[0].vertex_count); /* all have as many */
    if (positions == NULL) return WILLOW_OUT_OF_MEMORY;
    tree.method = kind->method;
    tree.grow_whole = kind->whole;
    tree.collision_depth = DEPTH;
    for (uint32_t i = 0; i < s->body_count && result == WILLOW_OK && !stop_was_asked(); i++) {
        progress_show_of("body", i, s->body_count);
        result = add_body(world, s, i, &tree, positions, &bodies[i]);
    }
    progress_clear();
    free(positions);
    return result;
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

static willow_result play(const scene *s, const shelf_kind *kind, spheres_shelf_row *row)
{
    const willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id *bodies = malloc(s->body_count * sizeof *bodies);
    willow_pairs pairs;
    willow_result result = bodies ? willow_world_create(&def, &world) : WILLOW_OUT_OF_MEMORY;
    if (result == WILLOW_OK) result = willow_scratch_create(world, &scratch);
    if (result == WILLOW_OK) result = fill(world, s, kind, bodies);
    const double begin = now_ms();
    if (result == WILLOW_OK) result = willow_world_update(world, 0, NULL);
    if (result == WILLOW_OK) result = willow_find_pairs(world, scratch, NULL, &pairs);
    row->ms = now_ms() - begin;
    if (result == WILLOW_OK) {
        row->pairs = pairs.count;
        if (!stop_was_asked()) result = sum_bytes(world, bodies, s->body_count, &row->bytes);
    }
    if (scratch) willow_scratch_destroy(scratch);
    if (world) willow_world_destroy(world);
    free(bodies);
    return result;
}

int spheres_shelf(const bench_options *options, spheres_rows *rows)
{
    char reason[200];
    int code = EXIT_FINE;
    scene *s = scene_create("shelf", reason, sizeof reason);
    if (s == NULL) return complain("bench", "the suite spheres: %s", reason);
    for (int i = 0; i < SPHERES_SHELVES && code == EXIT_FINE; i++) {
        spheres_shelf_row *row = &rows->shelves[rows->shelf_count];
        *row = (spheres_shelf_row){.method = shelf_kinds[i].name,
                                   .bodies = s->body_count,
                                   .triangles = s->params.triangles};
        progress_begin_part("shelf", (double)SPHERES_SHELF_WEIGHT / SPHERES_SHELVES);
        progress_worker(shelf_kinds[i].name);
        if (play(s, &shelf_kinds[i], row) != WILLOW_OK) {
            code = complain("bench", "the suite spheres: out of memory");
            break;
        }
        if (stop_was_asked()) {
            code = EXIT_ERROR;
            break;
        }
        rows->shelf_count++;
        rows->is_wrong = rows->is_wrong || row->pairs != rows->shelves[0].pairs;
        code = spheres_print_shelf(row, options);
    }
    progress_worker("");
    scene_destroy(s);
    return code;
}
