/* tree.c - what all trees have in common: their parts, their cost, their soundness. */
#include "tree/tree.h"

#include <stdatomic.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "tree/grown/grown.h"
#include "tree/linked/tree_edit.h"
#include "tree/self/self_lists.h"

void wi_tree_destroy(wi_memory *memory, wi_tree *h)
{
    wi_free_array(memory, h->boxes.nodes, h->boxes.node_room, sizeof *h->boxes.nodes);
    wi_moved_vertices_free(memory, h->moved);
    wi_tree_forget_kept(memory, h);
    wi_shape_release(memory, h->shape);
    const wi_tree old = *h;
    *h = wi_tree_none(h->mesh);
    h->def = old.def;
    h->keeper = old.keeper;
    h->survey = old.survey;
    h->is_self = old.is_self;
}

/* ---- keepers ---- */

void wi_keeper_free(wi_memory *memory, wi_tree *h, wi_keeper *keeper)
{
    if (keeper->state == NULL) return;
    if (h->boxes.acting.state == keeper->state) wi_tree_act(h, &(wi_keeper){0}, NULL);
    WI_ASSERT(keeper->ops && keeper->ops->free && h->boxes.acting.state != keeper->state);
    keeper->ops->free(memory, h, keeper->state);
    keeper->state = NULL;
}

void *wi_keeper_reserve(wi_memory *memory, wi_keeper *keeper, size_t size)
{
    WI_ASSERT(keeper->ops && size > 0);
    if (keeper->state == NULL) {
        keeper->state = wi_alloc(memory, size);
        if (keeper->state) memset(keeper->state, 0, size);
    }
    return keeper->state;
}

void wi_tree_keep_by(wi_memory *memory, wi_tree *h, const wi_keeper_ops *ops)
{
    if (h->keeper.ops == ops) return;
    wi_keeper_free(memory, h, &h->keeper);
    h->keeper.ops = ops;
    WI_ASSERT(ops && ops->name && h->keeper.state == NULL);
}

void wi_tree_act(wi_tree *h, const wi_keeper *keeper, wi_refresh *refresh)
{
    WI_ASSERT(keeper->state == NULL ||
              (keeper->ops->free && keeper->ops->forget && keeper->ops->bytes));
    h->boxes.acting = *keeper;
    h->boxes.refresh = refresh;
    h->boxes.volumes = NULL;
}

void wi_tree_forget_kept(wi_memory *memory, wi_tree *h)
{
    if (h->keeper.state == NULL) return;
    wi_tree_act(h, &(wi_keeper){0}, NULL);
    h->keeper.ops->forget(memory, h, h->keeper.state);
}

void wi_tree_move_vertices(wi_tree *h, uint32_t first, uint32_t count)
{
    const wi_keeper *acting = &h->boxes.acting;
    const bool tells = acting->state && acting->ops->move_vertex;
    WI_ASSERT(h->moved && h->moved->node_count == h->shape->node_count);
    WI_ASSERT(first <= h->mesh->vertex_count && count <= h->mesh->vertex_count - first);
    for (uint32_t i = 0; i < count && !h->moved->is_all; i++) {
        const uint32_t place = h->mesh->place[first + i];
        wi_moved_vertices_place(h, place);
        if (tells && place < h->moved->place_count)
            acting->ops->move_vertex(h, acting->state, place);
    }
}

bool wi_tree_reserve_path_changes(wi_memory *memory, const wi_tree *h)
{
    const wi_keeper *keeper = &h->keeper;
    return keeper->state == NULL || keeper->ops->reserve_path_changes == NULL ||
           keeper->ops->reserve_path_changes(memory, h, keeper->state);
}

void wi_tree_note_path(const wi_tree *h, uint32_t place)
{
    const wi_keeper *keeper = &h->keeper;
    WI_ASSERT(place < h->mesh->vertex_count);
    if (keeper->state && keeper->ops->note_path) keeper->ops->note_path(keeper->state, place);
}

void wi_tree_forget_paths(const wi_tree *h)
{
    const wi_keeper *keeper = &h->keeper;
    if (keeper->state && keeper->ops->forget_paths) keeper->ops->forget_paths(keeper->state);
}

/* The largest coordinate of any box: with a margin boxes may stick out of the whole by that, and by
 * how far their vertices have moved meanwhile. */
static double tree_size_of(const wi_tree *h)
{
    return wi_box_size(&h->boxes.bounds) + (2.0 + 0x1p-20) * (double)h->def.margin;
}

