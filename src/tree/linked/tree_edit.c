/* tree_edit.c - triangles come and go, and the tree stays balanced.
 *
 * After the B-tree of Bayer and McCreight 1972, with the choices of the R*-tree where a B-tree has
 * keys (Beckmann, Kriegel, Schneider and Seeger 1990): what is split is split where the surface of
 * the two parts is least, and what has no neighbour goes down to the box that grows least. */
#include "tree/linked/edit_node.h"

#include <string.h>

#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/exchange.h"
#include "tree/linked/find_place.h"
#include "tree/linked/insert_order.h"
#include "tree/linked/part_boxes.h"
#include "tree/linked/renew.h"
#include "tree/linked/wear.h"
#include "tree/self/self_edit.h"

enum { MOST_TRIS = 2 * WI_MAX_LEAF_TRIS };

/* Log3 of all triangles that can be numbered is 20.2. */
_Static_assert(WI_MOST_HEIGHT > 22, "a tree whose nodes have three children is no higher");

/* ---- what waits ---- */

static void mark_small(wi_tree *h, uint32_t leaf)
{
    wi_links *l = h->shape->links;
    if (h->shape->leaves[leaf].tri_count >= wi_least_tris(l) ||
        (l->leaf_marks[leaf] & WI_LEAF_SMALL) != 0)
        return;
    l->leaf_marks[leaf] |= WI_LEAF_SMALL;
    l->small_leaves[l->small_leaf_count++] = leaf;
}

/* Boxes above a leaf grow, so that they are of use to the next triangle; all of them are found anew
 * in the end. */
static void grow_boxes(wi_tree *h, uint32_t leaf, const wi_box *box)
{
    const wi_links *l = h->shape->links;
    uint32_t node = l->leaf_node[leaf];
    unsigned lane = l->leaf_lane[leaf];
    for (;;) {
        wi_node *view = &h->boxes.nodes[node];
        wi_box larger = wi_node_box(view, lane);
        if (wi_box_contains(&larger, box)) return;
        wi_box_add_box(&larger, box);
        wi_node_set_box(view, lane, &larger);
        if (node == 0) return;
        lane = view->parent_lane;
        node = view->parent;
    }
}

/* ---- nodes are split ---- */

static void add_children(wi_tree *h, uint32_t node, const wi_edit_child *children,
                         const uint8_t *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, node, children[order[i]].number, &children[order[i]].box);
    wi_edit_mark_node(h, node);
}

/* Shares children out to two nodes, which have none, where the surface is least. */
static void share_children(wi_tree *h, const wi_tree_changes *c, const wi_edit_child *children,
                           unsigned count, uint32_t first, uint32_t second)
{
    wi_box boxes[2 * WI_LANES];
    uint32_t keys[2 * WI_LANES];
    uint8_t order[2 * WI_LANES];
    WI_ASSERT(count <= 2 * WI_LANES && count >= 2 * WI_LEAST_CHILDREN);
    for (unsigned i = 0; i < count; i++) {
        boxes[i] = children[i].box;
        keys[i] = children[i].number;
    }
    const unsigned least =
        (count + 2) / 3 < WI_LEAST_CHILDREN ? WI_LEAST_CHILDREN : (count + 2) / 3;
    const unsigned part = wi_part_boxes(boxes, keys, count, least, order);
    add_children(h, first, children, order, part);
    add_children(h, second, children, order + part, count - part);
    wi_edit_stamp_node(h, c, first);
    wi_edit_stamp_node(h, c, second);
}

/* The root is always node 0: what it has goes to a node below it. */
static uint32_t push_root_down(wi_tree *h, const wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    wi_edit_child children[WI_LANES];
    const uint32_t node = wi_links_take_node(h, l->level[0]);
    const unsigned count = wi_edit_list_children(h, 0, children);
    wi_edit_empty_node(h, 0);
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, node, children[i].number, &children[i].box);
    wi_wear_inherit(h, node, h, 0);
    wi_wear_forget(h, 0);
    wi_edit_stamp_node(h, c, node);
    wi_edit_mark_node(h, node);
    l->level[0]++;
    h->shape->height++;
    const wi_box box = wi_edit_box_of_lanes(&h->boxes.nodes[node]);
    wi_links_add_child(h, 0, node, &box);
    wi_edit_mark_node(h, 0);
    return node;
}

