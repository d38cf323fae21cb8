/* build_or_renew.c - what every update of a kept tree begins with: building it, or renewing what
 * has decayed.
 *
 * Way in: wi_update_build_or_renew. Decay is looked for every few updates, in the boxes that the
 * last one and the queries since have computed. Where only a few subtrees have decayed these are
 * built afresh, else the whole tree. That may be in vain, where boxes overlap whatever the tree; it
 * is then long until the next look. */
#include "base/check.h"
#include "tree/self/self_lists.h"
#include "update/lazy/lazy.h"
#include "update/refit/packed_update.h"

/* A look costs about a hundredth of the updates between two. After each renewal in vain the next
 * one comes twice as late. */
enum { UPDATES_PER_SURVEY = 8 };

/* A renewal is in vain if it takes less than this off the spread. */
static const double WORTH_IT = 1.25;

/* That of the cut, unless there are only leaves below it. */
static uint32_t survey_level(const wi_update *u)
{
    const uint32_t level = wi_patches_level(u->h, wi_hybrid_level(u->def));
    WI_ASSERT(u->h->boxes.nodes && u->h->shape->height > 0);
    return level < u->h->shape->height ? level : u->h->shape->height - 1;
}

static willow_result renew_subtrees(wi_update *u)
{
    const uint32_t count = u->quality.worn;
    WI_ASSERT(count > 0 && count <= u->quality.subtrees);
    uint32_t *nodes = wi_alloc_array(u->memory, count, sizeof *nodes);
    if (nodes == NULL) return WILLOW_OUT_OF_MEMORY;
    wi_update_store_plan(u);
    (void)wi_tree_quality_survey(u->h, survey_level(u), (double)u->def->rebuild_ratio, nodes);
    willow_result result =
        wi_tree_rebuild_below(u->memory, u->workspace, u->kernel, u->mesh, u->h, nodes, count);
    wi_free_array(u->memory, nodes, count, sizeof *nodes);
    if (result == WILLOW_OK) u->subtrees_built = count;
    return result;
}

/* See wi_keeper_ops.never_decays. */
static double ratio_of(const wi_update *u)
{
    const wi_keeper *keeper = &u->h->keeper;
    const bool never_decays =
        keeper->state && keeper->ops->never_decays && keeper->ops->never_decays(keeper->state);
    return never_decays ? (double)INFINITY : (double)u->def->rebuild_ratio;
}

/* Builds the subtrees that have decayed, unless that is the whole tree, which is left to the
 * caller. The upper levels of a body that is folded overlap as much in a fresh tree, so wear
 * of these alone says nothing. */
static willow_result renew_tree(wi_update *u)
{
    const double ratio = ratio_of(u);
    const wi_tree_quality wear = u->quality =
        wi_tree_quality_survey(u->h, survey_level(u), ratio, NULL);
    u->did_survey = true;
    const bool is_most_seen = 2 * wear.seen > wear.subtrees;
    const bool is_worn = wear.below * wear.below > ratio && wear.above * wear.below > ratio;
    u->needs_build = 2 * wear.worn > wear.subtrees || (is_most_seen && is_worn);
    return !u->needs_build && wear.worn > 0 ? renew_subtrees(u) : WILLOW_OK;
}

/* What pairs within the body need to know of a tree that is new, or new in parts. */
static willow_result list_self(wi_update *u)
{
    wi_tree *h = u->h;
    if (!h->is_self || h->boxes.nodes == NULL) return WILLOW_OK;
    const bool ok =
        wi_self_lists_make(u->memory, u->workspace, h, wi_self_lists_want_loops(&h->def));
    WI_ASSERT_SLOW(!ok || wi_tree_validate_lists(h) == NULL);
    if (ok) return WILLOW_OK;
    u->outcome = WI_OUTCOME_LOST;
    wi_tree_destroy(u->memory, h);
    return WILLOW_OUT_OF_MEMORY;
}

/* Boxes of a tree that was renewed are compared with the old ones, in its nodes. */
static bool begins_packed(const wi_update *u)
{
    return u->packed && u->outcome == WI_OUTCOME_BUILT && !u->did_survey;
}

/* All boxes of a tree that is new, or new in parts. */
static willow_result bound_fresh(wi_update *u)
{
    wi_tree *h = u->h;
    wi_moved_vertices_free(u->memory, h->moved);
    h->moved = NULL;
    wi_tree_forget_kept(u->memory, h);
    if (h->boxes.nodes == NULL) return WILLOW_OK;
    WI_ASSERT(h->shape->structure == u->revision && h->shape->users == 1);
    u->nodes_updated = h->shape->node_count;
    if (begins_packed(u)) return wi_packed_boxes_begin(u);
    wi_refit_leaves(u->kernels, &u->tasks, h);
    u->kernels->merge(h, u->revision);
    wi_tree_quality_note(h);
    return WILLOW_OK;
}

void wi_update_schedule_survey(wi_update *u)
{
    wi_survey *survey = &u->h->survey;
    survey->wait = UPDATES_PER_SURVEY;
    if (!u->did_survey || u->h->boxes.nodes == NULL) return; /* the user's wish, no renewal */
    const wi_tree_quality now =
        wi_tree_quality_survey(u->h, survey_level(u), (double)INFINITY, NULL);
    const bool was_worth_it = u->quality.spread > WORTH_IT * now.spread;
    if (was_worth_it)
        wi_backoff_succeeded(survey);
    else
        wi_backoff_count_failure(survey);
    wi_backoff_wait(survey, UPDATES_PER_SURVEY);
}

void wi_update_note_built(wi_tree *h)
{
    wi_tree_quality_note(h);
    h->survey.wait = UPDATES_PER_SURVEY;
}

willow_result wi_update_build_or_renew(wi_update *u)
{
    wi_tree *h = u->h;
    willow_result result = WILLOW_OK;
    WI_ASSERT(u->revision >= h->boxes.revision && u->revision >= WI_FIRST_REVISION);
    WI_ASSERT(u->needs_build || h->boxes.nodes == NULL || !wi_backoff_is_due(&h->survey));
    if (!u->needs_build && h->boxes.nodes && wi_backoff_step(&h->survey)) {
        h->survey.wait = UPDATES_PER_SURVEY;
        result = renew_tree(u);
    }
    if (result == WILLOW_OK && u->needs_build) {
        wi_update_store_plan(u);
        result = wi_update_build(u);
    }
    if (result != WILLOW_OK) return result;
    if (u->subtrees_built > 0) u->outcome = WI_OUTCOME_RENEWED_PARTS;
    if (wi_update_is_fresh(u)) result = list_self(u);
    if (result != WILLOW_OK) return result;
    h->boxes.revision = u->revision;
    if (wi_update_is_fresh(u)) {
        if (h->boxes.nodes) h->shape->structure = u->revision;
        result = bound_fresh(u);
        wi_update_schedule_survey(u);
    }
    return result;
}
