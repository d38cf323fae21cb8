/* auto.c - AUTO: HYBRID, BOTTOM_UP or TOP_DOWN, whichever the last queries ask for; KINETIC_AABB
 * where there is a flight plan that is worth following (update/auto/plan_account.h); BLEND where
 * there is a morph, while queries do not reach most of the body (update/auto/blend_account.h).
 *
 * Every few updates the tree is looked at anyway (prepare.c), and its stamps tell which nodes
 * queries opened since the last update. Where next to none are, the cut goes up to the root; where
 * most are, refitting all of them in one sweep is cheaper than one by one. A refitted tree does not
 * tell what was opened, so the last update before each look leaves its nodes closed. All of this
 * follows from counts, so it is the same with any number of threads (C10). */
#include "base/check.h"
#include "update/auto/blend_account.h"
#include "update/auto/plan_account.h"
#include "update/blend/blend.h"
#include "update/kinetic/certificates.h"
#include "update/lazy/lazy.h"
#include "update/refit/bottom_up.h"

/* Shares of the nodes below the cut, measured on `bumpy` and `many` (docs/methods.md). What lies
 * between leads to no change, so that nothing swings. */
static const double MOST = 0.75, MANY = 0.5;

/* How many looks in a row must find nothing opened before the cut goes up; each time that this was
 * wrong it is twice as many. */
enum { CALM_AT_FIRST = 2, CALM_AT_MOST = 64 };

static willow_method choose_calm(wi_tree *h, const wi_tree_quality *wear)
{
    if (h->habits.calm_needed == 0) h->habits.calm_needed = CALM_AT_FIRST;
    if (h->habits.mode == WILLOW_METHOD_TOP_DOWN && wear->open + wear->open_above == 0)
        return h->habits.mode;
    if (h->habits.mode == WILLOW_METHOD_TOP_DOWN) {
        h->habits.calm = 0;
        if (h->habits.calm_needed < CALM_AT_MOST) h->habits.calm_needed *= 2;
        return WILLOW_METHOD_HYBRID;
    }
    h->habits.calm = wear->open + wear->open_above == 0 ? h->habits.calm + 1 : 0;
    return h->habits.calm >= h->habits.calm_needed ? WILLOW_METHOD_TOP_DOWN : WILLOW_METHOD_HYBRID;
}

static willow_method choose(wi_tree *h, const wi_tree_quality *wear)
{
    const double share = wear->node_count > 0 ? (double)wear->open / (double)wear->node_count : 0.0;
    if (h->habits.mode == WILLOW_METHOD_BOTTOM_UP)
        return share < MANY ? WILLOW_METHOD_HYBRID : WILLOW_METHOD_BOTTOM_UP;
    if (share > MOST && !(h->def.margin > 0.0F)) return WILLOW_METHOD_BOTTOM_UP;
    return choose_calm(h, wear);
}

/* Whether the coming update, with so many left until the next look, leaves nodes closed: because
 * of the mode, or so that the look tells something. */
static bool is_lazy(const wi_tree *h, uint32_t until_survey)
{
    return h->habits.mode != WILLOW_METHOD_BOTTOM_UP || until_survey == 1;
}

static willow_result bound(wi_update *u)
{
    wi_tree *h = u->h;
    const bool is_refitted = h->refresh == NULL;
    if (u->is_partial && !u->is_fresh) { /* boxes stay as they are but for what is touched */
        if (is_refitted)
            wi_bottom_up_bound(u);
        else
            wi_lazy_bound_touched(u);
        return WILLOW_OK;
    }
    if (is_lazy(h, h->habits.until_survey)) {
        h->habits.is_telling = !u->is_fresh;
        return wi_lazy_bound(u, h->habits.mode == WILLOW_METHOD_TOP_DOWN ? 0
                                                                         : wi_hybrid_level(u->def));
    }
    h->refresh = NULL;
    wi_update_store_plan(u);
    wi_bottom_up_bound(u);
    return WILLOW_OK;
}

/* The update counts down before it bounds anything. */
static bool takes_lazily(const wi_tree *h) { return is_lazy(h, h->habits.until_survey - 1); }

static willow_result follow(wi_update *u)
{
    wi_tree *h = u->h;
    const uint64_t since = h->valid_from;
    h->habits.is_telling = false;
    const willow_result result = wi_kinetic_follow(u);
    if (result == WILLOW_OK)
        wi_plan_account_count(u, since);
    else
        wi_plan_account_give_up(h); /* a refit needs less */
    return result;
}

/* A blended tree has no use for what others need, but for the patches: it may be refitted again,
 * and they take longer to make than a refit. */
static willow_result blend(wi_update *u)
{
    wi_tree *h = u->h;
    const uint64_t since = h->valid_from;
    wi_packed_boxes_free(u->memory, &h->packed);
    wi_kinetic_free(u->memory, &h->kinetic);
    h->habits.is_telling = false;
    const willow_result result = wi_blend_follow(u);
    if (result == WILLOW_OK) wi_blend_account_count(u, since);
    return result;
}

/* What is known of the tree is of shapes that are no more, but the tree is good enough. */
static void end_blend(wi_update *u)
{
    wi_tree *h = u->h;
    wi_blend_free(u->memory, &h->blend);
    if (h->habits.mode != WILLOW_METHOD_BLEND) return;
    h->habits.mode = WILLOW_METHOD_HYBRID;
    u->is_bounded = u->is_measured = false;
}

/* A refitted tree has no use for what plans need. */
static willow_result refit(wi_update *u)
{
    wi_tree *h = u->h;
    wi_kinetic_free(u->memory, &h->kinetic);
    wi_packed_boxes_free(u->memory, &h->packed);
    if (h->habits.mode == WILLOW_METHOD_KINETIC_AABB) h->habits.mode = WILLOW_METHOD_HYBRID;
    const bool took_lazily = takes_lazily(h);
    willow_result result = wi_update_build_or_renew(u);
    if (result != WILLOW_OK) return result;
    if (h->habits.mode == WILLOW_METHOD_AUTO) h->habits.mode = WILLOW_METHOD_HYBRID;
    if (u->did_survey && h->habits.is_telling) {
        h->habits.mode = choose(h, &u->wear);
        if (wi_blend_suits(u->mesh)) wi_blend_account_survey(u);
    }
    if (!u->is_partial || u->is_fresh) h->habits.is_telling = false;
    if (is_lazy(h, h->habits.until_survey) != took_lazily) u->is_bounded = false;
    result = bound(u);
    WI_ASSERT_SLOW(result != WILLOW_OK || wi_tree_validate(h) == NULL);
    return result;
}

static willow_result update(wi_update *u)
{
    if (wi_blend_suits(u->mesh)) return wi_blend_account_blends(u) ? blend(u) : refit(u);
    end_blend(u);
    return wi_mesh_has_paths(u->mesh) && wi_plan_account_follows(u) ? follow(u) : refit(u);
}

static bool take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                 wi_source source)
{
    return takes_lazily(h) && h->patches.items ? wi_lazy_take(kernel, tasks, h, mesh, source)
                                               : wi_refit_take(kernel, tasks, h, mesh, source);
}

extern const wi_method_ops wi_auto_ops;
const wi_method_ops wi_auto_ops = {.method = WILLOW_METHOD_AUTO,
                                   .reads_plans = true,
                                   .reads_morphs = true,
                                   .update = update,
                                   .take = take};
