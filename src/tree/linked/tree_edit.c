/* tree_edit.c - triangles come and go, and the tree stays balanced.
 *
 * After the B-tree of Bayer and McCreight 1972, with the choices of the R*-tree where a B-tree has
 * keys (Beckmann, Kriegel, Schneider and Seeger 1990): what is split is split where the surface of
 * the two parts is least, and what has no neighbour goes down to the box that grows least. */
#include "tree/linked/tree_edit.h"

#include <string.h>

#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/insert_order.h"
#include "tree/linked/part_boxes.h"
#include "tree/self/self_edit.h"

enum { MOST_TRIS = 2 * WI_MAX_LEAF_TRIS };

/* Log3 of all triangles that can be numbered is 20.2. */
_Static_assert(WI_MOST_HEIGHT > 22, "a tree whose nodes have three children is no higher");

/* ---- boxes ---- */

static wi_box box_of_tri(const wi_tree *h, uint32_t slot)
{
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->mesh->tris[slot][i], p);
        wi_box_add_point(&box, p);
    }
    return box;
}

static wi_box box_of_lanes(const wi_node *view)
{
    wi_box box = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box child = wi_node_box(view, lane);
        wi_box_add_box(&box, &child);
    }
    return box;
}

/* Open nodes know; what is below closed ones is looked at. */
wi_box wi_linked_box_below(const wi_tree *h, uint32_t node)
{
    uint32_t stack[WI_MOST_HEIGHT * WI_LANES];
    unsigned count = 0;
    wi_box box = wi_box_empty();
    stack[count++] = node;
    while (count > 0) {
        const uint32_t at = stack[--count];
        const wi_node *view = &h->boxes.nodes[at];
        if (wi_is_open(h, at)) {
            const wi_box known = box_of_lanes(view);
            wi_box_add_box(&box, &known);
            continue;
        }
        WI_ASSERT(count + view->count <= WI_MOST_HEIGHT * WI_LANES);
        for (unsigned lane = 0; lane < view->count; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) { /* AVL trees have both in one view */
                stack[count++] = view->child[lane];
                continue;
            }
            const wi_box leaf = wi_leaf_box(h, &h->shape->leaves[view->child[lane]]);
            wi_box_add_box(&box, &leaf);
        }
    }
    return box;
}

static wi_box box_of_child(const wi_tree *h, const wi_node *view, unsigned lane)
{
    const uint32_t child = view->child[lane];
    return (view->leaf_mask >> lane & 1) != 0 ? wi_leaf_box(h, &h->shape->leaves[child])
                                              : wi_linked_box_below(h, child);
}

/* The children of a node are about to change, and their boxes are to be true. */
static void open_node(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    wi_node *view = &h->boxes.nodes[node];
    if (c->boxes == WI_EDIT_OLD || wi_is_open(h, node)) return;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box box = box_of_child(h, view, lane);
        wi_node_set_box(view, lane, &box);
    }
    atomic_store_explicit(&view->stamp, c->revision, memory_order_relaxed);
}

/* A node that was made of parts of open ones. */
static void stamp_node(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    if (c->boxes == WI_EDIT_TRUE)
        atomic_store_explicit(&h->boxes.nodes[node].stamp, c->revision, memory_order_relaxed);
}

static void mark_node(wi_tree *h, uint32_t node)
{
    wi_links *l = h->shape->links;
    if (l->is_changed[node]) return;
    l->is_changed[node] = true;
    l->changed_nodes[l->changed_node_count++] = node;
}

static void mark_leaf(wi_tree *h, uint32_t leaf)
{
    wi_links *l = h->shape->links;
    l->leaf_marks[leaf] |= WI_LEAF_CHANGED;
    mark_node(h, l->leaf_node[leaf]);
}

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

/* A child on its way to a node. */
typedef struct child {
    uint32_t number; /* leaves with WI_IS_LEAF */
    wi_box box;
} child;

static unsigned list_children(const wi_tree *h, uint32_t node, child *out)
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++)
        out[lane] = (child){view->child[lane] | (view->leaf_mask != 0 ? WI_IS_LEAF : 0),
                            wi_node_box(view, lane)};
    return view->count;
}

