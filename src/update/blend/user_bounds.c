/* user_bounds.c - BLEND for bodies whose deformation only their user knows: he bounds a node when a
 * query opens it first, and says where vertices are when a query reaches their leaf.
 *
 * Way in: wi_user_bounds_follow. An update opens the root and no other node. The tree is built in
 * the rest shape, once. After Larsson 2003, paper B (section 6.6). */
#include "update/blend/user_bounds.h"

#include <float.h>
#include <string.h>

#include "base/check.h"
#include "update/bounds.h"
#include "update/claim.h"

willow_part wi_user_bounds_part(const wi_tree *h, uint32_t number)
{
    const wi_user_bounds *bounds = h->boxes.acting.state;
    WI_ASSERT(h->boxes.acting.ops == &wi_user_bounds_keeper && number < bounds->part_count);
    const wi_part *part = &bounds->parts[number];
    const wi_box *rest = &part->rest;
    return (willow_part){.number = number,
                         .rest = {{rest->lower[0], rest->lower[1], rest->lower[2]},
                                  {rest->upper[0], rest->upper[1], rest->upper[2]}},
                         .vertices = h->shape->leaf_vertices + part->first,
                         .vertex_count = part->count};
}

/* ---- opening a node ---- */

/* What is no interval is all of space: nobody is lost by it. */
static void take_interval(float low, float high, float *lower, float *upper)
{
    const bool is_interval = low <= high;
    *lower = is_interval && low > -FLT_MAX ? low : -FLT_MAX;
    *upper = is_interval && high < FLT_MAX ? high : FLT_MAX;
    if (*lower > FLT_MAX) *lower = FLT_MAX;
    if (*upper < -FLT_MAX) *upper = -FLT_MAX;
    WI_ASSERT(*lower <= *upper);
}

static wi_box ask_for_box(const wi_tree *h, uint32_t number)
{
    const willow_deformation *hook = &wi_mesh_user(h->mesh)->hook;
    const willow_part part = wi_user_bounds_part(h, number);
    const willow_box said = hook->bound(hook->context, &part);
    wi_box box;
    WI_ASSERT(hook->bound);
    take_interval(said.lower.x, said.upper.x, &box.lower[0], &box.upper[0]);
    take_interval(said.lower.y, said.upper.y, &box.lower[1], &box.upper[1]);
    take_interval(said.lower.z, said.upper.z, &box.lower[2], &box.upper[2]);
    return box;
}

static void user_open_node(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_box nowhere = wi_box_empty();
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        wi_box box = nowhere;
        if (lane < view->count)
            box = ask_for_box(h, (is_leaf ? h->shape->node_count : 0) + view->child[lane]);
        wi_node_set_box(view, lane, &box);
    }
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* ---- the update ---- */

/* Merged vertices leave places without a rest, which nobody reads. */
static void store_rest(wi_update *u)
{
    wi_mesh *mesh = u->mesh;
    for (uint32_t place = 0; place < mesh->vertex_count; place++)
        mesh->positions[place] = wi_point_of(wi_mesh_user(mesh)->rest[place]);
    mesh->stored = WI_STORED_NOW;
    u->is_stored = true; /* what the tree is built of */
}

static void free_parts(wi_memory *memory, wi_tree *h, wi_user_bounds *bounds)
{
    if (h->boxes.points == &bounds->kept) h->boxes.points = NULL;
    wi_free_array(memory, bounds->parts, bounds->part_count, sizeof *bounds->parts);
    wi_leaf_points_free(memory, &bounds->kept);
    *bounds = (wi_user_bounds){0};
}

static bool user_make_parts(wi_memory *memory, wi_tree *h, wi_user_bounds *bounds)
{
    free_parts(memory, h, bounds);
    bounds->number = wi_mesh_user(h->mesh)->number;
    if (wi_leaf_points_make(memory, h, &bounds->kept)) bounds->parts = wi_parts_make(memory, h);
    if (bounds->parts == NULL) {
        free_parts(memory, h, bounds);
        return false;
    }
    bounds->part_count = h->shape->node_count + h->shape->leaf_count;
    WI_ASSERT(bounds->kept.leaf_count == h->shape->leaf_count);
    h->boxes.points = &bounds->kept;
    return true;
}

