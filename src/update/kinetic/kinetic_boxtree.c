/* kinetic_boxtree.c - KINETIC_BOXTREE: a body with flight plans has a kinetic BoxTree. One without
 * is refitted. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/boxtree.h"
#include "update/kinetic/certificates.h"
#include "update/refit/bottom_up.h"

/* Boxes that inherit most of their ends may decay without any event. */
enum { UPDATES_PER_LOOK = 32 };

/* After renewals in vain the next look comes later (build_or_renew.c). */
static bool boxtree_has_aged(const wi_update *u, const wi_kinetic *k)
{
    const uint32_t doublings = u->h->survey.failures;
    return u->def->rebuild_ratio < INFINITY &&
           (k->fresh_values >> doublings > wi_boxtree_part_count(&k->box) ||
            k->box.updates >> doublings >= UPDATES_PER_LOOK);
}

/* The tree itself: as it is, or new, or new in parts. */
static willow_result boxtree_prepare(wi_update *u, wi_kinetic *k)
{
    if (!u->needs_build && !boxtree_has_aged(u, k)) return WILLOW_OK;
    if (!u->needs_build) u->h->survey.wait = 1;
    k->fresh_values = 0;
    k->box.updates = 0;
    return wi_update_build_or_renew(u);
}

/* A fresh tree has noted the spread of boxes that are as small as can be: these are larger from the
 * start. All are opened once, for the next look to be compared with. */
static void note_wear(wi_update *u, uint32_t failures)
{
    wi_tree *h = u->h;
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
        h->boxes.nodes[node].spread = 0.0F;
    }
    for (uint32_t node = 0; node < h->shape->node_count; node++) (void)wi_open(h, node, &count);
    wi_tree_quality_note(h);
    h->survey.failures = failures;
    wi_update_schedule_survey(u);
}

static willow_result boxtree_follow(wi_update *u)
{
    wi_tree *h = u->h;
    const uint32_t failures = h->survey.failures;
    wi_kinetic *k = wi_keeper_reserve(u->memory, &h->keeper, sizeof *k);
    if (k == NULL) return WILLOW_OUT_OF_MEMORY;
    willow_result result = boxtree_prepare(u, k);
    if (result != WILLOW_OK) return result;
    u->mesh->stored = WI_STORED_OLD;
    if (h->boxes.nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    if (!wi_update_is_fresh(u)) u->outcome = WI_OUTCOME_KEPT;
    wi_tree_act(h, &h->keeper, wi_boxtree_refresh);
    result = wi_boxtree_advance(u);
    if (result != WILLOW_OK) return result;
    k->box.updates++;
    h->boxes.revision = h->boxes.valid_from = u->revision;
    h->boxes.bounds = wi_boxtree_bounds(h);
    if (wi_update_is_fresh(u)) note_wear(u, failures);
    WI_ASSERT_SLOW(wi_kinetic_check(h) == NULL);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

static willow_result boxtree_update(wi_update *u)
{
    wi_tree_keep_by(u->memory, u->h, &wi_kinetic_keeper);
    if (wi_mesh_has_paths(u->mesh)) return boxtree_follow(u);
    if (u->h->keeper.state) wi_kinetic_forget(u->h->keeper.state); /* its room is kept */
    return wi_bottom_up_update(u);
}

extern const wi_method_ops wi_kinetic_boxtree_ops;
const wi_method_ops wi_kinetic_boxtree_ops = {
    .reads_plans = true, .update = boxtree_update, .take = wi_refit_take};
