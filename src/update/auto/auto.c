/* auto.c - AUTO: HYBRID, BOTTOM_UP or TOP_DOWN, whichever the last queries ask for; KINETIC_AABB
 * where there is a flight plan that is worth following (update/auto/plan_account.h); BLEND where
 * there is a morph and SKIN where there is a skin, while queries do not reach most of the body
 * (update/auto/blend_account.h); and BALANCED from an edit of the body on, until packing its tree
 * pays (update/auto/link_account.h).
 *
 * Every few updates the tree is looked at anyway (build_or_renew.c), and its stamps tell which
 * nodes queries opened since the last update. Where next to none are, the cut goes up to the root;
 * where most are, refitting all of them in one sweep is cheaper than one by one. A refitted tree
 * does not tell what was opened, so the last update before each look leaves its nodes closed. All
 * of this follows from counts, so it is the same with any number of threads (C10). */
#include "update/auto/auto.h"

#include "base/check.h"
#include "tree/linked/links.h"
#include "update/balanced/balanced.h"
#include "update/blend/blend.h"
#include "update/kinetic/certificates.h"
#include "update/lazy/lazy.h"
#include "update/refit/bottom_up.h"
#include "update/skin/skin.h"

/* Shares of the nodes below the cut, measured on `bumpy` and `many` (docs/methods.md). What lies
 * between leads to no change, so that nothing swings. */
static const double MOST = 0.75, MANY = 0.5;

/* How many looks in a row must find nothing opened before the cut goes up; each time that this was
 * wrong it is twice as many. */
enum { CALM_AT_FIRST = 2, CALM_AT_MOST = 64 };

static willow_method choose_calm(wi_auto *a, const wi_tree_quality *seen)
{
    const bool is_calm = seen->open + seen->open_above == 0;
    WI_ASSERT(a->calm_needed <= CALM_AT_MOST && seen->open <= seen->node_count);
    if (a->calm_needed == 0) a->calm_needed = CALM_AT_FIRST;
    if (a->mode == WILLOW_METHOD_TOP_DOWN && is_calm) return a->mode;
    if (a->mode == WILLOW_METHOD_TOP_DOWN) {
        a->calm = 0;
        if (a->calm_needed < CALM_AT_MOST) a->calm_needed *= 2;
        return WILLOW_METHOD_HYBRID;
    }
    a->calm = is_calm ? a->calm + 1 : 0;
    return a->calm >= a->calm_needed ? WILLOW_METHOD_TOP_DOWN : WILLOW_METHOD_HYBRID;
}

static willow_method auto_choose(const wi_tree *h, wi_auto *a, const wi_tree_quality *seen)
{
    const double share = seen->node_count > 0 ? (double)seen->open / (double)seen->node_count : 0.0;
    if (a->mode == WILLOW_METHOD_BOTTOM_UP)
        return share < MANY ? WILLOW_METHOD_HYBRID : WILLOW_METHOD_BOTTOM_UP;
    if (share > MOST && !(h->def.margin > 0.0F)) return WILLOW_METHOD_BOTTOM_UP;
    return choose_calm(a, seen);
}

/* Whether the coming update, with so many left until the next look, leaves nodes closed: because
 * of the mode, or so that the look tells something. */
static bool is_lazy(const wi_auto *a, uint32_t until_survey)
{
    return a->mode != WILLOW_METHOD_BOTTOM_UP || until_survey == 1;
}

static willow_result auto_bound(wi_update *u, wi_auto *a)
{
    wi_tree *h = u->h;
    WI_ASSERT(a->lazy.ops == &wi_lazy_keeper && a->kinetic.ops == &wi_kinetic_keeper);
    if (wi_update_is_partial(u)) { /* boxes stay as they are but for what is touched */
        if (h->boxes.refresh == NULL)
            wi_bottom_up_bound(u);
        else
            wi_lazy_bound_touched(u);
        return WILLOW_OK;
    }
    if (is_lazy(a, h->survey.wait)) {
        const bool is_at_root = a->mode == WILLOW_METHOD_TOP_DOWN;
        a->is_telling = !wi_update_is_fresh(u);
        return wi_lazy_bound(u, &a->lazy, is_at_root ? 0 : wi_hybrid_level(u->def));
    }
    wi_update_store_plan(u);
    wi_bottom_up_bound(u);
    return WILLOW_OK;
}

