/* prepare.c - what every update of a kept tree begins with: building it, or renewing what has
 * decayed.
 *
 * Way in: wi_update_prepare. Decay is looked for every few updates, in the boxes that the last one
 * and the queries since have computed. Where only a few subtrees have decayed these are built
 * afresh, else the whole tree. */
#include "base/check.h"
#include "update/lazy.h"

/* A look costs less than a hundredth of the updates between two. What was just renewed is left
 * alone for longer, so that motion that no tree fits is not met with a build at every look. */
enum { UPDATES_PER_SURVEY = 8, UPDATES_AFTER_RENEWAL = 24 };

/* Builds the worn subtrees, and says how many they were; the whole tree, if most have decayed, is
 * left to the caller. */
static willow_result renew(wi_update *u)
{
    wi_hierarchy *h = u->h;
    const double ratio = (double)u->def->rebuild_ratio;
    const uint32_t level = wi_patches_level(h, wi_hybrid_level(u->def));
    u->wear = wi_wear_survey(h, level, ratio, NULL);
    u->did_survey = true;
    if (u->wear.now > ratio * u->wear.fresh) {
        u->needs_build = true;
        return WILLOW_OK;
    }
    if (u->wear.worn == 0) return WILLOW_OK;
    uint32_t *nodes = wi_alloc_array(u->memory, u->wear.worn, sizeof *nodes);
    if (nodes == NULL) return WILLOW_OUT_OF_MEMORY;
    (void)wi_wear_survey(h, level, ratio, nodes);
    willow_result result = wi_hierarchy_rebuild_below(u->memory, u->workspace, u->kernel, u->mesh,
                                                      h, nodes, u->wear.worn);
    wi_free_array(u->memory, nodes, u->wear.worn, sizeof *nodes);
    if (result == WILLOW_OK) u->subtrees_built = u->wear.worn;
    return result;
}

/* All boxes of a tree that is new, or new in parts. */
static willow_result bound_fresh(wi_update *u)
{
    wi_hierarchy *h = u->h;
    wi_touch_free(u->memory, &h->touch);
    wi_patches_free(u->memory, &h->patches);
    if (h->views == NULL) return WILLOW_OK;
    wi_refit_leaves(u->kernels, &u->tasks, h);
    u->kernels->merge(h, u->revision);
    wi_wear_note(h);
    h->keep_from = u->revision + 1;
    u->nodes_updated = h->node_count;
    return WILLOW_OK;
}

willow_result wi_update_prepare(wi_update *u)
{
    wi_hierarchy *h = u->h;
    willow_result result = WILLOW_OK;
    if (!u->needs_build && h->views && --h->until_survey == 0) {
        h->until_survey = UPDATES_PER_SURVEY;
        result = renew(u);
    }
    if (result == WILLOW_OK && u->needs_build) result = wi_update_build(u);
    if (result != WILLOW_OK) return result;
    u->is_fresh = u->did_build || u->subtrees_built > 0;
    h->revision = u->revision;
    if (u->is_fresh) {
        h->until_survey = u->did_survey ? UPDATES_AFTER_RENEWAL : UPDATES_PER_SURVEY;
        result = bound_fresh(u);
    }
    return result;
}
