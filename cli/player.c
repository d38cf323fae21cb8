/* player.c - the only place where bodies of a scene become bodies of a world.
 *
 * Way in: player_create, then player_prepare and player_go for every further frame. */
#include "cli/player.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the caller's arrays ---- */

/* Never of size 0, so that NULL means that memory is short. */
static float *create_array(const scene_body *body)
{
    return calloc(3 * (size_t)body->vertex_count + 1, sizeof(float));
}

float **scene_arrays_create(const scene *s)
{
    float **arrays = calloc((size_t)s->body_count + 1, sizeof *arrays);
    for (uint32_t i = 0; arrays != NULL && i < s->body_count; i++) {
        arrays[i] = create_array(&s->bodies[i]);
        if (arrays[i] == NULL) {
            scene_arrays_destroy(s, arrays);
            return NULL;
        }
    }
    return arrays;
}

void scene_arrays_destroy(const scene *s, float **arrays)
{
    for (uint32_t i = 0; arrays != NULL && i < s->body_count; i++) free(arrays[i]);
    free(arrays);
}

void scene_arrays_fill(const scene *s, uint32_t frame, float **arrays)
{
    for (uint32_t i = 0; i < s->body_count; i++) scene_positions(s, frame, i, arrays[i]);
}

/* ---- failures in words ---- */

static bool fail(player *p, const char *doing, willow_result result, const char *words)
{
    snprintf(p->message, sizeof p->message, "%s: %s%s%s", doing, willow_result_name(result),
             words[0] != '\0' ? ": " : "", words);
    return false;
}

static bool fail_in_world(player *p, const char *doing, willow_result result)
{
    return fail(p, doing, result, p->world != NULL ? willow_world_message(p->world) : "");
}

bool player_fail_asking(player *p, willow_result result)
{
    return fail(p, "asking", result, willow_scratch_message(p->scratch));
}

/* ---- bodies ---- */

static bool is_rigid(const player *p, uint32_t i)
{
    return p->scene->bodies[i].is_rigid && p->poses != POSES_NONE;
}

static bool has_pose(const player *p, uint32_t i)
{
    return (is_rigid(p, i) && p->poses != POSES_APPLY) || p->poses == POSES_ALL;
}

/* Rotations that floats hold exactly: there and back again a vertex is the same bits. */
static willow_quat quarter_turn(uint32_t number)
{
    static const willow_quat turns[] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                                        {1, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 0}};
    return turns[number % (sizeof turns / sizeof turns[0])];
}

static willow_pose back(const willow_pose *turn)
{
    const willow_quat *q = &turn->rotation;
    return (willow_pose){.rotation = {-q->x, -q->y, -q->z, q->w}};
}

static void apply(const player *p, const willow_pose *pose, uint32_t i, const float *from,
                  float *to)
{
    willow_pose_apply(pose, from, 3 * sizeof(float), p->scene->bodies[i].vertex_count,
                      (willow_vec3 *)(void *)to);
}

void player_prepare(player *p, uint32_t frame)
{
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (is_rigid(p, i)) {
            scene_pose(p->scene, frame, i, &p->pose[i]);
        } else if (has_pose(p, i)) {
            willow_pose turn_back = back(&p->pose[i]);
            apply(p, &turn_back, i, p->positions[i], p->model[i]);
        }
    }
}

static bool create_poses(player *p)
{
    p->pose = calloc((size_t)p->scene->body_count + 1, sizeof *p->pose);
    p->model = scene_arrays_create(p->scene);
    p->moved = scene_arrays_create(p->scene);
    if (p->pose == NULL || p->model == NULL || p->moved == NULL) {
        return fail(p, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    }
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        p->pose[i] = willow_pose_identity();
        if (has_pose(p, i)) p->pose[i].rotation = quarter_turn(i);
        if (is_rigid(p, i)) scene_rest(p->scene, i, p->model[i]);
    }
    return true;
}