/* The update counts down before it bounds anything. */
static bool takes_lazily(const wi_tree *h, const wi_auto *a)
{
    return is_lazy(a, h->survey.wait - 1);
}

/* A kinetic tree has no use for what refits keep. */
static willow_result auto_follow(wi_update *u, wi_auto *a)
{
    wi_tree *h = u->h;
    const uint64_t since = h->boxes.valid_from;
    a->is_telling = false;
    wi_keeper_free(u->memory, h, &a->lazy);
    const willow_result result = wi_kinetic_follow(u, &a->kinetic);
    if (result == WILLOW_OK)
        wi_plan_account_count(u, a, since);
    else
        wi_plan_account_give_up(a); /* a refit needs less */
    return result;
}

/* Boxes of this mesh need not be made of its vertices: BLEND or SKIN would keep them. */
static bool blend_or_skin_suits(const wi_mesh *mesh)
{
    return wi_skin_suits(mesh) || wi_blend_suits(mesh);
}

static willow_result blend_or_skin_follow(wi_update *u, wi_keeper *keeper)
{
    return wi_skin_suits(u->mesh) ? wi_skin_follow(u, keeper) : wi_blend_follow(u, keeper);
}

/* A blended tree has no use for what others need, but for the patches: it may be refitted again,
 * and they take longer to make than a refit. */
static willow_result auto_blend(wi_update *u, wi_auto *a)
{
    wi_tree *h = u->h;
    const wi_keeper_ops *ops =
        wi_skin_suits(u->mesh) ? &wi_skin_keeper : wi_blend_keeper_for(u->mesh);
    wi_keeper_free(u->memory, h, &a->kinetic);
    if (a->blend.ops != ops) {
        wi_keeper_free(u->memory, h, &a->blend);
        a->blend.ops = ops;
    }
    a->is_telling = false;
    return blend_or_skin_follow(u, &a->blend);
}

/* What is known of the tree is of shapes that are no more, but the tree is good enough. */
static void end_blend(wi_update *u, wi_auto *a)
{
    wi_keeper_free(u->memory, u->h, &a->blend);
    if (!wi_blend_account_is_mode(a->mode)) return;
    a->mode = WILLOW_METHOD_HYBRID;
    wi_update_forget_bounds(u);
}

/* A refitted tree has no use for what plans need. */
static willow_result refit(wi_update *u, wi_auto *a)
{
    wi_tree *h = u->h;
    wi_keeper_free(u->memory, h, &a->kinetic);
    if (a->mode == WILLOW_METHOD_KINETIC_AABB) a->mode = WILLOW_METHOD_HYBRID;
    const bool took_lazily = takes_lazily(h, a);
    willow_result result = wi_update_build_or_renew(u);
    if (result != WILLOW_OK) return result;
    if (a->mode == WILLOW_METHOD_AUTO) a->mode = WILLOW_METHOD_HYBRID;
    if (u->did_survey && a->is_telling) {
        a->mode = auto_choose(h, a, &u->quality);
        WI_ASSERT(a->mode == WILLOW_METHOD_HYBRID || a->mode == WILLOW_METHOD_BOTTOM_UP ||
                  a->mode == WILLOW_METHOD_TOP_DOWN || wi_blend_account_is_mode(a->mode));
        if (blend_or_skin_suits(u->mesh)) wi_blend_account_survey(u, a);
    }
    if (!wi_update_is_partial(u)) a->is_telling = false;
    if (is_lazy(a, h->survey.wait) != took_lazily) wi_update_forget_bounds(u);
    result = auto_bound(u, a);
    WI_ASSERT_SLOW(result != WILLOW_OK || wi_tree_validate(h) == NULL);
    return result;
}

