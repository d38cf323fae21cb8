/* play.c - the route of scenes/bunnies.c with four bodies of any model. */
#include "bench/spheres/spheres.h"

#include <stdio.h>

/* The animation of the paper takes about seven seconds. */
static const double SECONDS = SPHERES_SECONDS;

double spheres_time(uint32_t frame) { return SECONDS * frame / SPHERES_FRAMES; }

void spheres_play_close(spheres_play *play)
{
    if (play->scratch) willow_scratch_destroy(play->scratch);
    willow_world_destroy(play->world);
    scene_destroy(play->route);
    *play = (spheres_play){.route = NULL};
}

static willow_pose pose_at(const spheres_play *play, uint32_t frame, uint32_t body)
{
    willow_pose pose;
    scene_pose(play->route, frame, body, &pose);
    if (play->is_y_up) {
        const float up = pose.translation.z;
        pose.translation.z = pose.translation.y;
        pose.translation.y = up;
    }
    return pose;
}

/* The smallest bodies that the scene has, whose poses alone are used. */
static scene *open_route(uint32_t extent)
{
    char spec[SCENE_SPEC_MAX], reason[200];
    snprintf(spec, sizeof spec, "bunnies:triangles=1,frames=%d,variant=%u", SPHERES_FRAMES, extent);
    return scene_create(spec, reason, sizeof reason);
}

willow_result spheres_play_open(spheres_play *play, const spheres_model *model, uint32_t extent,
                                const willow_tree_def *tree)
{
    const willow_world_def def = willow_world_def_default();
    *play = (spheres_play){.route = open_route(extent), .is_y_up = model->is_y_up};
    if (play->route == NULL) return WILLOW_OUT_OF_MEMORY;
    willow_result result = willow_world_create(&def, &play->world);
    if (result == WILLOW_OK) result = willow_scratch_create(play->world, &play->scratch);
    for (uint32_t i = 0; i < SPHERES_BODIES && result == WILLOW_OK; i++) {
        const willow_pose pose = pose_at(play, 0, i);
        result = spheres_add(play->world, model, (float)extent, tree, &pose, &play->bodies[i]);
    }
    return result == WILLOW_OK ? willow_world_update(play->world, 0, NULL) : result;
}

willow_result spheres_play_frame(spheres_play *play, uint32_t frame)
{
    const willow_pose pose = pose_at(play, frame, 0);
    const willow_result result = willow_body_set_pose(play->world, play->bodies[0], &pose);
    return result == WILLOW_OK ? willow_world_update(play->world, spheres_time(frame), NULL)
                               : result;
}

willow_result spheres_play_measure(const spheres_play *play, willow_sphere_stats *sum)
{
    *sum = (willow_sphere_stats){.grown = 0};
    for (int i = 0; i < SPHERES_BODIES; i++) {
        willow_body_stats stats;
        const willow_result result = willow_body_get_stats(play->world, play->bodies[i], &stats);
        if (result != WILLOW_OK) return result;
        const willow_sphere_stats *one = &stats.sphere;
        for (int level = 0; level < WILLOW_MAX_CELL_DEPTH + 2; level++)
            sum->cells[level] += one->cells[level];
        sum->bytes_live += one->bytes_live;
        sum->bytes_live_most += one->bytes_live_most;
        sum->bytes_pool += one->bytes_pool;
        sum->grown += one->grown;
        sum->forgotten += one->forgotten;
        sum->occupancy.seen += one->occupancy.seen;
        sum->occupancy.missed += one->occupancy.missed;
        sum->occupancy.empty += one->occupancy.empty;
        sum->occupancy.wrong += one->occupancy.wrong;
        sum->pool_exhausted = sum->pool_exhausted || one->pool_exhausted;
    }
    return WILLOW_OK;
}