/* One more child for a node; nodes that are full are split, up to the root. */
static void add_child(wi_tree *h, const wi_tree_changes *c, uint32_t node, wi_edit_child one)
{
    for (;;) {
        wi_edit_child children[WI_LANES + 1];
        wi_edit_open_node(h, c, node);
        if (h->boxes.nodes[node].count < WI_LANES) {
            wi_links_add_child(h, node, one.number, &one.box);
            wi_edit_mark_node(h, node);
            return;
        }
        if (node == 0) node = push_root_down(h, c);
        const uint32_t parent = h->boxes.nodes[node].parent;
        const unsigned lane = h->boxes.nodes[node].parent_lane;
        const unsigned count = wi_edit_list_children(h, node, children);
        const uint32_t other = wi_links_take_node(h, h->shape->links->level[node]);
        children[count] = one;
        wi_wear_inherit(h, other, h, node);
        wi_edit_empty_node(h, node);
        share_children(h, c, children, count + 1, node, other);
        const wi_box box = wi_edit_box_of_lanes(&h->boxes.nodes[node]);
        wi_node_set_box(&h->boxes.nodes[parent], lane, &box);
        one = (wi_edit_child){other, wi_edit_box_of_lanes(&h->boxes.nodes[other])};
        node = parent;
    }
}

/* ---- leaves are split ---- */

static wi_box box_of_some(const wi_box *boxes, const uint8_t *order, unsigned count)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < count; i++) wi_box_add_box(&box, &boxes[order[i]]);
    return box;
}

static void add_tris(wi_tree *h, uint32_t leaf, const uint32_t *slots, const uint8_t *order,
                     unsigned count)
{
    for (unsigned i = 0; i < count; i++) wi_links_add_tri(h, leaf, slots[order[i]]);
}

/* Shares triangles out to a leaf and a new one beside it; both have none. */
static void share_tris(wi_tree *h, const wi_tree_changes *c, const uint32_t *slots, unsigned count,
                       uint32_t leaf, uint32_t other)
{
    wi_links *l = h->shape->links;
    wi_box boxes[MOST_TRIS];
    uint8_t order[MOST_TRIS];
    const uint32_t node = l->leaf_node[leaf];
    WI_ASSERT(count >= 2 && count <= MOST_TRIS);
    boxes[0] = wi_edit_box_of_tri(h, slots[0]);
    for (unsigned i = 1; i < count; i++) boxes[i] = wi_edit_box_of_tri(h, slots[i]);
    const unsigned part = wi_part_boxes(boxes, slots, count, (count + 2) / 3, order);
    add_tris(h, leaf, slots, order, part);
    add_tris(h, other, slots, order + part, count - part);
    const wi_box box = box_of_some(boxes, order, part);
    const wi_box other_box = box_of_some(boxes, order + part, count - part);
    wi_edit_open_node(h, c, node);
    wi_node_set_box(&h->boxes.nodes[node], l->leaf_lane[leaf], &box);
    wi_edit_mark_leaf(h, leaf);
    if (l->leaf_node[other] == WI_NO_LINK)
        add_child(h, c, node, (wi_edit_child){other | WI_IS_LEAF, other_box});
    else
        wi_node_set_box(&h->boxes.nodes[l->leaf_node[other]], l->leaf_lane[other], &other_box);
    wi_edit_mark_leaf(h, other);
}

static void split_leaf(wi_tree *h, const wi_tree_changes *c, uint32_t leaf, uint32_t slot)
{
    uint32_t slots[MOST_TRIS];
    unsigned count = wi_links_empty_leaf(h, leaf, slots);
    const uint32_t other = wi_links_take_leaf(h);
    h->shape->links->leaf_node[other] = WI_NO_LINK;
    slots[count++] = slot;
    share_tris(h, c, slots, count, leaf, other);
}

/* ---- triangles come ---- */

static void insert_tri(wi_tree *h, const wi_tree_changes *c, uint32_t slot)
{
    const wi_box box = wi_edit_box_of_tri(h, slot);
    const uint32_t leaf = wi_find_place(h, c, slot, &box);
    if (h->shape->leaves[leaf].tri_count == h->shape->links->tris_per_leaf) {
        split_leaf(h, c, leaf, slot);
        return;
    }
    wi_links_add_tri(h, leaf, slot);
    grow_boxes(h, leaf, &box);
    wi_edit_mark_leaf(h, leaf);
}

static void touch_vertices(wi_tree *h, uint32_t slot)
{
    for (int i = 0; i < 3; i++) wi_self_edit_touch_vertex(h, h->mesh->tris[slot][i]);
}

/* ---- a child comes ---- */