static const wi_keeper_ops auto_keeper;

/* The state of a tree that AUTO keeps, or NULL. */
static wi_auto *state_of(const wi_tree *h)
{
    return h->keeper.ops == &auto_keeper ? h->keeper.state : NULL;
}

/* A body of one leaf is refitted: there is nothing to learn, and nothing is kept for it. */
static bool is_small(const wi_update *u) { return u->mesh->tri_count <= u->def->leaf_triangles; }

/* ---- edits ---- */

/* The tree is linked and stays so, or is to be linked. What is edited too much, or has been quiet
 * until packing it pays, is built afresh. */
static bool auto_balances(wi_update *u, wi_auto *a)
{
    const bool is_linked = wi_shape_is_linked(u->h->shape);
    if (!u->is_edited && !is_linked) return false;
    if (wi_balanced_follows(u)) {
        if (u->is_edited)
            wi_link_account_edit(&a->link_account, u->h);
        else
            wi_link_account_rest(&a->link_account, u->h);
        if (u->is_edited || !wi_link_account_packs(&a->link_account, u->h)) return true;
    }
    u->needs_build = true;
    if (a->mode == WILLOW_METHOD_BALANCED) a->mode = WILLOW_METHOD_HYBRID;
    return false;
}

static willow_result auto_balance(wi_update *u, wi_auto *a)
{
    wi_keeper_free(u->memory, u->h, &a->lazy);
    wi_keeper_free(u->memory, u->h, &a->kinetic);
    wi_keeper_free(u->memory, u->h, &a->blend);
    a->is_telling = false;
    a->mode = WILLOW_METHOD_BALANCED;
    return wi_balanced_follow(u);
}

static willow_result auto_update(wi_update *u)
{
    if (is_small(u)) {
        u->needs_build = u->needs_build || u->is_edited || wi_shape_is_linked(u->h->shape);
        wi_update_store_plan(u);
        return wi_refit_update(u);
    }
    wi_tree_keep_by(u->memory, u->h, &auto_keeper);
    wi_auto *a = wi_keeper_reserve(u->memory, &u->h->keeper, sizeof *a);
    if (a == NULL) return WILLOW_OUT_OF_MEMORY;
    a->lazy.ops = &wi_lazy_keeper;
    a->kinetic.ops = &wi_kinetic_keeper;
    if (auto_balances(u, a)) {
        const willow_result result = auto_balance(u, a);
        if (result != WILLOW_OK || !u->needs_build) return result;
        a->mode = WILLOW_METHOD_HYBRID;
    }
    if (blend_or_skin_suits(u->mesh))
        return wi_blend_account_blends(u, a) ? auto_blend(u, a) : refit(u, a);
    end_blend(u, a);
    return wi_mesh_has_paths(u->mesh) && wi_plan_account_follows(u, a) ? auto_follow(u, a)
                                                                       : refit(u, a);
}

/* Patches that are kept while another acts, or nobody, are bounded all the same if the update will
 * use them. */
static bool auto_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                      wi_source source)
{
    const wi_auto *a = state_of(h);
    if (a == NULL || !wi_lazy_has_patches(&a->lazy) || !takes_lazily(h, a))
        return wi_refit_take(kernel, tasks, h, mesh, source);
    return wi_lazy_take_kept(kernel, tasks, h, mesh, source, &a->lazy);
}

willow_method wi_auto_mode(const wi_tree *h)
{
    const wi_auto *a = state_of(h);
    return a && a->mode != WILLOW_METHOD_AUTO ? a->mode : WILLOW_METHOD_HYBRID;
}

/* ---- the keeper ---- */

