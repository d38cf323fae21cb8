/* avl.c - nodes of an AVL tree are paired, turned and taken out. */
#include "tree/linked/avl.h"

#include "base/check.h"

bool wi_avl_begin(wi_memory *memory, wi_tree *h)
{
    wi_avl *avl = wi_alloc(memory, sizeof *avl);
    if (avl == NULL) return false;
    *avl = (wi_avl){.root = WI_NO_LINK};
    h->shape->links->avl = avl;
    return true;
}

/* Blocks that grow with others are given back with them (links.c). */
void wi_avl_free(wi_memory *memory, wi_shape *shape)
{
    wi_avl *avl = shape->links->avl;
    if (avl) wi_free(memory, avl, sizeof *avl);
    shape->links->avl = NULL;
}

size_t wi_avl_bytes(const wi_shape *shape)
{
    const wi_links *l = shape->links;
    const wi_avl *avl = l->avl;
    if (avl == NULL) return 0;
    return sizeof *avl + l->node_room * (sizeof *avl->nodes + sizeof *avl->order) +
           shape->leaf_room * (sizeof *avl->leaf_boxes + sizeof *avl->leaf_parent);
}

/* ---- links ---- */

static void set_parent(wi_avl *avl, wi_avl_ref ref, uint32_t parent)
{
    if (wi_avl_is_leaf(ref))
        avl->leaf_parent[ref & ~WI_IS_LEAF] = parent;
    else
        avl->nodes[ref].parent = parent;
}

static uint32_t parent_of(const wi_avl *avl, wi_avl_ref ref)
{
    return wi_avl_is_leaf(ref) ? avl->leaf_parent[ref & ~WI_IS_LEAF] : avl->nodes[ref].parent;
}

void wi_avl_set_child(wi_avl *avl, uint32_t node, int side, wi_avl_ref ref)
{
    avl->nodes[node].child[side] = ref;
    avl->nodes[node].is_changed = true;
    set_parent(avl, ref, node);
}

/* What was below a node is another from now on; without a node it is the root. */
static void exchange(wi_avl *avl, uint32_t node, wi_avl_ref old, wi_avl_ref now)
{
    if (node == WI_NO_LINK) {
        avl->root = now;
        set_parent(avl, now, WI_NO_LINK);
        return;
    }
    wi_avl_set_child(avl, node, avl->nodes[node].child[1] == old, now);
}

/* ---- balance ---- */

static int balance_of(const wi_avl *avl, const wi_avl_node *node)
{
    return (int)wi_avl_height(avl, node->child[0]) - (int)wi_avl_height(avl, node->child[1]);
}

void wi_avl_settle(wi_avl *avl, uint32_t number)
{
    wi_avl_node *node = &avl->nodes[number];
    const uint32_t left = wi_avl_height(avl, node->child[0]);
    const uint32_t right = wi_avl_height(avl, node->child[1]);
    WI_ASSERT(balance_of(avl, node) >= -1 && balance_of(avl, node) <= 1);
    node->height = (uint8_t)(1 + (left > right ? left : right));
    node->box = *wi_avl_box(avl, node->child[0]);
    wi_box_add_box(&node->box, wi_avl_box(avl, node->child[1]));
    node->is_changed = true;
}

/* The higher child of a node gives its own higher child to it, and takes the other child:
 *
 *         a                a
 *        / \              / \
 *       t   u     ->     x   t      h(t) = h(u) + 2, h(x) >= h(y)
 *      / \                  / \
 *     x   y                y   u
 *
 * A node keeps its number, so whatever is above it need not know. */
static void rotate(wi_avl *avl, uint32_t a)
{
    const int side = balance_of(avl, &avl->nodes[a]) < 0;
    const uint32_t t = avl->nodes[a].child[side];
    const wi_avl_ref u = avl->nodes[a].child[1 - side];
    const bool swaps = balance_of(avl, &avl->nodes[t]) < 0; /* the pre-swap */
    const wi_avl_ref x = avl->nodes[t].child[swaps], y = avl->nodes[t].child[1 - swaps];
    WI_ASSERT(wi_avl_height(avl, t) == wi_avl_height(avl, u) + 2);
    wi_avl_set_child(avl, a, side, x);
    wi_avl_set_child(avl, a, 1 - side, t);
    wi_avl_set_child(avl, t, 0, y);
    wi_avl_set_child(avl, t, 1, u);
    wi_avl_settle(avl, t);
}

/* On the way to the root, one level after the other: one rotation for what has come, as many as
 * there are levels for what has gone. */
