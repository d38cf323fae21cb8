/* sphere.c - SPHERE: what an update does to a tree that grows. */
#include "update/sphere/sphere.h"

#include "base/check.h"
#include "update/claim.h"

/* There is nothing to keep beside the shape. */
const wi_keeper_ops wi_sphere_keeper = {.name = "sphere"};

/* ---- rooms ---- */

/* Growing the root at first takes no more, unless triangles are large: the nodes of its children
 * with what they set aside, and lists half as long again as its own. */
enum { FIRST_NODES = 12, FIRST_LEAVES = 12 };

static wi_grown_pool first_room(const wi_tree *h, uint32_t tris)
{
    const uint32_t per_leaf = h->def.leaf_triangles, lists = tris + tris / 2;
    return (wi_grown_pool){1 + wi_bundle_nodes(tris, per_leaf) + FIRST_NODES,
                           wi_bundle_leaves(tris, per_leaf) + FIRST_LEAVES,
                           lists <= UINT32_MAX - tris ? tris + lists : UINT32_MAX};
}

/* Twice as much as is live, and of what there was too little half as much again as there was. */
static uint32_t enlarged(uint32_t room, uint32_t live, bool is_exhausted)
{
    const uint64_t twice = 2 * (uint64_t)live;
    const uint64_t more = room + (is_exhausted ? (uint64_t)room / 2 + 1 : 0);
    const uint64_t wanted = twice > more ? twice : more;
    return wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
}

/* Bundles on the way down became that for want of room: they are buds again. Those of the last
 * level too, since lists cannot move below them. */
static void cut_bundles(wi_tree *h)
{
    const wi_grown *g = wi_grown_of(h);
    wi_twig twig = {0, 1, 0};
    do {
        if (g->nodes[twig.node].kind == WI_GROWN_BUNDLE) wi_grown_cut(h, twig.node);
    } while (wi_grown_next(h, &twig));
}

/* False if there is no memory: then it cannot grow any more. */
static bool enlarge_pool(wi_memory *memory, wi_tree *h)
{
    wi_grown *g = wi_grown_of(h);
    const unsigned short_of = g->exhausted;
    wi_grown_recount(h);
    cut_bundles(h);
    wi_grown_recount(h);
    const wi_grown_pool live = wi_grown_live(h);
    const wi_grown_pool room = {
        enlarged(h->boxes.node_room, live.nodes, (short_of >> WI_GROWN_NODES & 1) != 0),
        enlarged(h->shape->leaf_room, live.leaves, (short_of >> WI_GROWN_LEAVES & 1) != 0),
        enlarged(h->shape->tri_room, live.entries, (short_of >> WI_GROWN_ENTRIES & 1) != 0)};
    g->counts.exhausted++;
    if (!wi_grown_move(memory, h, room)) return false;
    g->exhausted = 0;
    return true;
}

/* ---- the whole tree ---- */

static bool grow_whole(wi_memory *memory, wi_tree *h)
{
    while (!wi_sphere_grow_all(h))
        if (!enlarge_pool(memory, h)) return false;
    return true;
}

/* ---- from the root on ---- */

/* Nodes on the way down from a bundle, itself not included. */
static uint32_t bundle_height(uint32_t tris, uint32_t per_leaf)
{
    uint32_t height = 0;
    for (uint64_t part = (uint64_t)per_leaf * WI_LANES; part < tris; part *= WI_LANES) height++;
    return height;
}

static willow_result begin_tree(wi_update *u, const wi_box *bounds, uint32_t tris)
{
    wi_tree *h = u->h;
    if (!wi_grown_begin(u->memory, h, first_room(h, tris))) return WILLOW_OUT_OF_MEMORY;
    wi_grown *g = wi_grown_of(h);
    g->grid = wi_cell_grid_of(bounds, h->def.cells);
    g->last_level = wi_cell_level(&g->grid, h->def.collision_depth);
    g->meet = wi_tris_meet_boxes_for(u->kernel);
    h->shape->height = g->last_level + bundle_height(tris, h->def.leaf_triangles);
    return WILLOW_OK;
}

static uint32_t count_colliding(const wi_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_collides(mesh, slot);
    return count;
}