static void auto_free(wi_memory *memory, wi_tree *h, void *state)
{
    wi_auto *a = state;
    wi_keeper_free(memory, h, &a->lazy);
    wi_keeper_free(memory, h, &a->kinetic);
    wi_keeper_free(memory, h, &a->blend);
    wi_free(memory, a, sizeof *a);
}

static void forget_one(wi_memory *memory, wi_tree *h, const wi_keeper *keeper)
{
    if (keeper->state) keeper->ops->forget(memory, h, keeper->state);
}

/* What was learnt outlives the tree. */
static void auto_forget(wi_memory *memory, wi_tree *h, void *state)
{
    wi_auto *a = state;
    forget_one(memory, h, &a->lazy);
    forget_one(memory, h, &a->kinetic);
    forget_one(memory, h, &a->blend);
}

static size_t bytes_of(const wi_keeper *keeper)
{
    return keeper->state ? keeper->ops->bytes(keeper->state) : 0;
}

static size_t auto_bytes(const void *state)
{
    const wi_auto *a = state;
    return bytes_of(&a->lazy) + bytes_of(&a->kinetic) + bytes_of(&a->blend);
}

static const char *validate_one(const wi_tree *h, const wi_keeper *keeper)
{
    return keeper->state && keeper->ops->validate ? keeper->ops->validate(h, keeper->state) : NULL;
}

static const char *auto_validate(const wi_tree *h, const void *state)
{
    const wi_auto *a = state;
    const char *broken = validate_one(h, &a->lazy);
    if (broken == NULL) broken = validate_one(h, &a->kinetic);
    return broken ? broken : validate_one(h, &a->blend);
}

static bool auto_never_decays(const void *state)
{
    const wi_keeper *blend_keeper = &((const wi_auto *)state)->blend;
    return blend_keeper->state && blend_keeper->ops->never_decays(blend_keeper->state);
}

static bool auto_reserve_path_changes(wi_memory *memory, const wi_tree *h, void *state)
{
    wi_auto *a = state;
    return a->kinetic.state == NULL || wi_kinetic_listen(memory, h, a->kinetic.state);
}

static void auto_note_path(void *state, uint32_t place)
{
    wi_auto *a = state;
    if (a->new_paths < UINT32_MAX) a->new_paths++;
    if (a->kinetic.state) wi_kinetic_note(a->kinetic.state, place);
}

static void auto_forget_paths(void *state)
{
    wi_auto *a = state;
    a->new_paths = UINT32_MAX;
    if (a->kinetic.state) wi_kinetic_forget(a->kinetic.state);
}

static wi_survey_hints auto_survey_hints(const void *state)
{
    const wi_auto *a = state;
    const wi_keeper *keeper = a->lazy.state ? &a->lazy : &a->kinetic;
    if (keeper->state == NULL) return (wi_survey_hints){.margin_since = UINT64_MAX};
    return keeper->ops->survey_hints(keeper->state);
}

static bool auto_kinetic_stats(wi_memory *memory, const wi_tree *h, const void *state,
                               willow_kinetic_stats *out)
{
    const wi_keeper *kinetic = &((const wi_auto *)state)->kinetic;
    return kinetic->state == NULL || kinetic->ops->kinetic_stats(memory, h, kinetic->state, out);
}

static const wi_keeper_ops auto_keeper = {.name = "auto",
                                          .free = auto_free,
                                          .forget = auto_forget,
                                          .bytes = auto_bytes,
                                          .validate = auto_validate,
                                          .never_decays = auto_never_decays,
                                          .reserve_path_changes = auto_reserve_path_changes,
                                          .note_path = auto_note_path,
                                          .forget_paths = auto_forget_paths,
                                          .survey_hints = auto_survey_hints,
                                          .kinetic_stats = auto_kinetic_stats};

extern const wi_method_ops wi_auto_ops;
const wi_method_ops wi_auto_ops = {.reads_plans = true,
                                   .reads_morphs = true,
                                   .follows_edits = true,
                                   .update = auto_update,
                                   .take = auto_take};