static void empty_node(wi_tree *h, uint32_t node)
{
    while (h->boxes.nodes[node].count > 0)
        wi_links_remove_child(h, node, h->boxes.nodes[node].count - 1U);
}

static void add_children(wi_tree *h, uint32_t node, const child *children, const uint8_t *order,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, node, children[order[i]].number, &children[order[i]].box);
    mark_node(h, node);
}

/* Shares children out to two nodes, which have none, where the surface is least. */
static void share_children(wi_tree *h, const wi_tree_changes *c, const child *children,
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
    stamp_node(h, c, first);
    stamp_node(h, c, second);
}

/* The root is always node 0: what it has goes to a node below it. */
static uint32_t push_root_down(wi_tree *h, const wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    child children[WI_LANES];
    const uint32_t node = wi_links_take_node(h, l->level[0]);
    const unsigned count = list_children(h, 0, children);
    empty_node(h, 0);
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, node, children[i].number, &children[i].box);
    stamp_node(h, c, node);
    mark_node(h, node);
    l->level[0]++;
    h->shape->height++;
    const wi_box box = box_of_lanes(&h->boxes.nodes[node]);
    wi_links_add_child(h, 0, node, &box);
    mark_node(h, 0);
    return node;
}

/* One more child for a node; nodes that are full are split, up to the root. */
static void add_child(wi_tree *h, const wi_tree_changes *c, uint32_t node, child one)
{
    for (;;) {
        child children[WI_LANES + 1];
        open_node(h, c, node);
        if (h->boxes.nodes[node].count < WI_LANES) {
            wi_links_add_child(h, node, one.number, &one.box);
            mark_node(h, node);
            return;
        }
        if (node == 0) node = push_root_down(h, c);
        const uint32_t parent = h->boxes.nodes[node].parent;
        const unsigned lane = h->boxes.nodes[node].parent_lane;
        const unsigned count = list_children(h, node, children);
        const uint32_t other = wi_links_take_node(h, h->shape->links->level[node]);
        children[count] = one;
        empty_node(h, node);
        share_children(h, c, children, count + 1, node, other);
        const wi_box box = box_of_lanes(&h->boxes.nodes[node]);
        wi_node_set_box(&h->boxes.nodes[parent], lane, &box);
        one = (child){other, box_of_lanes(&h->boxes.nodes[other])};
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
    boxes[0] = box_of_tri(h, slots[0]);
    for (unsigned i = 1; i < count; i++) boxes[i] = box_of_tri(h, slots[i]);
    const unsigned part = wi_part_boxes(boxes, slots, count, (count + 2) / 3, order);
    add_tris(h, leaf, slots, order, part);
    add_tris(h, other, slots, order + part, count - part);
    const wi_box box = box_of_some(boxes, order, part);
    const wi_box other_box = box_of_some(boxes, order + part, count - part);
    open_node(h, c, node);
    wi_node_set_box(&h->boxes.nodes[node], l->leaf_lane[leaf], &box);
    mark_leaf(h, leaf);
    if (l->leaf_node[other] == WI_NO_LINK)
        add_child(h, c, node, (child){other | WI_IS_LEAF, other_box});
    else
        wi_node_set_box(&h->boxes.nodes[l->leaf_node[other]], l->leaf_lane[other], &other_box);
    mark_leaf(h, other);
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

/* Leaves that have vertices of a triangle. */
enum { MOST_CANDIDATES = 12, LOOKS_PER_VERTEX = 4 };

typedef struct candidates {
    uint32_t leaves[MOST_CANDIDATES];
    unsigned shared[MOST_CANDIDATES]; /* vertices of the triangle */
    unsigned count;
} candidates;

static void add_candidate(candidates *c, uint32_t leaf)
{
    unsigned i = 0;
    while (i < c->count && c->leaves[i] != leaf) i++;
    if (i == c->count) {
        c->leaves[c->count] = leaf;
        c->shared[c->count++] = 0;
    }
    c->shared[i]++;
}

static candidates find_candidates(const wi_tree *h, uint32_t slot)
{
    const wi_links *l = h->shape->links;
    candidates c = {.count = 0};
    for (int i = 0; i < 3; i++) {
        uint32_t entry = l->first_entry[h->mesh->tris[slot][i]];
        for (int look = 0; look < LOOKS_PER_VERTEX && entry != WI_NO_LINK; look++) {
            add_candidate(&c, entry / l->entries_per_leaf);
            entry = l->next_entry[entry];
        }
    }
    return c;
}

/* How much a box grows, and which of two is smaller where none does. */
static double growth(const wi_box *box, const wi_box *more)
{
    wi_box both = *box;
    wi_box_add_box(&both, more);
    return wi_box_half_area(&both) - wi_box_half_area(box);
}

/* The one that grows least; of equals the one with most vertices of the triangle, then the first.
 */
static uint32_t best_candidate(const wi_tree *h, const candidates *c, const wi_box *box)
{
    const wi_links *l = h->shape->links;
    unsigned best = 0;
    double best_growth = INFINITY;
    for (unsigned i = 0; i < c->count; i++) {
        const uint32_t leaf = c->leaves[i];
        const wi_box own = wi_node_box(&h->boxes.nodes[l->leaf_node[leaf]], l->leaf_lane[leaf]);
        const double grows = growth(&own, box);
        if (grows > best_growth || (grows == best_growth && c->shared[i] <= c->shared[best]))
            continue;
        best = i;
        best_growth = grows;
    }
    return c->leaves[best];
}

static unsigned least_growing_lane(const wi_node *view, const wi_box *box)
{
    unsigned best = 0;
    double best_growth = 0.0, best_area = 0.0;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box own = wi_node_box(view, lane);
        const double grows = growth(&own, box), area = wi_box_half_area(&own);
        if (lane > 0 && !(grows < best_growth || (grows == best_growth && area < best_area)))
            continue;
        best = lane;
        best_growth = grows;
        best_area = area;
    }
    return best;
}

static uint32_t find_leaf(wi_tree *h, const wi_tree_changes *c, uint32_t slot, const wi_box *box)
{
    const candidates near = find_candidates(h, slot);
    if (near.count > 0) return best_candidate(h, &near, box);
    for (uint32_t node = 0;;) {
        open_node(h, c, node);
        const wi_node *view = &h->boxes.nodes[node];
        const uint32_t next = view->child[least_growing_lane(view, box)];
        if (view->leaf_mask != 0) return next;
        node = next;
    }
}

static void insert_tri(wi_tree *h, const wi_tree_changes *c, uint32_t slot)
{
    const wi_box box = box_of_tri(h, slot);
    const uint32_t leaf = find_leaf(h, c, slot, &box);
    if (h->shape->leaves[leaf].tri_count == h->shape->links->tris_per_leaf) {
        split_leaf(h, c, leaf, slot);
        return;
    }
    wi_links_add_tri(h, leaf, slot);
    grow_boxes(h, leaf, &box);
    mark_leaf(h, leaf);
}

static void touch_vertices(wi_tree *h, uint32_t slot)
{
    for (int i = 0; i < 3; i++) wi_self_edit_touch_vertex(h, h->mesh->tris[slot][i]);
}

/* ---- a child comes ---- */

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
    add_child(h, &c, node, (child){number, *box});
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
    child children[WI_LANES];
    const uint32_t node = h->boxes.nodes[0].child[0];
    WI_ASSERT(h->boxes.nodes[0].count == 1 && h->boxes.nodes[0].leaf_mask == 0);
    open_node(h, c, node);
    const unsigned count = list_children(h, node, children);
    empty_node(h, node);
    empty_node(h, 0);
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, 0, children[i].number, &children[i].box);
    wi_links_give_node(h, node);
    l->level[0]--;
    h->shape->height--;
    mark_node(h, 0);
}

