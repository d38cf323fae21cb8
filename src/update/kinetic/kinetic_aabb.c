/* kinetic_aabb.c - KINETIC_AABB: a body with flight plans has a kinetic tree. One without is
 * refitted. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/certificates.h"
#include "update/kinetic/straight_spans.h"
#include "update/refit/bottom_up.h"
#include "update/refit/packed_update.h"

/* A look for decay costs about as much as so many changed ends. */
static bool aabb_has_aged(const wi_update *u, const wi_kinetic *k)
{
    return u->def->rebuild_ratio < INFINITY &&
           k->fresh_values > (size_t)WI_ENDS * (u->h->shape->node_count + u->h->shape->leaf_count);
}

/* The tree itself: as it is, or new, or new in parts. For those all positions are needed. */
static willow_result aabb_prepare(wi_update *u, wi_kinetic *k)
{
    if (!u->needs_build && !aabb_has_aged(u, k)) return WILLOW_OK;
    if (!u->needs_build) u->h->survey.wait = 1;
    k->fresh_values = 0;
    if (u->def->events == WILLOW_EVENTS_NONE && wi_packed_boxes_suits(u->def, u->mesh))
        u->packed = &k->packed;
    wi_update_store_plan(u);
    return wi_update_build_or_renew(u);
}

willow_result wi_kinetic_follow(wi_update *u, wi_keeper *keeper)
{
    wi_tree *h = u->h;
    wi_kinetic *k = wi_keeper_reserve(u->memory, keeper, sizeof *k);
    if (k == NULL) return WILLOW_OUT_OF_MEMORY;
    if (!k->straight.from) wi_packed_boxes_free(u->memory, &k->packed);
    willow_result result = aabb_prepare(u, k);
    if (result != WILLOW_OK) return result;
    u->mesh->stored = WI_STORED_OLD;
    if (h->boxes.nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    if (!wi_update_is_fresh(u)) u->outcome = WI_OUTCOME_KEPT;
    wi_tree_act(h, keeper, h->boxes.refresh);
    result =
        u->def->events == WILLOW_EVENTS_NONE ? wi_straight_boxes_advance(u) : wi_kinetic_advance(u);
    if (result != WILLOW_OK) return result;
    wi_tree_act(h, keeper, wi_kinetic_refresh_for(h, u->kernel));
    h->boxes.revision = u->revision;
    if (!wi_update_is_fresh(u)) h->boxes.valid_from = u->revision;
    h->boxes.bounds = wi_kinetic_bounds(h);
    WI_ASSERT_SLOW(wi_kinetic_check(h) == NULL);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

/* Without a plan it is refitted. */
static willow_result aabb_update(wi_update *u)
{
    if (wi_mesh_has_paths(u->mesh)) {
        wi_tree_keep_by(u->memory, u->h, &wi_kinetic_keeper);
        return wi_kinetic_follow(u, &u->h->keeper);
    }
    return wi_packed_boxes_suits(u->def, u->mesh) ? wi_packed_boxes_update(u) : wi_refit_update(u);
}

extern const wi_method_ops wi_kinetic_aabb_ops;
const wi_method_ops wi_kinetic_aabb_ops = {
    .reads_plans = true, .update = aabb_update, .take = wi_refit_or_packed_take};
