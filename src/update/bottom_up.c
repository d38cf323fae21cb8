/* bottom_up.c - BOTTOM_UP: the tree is kept and all of its boxes are computed anew.
 *
 * After van den Bergen 1997, with leaves of several triangles bounded over their unique vertices.
 * The best method where queries open most of the tree, and the one to beat elsewhere. */
#include "update/bottom_up.h"

#include "base/check.h"

willow_result wi_bottom_up_update(wi_update *u)
{
    if (u->needs_build) {
        willow_result result = wi_update_build(u);
        if (result != WILLOW_OK) return result;
    }
    u->h->revision = u->revision;
    if (u->h->views == NULL) return WILLOW_OK;
    if (u->did_build || !u->is_bounded) wi_refit_leaves(u->kernels, &u->tasks, u->h);
    u->kernels->merge(u->h, u->revision);
    u->nodes_updated = u->h->node_count;
    WI_ASSERT_SLOW(wi_hierarchy_validate(u->h) == NULL);
    return WILLOW_OK;
}

extern const wi_method_ops wi_bottom_up_ops;
const wi_method_ops wi_bottom_up_ops = {
    .method = WILLOW_METHOD_BOTTOM_UP, .update = wi_bottom_up_update, .take = wi_refit_take};