static bool create_body(player *p, uint32_t i, bool self, const engine_options *engine)
{
    const scene_body *body = &p->scene->bodies[i];
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = has_pose(p, i) ? p->model[i] : p->positions[i];
    if (has_pose(p, i)) def.pose = p->pose[i];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = engine->tree;
    def.self = self;
    willow_result result = willow_body_create(p->world, &def, &p->bodies[i]);
    return result == WILLOW_OK || fail_in_world(p, "creating a body", result);
}

static bool create_bodies(player *p, const bool *self, const engine_options *engine)
{
    p->bodies = calloc((size_t)p->scene->body_count + 1, sizeof *p->bodies);
    if (p->bodies == NULL) return fail(p, "creating bodies", WILLOW_OUT_OF_MEMORY, "");
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        if (!create_body(p, i, self[i], engine)) return false;
    }
    return true;
}

bool player_create(player *p, const scene *s, uint32_t frame, float *const *positions,
                   const bool *self, const engine_options *engine)
{
    *p = (player){.scene = s,
                  .positions = positions,
                  .query = engine_query_options(engine),
                  .poses = engine->poses};
    willow_world_def def = engine_world_def(engine);
    willow_result result = willow_world_create(&def, &p->world);
    if (result != WILLOW_OK) return fail_in_world(p, "creating a world", result);
    if (!create_poses(p)) return false;
    player_prepare(p, frame);
    if (!create_bodies(p, self, engine)) return false;
    result = willow_world_update(p->world, frame, NULL);
    if (result != WILLOW_OK) return fail_in_world(p, "the first update", result);
    result = willow_scratch_create(p->world, &p->scratch);
    return result == WILLOW_OK || fail_in_world(p, "creating a scratch", result);
}

void player_destroy(player *p)
{
    willow_scratch_destroy(p->scratch);
    willow_world_destroy(p->world);
    if (p->scene != NULL) {
        scene_arrays_destroy(p->scene, p->model);
        scene_arrays_destroy(p->scene, p->moved);
    }
    free(p->pose);
    free(p->bodies);
    *p = (player){0};
}

/* ---- frames ---- */

static willow_result set_vertices(player *p, uint32_t i, const float *positions)
{
    return willow_body_set_vertices(p->world, p->bodies[i], 0, p->scene->bodies[i].vertex_count,
                                    positions, 3 * sizeof(float));
}

static willow_result move_body(player *p, uint32_t i)
{
    if (!is_rigid(p, i)) return set_vertices(p, i, has_pose(p, i) ? p->model[i] : p->positions[i]);
    if (has_pose(p, i)) return willow_body_set_pose(p->world, p->bodies[i], &p->pose[i]);
    apply(p, &p->pose[i], i, p->model[i], p->moved[i]);
    return set_vertices(p, i, p->moved[i]);
}

bool player_go(player *p, uint32_t frame, willow_update_report *report)
{
    for (uint32_t i = 0; i < p->scene->body_count; i++) {
        willow_result result = move_body(p, i);
        if (result != WILLOW_OK) return fail_in_world(p, "setting vertices", result);
    }
    willow_result result = willow_world_update(p->world, frame, report);
    return result == WILLOW_OK || fail_in_world(p, "updating", result);
}

bool player_find_pairs(player *p, willow_pairs *out)
{
    willow_result result = willow_find_pairs(p->world, p->scratch, &p->query, out);
    return result == WILLOW_OK || player_fail_asking(p, result);
}

/* Bodies are created in the order of the scene, so a fresh world numbers them from 1. */
uint32_t player_body_number(const player *p, willow_body_id id)
{
    uint32_t likely = id.index1 - 1;
    if (likely < p->scene->body_count && p->bodies[likely].index1 == id.index1) return likely;
    uint32_t i = 0;
    while (i < p->scene->body_count && p->bodies[i].index1 != id.index1) i++;
    return i;
}
