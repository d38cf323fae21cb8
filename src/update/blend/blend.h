/* blend.h - keeps the tree of a morphing body true: weights are all that changes. */
#ifndef WI_UPDATE_BLEND_BLEND_H
#define WI_UPDATE_BLEND_BLEND_H

#include "update/blend/shapes.h"
#include "update/method.h"

/* The whole update of a body that is morphed, or deformed (update/blend/user_bounds.h): builds the
 * tree if it or the morph is new, and says that all boxes are old. What is kept for that is the
 * state of `keeper`, which wi_blend_keeper_for has chosen. The mesh is live then. */
willow_result wi_blend_follow(wi_update *u, wi_keeper *keeper);

/* The keeper for that. */
const wi_keeper_ops *wi_blend_keeper_for(const wi_mesh *mesh);

/* It has one for this mesh: one that morphs, or whose user bounds nodes. */
static inline bool wi_blend_suits(const wi_mesh *mesh)
{
    return mesh->motion == WI_MOTION_MORPH ||
           (mesh->motion == WI_MOTION_USER && wi_mesh_user(mesh)->hook.bound);
}

/* How nodes of such a tree are opened: their boxes are sums of those of shapes. */
wi_refresh *wi_blend_refresh_for(willow_kernel kernel);

#endif
