/* kinetic_aabb.c - KINETIC_AABB: a body with flight plans has a kinetic tree. One without is
 * refitted. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/certificates.h"
#include "update/kinetic/straight_boxes.h"
#include "update/refit/bottom_up.h"
#include "update/refit/packed_boxes.h"

/* A look for decay costs about as much as so many changed ends. */
static bool has_aged(const wi_update *u)
{
    const wi_kinetic *k = &u->h->kinetic;
    return u->def->rebuild_ratio < INFINITY &&
           k->fresh_values > (size_t)WI_ENDS * (u->h->node_count + u->h->leaf_count);
}

/* The tree itself: as it is, or new, or new in parts. For those all positions are needed. */
static willow_result prepare(wi_update *u)
{
    wi_tree *h = u->h;
    if (!u->needs_build && !has_aged(u)) return WILLOW_OK;
    if (!u->needs_build) h->habits.until_survey = 1;
    h->kinetic.fresh_values = 0;
    u->is_compact = u->def->events == WILLOW_EVENTS_NONE && wi_packed_boxes_suits(u->def, u->mesh);
    wi_update_store_plan(u);
    return wi_update_build_or_renew(u);
}

/* A kinetic tree has no use for what refits keep. */
willow_result wi_kinetic_follow(wi_update *u)
{
    wi_tree *h = u->h;
    wi_patches_free(u->memory, &h->patches);
    if (!h->kinetic.straight.from) wi_packed_boxes_free(u->memory, &h->packed);
    willow_result result = prepare(u);
    if (result != WILLOW_OK) return result;
    u->mesh->stored = WI_STORED_OLD;
    if (h->nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    u->keeps_tree = !u->needs_build;
    result =
        u->def->events == WILLOW_EVENTS_NONE ? wi_straight_boxes_advance(u) : wi_kinetic_advance(u);
    if (result != WILLOW_OK) return result;
    h->refresh = wi_kinetic_refresh_for(h, u->kernel);
    h->revision = u->revision;
    if (!u->is_fresh) h->valid_from = u->revision;
    h->bounds = wi_kinetic_bounds(h);
    WI_ASSERT_SLOW(wi_kinetic_check(h) == NULL);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

/* Without a plan it is refitted. */
static willow_result update(wi_update *u)
{
    if (wi_mesh_has_paths(u->mesh)) return wi_kinetic_follow(u);
    wi_kinetic_free(u->memory, &u->h->kinetic);
    return wi_packed_boxes_suits(u->def, u->mesh) ? wi_packed_boxes_update(u)
                                                  : wi_bottom_up_update(u);
}

static bool take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                 wi_source source)
{
    return h->packed.boxes ? wi_packed_boxes_take(kernel, tasks, h, mesh, source)
                           : wi_refit_take(kernel, tasks, h, mesh, source);
}

extern const wi_method_ops wi_kinetic_aabb_ops;
const wi_method_ops wi_kinetic_aabb_ops = {
    .method = WILLOW_METHOD_KINETIC_AABB, .reads_plans = true, .update = update, .take = take};