/* Boxes end at the border of float32, but paths and sums of shapes go on beyond it before the pose
 * brings them back, or elsewhere: a posed body that reaches the border may be anywhere. */
static bool may_be_beyond(const wi_tree *h)
{
    return wi_mesh_is_finer(h->mesh) && wi_box_size(&h->boxes.bounds) >= (double)FLT_MAX;
}

static wi_box world_bounds_of(const wi_tree *h)
{
    const wi_pose *pose = wi_mesh_pose(h->mesh);
    if (pose == NULL) return h->boxes.bounds;
    return may_be_beyond(h) ? wi_box_everything() : wi_pose_box(pose, &h->boxes.bounds);
}

void wi_tree_place(wi_tree *h, uint64_t placement)
{
    h->boxes.size = tree_size_of(h);
    h->boxes.world_bounds = world_bounds_of(h);
    h->boxes.placement = placement;
    WI_ASSERT(placement >= h->boxes.revision && h->boxes.size >= 0.0);
}

static size_t kept_bytes(const wi_tree *h)
{
    return h->keeper.state ? h->keeper.ops->bytes(h->keeper.state) : 0;
}

size_t wi_tree_bytes(const wi_tree *h)
{
    return h->boxes.node_room * sizeof *h->boxes.nodes + wi_shape_bytes(h->shape) + kept_bytes(h) +
           wi_moved_vertices_bytes(h->moved);
}

static size_t node_bytes(const wi_tree *h)
{
    const size_t kept = h->boxes.acting.state ? h->boxes.acting.ops->refit_node_bytes : 0;
    return h->shape->node_count * (kept > 0 ? kept : sizeof *h->boxes.nodes);
}

size_t wi_tree_refit_read(const wi_tree *h)
{
    return node_bytes(h) + h->shape->leaf_count * sizeof *h->shape->leaves +
           h->shape->leaf_vertex_count * sizeof *h->shape->leaf_vertices;
}

size_t wi_tree_refit_written(const wi_tree *h)
{
    size_t places = h->mesh->positions ? h->mesh->vertex_count : 0;
    return node_bytes(h) + places * sizeof *h->mesh->positions;
}

bool wi_tree_next_twig(const wi_tree *h, wi_twig *twig)
{
    for (;;) {
        WI_ASSERT(twig->node < h->shape->node_count && twig->lane <= WI_LANES);
        const wi_node *view = &h->boxes.nodes[twig->node];
        while (twig->lane < view->count && (view->leaf_mask >> twig->lane & 1) != 0) twig->lane++;
        if (twig->lane < view->count) return true;
        if (twig->node == 0) return false;
        WI_ASSERT(view->parent != twig->node && view->parent_lane < WI_LANES);
        *twig = (wi_twig){view->parent, twig->depth - 1, view->parent_lane + 1U};
    }
}

double wi_tree_cost(const wi_tree *h)
{
    double root = wi_box_half_area(&h->boxes.bounds), sum = root;
    wi_openings count = {0};
    if (root <= 0.0) return 0.0;
    if (h->boxes.nodes == NULL) return 1.0;
    wi_twig twig = {0, 1, 0};
    do {
        const wi_node *view = wi_tree_look(h, twig.node, &count);
        for (unsigned lane = 0; lane < view->count; lane++) {
            wi_box box = wi_node_box(view, lane);
            bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            double weight = is_leaf ? h->shape->leaves[view->child[lane]].tri_count : 1.0;
            sum += weight * wi_box_half_area(&box);
        }
    } while (wi_tree_next_node(h, &twig));
    WI_ASSERT(sum >= root);
    return sum / root;
}

static const char *tree_validate_leaf(const wi_tree *h, uint32_t number, uint32_t *next_tri,
                                      uint32_t *next_vertex, uint32_t *next_place)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    if (leaf->first_tri != *next_tri || leaf->first_vertex != *next_vertex ||
        leaf->first_place != *next_place)
        return "I2: leaves do not follow each other";
    if (leaf->tri_count == 0 || leaf->tri_count > h->def.leaf_triangles)
        return "I4: a leaf is empty or too large";
    if (leaf->owned_count > leaf->vertex_count) return "I3: a leaf owns more than it has";
    for (unsigned i = 0; i < leaf->vertex_count && h->mesh->place; i++) {
        uint32_t place = h->mesh->place[h->shape->leaf_vertices[leaf->first_vertex + i]];
        if (i < leaf->owned_count ? place != leaf->first_place + i : place >= leaf->first_place)
            return "I3: a leaf's vertices are not its run of places and an earlier border";
        if (i >= leaf->owned_count && place != wi_leaf_border(h, leaf)[i - leaf->owned_count])
            return "I3: a leaf's border is not where its vertices are";
    }
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            unsigned corner = h->shape->corners[leaf->first_tri + tri][i];
            uint32_t slot = h->shape->slots[leaf->first_tri + tri];
            if (slot >= h->mesh->tri_count || corner >= leaf->vertex_count ||
                h->shape->leaf_vertices[leaf->first_vertex + corner] != h->mesh->tris[slot][i])
                return "I5: a leaf's triangle is not the mesh's";
        }
    *next_tri += leaf->tri_count;
    *next_vertex += leaf->vertex_count;
    *next_place += leaf->owned_count;
    return NULL;
}

