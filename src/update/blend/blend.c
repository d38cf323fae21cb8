/* blend.c - BLEND: the boxes of a morphing body are sums of those of its shapes, and no vertex is
 * computed until a query reaches its leaf.
 *
 * Way in: wi_blend_follow. An update opens the root and no other node, whatever the size of the
 * body. The tree is built in a reference shape, and for all others it is as it is: it never decays,
 * and is built again only for another morph. A body that does not morph is refitted. After Larsson
 * 2003, paper B (chapter 6). */
#include "update/blend/blend.h"

#include "base/check.h"
#include "update/blend/user_bounds.h"
#include "update/bounds.h"
#include "update/refit/bottom_up.h"

extern wi_refresh wi_blend_open_scalar, wi_blend_open_avx2;

wi_refresh *wi_blend_refresh_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, blend_open);
}

/* ---- reference shapes ---- */

/* Shapes to build in: the average of all, and then the base and the targets. */
enum { AVERAGE = 0 };

/* How many are tried where the best one is wanted, the average not counted: it takes a tree for
 * each, and a look at each of them in every tree. */
enum { MOST_TRIED = 8 };

/* The mesh, for a while, is in that shape; see leave_shape. */
static void enter_shape(wi_update *u, uint32_t number)
{
    wi_morph *morph = wi_mesh_morph(u->mesh);
    const double share = 1.0 / (double)morph->shape_count;
    WI_ASSERT(number <= morph->shape_count && morph->shape_count > 0);
    morph->term_count = 0;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const bool is_base = morph->has_base && i == 0, is_it = i + 1 == number;
        if (number == AVERAGE || is_it || is_base)
            morph->terms[morph->term_count++] = (wi_term){is_base || is_it ? 1.0 : share, i};
    }
    WI_ASSERT(morph->term_count > 0 && morph->term_count <= morph->shape_count);
    u->is_stored = false;
    wi_update_store_plan(u);
}

static void leave_shape(wi_update *u)
{
    wi_morph *morph = wi_mesh_morph(u->mesh);
    morph->term_count = wi_morph_terms(morph, morph->weights, morph->terms);
}

/* One of those that are tried, evenly spread: from 0, which is the average. */
static uint32_t tried(const wi_morph *morph, uint32_t i)
{
    const uint64_t count = morph->shape_count < MOST_TRIED ? morph->shape_count : MOST_TRIED;
    WI_ASSERT(i <= count);
    return i == 0 ? AVERAGE : 1 + (uint32_t)((i - 1) * (uint64_t)morph->shape_count / count);
}

/* The expected work of a query on the tree at hand, over all shapes that are tried. */
static double cost_of_tree(wi_update *u, uint32_t count)
{
    wi_tree *h = u->h;
    double cost = 0.0;
    for (uint32_t i = 0; i < count && h->boxes.nodes; i++) {
        enter_shape(u, tried(wi_mesh_morph(u->mesh), i));
        wi_refit_leaves(u->kernels, &u->tasks, h);
        wi_tree_act(h, &(wi_keeper){0}, NULL);
        h->boxes.revision = h->boxes.valid_from = u->revision;
        u->kernels->merge(h, u->revision);
        cost += wi_tree_cost(h);
    }
    return cost;
}

/* The shape in which a tree is the best for all; the first of several. */
static willow_result find_best(wi_update *u, uint32_t *best)
{
    const wi_morph *morph = wi_mesh_morph(u->mesh);
    const uint32_t count = 1 + (morph->shape_count < MOST_TRIED ? morph->shape_count : MOST_TRIED);
    double lowest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        enter_shape(u, tried(morph, i));
        willow_result result = wi_update_build(u);
        if (result != WILLOW_OK) return result;
        const double cost = cost_of_tree(u, count);
        if (i == 0 || cost < lowest) {
            *best = tried(morph, i);
            lowest = cost;
        }
    }
    return WILLOW_OK;
}

static willow_result choose_shape(wi_update *u, uint32_t *number)
{
    const wi_morph *morph = wi_mesh_morph(u->mesh);
    const uint32_t target = u->def->reference_target;
    *number = AVERAGE;
    switch (u->def->reference) {
    case WILLOW_REFERENCE_BASE: *number = 1; break;
    case WILLOW_REFERENCE_TARGET:
        *number = target < morph->target_count ? 1 + morph->has_base + target : morph->shape_count;
        break;
    case WILLOW_REFERENCE_BEST: return find_best(u, number);
    default: break;
    }
    return WILLOW_OK;
}

/* ---- the tree ---- */

