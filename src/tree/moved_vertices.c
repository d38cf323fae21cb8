/* moved_vertices.c - marks leaves, and nodes on the way up. */
#include "tree/moved_vertices.h"

#include <string.h>

#include "base/check.h"
#include "tree/leaf_incidence.h"
#include "tree/tree.h"

/* More leaves than this share of all are all of them. */
enum { MANY_LEAVES = 3 };

static size_t word_count(const wi_moved_vertices *t) { return ((size_t)t->node_count + 63) / 64; }

static bool moved_allocate(wi_memory *memory, const wi_tree *h, wi_moved_vertices *t)
{
    const wi_leaf *last = &h->shape->leaves[h->shape->leaf_count - 1];
    WI_ASSERT(last->first_place + last->owned_count <= h->mesh->vertex_count);
    t->leaf_count = h->shape->leaf_count;
    t->place_count = last->first_place + last->owned_count;
    t->border_count = h->shape->border_count;
    t->node_count = h->shape->node_count;
    t->leaf_node = wi_alloc_array(memory, t->leaf_count, sizeof *t->leaf_node);
    t->owner = wi_alloc_array(memory, t->place_count, sizeof *t->owner);
    t->first_border = wi_alloc_array(memory, (size_t)t->place_count + 1, sizeof *t->first_border);
    t->border_leaves = wi_alloc_array(memory, t->border_count, sizeof *t->border_leaves);
    t->lanes = wi_alloc_array(memory, t->node_count, sizeof *t->lanes);
    t->nodes = wi_alloc_array(memory, word_count(t), sizeof *t->nodes);
    return t->leaf_node && t->owner && t->first_border && t->lanes && t->nodes &&
           (t->border_count == 0 || t->border_leaves);
}

static void moved_list_leaves(const wi_tree *h, wi_moved_vertices *t)
{
    for (uint32_t node = 0, leaf = 0; node < h->shape->node_count; node++)
        for (unsigned leaves = h->boxes.nodes[node].leaf_mask; leaves != 0; leaves &= leaves - 1)
            t->leaf_node[leaf++] = node;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        for (uint32_t i = 0; i < h->shape->leaves[leaf].owned_count; i++)
            t->owner[h->shape->leaves[leaf].first_place + i] = leaf;
}

bool wi_moved_vertices_make(wi_memory *memory, wi_tree *h)
{
    WI_ASSERT(h->boxes.nodes && h->shape->leaf_count > 0);
    WI_ASSERT(h->moved == NULL || h->moved->node_count == h->shape->node_count);
    if (h->moved) return true;
    wi_moved_vertices *t = wi_alloc(memory, sizeof *t);
    if (t == NULL) return false;
    *t = (wi_moved_vertices){0};
    if (!moved_allocate(memory, h, t)) {
        wi_moved_vertices_free(memory, t);
        return false;
    }
    moved_list_leaves(h, t);
    wi_leaves_by_border(h, t->place_count, t->first_border, t->border_leaves);
    memset(t->lanes, 0, t->node_count * sizeof *t->lanes);
    memset(t->nodes, 0, word_count(t) * sizeof *t->nodes);
    h->moved = t;
    return true;
}

void wi_moved_vertices_free(wi_memory *memory, wi_moved_vertices *t)
{
    if (t == NULL) return;
    wi_free_array(memory, t->leaf_node, t->leaf_count, sizeof *t->leaf_node);
    wi_free_array(memory, t->owner, t->place_count, sizeof *t->owner);
    wi_free_array(memory, t->first_border, (size_t)t->place_count + 1, sizeof *t->first_border);
    wi_free_array(memory, t->border_leaves, t->border_count, sizeof *t->border_leaves);
    wi_free_array(memory, t->lanes, t->node_count, sizeof *t->lanes);
    wi_free_array(memory, t->nodes, word_count(t), sizeof *t->nodes);
    wi_free(memory, t, sizeof *t);
}

size_t wi_moved_vertices_bytes(const wi_moved_vertices *t)
{
    if (t == NULL) return 0;
    return t->leaf_count * sizeof *t->leaf_node +
           t->place_count * (sizeof *t->owner + sizeof *t->first_border) + sizeof *t->first_border +
           t->border_count * sizeof *t->border_leaves + t->node_count * sizeof *t->lanes +
           word_count(t) * sizeof *t->nodes;
}

