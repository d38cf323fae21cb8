/* skin.h - keeps the tree of a skinned body true: joints and weights are all that changes. */
#ifndef WI_UPDATE_SKIN_SKIN_H
#define WI_UPDATE_SKIN_SKIN_H

#include "update/method.h"
#include "update/skin/joint_boxes.h"

/* The whole update of a body that is skinned: builds the tree if it or the skin is new, and says
 * that all boxes are old. What is kept for that is the state of `keeper`, which is wi_skin_keeper.
 * The mesh is live then. */
willow_result wi_skin_follow(wi_update *u, wi_keeper *keeper);

static inline bool wi_skin_suits(const wi_mesh *mesh) { return mesh->motion == WI_MOTION_SKIN; }

/* How many boxes of joints are moved for a node, on average. */
double wi_skin_boxes_per_node(const wi_tree *h);

#endif
