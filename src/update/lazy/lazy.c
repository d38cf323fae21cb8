/* lazy.c - the update of trees that are bounded down to their patches only.
 *
 * Way in: wi_lazy_take for new positions, wi_lazy_update for all else. The parts of a pass are
 * patches: a task writes their boxes and the places that they own. */
#include "update/lazy/lazy.h"

#include "base/check.h"
#include "update/parallel_pass.h"

/* A microsecond's work. */
enum { PLACES_PER_TASK = 512 };

extern const wi_lazy_kernels wi_lazy_kernels_scalar, wi_lazy_kernels_avx2;

const wi_lazy_kernels *wi_lazy_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, lazy_kernels);
}

static bool run_patches(const wi_parallel_pass *pass, uint32_t first, uint32_t last)
{
    const wi_lazy_kernels *kernels = pass->kernels;
    WI_ASSERT(first <= last && last <= wi_patches_of(pass->h)->count);
    if (pass->source.positions)
        return kernels->take(pass->h, first, last, pass->source, pass->stored);
    for (uint32_t i = first; i < last && pass->planned; i++) { /* while it is near */
        const wi_below *below = &wi_patches_of(pass->h)->items[i].below;
        pass->fill(pass->planned, below->first_place, below->last_place);
        kernels->bound(pass->h, i, i + 1);
    }
    if (!pass->planned) kernels->bound(pass->h, first, last);
    return true;
}

static bool lazy_run_pass(const wi_parallel_pass *pass, const willow_tasks *tasks)
{
    const wi_patches *patches = wi_patches_of(pass->h);
    return wi_parallel_pass_run(pass, tasks, patches->count, patches->place_count, PLACES_PER_TASK);
}

static void bound_patches(const wi_lazy_kernels *kernels, const willow_tasks *tasks, wi_tree *h)
{
    const wi_parallel_pass pass = {.h = h, .kernels = kernels, .run = run_patches};
    (void)lazy_run_pass(&pass, tasks);
}

/* The same where a plan is yet to be stored. Vertices that no leaf has are in no patch. */
static void store_and_bound(const wi_lazy_kernels *kernels, wi_update *u)
{
    wi_mesh *mesh = u->mesh;
    const wi_parallel_pass pass = {.h = u->h,
                                   .kernels = kernels,
                                   .planned = mesh,
                                   .fill = wi_mesh_fill_for(u->kernel),
                                   .run = run_patches};
    (void)lazy_run_pass(&pass, &u->tasks);
    pass.fill(mesh, wi_patches_of(u->h)->place_count, mesh->vertex_count);
    wi_update_end_store(u);
}

/* Adds up how far vertices moved, a little more than the rounded differences say, and rounded up.
 * Whoever leaps beyond the margin leaves all boxes, so that counts as twice the margin and no more:
 * beside a leap as it is the small moves after it would be lost in the sum. */
static void add_drift(wi_tree *h)
{
    const wi_patches *patches = wi_patches_of(h);
    const double leap = 2.0 * (double)h->def.margin;
    for (uint32_t i = 0; i < patches->count; i++) {
        wi_patch *patch = &patches->items[i];
        const double moved = (double)patch->moved * (1.0 + 0x1p-20);
        WI_ASSERT(moved >= 0.0 && patch->drift >= 0.0);
        if (moved > 0.0)
            patch->drift = (patch->drift + (moved < leap ? moved : leap)) * (1.0 + 0x1p-52);
    }
}

bool wi_lazy_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                  wi_source source)
{
    const wi_lazy_kernels *kernels = wi_lazy_kernels_for(kernel);
    WI_ASSERT(mesh->staged && wi_patches_of(h)->place_count <= mesh->vertex_count);
    const wi_parallel_pass pass = {
        .h = h, .kernels = kernels, .source = source, .stored = mesh->staged, .run = run_patches};
    if (!wi_refit_stage_rest(h, mesh, source)) return false;
    const bool is_finite = lazy_run_pass(&pass, tasks);
    if (!is_finite)
        bound_patches(kernels, tasks, h);
    else if (h->def.margin > 0.0F)
        add_drift(h);
    return is_finite;
}

bool wi_lazy_has_patches(const wi_keeper *keeper)
{
    const wi_patches *patches = keeper->state;
    WI_ASSERT(keeper->ops == &wi_lazy_keeper);
    return patches && patches->items;
}

