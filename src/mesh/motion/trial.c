/* trial.c - takes the goals of a trial step in, and refuses bad ones (C7). */
#include "mesh/motion/trial.h"

#include "base/hash.h"

static void stay(const wi_mesh *mesh, wi_trial *trial)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_has_vertex(mesh, vertex)) continue;
        float p[3];
        wi_mesh_model_position(mesh, wi_mesh_stand_in(mesh, vertex), p);
        trial->goals[vertex] = wi_point_of(p);
    }
}

bool wi_trial_reserve_goals(wi_memory *memory, uint32_t count, wi_trial *trial)
{
    if (trial->goal_room >= count) return true;
    wi_point *goals = wi_alloc_array(memory, count, sizeof *goals);
    if (goals == NULL) return false;
    memset(goals, 0, count * sizeof *goals); /* removed vertices have none */
    if (trial->goals) memcpy(goals, trial->goals, trial->goal_room * sizeof *goals);
    wi_free_array(memory, trial->goals, trial->goal_room, sizeof *trial->goals);
    trial->goals = goals;
    trial->goal_room = count;
    return true;
}

willow_result wi_trial_move(wi_memory *memory, const wi_mesh *mesh, uint32_t first, uint32_t count,
                            wi_source source, wi_message *message, wi_trial *trial)
{
    willow_result result = wi_mesh_check_positions(mesh, source, first, count, message);
    if (result != WILLOW_OK || count == 0) return result;
    if (!wi_trial_reserve_goals(memory, mesh->vertex_count, trial))
        return wi_fail_memory(message, "a trial step");
    if (trial->bend != WI_BEND_VERTICES && count < mesh->vertex_count) stay(mesh, trial);
    for (uint32_t i = 0; i < count; i++)
        if (wi_mesh_has_vertex(mesh, first + i))
            trial->goals[first + i] = wi_point_of(wi_source_at(source, i));
    trial->bend = WI_BEND_VERTICES;
    return WILLOW_OK;
}

willow_result wi_trial_weigh(wi_memory *memory, const wi_mesh *mesh, const float *weights,
                             uint32_t count, wi_message *message, wi_trial *trial)
{
    willow_result result = wi_morph_check_weights(wi_mesh_morph(mesh), weights, count, message);
    if (result != WILLOW_OK) return result;
    if (trial->weight_room < count) {
        float *room = wi_alloc_array(memory, count, sizeof *room);
        if (room == NULL) return wi_fail_memory(message, "a trial step");
        wi_free_array(memory, trial->weights, trial->weight_room, sizeof *trial->weights);
        trial->weights = room;
        trial->weight_room = count;
    }
    if (count > 0) memcpy(trial->weights, weights, count * sizeof *weights);
    trial->bend = wi_trial_moves_joints(trial) ? WI_BEND_WEIGHTS_AND_JOINTS : WI_BEND_WEIGHTS;
    return WILLOW_OK;
}

willow_result wi_trial_place_joints(wi_memory *memory, const wi_mesh *mesh,
                                    const willow_affine *joints, uint32_t count,
                                    wi_message *message, wi_trial *trial)
{
    willow_result result = wi_skin_check_joints(wi_mesh_skin(mesh), joints, count, message);
    if (result != WILLOW_OK) return result;
    if (trial->joint_room < count) {
        willow_affine *room = wi_alloc_array(memory, count, sizeof *room);
        if (room == NULL) return wi_fail_memory(message, "a trial step");
        wi_free_array(memory, trial->joints, trial->joint_room, sizeof *trial->joints);
        trial->joints = room;
        trial->joint_room = count;
    }
    memcpy(trial->joints, joints, count * sizeof *joints);
    trial->bend = wi_trial_moves_weights(trial) ? WI_BEND_WEIGHTS_AND_JOINTS : WI_BEND_JOINTS;
    return WILLOW_OK;
}

void wi_trial_deform(wi_trial *trial, void *context)
{
    trial->context = context;
    trial->bend = WI_BEND_CONTEXT;
}

/* ---- the end of the step ---- */

void wi_trial_end_state(const wi_trial *trial, wi_end_state *room, wi_mesh *end)
{
    WI_ASSERT(wi_trial_is_computed(trial));
    WI_ASSERT(room->room >= wi_mesh_motion(end)->end_bytes(end));
    wi_mesh_motion(end)->trial_end(trial, room->block, end);
}

/* Where the user's functions have vertices then. */
static uint64_t hash_context(uint64_t hash, const wi_mesh *mesh, const wi_trial *trial)
{
    wi_mesh end = *mesh;
    wi_user_motion user;
    wi_mesh_motion(&end)->trial_end(trial, &user, &end);
    end.stored = WI_STORED_OLD;
    return wi_mesh_motion(&end)->hash(hash, &end);
}

uint64_t wi_trial_hash(uint64_t hash, const wi_mesh *mesh, const wi_trial *trial)
{
    const uint64_t bend = trial->bend == WI_BEND_NONE ? 0 : UINT64_C(1) << trial->bend;
    hash = wi_hash_u64(hash, bend | trial->moves_pose);
    if (trial->bend == WI_BEND_CONTEXT) hash = hash_context(hash, mesh, trial);
    const uint32_t weights = wi_trial_moves_weights(trial) ? wi_mesh_morph(mesh)->target_count : 0;
    if (weights > 0) hash = wi_hash_bytes(hash, trial->weights, weights * sizeof *trial->weights);
    if (wi_trial_moves_joints(trial))
        hash = wi_hash_bytes(hash, trial->joints,
                             wi_mesh_skin(mesh)->joint_count * sizeof *trial->joints);
    if (trial->moves_pose) hash = wi_hash_bytes(hash, &trial->pose, sizeof trial->pose);
    for (uint32_t vertex = 0; trial->bend == WI_BEND_VERTICES && vertex < mesh->vertex_count;
         vertex++)
        if (wi_mesh_stands_for_itself(mesh, vertex))
            hash = wi_hash_bytes(hash, trial->goals[vertex].axis, 3 * sizeof(float));
    return hash;
}

void wi_trial_end(wi_trial *trial)
{
    trial->bend = WI_BEND_NONE;
    trial->moves_pose = false;
}

void wi_trial_add(const wi_birth *birth, wi_trial *trial)
{
    const float *of[WI_MAX_PARENTS] = {0};
    WI_ASSERT(birth->vertex < trial->goal_room);
    for (uint32_t i = 0; i < birth->parent_count; i++) of[i] = trial->goals[birth->parents[i]].axis;
    wi_birth_value(birth, of, trial->goals[birth->vertex].axis);
}

void wi_trial_free(wi_memory *memory, wi_trial *trial)
{
    wi_free_array(memory, trial->goals, trial->goal_room, sizeof *trial->goals);
    wi_free_array(memory, trial->weights, trial->weight_room, sizeof *trial->weights);
    wi_free_array(memory, trial->joints, trial->joint_room, sizeof *trial->joints);
    *trial = (wi_trial){0};
}