/* See willow_body_check_deformation. */
static bool is_bounded_by_user(const wi_tree *h)
{
    return h->boxes.acting.state && h->boxes.acting.ops->is_bounded_by_user;
}

const char *wi_tree_validate_place(const wi_tree *h)
{
    if (h->boxes.size != tree_size_of(h)) return "I9: a body is of another size than its boxes";
    if (is_bounded_by_user(h)) return NULL;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        for (uint32_t i = 0; i < h->shape->leaves[leaf].vertex_count; i++) {
            wi_box point = wi_box_empty();
            float p[4];
            wi_mesh_world_position(h->mesh, wi_leaf_vertex(h, &h->shape->leaves[leaf], i), p);
            wi_box_add_point(&point, p);
            if (!wi_box_contains(&h->boxes.world_bounds, &point))
                return "I9: a vertex is not where the body is";
        }
    return NULL;
}

static const char *validate_box(const wi_tree *h, const wi_node *view, unsigned lane)
{
    wi_box box = wi_node_box(view, lane);
    if (is_bounded_by_user(h)) return NULL;
    if ((view->leaf_mask >> lane & 1) != 0) {
        wi_box tight = wi_leaf_box(h, &h->shape->leaves[view->child[lane]]);
        return wi_box_contains(&box, &tight) ? NULL : "I6: a leaf sticks out of its box";
    }
    if (h->boxes.acting.state && h->boxes.acting.ops->checks_nodes) return NULL;
    if (h->boxes.acting.state && h->boxes.acting.ops->validate_node)
        return h->boxes.acting.ops->validate_node(h, h->boxes.acting.state, view->child[lane],
                                                  &box);
    const wi_node *child = &h->boxes.nodes[view->child[lane]];
    for (unsigned i = 0; i < child->count && wi_is_open(h, view->child[lane]); i++) {
        wi_box inner = wi_node_box(child, i);
        if (!wi_box_contains(&box, &inner)) return "I6: a node sticks out of its box";
    }
    return NULL;
}

/* Of nodes in trees of both kinds. */
static const char *validate_lanes(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    const uint64_t stamp = atomic_load_explicit(&view->stamp, memory_order_relaxed);
    if ((!wi_is_open(h, node) && h->boxes.refresh == NULL) || stamp > h->boxes.revision ||
        stamp == WI_STAMP_CLAIMED)
        return "I7: a node's boxes are of another revision";
    for (unsigned lane = view->count; lane < WI_LANES; lane++) {
        wi_box box = wi_node_box(view, lane);
        if (!wi_box_is_empty(&box)) return "I8: a lane without a child has a box";
    }
    return NULL;
}

static const char *tree_validate_node(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    if (view->count == 0 || view->count > h->def.arity) return "I4: a node has no or many children";
    const char *broken = validate_lanes(h, node);
    if (broken) return broken;
    for (unsigned lane = 0; lane < view->count; lane++) {
        bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        if (view->child[lane] >= (is_leaf ? h->shape->leaf_count : h->shape->node_count))
            return "I1: a child is not there";
        if (!is_leaf) {
            const wi_node *child = &h->boxes.nodes[view->child[lane]];
            if (view->child[lane] <= node || child->parent != node || child->parent_lane != lane)
                return "I1: a child does not follow its parent";
        }
    }
    return NULL;
}