bool wi_lazy_take_kept(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                       wi_source source, const wi_keeper *keeper)
{
    const wi_keeper acting = h->boxes.acting;
    WI_ASSERT(wi_lazy_has_patches(keeper));
    h->boxes.acting = *keeper;
    WI_ASSERT(wi_patches_of(h)->node_count == h->shape->node_count);
    const bool is_finite = wi_lazy_take(kernel, tasks, h, mesh, source);
    h->boxes.acting = acting;
    return is_finite;
}

/* A fresh tree has all its boxes, none with a margin: patches are where they are. */
static void copy_patches(wi_update *u)
{
    wi_tree *h = u->h;
    wi_patches *patches = wi_patches_of(h);
    WI_ASSERT(patches->above_count > 0 || patches->count == 1);
    for (uint32_t i = 0; i < patches->count; i++) {
        wi_patch *patch = &patches->items[i];
        patch->box = patches->above_count > 0
                         ? wi_node_box(&h->boxes.nodes[patch->parent], patch->parent_lane)
                         : h->boxes.bounds;
        patch->has_outline = true;
    }
    patches->keep_from = u->revision + 1;
}

/* Every vertex is in the run of one patch, so their boxes make up the whole, with outlines or
 * without. */
static void bound_whole(wi_tree *h)
{
    const wi_patches *patches = wi_patches_of(h);
    h->boxes.bounds = wi_box_empty();
    for (uint32_t i = 0; i < patches->count; i++)
        wi_box_add_box(&h->boxes.bounds, &patches->items[i].box);
    WI_ASSERT(patches->count > 0 && !wi_box_is_empty(&h->boxes.bounds));
}

/* The patches of the tree, cut at this level. False if there is no memory. */
static bool cut_patches(wi_update *u, wi_patches *patches, uint32_t level)
{
    if (patches->items && patches->level == wi_patches_level(u->h, level)) return true;
    wi_update_forget_bounds(u);
    return patches->items == NULL ? wi_patches_make(u->memory, u->workspace, u->h, level, patches)
                                  : wi_patches_cut(u->memory, u->workspace, u->h, level, patches);
}

willow_result wi_lazy_bound(wi_update *u, wi_keeper *keeper, uint32_t level)
{
    const wi_lazy_kernels *kernels = wi_lazy_kernels_for(u->kernel);
    wi_tree *h = u->h;
    WI_ASSERT(keeper->ops == &wi_lazy_keeper);
    if (h->boxes.nodes == NULL) {
        wi_update_store_plan(u);
        return WILLOW_OK;
    }
    wi_patches *patches = wi_keeper_reserve(u->memory, keeper, sizeof *patches);
    if (patches == NULL || !cut_patches(u, patches, level)) return WILLOW_OUT_OF_MEMORY;
    wi_tree_act(h, keeper, kernels->refresh);
    if (wi_update_is_fresh(u)) {
        copy_patches(u);
        return WILLOW_OK;
    }
    if (patches->count == 1) wi_update_store_plan(u); /* too long to be near, nothing to share */
    if (wi_mesh_is_computed(u->mesh) && !u->is_stored)
        store_and_bound(kernels, u);
    else if (!wi_update_is_bounded(u))
        bound_patches(kernels, &u->tasks, h);
    if (u->known != WI_KNOWN_MEASURED)
        patches->keep_from = u->revision; /* nobody measured how far vertices moved */
    bound_whole(h);
    h->boxes.valid_from = u->revision;
    return WILLOW_OK;
}

void wi_lazy_bound_touched(wi_update *u)
{
    const wi_lazy_kernels *kernels = wi_lazy_kernels_for(u->kernel);
    wi_tree *h = u->h;
    const wi_moved_vertices *moved = h->moved;
    const wi_patches *patches = wi_patches_of(h);
    WI_ASSERT(moved && !moved->is_all && patches->node_count == h->shape->node_count);
    for (uint32_t node = wi_moved_vertices_next(moved, h->shape->node_count); node != UINT32_MAX;
         node = wi_moved_vertices_next(moved, node))
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    for (uint32_t i = 0; i < patches->count; i++) {
        const wi_patch *patch = &patches->items[i];
        if (patch->touched > patch->below.last_place - patch->below.first_place)
            kernels->bound(h, i, i + 1);
    }
    bound_whole(h);
}

