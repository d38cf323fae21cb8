/* trial.c - trial steps: where bodies may go next. What is here only notes it; the update makes the
 * ends of steps that queries see. */
#include "world/world.h"

#include "base/check.h"

static void note_trial(willow_world *world, wi_body *body)
{
    WI_ASSERT(wi_trial_is_set(&body->more->trial));
    body->needs_step_end = true;
    world->is_stale = true;
}

willow_result willow_body_set_target(willow_world *world, willow_body_id id, uint32_t first,
                                     uint32_t count, const void *positions, size_t stride)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    result = wi_body_check_vertices(world, body, first, count, positions, stride);
    if (result != WILLOW_OK || count == 0) return result;
    const wi_source source = {positions, stride != 0 ? stride : 3 * sizeof(float)};
    result = wi_trial_move(&world->memory, &body->geometry->mesh, first, count, source,
                           &world->message, &body->more->trial);
    if (result == WILLOW_OK) note_trial(world, body);
    return result;
}

willow_result willow_body_set_target_weights(willow_world *world, willow_body_id id,
                                             const float *weights, uint32_t count)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (!wi_body_morphs(world, body)) return WILLOW_BAD_ARGUMENT;
    result = wi_trial_weigh(&world->memory, &body->geometry->mesh, weights, count, &world->message,
                            &body->more->trial);
    if (result == WILLOW_OK) note_trial(world, body);
    return result;
}

willow_result willow_body_set_target_joints(willow_world *world, willow_body_id id,
                                            const willow_affine *matrices, uint32_t count)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (!wi_body_has_skin(world, body)) return WILLOW_BAD_ARGUMENT;
    result = wi_trial_place_joints(&world->memory, &body->geometry->mesh, matrices, count,
                                   &world->message, &body->more->trial);
    if (result == WILLOW_OK) note_trial(world, body);
    return result;
}

willow_result willow_body_set_target_deformation(willow_world *world, willow_body_id id,
                                                 void *context)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (body->geometry->mesh.motion != WI_MOTION_USER)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "the body has no deformation");
    wi_trial_deform(&body->more->trial, context);
    note_trial(world, body);
    return WILLOW_OK;
}

willow_result willow_body_set_target_pose(willow_world *world, willow_body_id id,
                                          const willow_pose *pose)
{
    wi_body *body;
    willow_result result = wi_body_get_whole(world, id, &body);
    if (result != WILLOW_OK) return result;
    if (pose == NULL) return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "there is no pose");
    result = wi_check_pose(&world->message, pose);
    if (result != WILLOW_OK) return result;
    body->more->trial.pose = *pose;
    body->more->trial.moves_pose = true;
    note_trial(world, body);
    return WILLOW_OK;
}

static bool follows_paths(const wi_body *body)
{
    return body && !wi_body_is_light(body) && wi_mesh_has_paths(&body->geometry->mesh);
}

willow_result willow_world_set_target_time(willow_world *world, double time)
{
    wi_message_clear(&world->message);
    if (!(time - time == 0.0))
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "a target time of %g is not finite",
                       time);
    world->target_time = time;
    for (size_t i = 0; i < world->bodies.count; i++)
        if (follows_paths(world->bodies.items[i])) world->bodies.items[i]->needs_step_end = true;
    world->is_stale = true;
    return WILLOW_OK;
}
