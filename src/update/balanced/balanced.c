/* balanced.c - BALANCED: the tree stays balanced while triangles come and go. */
#include "update/balanced/balanced.h"

#include <string.h>

#include "base/check.h"
#include "base/threads.h"
#include "tree/linked/avl.h"
#include "tree/linked/wear.h"
#include "tree/self/self_edit.h"
#include "update/lazy/lazy.h"

/* Edits of more than this share of the triangles are built anew: that takes no longer, and makes a
 * better tree. */
enum { LARGE_EDIT = 4 };

extern const wi_balanced_kernels wi_balanced_kernels_scalar, wi_balanced_kernels_avx2;

const wi_balanced_kernels *wi_balanced_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, balanced_kernels);
}

/* There is nothing to keep beside the shape. */
static const wi_keeper_ops balanced_keeper = {.name = "balanced"};

bool wi_balanced_follows(const wi_update *u)
{
    const wi_tree *h = u->h;
    if (u->needs_build || h->boxes.nodes == NULL) return false;
    if (u->is_edited && u->edited_count > h->shape->tri_count / LARGE_EDIT) return false;
    if (h->is_self && !wi_shape_is_linked(h->shape) && !wi_self_edit_can_follow(h)) return false;
    return u->is_edited || wi_shape_is_linked(h->shape);
}

/* ---- all of it is bounded ---- */

/* The nodes above the cut, parents first, and where those of the last level among them begin. */
typedef struct upper {
    wi_tree *h;
    const wi_balanced_kernels *kernels;
    uint64_t revision;
    uint32_t *nodes;
    uint32_t count, first_of_last;
} upper;

static void list_upper(upper *up, uint32_t depth)
{
    const wi_tree *h = up->h;
    WI_ASSERT(depth >= 1 && depth <= h->shape->height);
    up->nodes[up->count++] = 0;
    for (uint32_t level = 1; level < depth; level++) {
        const uint32_t last = up->count;
        for (uint32_t i = up->first_of_last; i < last; i++) {
            const wi_node *view = &h->boxes.nodes[up->nodes[i]];
            for (unsigned lane = 0; lane < view->count; lane++)
                up->nodes[up->count++] = view->child[lane];
        }
        up->first_of_last = last;
    }
    WI_ASSERT(up->count <= h->shape->node_count);
}

static void run_bound(void *arg, uint32_t task, uint32_t worker)
{
    const upper *up = arg;
    (void)worker;
    up->kernels->bound(up->h, up->nodes[up->first_of_last + task], up->revision);
}

/* How many levels of nodes an update opens: the lanes of the last one are what HYBRID calls
 * patches. */
static uint32_t open_depth(const wi_tree *h, const willow_tree_def *def)
{
    const uint32_t depth = wi_patches_level(h, wi_hybrid_level(def));
    return depth > 0 ? depth : 1;
}

uint32_t wi_balanced_opened_tris(const wi_tree *h)
{
    const wi_links *l = wi_links_of(h);
    uint32_t tris = 0;
    if (wi_tree_is_avl(h) || h->shape->height <= open_depth(h, &h->def)) return 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        if (l->level[node] > 0 || !wi_tree_has_node(h, node) || !wi_is_open(h, node)) continue;
        for (unsigned lane = 0; lane < view->count; lane++)
            tris += h->shape->leaves[view->child[lane]].tri_count;
    }
    return tris;
}

/* Nothing waits for queries. */
static void fit_avl(wi_update *u, bool is_true)
{
    wi_tree *h = u->h;
    if (!is_true) wi_balanced_kernels_for(u->kernel)->bound_leaves(h);
    u->nodes_updated += wi_avl_fit(h, u->revision, !is_true, !u->def->keep_siblings);
    h->shape->structure = u->revision;
}

static bool bound_all(wi_update *u)
{
    wi_tree *h = u->h;
    upper up = {.h = h, .kernels = wi_balanced_kernels_for(u->kernel), .revision = u->revision};
    if (!wi_workspace_reserve(u->memory, u->workspace,
                              wi_workspace_size(h->shape->node_count, sizeof *up.nodes)))
        return false;
    up.nodes = wi_workspace_take(u->workspace, h->shape->node_count, sizeof *up.nodes);
    list_upper(&up, open_depth(u->h, u->def));
    const uint32_t last = up.count - up.first_of_last;
    h->boxes.valid_from = u->revision;
    u->tasks.parallel_for(u->tasks.context, last, run_bound, &up);
    for (uint32_t i = up.first_of_last; i-- > 0;) up.kernels->merge(h, up.nodes[i], u->revision);
    h->boxes.bounds = wi_box_empty();
    for (unsigned lane = 0; lane < h->boxes.nodes[0].count; lane++) {
        const wi_box box = wi_node_box(&h->boxes.nodes[0], lane);
        wi_box_add_box(&h->boxes.bounds, &box);
    }
    u->nodes_updated += up.count;
    return true;
}

/* ---- the update ---- */

/* The first edit. What is known of the packed tree is given up. */
static bool link_tree(wi_memory *memory, wi_tree *h, uint64_t revision)
{
    wi_moved_vertices_free(memory, h->moved);
    h->moved = NULL;
    wi_tree_forget_kept(memory, h);
    wi_tree_act(h, &(wi_keeper){.ops = &balanced_keeper}, NULL);
    return wi_tree_link(memory, h, revision);
}

