/* user_bounds.h - keeps the tree of a body true that its user bounds. */
#ifndef WI_UPDATE_BLEND_USER_BOUNDS_H
#define WI_UPDATE_BLEND_USER_BOUNDS_H

#include "update/blend/user_parts.h"
#include "update/method.h"

/* The whole update of a body whose deformation has bounds: builds the tree in the rest shape if it
 * or the shape is new, and says that all boxes are old. What is kept for that is the state of
 * `keeper`. The mesh is live then. */
willow_result wi_user_bounds_follow(wi_update *u, wi_keeper *keeper);

/* How many parts the user bounds now: nodes and leaves. 0 if he does not. */
uint32_t wi_user_bounds_part_count(const wi_tree *h);

/* What the user is told of a node, or of the leaf of this number plus that of all nodes. */
willow_part wi_user_bounds_part(const wi_tree *h, uint32_t number);

#endif