/* All but the boxes of nodes. */
static const char *tree_validate_shape(const wi_tree *h)
{
    uint32_t next_leaf = 0, next_tri = 0, next_vertex = 0, next_place = 0, height = 1;
    wi_twig twig = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        if (node > 0 &&
            !(wi_tree_next_twig(h, &twig) && h->boxes.nodes[twig.node].child[twig.lane] == node))
            return "I1: nodes are not in preorder";
        const char *broken = tree_validate_node(h, node);
        if (broken) return broken;
        twig = (wi_twig){node, twig.depth + 1, 0};
        height = twig.depth > height ? twig.depth : height;
        const wi_node *view = &h->boxes.nodes[node];
        for (unsigned lane = 0; lane < view->count; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) continue;
            if (view->child[lane] != next_leaf++) return "I2: leaves are not in the order of nodes";
            broken = tree_validate_leaf(h, next_leaf - 1, &next_tri, &next_vertex, &next_place);
            if (broken) return broken;
            wi_box tight = wi_leaf_box(h, &h->shape->leaves[next_leaf - 1]);
            if (!is_bounded_by_user(h) && !wi_box_contains(&h->boxes.bounds, &tight))
                return "I6: a leaf sticks out of the body";
        }
    }
    if (height != h->shape->height) return "I1: a tree is of another height";
    if (next_leaf != h->shape->leaf_count || next_tri != h->shape->tri_count ||
        next_vertex != h->shape->leaf_vertex_count ||
        next_vertex - next_place != h->shape->border_count)
        return "I2: leaves are missing";
    return NULL;
}

static const char *validate_boxes(const wi_tree *h)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count && wi_is_open(h, node); lane++) {
            const char *broken = validate_box(h, &h->boxes.nodes[node], lane);
            if (broken) return broken;
        }
    return NULL;
}

/* The same of a linked tree. The boxes of closed nodes are of no interest: what is below them is
 * looked at. */
static const char *validate_linked(const wi_tree *h)
{
    wi_twig twig = {0, 1, 0};
    const char *broken = wi_links_validate(h);
    while (broken == NULL) {
        const wi_node *view = &h->boxes.nodes[twig.node];
        broken = validate_lanes(h, twig.node);
        for (unsigned lane = 0; lane < view->count && broken == NULL; lane++) {
            const uint32_t child = view->child[lane];
            const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            const wi_box tight =
                is_leaf ? wi_leaf_box(h, &h->shape->leaves[child]) : wi_linked_box_below(h, child);
            const wi_box box = wi_node_box(view, lane);
            if (!wi_box_contains(&h->boxes.bounds, &tight))
                return "I6: a leaf sticks out of the body";
            if (wi_is_open(h, twig.node) && !wi_box_contains(&box, &tight))
                return "I6: a child sticks out of its box";
        }
        if (!wi_tree_next_node(h, &twig)) break;
    }
    return broken;
}

/* Equal numbers of slots and equal sums of their hashes: the same slots, each once. */
static const char *validate_slots(const wi_tree *h)
{
    uint32_t colliding = 0;
    uint64_t sum = 0;
    for (uint32_t slot = 0; slot < h->mesh->tri_count; slot++) {
        if (!wi_mesh_collides(h->mesh, slot)) continue;
        colliding++;
        sum += wi_hash_u64(WI_HASH_START, slot);
    }
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        for (uint32_t i = 0; i < h->shape->leaves[leaf].tri_count; i++)
            sum -=
                wi_hash_u64(WI_HASH_START, h->shape->slots[h->shape->leaves[leaf].first_tri + i]);
    return colliding == h->shape->tri_count && sum == 0 ? NULL : "I5: leaves have other triangles";
}

/* Nobody acts, and yet nodes are closed: what the keeper knows is of an earlier revision
 * (update/rest). */
static bool is_left_alone(const wi_tree *h)
{
    return h->boxes.acting.state == NULL && h->boxes.refresh;
}

const char *wi_tree_validate(const wi_tree *h)
{
    if (h->boxes.nodes == NULL) return wi_group_sets_validate(h);
    if (h->shape->structure > h->boxes.revision)
        return "I16: the numbers of nodes are of a later revision";
    if (wi_shape_is_grown(h->shape)) return wi_grown_validate(h);
    const bool is_linked = wi_shape_is_linked(h->shape);
    const char *broken = is_linked ? validate_linked(h) : tree_validate_shape(h);
    if (broken == NULL) broken = wi_group_sets_validate(h);
    if (broken == NULL && h->keeper.state && h->keeper.ops->validate && !is_left_alone(h))
        broken = h->keeper.ops->validate(h, h->keeper.state);
    if (broken == NULL && !is_linked) broken = validate_boxes(h);
    return broken ? broken : validate_slots(h);
}

const char *wi_tree_validate_lists(const wi_tree *h) { return wi_self_lists_validate(h); }