/* Which of two is smaller where none grows. */
static unsigned least_growing_lane(const wi_node *view, const wi_box *box)
{
    unsigned best = 0;
    double best_growth = 0.0, best_area = 0.0;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box own = wi_node_box(view, lane);
        const double grows = wi_edit_growth(&own, box), area = wi_box_half_area(&own);
        if (lane > 0 && !(grows < best_growth || (grows == best_growth && area < best_area)))
            continue;
        best = lane;
        best_growth = grows;
        best_area = area;
    }
    return best;
}

void wi_tree_edit_add_below(wi_tree *h, uint32_t level, uint32_t number, const wi_box *box)
{
    const wi_tree_changes c = {.boxes = WI_EDIT_OLD};
    const wi_links *l = h->shape->links;
    uint32_t node = 0;
    WI_ASSERT(level <= l->level[0] + 1U);
    if (level > l->level[0]) (void)push_root_down(h, &c);
    while (l->level[node] > level) {
        wi_node *view = &h->boxes.nodes[node];
        const unsigned lane = least_growing_lane(view, box);
        wi_box larger = wi_node_box(view, lane);
        wi_box_add_box(&larger, box);
        wi_node_set_box(view, lane, &larger);
        node = view->child[lane];
    }
    add_child(h, &c, node, (wi_edit_child){number, *box});
}

/* ---- what is too small is joined ---- */

/* The lane beside this one whose box makes the smallest with it. */
static unsigned nearest_lane(const wi_node *view, unsigned lane)
{
    const wi_box own = wi_node_box(view, lane);
    unsigned best = WI_LANES;
    double best_area = 0.0;
    WI_ASSERT(view->count >= 2);
    for (unsigned i = 0; i < view->count; i++) {
        wi_box both = wi_node_box(view, i);
        if (i == lane) continue;
        wi_box_add_box(&both, &own);
        const double area = wi_box_half_area(&both);
        if (best != WI_LANES && !(area < best_area)) continue;
        best = i;
        best_area = area;
    }
    return best;
}

static void pull_root_up(wi_tree *h, const wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    wi_edit_child children[WI_LANES];
    const uint32_t node = h->boxes.nodes[0].child[0];
    WI_ASSERT(h->boxes.nodes[0].count == 1 && h->boxes.nodes[0].leaf_mask == 0);
    wi_edit_open_node(h, c, node);
    const unsigned count = wi_edit_list_children(h, node, children);
    wi_edit_empty_node(h, node);
    wi_edit_empty_node(h, 0);
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, 0, children[i].number, &children[i].box);
    wi_wear_inherit(h, 0, h, node);
    wi_links_give_node(h, node);
    l->level[0]--;
    h->shape->height--;
    wi_edit_mark_node(h, 0);
}

/* A child has gone: a node with too few joins one beside it, or takes some of its children. */
static void join_nodes(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    while (node > 0 && h->boxes.nodes[node].count < WI_LEAST_CHILDREN) {
        wi_edit_child children[2 * WI_LANES];
        const uint32_t parent = h->boxes.nodes[node].parent;
        const unsigned lane = h->boxes.nodes[node].parent_lane;
        wi_edit_open_node(h, c, parent);
        const unsigned other_lane = nearest_lane(&h->boxes.nodes[parent], lane);
        const uint32_t other = h->boxes.nodes[parent].child[other_lane];
        wi_edit_open_node(h, c, node);
        wi_edit_open_node(h, c, other);
        const unsigned own = wi_edit_list_children(h, node, children);
        const unsigned count = own + wi_edit_list_children(h, other, children + own);
        wi_edit_empty_node(h, node);
        wi_edit_mark_node(h, parent);
        if (count > WI_LANES) {
            wi_edit_empty_node(h, other);
            share_children(h, c, children, count, node, other);
            return;
        }
        for (unsigned i = 0; i < own; i++)
            wi_links_add_child(h, other, children[i].number, &children[i].box);
        wi_edit_mark_node(h, other);
        wi_links_remove_child(h, parent, lane);
        wi_links_give_node(h, node);
        node = parent;
    }
    if (node == 0 && h->boxes.nodes[0].count == 1 && h->boxes.nodes[0].leaf_mask == 0)
        pull_root_up(h, c);
}

