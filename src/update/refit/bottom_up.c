/* bottom_up.c - BOTTOM_UP: the tree is kept and all of its boxes are computed anew.
 *
 * After van den Bergen 1997, with leaves of several triangles bounded over their unique vertices.
 * The best method where queries open most of the tree, and the one to beat elsewhere. Narrow trees
 * have their boxes side by side (packed_boxes.h). */
#include "update/refit/bottom_up.h"

#include "base/check.h"
#include "update/lazy/lazy.h"
#include "update/refit/packed_update.h"

void wi_bottom_up_bound(wi_update *u)
{
    wi_tree *h = u->h;
    if (h->boxes.nodes == NULL || wi_update_is_fresh(u)) return;
    if (u->known == WI_KNOWN_PARTIAL) {
        u->nodes_updated = u->kernels->merge_touched(h, u->revision);
        return;
    }
    wi_tree_act(h, &(wi_keeper){0}, NULL);
    if (!wi_update_is_bounded(u)) wi_refit_leaves(u->kernels, &u->tasks, h);
    u->kernels->merge(h, u->revision);
    u->nodes_updated = h->shape->node_count;
}

willow_result wi_bottom_up_update(wi_update *u)
{
    willow_result result = wi_update_build_or_renew(u);
    if (result != WILLOW_OK) return result;
    wi_bottom_up_bound(u);
    WI_ASSERT_SLOW(wi_tree_validate(u->h) == NULL);
    return WILLOW_OK;
}

/* There is nothing to keep. */
static const wi_keeper_ops refit_keeper = {.name = "refit"};

willow_result wi_refit_update(wi_update *u)
{
    wi_tree_keep_by(u->memory, u->h, &refit_keeper);
    return wi_bottom_up_update(u);
}

/* Boxes with a margin are kept as they are in a lazy tree, of which the update then opens every
 * node: those that are still true cost a look. */
static willow_result bottom_up_update(wi_update *u)
{
    if (wi_packed_boxes_suits(u->def, u->mesh)) return wi_packed_boxes_update(u);
    if (!(u->def->margin > 0.0F)) return wi_refit_update(u);
    willow_result result = wi_lazy_update(u, WI_HALF_HEIGHT);
    if (result == WILLOW_OK) wi_lazy_open_all(u);
    return result;
}

bool wi_refit_or_packed_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h,
                             wi_mesh *mesh, wi_source source)
{
    return h->boxes.acting.ops == &wi_packed_keeper
               ? wi_packed_boxes_take(kernel, tasks, h, mesh, source)
               : wi_refit_take(kernel, tasks, h, mesh, source);
}

static bool bottom_up_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h,
                           wi_mesh *mesh, wi_source source)
{
    return h->boxes.acting.ops == &wi_lazy_keeper
               ? wi_lazy_take(kernel, tasks, h, mesh, source)
               : wi_refit_or_packed_take(kernel, tasks, h, mesh, source);
}

extern const wi_method_ops wi_bottom_up_ops;
const wi_method_ops wi_bottom_up_ops = {.update = bottom_up_update, .take = bottom_up_take};