static willow_result blend_build(wi_update *u, const wi_keeper *keeper)
{
    uint32_t number;
    u->needs_build = true;
    willow_result result = choose_shape(u, &number);
    if (result == WILLOW_OK) {
        enter_shape(u, number);
        result = wi_update_build_or_renew(u);
    }
    leave_shape(u);
    if (result != WILLOW_OK || u->h->boxes.nodes == NULL) return result;
    WI_ASSERT(keeper->ops == &wi_blend_keeper && keeper->state);
    wi_tree_act(u->h, keeper, NULL);
    return wi_blend_make(u->memory, u->h, keeper->state) ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

/* Its boxes are of the shape that it was built in. */
static void close_all(wi_tree *h)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
}

static willow_result follow_morph(wi_update *u, wi_keeper *keeper)
{
    wi_tree *h = u->h;
    wi_openings count = {0};
    wi_blend *blend = wi_keeper_reserve(u->memory, keeper, sizeof *blend);
    if (blend == NULL) return WILLOW_OUT_OF_MEMORY;
    if (u->needs_build || (h->boxes.nodes && blend->morph != wi_mesh_morph(u->mesh)->number)) {
        willow_result result = blend_build(u, keeper);
        u->mesh->stored = WI_STORED_OLD; /* what is stored is the reference */
        if (result != WILLOW_OK) return result;
        close_all(h);
    }
    u->mesh->stored = WI_STORED_OLD;
    h->boxes.revision = u->revision;
    if (h->boxes.nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    wi_tree_act(h, keeper, wi_blend_refresh_for(u->kernel));
    if (blend->volumes.slabs || blend->volumes.spheres) h->boxes.volumes = &blend->volumes;
    h->boxes.valid_from = u->revision;
    WI_ASSERT(blend->node_count == h->shape->node_count);
    wi_blend_weigh(h);
    h->boxes.bounds = wi_node_merged(wi_open(h, 0, &count));
    u->nodes_updated += count.refreshed;
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

const wi_keeper_ops *wi_blend_keeper_for(const wi_mesh *mesh)
{
    return (mesh->motion == WI_MOTION_USER) ? &wi_user_bounds_keeper : &wi_blend_keeper;
}

willow_result wi_blend_follow(wi_update *u, wi_keeper *keeper)
{
    WI_ASSERT(keeper->ops == wi_blend_keeper_for(u->mesh));
    return (u->mesh->motion == WI_MOTION_USER) ? wi_user_bounds_follow(u, keeper)
                                               : follow_morph(u, keeper);
}

static willow_result blend_update(wi_update *u)
{
    if (wi_blend_suits(u->mesh)) {
        wi_tree_keep_by(u->memory, u->h, wi_blend_keeper_for(u->mesh));
        return wi_blend_follow(u, &u->h->keeper);
    }
    wi_update_store_plan(u); /* of a deformation without bounds */
    return wi_refit_update(u);
}

/* ---- the keeper ---- */

static void blend_free(wi_memory *memory, wi_tree *h, void *state)
{
    wi_blend_free(memory, h, state);
    wi_free(memory, state, sizeof(wi_blend));
}

static void blend_forget(wi_memory *memory, wi_tree *h, void *state)
{
    wi_blend_free(memory, h, state);
}

static size_t blend_bytes(const void *state) { return wi_blend_bytes(state); }

static const char *blend_validate(const wi_tree *h, const void *state)
{
    return wi_blend_validate(h, state);
}

static bool blend_never_decays(const void *state)
{
    const wi_blend *blend = state;
    return blend->shapes != NULL;
}

/* Shapes and what lies between them are those of the body; weights are others. */
static void blend_act_at_end(const void *state, wi_tree *end, void *end_state)
{
    const wi_blend *blend = state;
    wi_blend *at_end = end_state;
    WI_ASSERT(blend->shapes && at_end != blend && blend->node_count == end->shape->node_count);
    *at_end = (wi_blend){.shapes = blend->shapes,
                         .others = blend->others,
                         .shape_count = blend->shape_count,
                         .node_count = blend->node_count,
                         .morph = blend->morph,
                         .ways = blend->ways,
                         .way_count = blend->way_count,
                         .between = blend->between};
    end->keeper = (wi_keeper){&wi_blend_keeper, at_end};
    wi_tree_act(end, &end->keeper, end->boxes.refresh);
    wi_blend_weigh(end);
}

const wi_keeper_ops wi_blend_keeper = {.name = "blend",
                                       .free = blend_free,
                                       .forget = blend_forget,
                                       .bytes = blend_bytes,
                                       .validate = blend_validate,
                                       .checks_nodes = true,
                                       .never_decays = blend_never_decays,
                                       .act_at_end = blend_act_at_end,
                                       .end_size = sizeof(wi_blend)};

extern const wi_method_ops wi_blend_ops;
const wi_method_ops wi_blend_ops = {
    .reads_morphs = true, .update = blend_update, .take = wi_refit_take};