static bool is_touched(const wi_moved_vertices *t, uint32_t node)
{
    WI_ASSERT(node < t->node_count);
    return (t->nodes[node / 64] >> node % 64 & 1) != 0;
}

static void touch_node(wi_moved_vertices *t, uint32_t node)
{
    WI_ASSERT(node < t->node_count);
    t->nodes[node / 64] |= UINT64_C(1) << node % 64;
}

static void touch_lane(wi_moved_vertices *t, uint32_t node, unsigned lane)
{
    WI_ASSERT(node < t->node_count && lane < WI_LANES);
    t->lanes[node] = (uint8_t)(t->lanes[node] | 1U << lane);
}

/* False if it was touched before. */
static bool touch_leaf(const wi_tree *h, wi_moved_vertices *t, uint32_t leaf)
{
    WI_ASSERT(leaf < t->leaf_count);
    const uint32_t node = t->leaf_node[leaf];
    const wi_node *view = &h->boxes.nodes[node];
    /* A node's leaves are numbered in the order of its lanes, from the first one on. */
    unsigned leaves = view->leaf_mask;
    for (uint32_t before = leaf - view->child[__builtin_ctz(leaves)]; before > 0; before--)
        leaves &= leaves - 1;
    const unsigned lane = (unsigned)__builtin_ctz(leaves);
    WI_ASSERT(view->child[lane] == leaf);
    if ((t->lanes[node] >> lane & 1) != 0) return false;
    touch_lane(t, node, lane);
    t->touched++;
    return true;
}

static void touch_with_all_above(wi_tree *h, uint32_t leaf)
{
    wi_moved_vertices *t = h->moved;
    if (!touch_leaf(h, t, leaf)) return;
    uint32_t node = t->leaf_node[leaf];
    while (!is_touched(t, node)) {
        touch_node(t, node);
        node = h->boxes.nodes[node].parent; /* the root's is itself */
    }
}

static void touch_alone(wi_tree *h, uint32_t leaf)
{
    wi_moved_vertices *t = h->moved;
    if (touch_leaf(h, t, leaf)) touch_node(t, t->leaf_node[leaf]);
}

static inline void touch_all_of(wi_tree *h, uint32_t place,
                                void (*touch)(wi_tree *h, uint32_t leaf))
{
    wi_moved_vertices *t = h->moved;
    WI_ASSERT(t && t->node_count == h->shape->node_count);
    if (t->is_all || place >= t->place_count) return; /* a loose vertex is in no leaf */
    touch(h, t->owner[place]);
    for (uint32_t i = t->first_border[place]; i < t->first_border[place + 1]; i++)
        touch(h, t->border_leaves[i]);
    t->is_all = t->touched > t->leaf_count / MANY_LEAVES;
}

void wi_moved_vertices_place(wi_tree *h, uint32_t place)
{
    touch_all_of(h, place, touch_with_all_above);
}

void wi_moved_vertices_leaves_of(wi_tree *h, uint32_t place)
{
    touch_all_of(h, place, touch_alone);
}

void wi_moved_vertices_parent(wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(node > 0 && view->parent < node); /* children come first */
    touch_lane(h->moved, view->parent, view->parent_lane);
    touch_node(h->moved, view->parent);
}

void wi_moved_vertices_clear(wi_moved_vertices *t)
{
    if (t == NULL || t->touched == 0) return;
    for (uint32_t node = t->node_count; (node = wi_moved_vertices_next(t, node)) != UINT32_MAX;)
        t->lanes[node] = 0;
    memset(t->nodes, 0, word_count(t) * sizeof *t->nodes);
    t->touched = 0;
    t->is_all = false;
}

uint32_t wi_moved_vertices_next(const wi_moved_vertices *t, uint32_t node)
{
    WI_ASSERT(node <= t->node_count);
    size_t word = node / 64;
    uint64_t bits = node % 64 == 0 ? 0 : t->nodes[word] & (UINT64_MAX >> (64 - node % 64));
    while (bits == 0 && word > 0) bits = t->nodes[--word];
    return bits == 0 ? UINT32_MAX : (uint32_t)(64 * word + 63 - (unsigned)__builtin_clzll(bits));
}
