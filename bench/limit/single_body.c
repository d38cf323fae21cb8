/* single_body.c - one body in a world of its own. */
#include "bench/limit/single_body.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/peers/plain.h"
#include "bench/run/options.h"

#include <stdlib.h>
#include <string.h>

enum { POSE_COUNT = 4 };

/* ---- the body ---- */

static size_t single_positions_size(const single_body *body)
{
    return 3 * (size_t)body->vertex_count * sizeof(float);
}

static bool create_poses(single_body *body)
{
    body->now = malloc(single_positions_size(body) + sizeof(float));
    body->poses = calloc(POSE_COUNT, sizeof *body->poses);
    if (body->now == NULL || body->poses == NULL) return false;
    for (uint32_t i = 0; i < POSE_COUNT && i < body->scene->frame_count; i++) {
        body->poses[i] = malloc(single_positions_size(body) + sizeof(float));
        if (body->poses[i] == NULL) return false;
        scene_positions(body->scene, i, 0, body->poses[i]);
        body->pose_count++;
    }
    single_body_show(body, 0);
    return true;
}

int single_body_create(single_body *body, const char *spec)
{
    *body = (single_body){.scene = scene_open("bench", spec)};
    if (body->scene == NULL) return EXIT_ERROR;
    if (scene_triangle_total(body->scene) == 0 || body->scene->bodies[0].triangle_count == 0) {
        return complain_usage("bench", "--scene %s: its first body has no triangles", spec);
    }
    body->vertex_count = body->scene->bodies[0].vertex_count;
    body->triangle_count = body->scene->bodies[0].triangle_count;
    body->indices = body->scene->bodies[0].indices;
    return create_poses(body) ? EXIT_FINE : complain("bench", "out of memory");
}

void single_body_destroy(single_body *body)
{
    for (uint32_t i = 0; i < body->pose_count; i++) free(body->poses[i]);
    free(body->poses);
    free(body->now);
    scene_destroy(body->scene);
}

void single_body_show(single_body *body, uint32_t pose)
{
    memcpy(body->now, body->poses[pose % body->pose_count], single_positions_size(body));
}

plain_mesh single_body_plain(const single_body *body)
{
    return (plain_mesh){.positions = body->now,
                        .stride = 3,
                        .indices = body->indices,
                        .triangle_count = body->triangle_count};
}

/* ---- the world ---- */

static int single_create_body(const single_body *body, const bench_options *options,
                              willow_method method, willow_world *world, willow_body_id *id)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = body->now;
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = options->engine.tree;
    def.tree.method = method;
    if (willow_body_create(world, &def, id) != WILLOW_OK ||
        willow_world_update(world, 0, NULL) != WILLOW_OK) {
        return complain("bench", "creating a body: %s", willow_world_message(world));
    }
    return EXIT_FINE;
}

int single_body_world(const single_body *body, const bench_options *options, willow_method method,
                      willow_world **world, willow_body_id *id)
{
    willow_world_def def = engine_world_def(&options->engine);
    willow_result result = willow_world_create(&def, world);
    if (result != WILLOW_OK) {
        return complain("bench", "creating a world: %s", willow_result_name(result));
    }
    return single_create_body(body, options, method, *world, id);
}
