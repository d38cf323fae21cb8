/* trial.c - takes the goals of a trial step in, and refuses bad ones (C7). */
#include "mesh/motion/trial.h"

static void stay(const wi_mesh *mesh, wi_trial *trial)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        float p[3];
        wi_mesh_model_position(mesh, wi_mesh_stand_in(mesh, vertex), p);
        trial->goals[vertex] = wi_point_of(p);
    }
}

willow_result wi_trial_move(wi_memory *memory, const wi_mesh *mesh, uint32_t first, uint32_t count,
                            wi_source source, wi_message *message, wi_trial *trial)
{
    willow_result result = wi_mesh_check_positions(source, first, count, message);
    if (result != WILLOW_OK || count == 0) return result;
    if (trial->goals == NULL)
        trial->goals = wi_alloc_array(memory, mesh->vertex_count, sizeof *trial->goals);
    if (trial->goals == NULL) return wi_fail_memory(message, "a trial step");
    if (trial->bend != WI_BEND_VERTICES && count < mesh->vertex_count) stay(mesh, trial);
    for (uint32_t i = 0; i < count; i++)
        trial->goals[first + i] = wi_point_of(wi_source_at(source, i));
    trial->bend = WI_BEND_VERTICES;
    return WILLOW_OK;
}

willow_result wi_trial_weigh(wi_memory *memory, const wi_mesh *mesh, const float *weights,
                             uint32_t count, wi_message *message, wi_trial *trial)
{
    willow_result result = wi_morph_check_weights(&mesh->morph, weights, count, message);
    if (result != WILLOW_OK) return result;
    if (trial->weight_room < count) {
        float *room = wi_alloc_array(memory, count, sizeof *room);
        if (room == NULL) return wi_fail_memory(message, "a trial step");
        wi_free_array(memory, trial->weights, trial->weight_room, sizeof *trial->weights);
        trial->weights = room;
        trial->weight_room = count;
    }
    if (count > 0) memcpy(trial->weights, weights, count * sizeof *weights);
    trial->bend = WI_BEND_WEIGHTS;
    return WILLOW_OK;
}

void wi_trial_deform(wi_trial *trial, void *context)
{
    trial->context = context;
    trial->bend = WI_BEND_CONTEXT;
}

void wi_trial_end(wi_trial *trial)
{
    trial->bend = WI_BEND_NONE;
    trial->moves_pose = false;
}

void wi_trial_free(wi_memory *memory, const wi_mesh *mesh, wi_trial *trial)
{
    wi_free_array(memory, trial->goals, mesh->vertex_count, sizeof *trial->goals);
    wi_free_array(memory, trial->weights, trial->weight_room, sizeof *trial->weights);
    *trial = (wi_trial){0};
}