/* The kind of the shape may change, so others' states go first. */
static willow_result sphere_begin(wi_update *u)
{
    wi_tree *h = u->h;
    const uint32_t tris = count_colliding(u->mesh);
    const wi_box bounds = wi_mesh_bounds(u->mesh);
    u->outcome = WI_OUTCOME_LOST;
    h->def = *u->def;
    if (tris == 0) {
        wi_tree_destroy(u->memory, h);
        h->boxes.bounds = bounds;
    } else {
        const willow_result result = begin_tree(u, &bounds, tris);
        if (result != WILLOW_OK) return result;
        h->shape->structure = u->revision;
    }
    u->outcome = u->needs_build || u->is_edited ? WI_OUTCOME_BUILT : WI_OUTCOME_KEPT;
    return WILLOW_OK;
}

/* ---- while it rests ---- */

/* Nodes that were asked for since the last update were so at its time. */
static void note_used(const wi_tree *h, uint32_t node)
{
    wi_grown *g = wi_grown_of(h);
    const uint64_t stamp = atomic_load_explicit(&h->boxes.nodes[node].stamp, memory_order_relaxed);
    WI_ASSERT(stamp != WI_STAMP_CLAIMED);
    if (stamp >= g->seen_from && stamp != WI_STAMP_NONE) g->used[node] = g->time;
}

/* Who asks for a node has asked for all above it, so the first that is old goes with all below. */
static bool cut_unused(wi_tree *h, double time)
{
    wi_grown *g = wi_grown_of(h);
    bool did_cut = false;
    wi_twig twig = {0, 1, 0};
    do {
        note_used(h, twig.node);
        if (g->nodes[twig.node].kind == WI_GROWN_PART || !wi_grown_is_opened(h, twig.node))
            continue;
        if (g->used[twig.node] > time) g->used[twig.node] = time; /* which went back */
        if (!(time - g->used[twig.node] > (double)h->def.max_time)) continue;
        wi_grown_cut(h, twig.node);
        did_cut = true;
    } while (wi_grown_next(h, &twig));
    return did_cut;
}

static void sphere_age(wi_update *u)
{
    wi_tree *h = u->h;
    wi_grown *g = wi_grown_of(h);
    const size_t live = wi_grown_live_bytes(h);
    if (live > g->counts.most_live) g->counts.most_live = live;
    wi_grown_recount(h);
    const bool did_cut = !h->def.grow_whole && cut_unused(h, u->time);
    if (did_cut) wi_grown_recount(h);
    const bool did_move = g->exhausted != 0 && enlarge_pool(u->memory, h);
    if (did_cut || did_move || g->exhausted != 0) h->shape->structure = u->revision;
    u->outcome = WI_OUTCOME_KEPT;
}

/* ---- the update ---- */

/* Vertices and triangles are as in the last update. */
static bool sphere_rests(const wi_update *u)
{
    return !u->needs_build && !u->is_edited && u->known == WI_KNOWN_RESTS &&
           wi_shape_is_grown(u->h->shape);
}

static void sphere_act(wi_update *u)
{
    wi_tree *h = u->h;
    h->boxes.revision = u->revision;
    if (h->boxes.nodes == NULL) return;
    wi_grown *g = wi_grown_of(h);
    h->boxes.valid_from = g->seen_from = u->revision;
    g->time = u->time;
    wi_tree_act(h, &(wi_keeper){.ops = &wi_sphere_keeper}, wi_sphere_open);
}

static willow_result sphere_update(wi_update *u)
{
    wi_tree *h = u->h;
    wi_tree_keep_by(u->memory, h, &wi_sphere_keeper);
    if (sphere_rests(u)) {
        sphere_age(u);
    } else {
        const willow_result result = sphere_begin(u);
        if (result != WILLOW_OK) return result;
    }
    sphere_act(u);
    if (h->def.grow_whole && h->boxes.nodes && !grow_whole(u->memory, h)) {
        u->outcome = WI_OUTCOME_LOST;
        return WILLOW_OUT_OF_MEMORY;
    }
    WI_ASSERT_SLOW(wi_tree_validate(h) == NULL);
    return WILLOW_OK;
}

extern const wi_method_ops wi_sphere_ops;
const wi_method_ops wi_sphere_ops = {.update = sphere_update};