static void rebalance(wi_avl *avl, uint32_t node)
{
    for (; node != WI_NO_LINK; node = avl->nodes[node].parent) {
        const int balance = balance_of(avl, &avl->nodes[node]);
        WI_ASSERT(balance >= -2 && balance <= 2);
        if (balance < -1 || balance > 1) rotate(avl, node);
        wi_avl_settle(avl, node);
    }
}

/* ---- what comes and goes ---- */

static uint32_t pair(wi_tree *h, wi_avl_ref a, wi_avl_ref b)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t node = wi_links_take_node(h, 0);
    avl->nodes[node] = (wi_avl_node){.parent = WI_NO_LINK};
    avl->node_count++;
    avl->is_ordered = false;
    wi_avl_set_child(avl, node, 0, a);
    wi_avl_set_child(avl, node, 1, b);
    wi_avl_settle(avl, node);
    return node;
}

/* In the place of one of the two. */
static void pair_at(wi_tree *h, wi_avl_ref there, wi_avl_ref more)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t parent = parent_of(avl, there), node = pair(h, there, more);
    if (parent == WI_NO_LINK) return;
    exchange(avl, parent, there, node);
    rebalance(avl, parent);
}

void wi_avl_insert(wi_tree *h, uint32_t leaf, uint32_t beside)
{
    wi_avl *avl = wi_avl_of(h);
    const wi_avl_ref there = beside | WI_IS_LEAF;
    const bool is_root = avl->root == there;
    pair_at(h, there, leaf | WI_IS_LEAF);
    if (is_root) avl->root = avl->leaf_parent[beside];
}

static void drop_view(wi_tree *h, uint32_t node)
{
    wi_avl *avl = wi_avl_of(h);
    if (!avl->nodes[node].is_view) return;
    h->boxes.nodes[node].count = h->boxes.nodes[node].leaf_mask = 0;
    avl->nodes[node].is_view = false;
    avl->view_count--;
}

void wi_avl_remove(wi_tree *h, uint32_t leaf)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t parent = avl->leaf_parent[leaf];
    if (parent == WI_NO_LINK) {
        avl->root = WI_NO_LINK;
        return;
    }
    const wi_avl_node *node = &avl->nodes[parent];
    const wi_avl_ref sibling = node->child[node->child[0] == (leaf | WI_IS_LEAF)];
    const uint32_t above = node->parent;
    exchange(avl, above, parent, sibling);
    drop_view(h, parent);
    wi_links_give_node(h, parent);
    avl->node_count--;
    avl->is_ordered = false;
    rebalance(avl, above);
}

void wi_avl_mark(wi_tree *h, uint32_t leaf)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t parent = avl->leaf_parent[leaf];
    if (parent != WI_NO_LINK) avl->nodes[parent].is_changed = true;
}

static double growth(const wi_box *box, const wi_box *more)
{
    wi_box both = *box;
    wi_box_add_box(&both, more);
    return wi_box_half_area(&both) - wi_box_half_area(box);
}

wi_avl_ref wi_avl_join(wi_tree *h, wi_avl_ref a, wi_avl_ref b)
{
    wi_avl *avl = wi_avl_of(h);
    if (a == WI_NO_LINK) return b;
    if (b == WI_NO_LINK) return a;
    if (wi_avl_height(avl, a) < wi_avl_height(avl, b)) return wi_avl_join(h, b, a);
    const uint32_t height = wi_avl_height(avl, b);
    wi_avl_ref at = a;
    while (wi_avl_height(avl, at) > height + 1) {
        const wi_avl_ref *child = avl->nodes[at].child;
        const wi_box *box = wi_avl_box(avl, b);
        at = child[growth(wi_avl_box(avl, child[1]), box) < growth(wi_avl_box(avl, child[0]), box)];
    }
    if (at == a) return pair(h, a, b);
    pair_at(h, at, b);
    return a;
}

/* ---- what is near ---- */

/* What is near among boxes that overlap: where both together are small. */
static double cost_of_pair(const wi_box *a, const wi_box *b)
{
    wi_box both = *a;
    wi_box_add_box(&both, b);
    return wi_box_half_area(&both);
}

typedef struct nearest_leaf {
    uint32_t leaf;
    double distance, cost;
} nearest_leaf;

static void look_at_leaf(const wi_avl *avl, uint32_t leaf, const wi_box *box, nearest_leaf *best)
{
    const double distance = wi_box_squared_gap(&avl->leaf_boxes[leaf], box);
    const double cost = cost_of_pair(&avl->leaf_boxes[leaf], box);
    const bool is_better = distance < best->distance ||
                           (distance == best->distance &&
                            (cost < best->cost || (cost == best->cost && leaf < best->leaf)));
    if (is_better) *best = (nearest_leaf){leaf, distance, cost};
}