willow_result wi_lazy_update(wi_update *u, uint32_t level)
{
    wi_tree_keep_by(u->memory, u->h, &wi_lazy_keeper);
    willow_result result = wi_update_build_or_renew(u);
    if (result != WILLOW_OK) return result;
    if (wi_update_is_partial(u))
        wi_lazy_bound_touched(u);
    else
        result = wi_lazy_bound(u, &u->h->keeper, level);
    WI_ASSERT_SLOW(result != WILLOW_OK || wi_tree_validate(u->h) == NULL);
    return result;
}

void wi_lazy_open_all(wi_update *u)
{
    const wi_tree *h = u->h;
    wi_openings count = {0};
    if (wi_update_is_partial(u)) {
        for (uint32_t node = h->shape->node_count;
             (node = wi_moved_vertices_next(h->moved, node)) != UINT32_MAX;)
            (void)wi_open(h, node, &count);
    } else {
        for (uint32_t node = 0; node < h->shape->node_count; node++) (void)wi_open(h, node, &count);
    }
    u->nodes_updated += count.refreshed;
}

uint32_t wi_hybrid_level(const willow_tree_def *def)
{
    if (def->hybrid_level == 0) return WI_HALF_HEIGHT;
    /* The number that stands for half of the height is no depth of the user's. */
    return def->hybrid_level < WI_HALF_HEIGHT ? def->hybrid_level : WI_HALF_HEIGHT - 1;
}

/* ---- the keeper ---- */

static void lazy_free(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_patches_free(memory, state);
    wi_free(memory, state, sizeof(wi_patches));
}

static void lazy_forget(wi_memory *memory, wi_tree *h, void *state)
{
    (void)h;
    wi_patches_free(memory, state);
}

static size_t lazy_bytes(const void *state) { return wi_patches_bytes(state); }

static const char *lazy_validate(const wi_tree *h, const void *state)
{
    const wi_patches *patches = state;
    return patches->below ? wi_patches_validate(h, patches) : NULL;
}

/* By the vertices, since the boxes of the children need not be computed. */
static const char *lazy_validate_node(const wi_tree *h, const void *state, uint32_t node,
                                      const wi_box *box)
{
    const wi_patches *patches = state;
    const wi_below *below = &patches->below[node];
    const uint32_t run = below->last_place - below->first_place;
    for (uint32_t i = 0; i < run + below->last_outline - below->first_outline; i++) {
        uint32_t place = i < run ? below->first_place + i
                                 : patches->outlines.items[below->first_outline + i - run];
        wi_box point = wi_box_empty();
        wi_box_add_point(&point, wi_mesh_position(h->mesh, patches->vertex_at[place]));
        if (!wi_box_contains(box, &point)) return "I6: a node sticks out of its box";
    }
    return NULL;
}

static void lazy_grow(wi_patches *patches, uint32_t leaf, const float *position)
{
    WI_ASSERT(leaf < patches->leaf_count && patches->of_leaf[leaf] < patches->count);
    wi_patch *patch = &patches->items[patches->of_leaf[leaf]];
    wi_box_add_point(&patch->box, position);
    patch->touched++;
}

/* The boxes of touched patches grow to contain the new positions, which costs the same for each
 * vertex however large the patch is. The update makes them tight again once as many vertices were
 * moved as the patch has. */
static void lazy_move_vertex(const wi_tree *h, void *state, uint32_t place)
{
    const wi_moved_vertices *moved = h->moved;
    const float *position = h->mesh->positions[place].axis;
    WI_ASSERT(moved && place < moved->place_count);
    lazy_grow(state, moved->owner[place], position);
    for (uint32_t i = moved->first_border[place]; i < moved->first_border[place + 1]; i++)
        lazy_grow(state, moved->border_leaves[i], position);
}

static wi_survey_hints lazy_survey_hints(const void *state)
{
    const wi_patches *patches = state;
    return (wi_survey_hints){.last_node = patches->last_node,
                             .margin_level = patches->level,
                             .margin_since = patches->items ? patches->keep_from : UINT64_MAX};
}

const wi_keeper_ops wi_lazy_keeper = {.name = "lazy",
                                      .free = lazy_free,
                                      .forget = lazy_forget,
                                      .bytes = lazy_bytes,
                                      .validate = lazy_validate,
                                      .validate_node = lazy_validate_node,
                                      .move_vertex = lazy_move_vertex,
                                      .survey_hints = lazy_survey_hints};