/* A child has gone: a node with too few joins one beside it, or takes some of its children. */
static void join_nodes(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    while (node > 0 && h->boxes.nodes[node].count < WI_LEAST_CHILDREN) {
        child children[2 * WI_LANES];
        const uint32_t parent = h->boxes.nodes[node].parent;
        const unsigned lane = h->boxes.nodes[node].parent_lane;
        open_node(h, c, parent);
        const unsigned other_lane = nearest_lane(&h->boxes.nodes[parent], lane);
        const uint32_t other = h->boxes.nodes[parent].child[other_lane];
        open_node(h, c, node);
        open_node(h, c, other);
        const unsigned own = list_children(h, node, children);
        const unsigned count = own + list_children(h, other, children + own);
        empty_node(h, node);
        mark_node(h, parent);
        if (count > WI_LANES) {
            empty_node(h, other);
            share_children(h, c, children, count, node, other);
            return;
        }
        for (unsigned i = 0; i < own; i++)
            wi_links_add_child(h, other, children[i].number, &children[i].box);
        mark_node(h, other);
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
    open_node(h, c, node);
    const unsigned lane = nearest_lane(&h->boxes.nodes[node], l->leaf_lane[leaf]);
    const uint32_t other = h->boxes.nodes[node].child[lane];
    unsigned count = wi_links_empty_leaf(h, leaf, slots);
    if (count + h->shape->leaves[other].tri_count > l->tris_per_leaf) {
        count += wi_links_empty_leaf(h, other, slots + count);
        share_tris(h, c, slots, count, leaf, other);
        return;
    }
    for (unsigned i = 0; i < count; i++) wi_links_add_tri(h, other, slots[i]);
    mark_leaf(h, other);
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
            box = box_of_lanes(&h->boxes.nodes[number]);
        }
        wi_node_set_box(view, lane, &box);
    }
}