uint32_t wi_avl_nearest(const wi_tree *h, const wi_box *box)
{
    const wi_avl *avl = wi_avl_of(h);
    wi_avl_ref stack[2 * WI_AVL_MOST_HEIGHT];
    unsigned count = 0;
    nearest_leaf best = {WI_NO_LINK, INFINITY, INFINITY};
    WI_ASSERT(avl->root != WI_NO_LINK);
    stack[count++] = avl->root;
    while (count > 0) {
        const wi_avl_ref at = stack[--count];
        if (wi_avl_is_leaf(at)) {
            look_at_leaf(avl, at & ~WI_IS_LEAF, box, &best);
            continue;
        }
        /* Among boxes at no distance the first way down is good enough. */
        const double distance = wi_box_squared_gap(&avl->nodes[at].box, box);
        if (best.leaf != WI_NO_LINK && distance >= best.distance) continue;
        const wi_avl_ref *child = avl->nodes[at].child;
        const bool is_second =
            growth(wi_avl_box(avl, child[1]), box) < growth(wi_avl_box(avl, child[0]), box);
        WI_ASSERT(count + 2 <= 2 * WI_AVL_MOST_HEIGHT);
        stack[count++] = child[!is_second];
        stack[count++] = child[is_second];
    }
    return best.leaf;
}

/* ---- is it all true? ---- */

/* Whoever opens views from the vertices leaves the boxes of nodes as they were. */
static bool has_true_boxes(const wi_tree *h) { return wi_avl_of(h)->fitted >= h->boxes.valid_from; }

static const char *validate_avl_leaf(const wi_tree *h, uint32_t leaf, uint32_t parent)
{
    const wi_avl *avl = wi_avl_of(h);
    if (leaf >= h->shape->leaf_count || avl->leaf_parent[leaf] != parent)
        return "I23: a leaf does not know its node";
    if (!has_true_boxes(h)) return NULL;
    const wi_box tight = wi_leaf_box(h, &h->shape->leaves[leaf]);
    return wi_box_contains(&avl->leaf_boxes[leaf], &tight) ? NULL
                                                           : "I6: a leaf sticks out of its box";
}

static const char *validate_avl_node(const wi_tree *h, uint32_t number)
{
    const wi_avl *avl = wi_avl_of(h);
    const wi_avl_node *node = &avl->nodes[number];
    uint32_t highest = 0;
    for (int side = 0; side < 2; side++) {
        const wi_avl_ref child = node->child[side];
        if (!wi_avl_is_leaf(child) && (child == 0 || child >= h->shape->node_count))
            return "I23: a child is not there";
        const char *broken =
            wi_avl_is_leaf(child)                ? validate_avl_leaf(h, child & ~WI_IS_LEAF, number)
            : avl->nodes[child].parent == number ? NULL
                                                 : "I23: a child does not know its node";
        if (broken) return broken;
        if (!wi_box_contains(&node->box, wi_avl_box(avl, child)))
            return "I6: a child sticks out of its box";
        if (wi_avl_height(avl, child) > highest) highest = wi_avl_height(avl, child);
    }
    const int balance = balance_of(avl, node);
    if (balance < -1 || balance > 1) return "I26: a node is not balanced";
    if (node->height != highest + 1) return "I26: a node is of another height";
    return NULL;
}

static const char *validate_avl_counts(const wi_tree *h, uint32_t nodes, uint32_t leaves)
{
    const wi_avl *avl = wi_avl_of(h);
    const wi_links *l = h->shape->links;
    if (leaves != nodes + 1 || leaves != h->shape->leaf_count - l->free_leaf_count ||
        leaves != h->shape->tri_count)
        return "I27: a leaf is neither in use nor free";
    if (nodes != avl->node_count || nodes + 1 != h->shape->node_count - l->free_node_count)
        return "I27: a node is neither in use nor free";
    return NULL;
}

const char *wi_avl_validate(const wi_tree *h)
{
    const wi_avl *avl = wi_avl_of(h);
    wi_avl_ref stack[2 * WI_AVL_MOST_HEIGHT];
    uint32_t count = 0, nodes = 0, leaves = 0;
    stack[count++] = avl->root;
    if (avl->root == WI_NO_LINK || parent_of(avl, avl->root) != WI_NO_LINK)
        return "I23: a tree has no root";
    while (count > 0) {
        const wi_avl_ref at = stack[--count];
        if (wi_avl_is_leaf(at)) {
            leaves++;
            continue;
        }
        const char *broken = validate_avl_node(h, at);
        if (broken) return broken;
        if (count + 2 > 2 * WI_AVL_MOST_HEIGHT) return "I26: a tree is too high";
        stack[count++] = avl->nodes[at].child[0];
        stack[count++] = avl->nodes[at].child[1];
        nodes++;
    }
    return validate_avl_counts(h, nodes, leaves);
}