static willow_result edit_tree(wi_update *u, bool is_true, const wi_worn *worn)
{
    wi_tree_changes changes = {.slots = u->edited,
                               .count = u->edited_count,
                               .boxes = is_true ? WI_EDIT_TRUE : WI_EDIT_OLD,
                               .revision = u->revision,
                               .worn = worn};
    const willow_result result = wi_tree_edit(u->memory, u->h, &changes);
    u->nodes_updated += changes.bounded;
    u->subtrees_built += changes.renewed;
    u->needs_build = u->needs_build || changes.is_worn_out;
    return result;
}

/* Every few updates the boxes that the last one and the queries since have computed are looked at,
 * as those of packed trees are (build_or_renew.c). */
static void look_for_wear(wi_update *u, wi_worn *worn)
{
    enum { UPDATES_PER_LOOK = 8 };
    wi_tree *h = u->h;
    worn->count = 0;
    if (wi_tree_is_avl(h) || !wi_backoff_step(&h->survey)) return;
    h->survey.wait = UPDATES_PER_LOOK;
    wi_wear_note_open(h);
    wi_wear_find(h, NULL, h->shape->node_count, worn);
    if (wi_wear_is_all(h, worn)) u->needs_build = true;
}

/* Lists for pairs within the body could not follow, so a tree without them is of no use. */
static bool has_lost_lists(const wi_tree *h) { return h->is_self && h->shape->self == NULL; }

static willow_result follow(wi_update *u)
{
    wi_tree *h = u->h;
    const bool is_fresh = !wi_shape_is_linked(h->shape);
    const bool is_true = is_fresh || u->known == WI_KNOWN_EDITED;
    if (is_fresh && !link_tree(u->memory, h, u->revision)) return WILLOW_OUT_OF_MEMORY;
    if (is_fresh) u->nodes_updated += wi_shape_nodes(h->shape);
    wi_worn worn = {.count = 0};
    if (!is_true) look_for_wear(u, &worn);
    if (u->needs_build) return WILLOW_OK;
    if (u->is_edited || is_fresh || worn.count > 0) {
        const willow_result result = edit_tree(u, is_true, &worn);
        if (result != WILLOW_OK || h->boxes.nodes == NULL) return result;
        h->shape->structure = u->revision;
    }
    if (u->needs_build || has_lost_lists(h)) return WILLOW_OK;
    if (!wi_self_edit_make_due(u->memory, h)) return WILLOW_OUT_OF_MEMORY;
    if (wi_tree_is_avl(h)) {
        fit_avl(u, is_true);
        return WILLOW_OK;
    }
    return is_true || bound_all(u) ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

willow_result wi_balanced_follow(wi_update *u)
{
    wi_tree *h = u->h;
    wi_update_store_plan(u);
    u->outcome = WI_OUTCOME_LOST;
    const willow_result result = follow(u);
    u->needs_build = result == WILLOW_OK && h->boxes.nodes && (u->needs_build || has_lost_lists(h));
    if (result != WILLOW_OK || u->needs_build) {
        wi_tree_destroy(u->memory, h);
        return result;
    }
    u->outcome = u->subtrees_built > 0 ? WI_OUTCOME_RENEWED_PARTS : WI_OUTCOME_KEPT;
    h->boxes.revision = u->revision;
    if (h->boxes.nodes == NULL) {
        h->boxes.bounds = wi_box_empty();
        return WILLOW_OK;
    }
    wi_tree_act(h, &(wi_keeper){.ops = &balanced_keeper},
                wi_tree_is_avl(h) ? NULL : wi_balanced_kernels_for(u->kernel)->refresh);
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

/* ---- trees of bodies that fall apart, or become one ---- */

bool wi_balanced_give(wi_memory *memory, wi_join *join, wi_tree *from, uint64_t revision)
{
    WI_ASSERT(from->boxes.nodes && from->shape->users == 1);
    if (from->is_self && !wi_shape_is_linked(from->shape)) {
        wi_self_lists_free(memory, from->shape->self); /* of no use to others */
        wi_free(memory, from->shape->self, sizeof *from->shape->self);
        from->shape->self = NULL;
    }
    if (!wi_shape_is_linked(from->shape) && !link_tree(memory, from, revision)) return false;
    join->from = from;
    return wi_tree_join(memory, join);
}

bool wi_balanced_take(wi_memory *memory, wi_tree *h, uint64_t revision)
{
    if (h->shape->node_count == 0 || !wi_tree_join_end(memory, h)) return false;
    h->shape->structure = h->boxes.revision = h->boxes.valid_from = revision;
    h->shape->links->since = revision;
    return true;
}

/* What is built afresh has the quality that it has: there is no use in building it again for that.
 */
static bool is_beyond_limit(const wi_update *u)
{
    const double limit = (double)u->def->quality_limit;
    if (!(limit > 0.0) || u->h->boxes.nodes == NULL || !wi_tree_is_avl(u->h)) return false;
    const double quality = wi_avl_quality(u->h);
    return quality > limit && quality > 1.15 * wi_avl_of(u->h)->fresh_quality;
}

static willow_result balanced_update(wi_update *u)
{
    if (wi_balanced_follows(u)) {
        wi_tree_keep_by(u->memory, u->h, &balanced_keeper);
        const willow_result result = wi_balanced_follow(u);
        if (result != WILLOW_OK) return result;
        u->needs_build = u->needs_build || is_beyond_limit(u);
        if (!u->needs_build) return result;
    }
    u->needs_build = u->needs_build || u->is_edited || wi_shape_is_linked(u->h->shape);
    return wi_lazy_update(u, wi_hybrid_level(u->def));
}

extern const wi_method_ops wi_balanced_ops;
const wi_method_ops wi_balanced_ops = {.reads_plans = true,
                                       .reads_morphs = true,
                                       .follows_edits = true,
                                       .update = balanced_update,
                                       .take = wi_lazy_take};