/* The same for a leaf. */
static void join_leaf(wi_tree *h, const wi_tree_changes *c, uint32_t leaf)
{
    wi_links *l = h->shape->links;
    uint32_t slots[MOST_TRIS];
    const uint32_t node = l->leaf_node[leaf];
    if (h->boxes.nodes[node].count == 1) return; /* the only one */
    wi_edit_open_node(h, c, node);
    const unsigned lane = nearest_lane(&h->boxes.nodes[node], l->leaf_lane[leaf]);
    const uint32_t other = h->boxes.nodes[node].child[lane];
    unsigned count = wi_links_empty_leaf(h, leaf, slots);
    if (count + h->shape->leaves[other].tri_count > l->tris_per_leaf) {
        count += wi_links_empty_leaf(h, other, slots + count);
        share_tris(h, c, slots, count, leaf, other);
        return;
    }
    for (unsigned i = 0; i < count; i++) wi_links_add_tri(h, other, slots[i]);
    wi_edit_mark_leaf(h, other);
    mark_small(h, other);
    wi_links_remove_child(h, node, l->leaf_lane[leaf]);
    wi_links_give_leaf(h, leaf);
    join_nodes(h, c, node);
}

void wi_tree_edit_mark_small(wi_tree *h)
{
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) mark_small(h, leaf);
}

void wi_tree_edit_join_small(wi_tree *h, wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    while (l->small_leaf_count > 0) {
        const uint32_t leaf = l->small_leaves[--l->small_leaf_count];
        l->leaf_marks[leaf] = (uint8_t)(l->leaf_marks[leaf] & ~WI_LEAF_SMALL);
        if (wi_links_have_leaf(l, leaf) && h->shape->leaves[leaf].tri_count < wi_least_tris(l))
            join_leaf(h, c, leaf);
    }
}

/* ---- boxes in the end ---- */

/* The boxes of children that have changed, of an open node. */
static void bound_changed(wi_tree *h, wi_node *view)
{
    const wi_links *l = h->shape->links;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t number = view->child[lane];
        wi_box box;
        if (view->leaf_mask != 0) {
            if ((l->leaf_marks[number] & WI_LEAF_CHANGED) == 0) continue;
            box = wi_leaf_box(h, &h->shape->leaves[number]);
        } else {
            if (!l->is_changed[number]) continue;
            box = wi_edit_box_of_lanes(&h->boxes.nodes[number]);
        }
        wi_node_set_box(view, lane, &box);
    }
}

/* What nodes have that exchanged is told again. */
static void exchange_below(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    if (wi_exchange_children(h, c, node) == 0) return;
    for (unsigned lane = 0; lane < view->count; lane++) {
        if (!h->shape->links->is_changed[view->child[lane]]) continue;
        wi_group_sets_follow_node(h, view->child[lane]);
        wi_self_edit_change_node(h, view->child[lane]);
        if (c->boxes == WI_EDIT_TRUE) wi_wear_note(h, view->child[lane]);
    }
}

static void finish_node(wi_tree *h, wi_tree_changes *c, uint32_t node)
{
    wi_links *l = h->shape->links;
    wi_node *view = &h->boxes.nodes[node];
    if (c->boxes == WI_EDIT_TRUE) {
        const bool was_open = wi_is_open(h, node);
        wi_edit_open_node(h, c, node);
        if (was_open) bound_changed(h, view);
        c->bounded++;
    }
    if (l->level[node] > 0 && !h->def.keep_siblings) exchange_below(h, c, node);
    if (c->boxes == WI_EDIT_TRUE || !(view->spread > 0.0F)) wi_wear_note(h, node);
    for (unsigned lane = 0; lane < view->count && view->leaf_mask != 0; lane++) {
        const uint32_t leaf = view->child[lane];
        if (l->leaf_marks[leaf] == 0) continue;
        wi_group_sets_follow_leaf(h, leaf);
        wi_self_edit_change_leaf(h, leaf);
        l->leaf_revision[leaf] = c->revision;
        l->leaf_marks[leaf] = 0;
    }
    wi_group_sets_follow_node(h, node);
    wi_self_edit_change_node(h, node);
    if (node > 0) wi_edit_mark_node(h, view->parent);
}

/* Level by level, so that children come first. */
static void bound_marked(wi_tree *h, wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    for (unsigned level = 0; level < h->shape->height; level++)
        for (uint32_t i = 0; i < l->changed_node_count; i++) {
            const uint32_t node = l->changed_nodes[i];
            if (l->level[node] == level && wi_tree_has_node(h, node)) finish_node(h, c, node);
        }
    if (c->boxes == WI_EDIT_TRUE && wi_is_open(h, 0))
        h->boxes.bounds = wi_edit_box_of_lanes(&h->boxes.nodes[0]);
}

static void forget_changed(wi_links *l)
{
    for (uint32_t i = 0; i < l->changed_node_count; i++) l->is_changed[l->changed_nodes[i]] = false;
    l->changed_node_count = 0;
}

