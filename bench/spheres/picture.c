/* picture.c - what is there of the four trees in one frame, for the picture of the page. */
#include "bench/spheres/spheres.h"

typedef struct taking {
    spheres_picture *picture;
    float extent, at[2]; /* of the body */
    bool is_y_up;
} taking;

/* Leaves are as their cells: drawn, too. */
static bool take_node(void *context, const willow_node *node)
{
    const taking *t = context;
    spheres_picture *picture = t->picture;
    if (picture->count == SPHERES_PICTURE_BOXES) return false;
    const willow_vec3 a = node->box.lower, b = node->box.upper;
    const float lower[2] = {a.x, t->is_y_up ? a.y : a.z};
    const float upper[2] = {b.x, t->is_y_up ? b.y : b.z};
    spheres_picture_box *box = &picture->boxes[picture->count++];
    box->depth = node->depth;
    for (int axis = 0; axis < 2; axis++) {
        box->lower[axis] = lower[axis] / t->extent + t->at[axis];
        box->upper[axis] = upper[axis] / t->extent + t->at[axis];
    }
    return true;
}

willow_result spheres_take_picture(const spheres_play *play, const spheres_model *model,
                                   uint32_t frame, float extent, spheres_picture *out)
{
    willow_result result = WILLOW_OK;
    *out = (spheres_picture){.model = model, .frame = frame};
    for (int i = 0; i < SPHERES_BODIES && result == WILLOW_OK; i++) {
        taking t = {.picture = out, .extent = extent, .is_y_up = play->is_y_up};
        willow_pose pose;
        scene_pose(play->route, frame, (uint32_t)i, &pose);
        t.at[0] = pose.translation.x / extent;
        t.at[1] = pose.translation.z / extent; /* the scene is z up */
        for (int axis = 0; axis < 2; axis++) out->at[i][axis] = t.at[axis];
        result = willow_body_visit_nodes(play->world, play->bodies[i], take_node, &t);
    }
    return result;
}