static void finish_node(wi_tree *h, wi_tree_changes *c, uint32_t node)
{
    wi_links *l = h->shape->links;
    wi_node *view = &h->boxes.nodes[node];
    if (c->boxes == WI_EDIT_TRUE) {
        const bool was_open = wi_is_open(h, node);
        open_node(h, c, node);
        if (was_open) bound_changed(h, view);
        c->bounded++;
    }
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
    if (node > 0) mark_node(h, view->parent);
}

/* Level by level, so that children come first. */
void wi_tree_edit_bound(wi_tree *h, wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    for (unsigned level = 0; level < h->shape->height; level++)
        for (uint32_t i = 0; i < l->changed_node_count; i++) {
            const uint32_t node = l->changed_nodes[i];
            if (l->level[node] == level && wi_tree_has_node(h, node)) finish_node(h, c, node);
        }
    for (uint32_t i = 0; i < l->changed_node_count; i++) l->is_changed[l->changed_nodes[i]] = false;
    l->changed_node_count = 0;
    if (c->boxes == WI_EDIT_TRUE && wi_is_open(h, 0))
        h->boxes.bounds = box_of_lanes(&h->boxes.nodes[0]);
}

/* ---- all of it ---- */

static void remove_tris(wi_tree *h, const wi_tree_changes *c)
{
    wi_links *l = h->shape->links;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t leaf = l->leaf_of[c->slots[i]];
        if (leaf == WI_NO_LINK) continue;
        wi_links_remove_tri(h, c->slots[i]);
        mark_leaf(h, leaf);
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
    c->bounded = 0;
    if (wi_tree_is_avl(h)) return wi_avl_edit(memory, h, c);
    if (!wi_links_reserve_mesh(memory, h) || !reserve_one(memory, h)) return WILLOW_OUT_OF_MEMORY;
    remove_tris(h, c);
    if (!insert_tris(memory, h, c)) return WILLOW_OUT_OF_MEMORY;
    if (h->shape->tri_count == 0) {
        wi_tree_destroy(memory, h);
        return WILLOW_OK;
    }
    wi_tree_edit_join_small(h, c);
    wi_tree_edit_bound(h, c);
    if (!wi_self_edit_finish(memory, h)) return WILLOW_OUT_OF_MEMORY;
    WI_ASSERT_SLOW(wi_links_validate(h) == NULL);
    return WILLOW_OK;
}