static willow_result user_build(wi_update *u, wi_user_bounds *bounds)
{
    wi_tree *h = u->h;
    u->needs_build = true;
    store_rest(u);
    willow_result result = wi_update_build_or_renew(u);
    u->mesh->stored = WI_STORED_OLD;
    u->is_stored = false;
    if (result != WILLOW_OK || h->boxes.nodes == NULL) return result;
    if (!user_make_parts(u->memory, h, bounds)) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < h->shape->node_count;
         node++) /* its boxes are of the rest shape */
        atomic_store_explicit(&h->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    return WILLOW_OK;
}

static bool is_of_another_shape(const wi_tree *h, const wi_user_bounds *bounds)
{
    return h->boxes.nodes &&
           (bounds->parts == NULL || bounds->number != wi_mesh_user(h->mesh)->number);
}

willow_result wi_user_bounds_follow(wi_update *u, wi_keeper *keeper)
{
    WI_ASSERT(keeper->ops == &wi_user_bounds_keeper);
    wi_tree *h = u->h;
    wi_openings count = {0};
    wi_user_bounds *bounds = wi_keeper_reserve(u->memory, keeper, sizeof *bounds);
    if (bounds == NULL) return WILLOW_OUT_OF_MEMORY;
    if (u->needs_build || is_of_another_shape(h, bounds)) {
        willow_result result = user_build(u, bounds);
        if (result != WILLOW_OK) return result;
    }
    u->mesh->stored = WI_STORED_OLD;
    h->boxes.revision = u->revision;
    if (h->boxes.nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    wi_tree_act(h, keeper, user_open_node);
    h->boxes.valid_from = u->revision;
    h->boxes.bounds = wi_node_merged(wi_open(h, 0, &count));
    u->nodes_updated += count.refreshed;
    return WILLOW_OK;
}

uint32_t wi_user_bounds_part_count(const wi_tree *h)
{
    const wi_user_bounds *bounds = h->boxes.acting.state;
    return h->boxes.acting.ops == &wi_user_bounds_keeper ? bounds->part_count : 0;
}

/* ---- the keeper ---- */

static void user_bounds_free(wi_memory *memory, wi_tree *h, void *state)
{
    free_parts(memory, h, state);
    wi_free(memory, state, sizeof(wi_user_bounds));
}

static void user_bounds_forget(wi_memory *memory, wi_tree *h, void *state)
{
    free_parts(memory, h, state);
}

static size_t user_bounds_bytes(const void *state)
{
    const wi_user_bounds *bounds = state;
    return bounds->part_count * sizeof *bounds->parts + wi_leaf_points_bytes(&bounds->kept);
}

static bool user_bounds_never_decay(const void *state)
{
    const wi_user_bounds *bounds = state;
    return bounds->parts != NULL;
}

/* What the user is told of parts is the same there; the context is another. */
static void user_bounds_act_at_end(const void *state, wi_tree *end, void *end_state)
{
    const wi_user_bounds *bounds = state;
    wi_user_bounds *at_end = end_state;
    WI_ASSERT(bounds->parts && at_end != bounds);
    *at_end = (wi_user_bounds){
        .parts = bounds->parts, .part_count = bounds->part_count, .number = bounds->number};
    end->keeper = (wi_keeper){&wi_user_bounds_keeper, at_end};
    wi_tree_act(end, &end->keeper, end->boxes.refresh);
}

const wi_keeper_ops wi_user_bounds_keeper = {.name = "user bounds",
                                             .free = user_bounds_free,
                                             .forget = user_bounds_forget,
                                             .bytes = user_bounds_bytes,
                                             .is_bounded_by_user = true,
                                             .never_decays = user_bounds_never_decay,
                                             .act_at_end = user_bounds_act_at_end,
                                             .end_size = sizeof(wi_user_bounds)};
