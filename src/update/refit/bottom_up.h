/* bottom_up.h - the update of BOTTOM_UP, which others end with. */
#ifndef WI_UPDATE_REFIT_BOTTOM_UP_H
#define WI_UPDATE_REFIT_BOTTOM_UP_H

#include "update/method.h"

/* Prepares, then bounds all leaves and nodes, or those that are touched. */
willow_result wi_bottom_up_update(wi_update *u);

/* The same for a tree that keeps nothing beside its nodes. */
willow_result wi_refit_update(wi_update *u);

/* wi_refit_take, or the same of a tree with packed boxes. */
bool wi_refit_or_packed_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h,
                             wi_mesh *mesh, wi_source source);

/* The second half of it. */
void wi_bottom_up_bound(wi_update *u);

#endif
