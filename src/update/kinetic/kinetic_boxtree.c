/* kinetic_boxtree.c - KINETIC_BOXTREE: a body with flight plans has a kinetic BoxTree. One without
 * is refitted. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/boxtree.h"
#include "update/kinetic/certificates.h"
#include "update/refit/bottom_up.h"

/* Boxes that inherit most of their ends may decay without any event. */
enum { UPDATES_PER_LOOK = 32 };

/* After renewals in vain the next look comes later (prepare.c). */
static bool has_aged(const wi_update *u)
{
    const wi_kinetic *k = &u->h->kinetic;
    const uint32_t doublings = u->h->habits.in_vain;
    return u->def->rebuild_ratio < INFINITY &&
           (k->fresh_values >> doublings > wi_boxtree_part_count(&k->box) ||
            k->box.updates >> doublings >= UPDATES_PER_LOOK);
}

/* The tree itself: as it is, or new, or new in parts. */
static willow_result prepare(wi_update *u)
{
    wi_tree *h = u->h;
    if (!u->needs_build && !has_aged(u)) return WILLOW_OK;
    if (!u->needs_build) h->habits.until_survey = 1;
    h->kinetic.fresh_values = 0;
    h->kinetic.box.updates = 0;
    return wi_update_build_or_renew(u);
}

/* A fresh tree has noted the spread of boxes that are as small as can be: these are larger from the
 * start. All are opened once, for the next look to be compared with. */
static void note_wear(wi_update *u, uint32_t in_vain)
{
    wi_tree *h = u->h;
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->node_count; node++) {
        atomic_store_explicit(&h->nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
        h->nodes[node].spread = 0.0F;
    }
    for (uint32_t node = 0; node < h->node_count; node++) (void)wi_open(h, node, &count);
    wi_tree_quality_note(h);
    h->habits.in_vain = in_vain;
    wi_update_schedule_survey(u);
}

static willow_result follow(wi_update *u)
{
    wi_tree *h = u->h;
    const uint32_t in_vain = h->habits.in_vain;
    willow_result result = prepare(u);
    if (result != WILLOW_OK) return result;
    u->mesh->stored = WI_STORED_OLD;
    if (h->nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    u->keeps_tree = !u->needs_build;
    result = wi_boxtree_advance(u);
    if (result != WILLOW_OK) return result;
    h->kinetic.box.updates++;
    h->refresh = wi_boxtree_refresh;
    h->revision = h->valid_from = u->revision;
    h->bounds = wi_boxtree_bounds(h);
    if (u->is_fresh) note_wear(u, in_vain);
    WI_ASSERT_SLOW(wi_kinetic_check(h) == NULL);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

static willow_result update(wi_update *u)
{
    if (wi_mesh_has_paths(u->mesh)) return follow(u);
    wi_kinetic_forget(&u->h->kinetic);
    return wi_bottom_up_update(u);
}

extern const wi_method_ops wi_kinetic_boxtree_ops;
const wi_method_ops wi_kinetic_boxtree_ops = {.method = WILLOW_METHOD_KINETIC_BOXTREE,
                                              .reads_plans = true,
                                              .update = update,
                                              .take = wi_refit_take};
