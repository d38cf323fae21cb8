/* user_bounds.c - BLEND for bodies whose deformation only their user knows: he bounds a node when a
 * query opens it first, and says where vertices are when a query reaches their leaf.
 *
 * Way in: wi_user_bounds_follow. An update opens the root and no other node. The tree is built in
 * the rest shape, once. After Larsson 2003, paper B (section 6.6). */
#include "update/blend/user_bounds.h"

#include <float.h>
#include <string.h>

#include "update/bounds.h"
#include "update/claim.h"

willow_part wi_user_bounds_part(const wi_tree *h, uint32_t number)
{
    const wi_part *part = &h->blend.parts[number];
    const wi_box *rest = &part->rest;
    return (willow_part){.number = number,
                         .rest = {{rest->lower[0], rest->lower[1], rest->lower[2]},
                                  {rest->upper[0], rest->upper[1], rest->upper[2]}},
                         .vertices = h->leaf_vertices + part->first,
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
}

static wi_box ask_for_box(const wi_tree *h, uint32_t number)
{
    const willow_deformation *hook = &wi_mesh_user(h->mesh)->hook;
    const willow_part part = wi_user_bounds_part(h, number);
    const willow_box said = hook->bound(hook->context, &part);
    wi_box box;
    take_interval(said.lower.x, said.upper.x, &box.lower[0], &box.upper[0]);
    take_interval(said.lower.y, said.upper.y, &box.lower[1], &box.upper[1]);
    take_interval(said.lower.z, said.upper.z, &box.lower[2], &box.upper[2]);
    return box;
}

static void open_node(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_box nowhere = wi_box_empty();
    wi_node *view = &h->nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        wi_box box = nowhere;
        if (lane < view->count)
            box = ask_for_box(h, (is_leaf ? h->node_count : 0) + view->child[lane]);
        wi_node_set_box(view, lane, &box);
    }
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->revision, memory_order_release);
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

static willow_result build(wi_update *u)
{
    wi_tree *h = u->h;
    u->needs_build = true;
    store_rest(u);
    willow_result result = wi_update_build_or_renew(u);
    u->mesh->stored = WI_STORED_OLD;
    u->is_stored = false;
    if (result != WILLOW_OK || h->nodes == NULL) return result;
    if (!wi_blend_make_parts(u->memory, h)) return WILLOW_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < h->node_count; node++) /* its boxes are of the rest shape */
        atomic_store_explicit(&h->nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    return WILLOW_OK;
}

static bool is_of_another_shape(const wi_tree *h)
{
    return h->nodes && (h->blend.parts == NULL || h->blend.morph != wi_mesh_user(h->mesh)->number);
}

willow_result wi_user_bounds_follow(wi_update *u)
{
    wi_tree *h = u->h;
    wi_openings count = {0};
    if (u->needs_build || is_of_another_shape(h)) {
        willow_result result = build(u);
        if (result != WILLOW_OK) return result;
    }
    u->mesh->stored = WI_STORED_OLD;
    h->revision = u->revision;
    if (h->nodes == NULL) return WILLOW_OK; /* nothing collides, but vertices move */
    h->refresh = open_node;
    h->valid_from = u->revision;
    h->bounds = wi_node_merged(wi_open(h, 0, &count));
    u->nodes_updated += count.refreshed;
    return WILLOW_OK;
}