void wi_tree_edit_end(wi_tree *h, wi_tree_changes *c)
{
    bound_marked(h, c);
    forget_changed(h->shape->links);
}

/* ---- what is worn ---- */

/* Nodes may have gone since they were found. */
static bool renew_worn(wi_memory *memory, wi_tree *h, wi_tree_changes *c, const wi_worn *worn)
{
    for (uint32_t i = 0; i < worn->count; i++) {
        const uint32_t node = worn->nodes[i];
        if (!wi_tree_has_node(h, node) || h->shape->links->level[node] > WI_MOST_WORN_LEVEL)
            continue;
        if (!wi_renew_below(memory, h, c, node)) return false;
        c->renewed++;
    }
    return true;
}

/* Bounds what has changed; where that shows what is worn, renews it, and bounds that. */
static bool bound_and_renew(wi_memory *memory, wi_tree *h, wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    wi_worn worn = {.count = 0};
    bound_marked(h, c);
    if (c->boxes == WI_EDIT_TRUE) wi_wear_find(h, l->changed_nodes, l->changed_node_count, &worn);
    forget_changed(l);
    c->is_worn_out = wi_wear_is_all(h, &worn);
    if (worn.count == 0 || c->is_worn_out) return true;
    if (!renew_worn(memory, h, c, &worn)) return false;
    wi_tree_edit_end(h, c);
    return true;
}

/* ---- all of it ---- */

/* One that is replaced stays in its leaf where it still belongs. */
static bool replace_tri(wi_tree *h, uint32_t slot, uint32_t leaf)
{
    if (!wi_mesh_has_tri(h->mesh, slot) || !wi_mesh_collides(h->mesh, slot)) return false;
    const wi_box box = wi_edit_box_of_tri(h, slot);
    if (!wi_place_stays(h, slot, &box)) return false;
    wi_links_remove_tri(h, slot);
    wi_links_add_tri(h, leaf, slot);
    touch_vertices(h, slot);
    grow_boxes(h, leaf, &box);
    wi_edit_mark_leaf(h, leaf);
    return true;
}

static void remove_or_replace(wi_tree *h, const wi_tree_changes *c)
{
    const wi_links *l = h->shape->links;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t slot = c->slots[i], leaf = l->leaf_of[slot];
        if (leaf == WI_NO_LINK || replace_tri(h, slot, leaf)) continue;
        wi_links_remove_tri(h, slot);
        wi_edit_mark_leaf(h, leaf);
        mark_small(h, leaf);
    }
}

/* What comes with one triangle at most: a leaf, and a node on every level. */
static bool reserve_one(wi_memory *memory, wi_tree *h)
{
    return wi_links_reserve(memory, h, 1, h->shape->height + 1);
}

static bool insert_tris(wi_memory *memory, wi_tree *h, const wi_tree_changes *c)
{
    wi_insert_order order;
    bool fine = wi_insert_order_make(memory, h, c->slots, c->count, &order);
    for (size_t i = 0; i < order.count && fine; i++) {
        fine = reserve_one(memory, h);
        if (!fine) break;
        insert_tri(h, c, order.slots[i]);
        touch_vertices(h, order.slots[i]);
    }
    wi_insert_order_free(memory, &order);
    return fine;
}

willow_result wi_tree_edit(wi_memory *memory, wi_tree *h, wi_tree_changes *c)
{
    WI_ASSERT(h->shape->users == 1 && h->boxes.nodes != NULL);
    c->bounded = c->renewed = 0;
    c->is_worn_out = false;
    if (wi_tree_is_avl(h)) return wi_avl_edit(memory, h, c);
    if (!wi_links_reserve_mesh(memory, h) || !reserve_one(memory, h)) return WILLOW_OUT_OF_MEMORY;
    remove_or_replace(h, c);
    if (!insert_tris(memory, h, c)) return WILLOW_OUT_OF_MEMORY;
    if (h->shape->tri_count == 0) {
        wi_tree_destroy(memory, h);
        return WILLOW_OK;
    }
    wi_tree_edit_join_small(h, c);
    if (c->worn && !renew_worn(memory, h, c, c->worn)) return WILLOW_OUT_OF_MEMORY;
    if (!bound_and_renew(memory, h, c) || !wi_self_edit_finish(memory, h))
        return WILLOW_OUT_OF_MEMORY;
    WI_ASSERT_SLOW(wi_links_validate(h) == NULL);
    return WILLOW_OK;
}
