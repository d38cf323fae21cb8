/* corners.c - a compressed tree that follows its corners in place.
 *
 * Ways in: wi_ctree_add_point, wi_ctree_remove_point, wi_ctree_move_point. A change of a corner
 * concerns one leaf and the nodes on the way up that lose their reason to be there, mostly none.
 * Lists of boxes follow: a leaf that is split hands its list down, and one that nodes collapse into
 * has the union of theirs. */
#include "broad/compressed/nodes.h"

#include <string.h>

#define NONE UINT32_MAX

typedef WI_ARRAY(uint32_t) node_stack;

/* ---- corners come ---- */

/* `number`, a leaf without a list, gets two corners in different units: it is split, or has a hole
 * that is. */
static bool part_points(wi_memory *memory, wi_ctree *t, uint32_t number, const wi_cell_at *a,
                        uint32_t a_points, const wi_cell_at *b)
{
    const uint8_t bits = wi_cell_common_bits(t->axes, a, b);
    if (bits < t->nodes.items[number].bits) {
        if (!wi_ctree_compress(memory, t, number, wi_cell_around(t->axes, bits, a), bits))
            return false;
        number = t->nodes.items[number].child;
    }
    if (bits == 0) { /* the same unit */
        t->nodes.items[number].point = *a;
        t->nodes.items[number].points = a_points + 1;
        return true;
    }
    if (!wi_ctree_split(memory, t, number)) return false;
    wi_ctree_node *halves = &t->nodes.items[t->nodes.items[number].child];
    wi_ctree_node *with_a = &halves[wi_cell_half(t->axes, bits, a)];
    wi_ctree_node *with_b = &halves[wi_cell_half(t->axes, bits, b)];
    with_a->point = *a;
    with_a->points = a_points;
    with_b->point = *b;
    with_b->points = 1;
    return true;
}

static bool add_to_leaf(wi_memory *memory, wi_ctree *t, uint32_t number, const wi_cell_at *point)
{
    wi_ctree_node *n = &t->nodes.items[number];
    if (n->points == 0 || n->bits == 0) {
        n->point = *point;
        n->points++;
        return true;
    }
    const wi_cell_at other = n->point;
    const uint32_t list = n->entry;
    n->entry = NONE;
    n->points = 0;
    return part_points(memory, t, number, &other, 1, point) &&
           wi_ctree_hand_down(memory, t, number, NONE, list);
}

/* Nodes `hole` and its donut were children of a node that is split now: the hole goes to its half,
 * or into a hole of that. Where it is then; NONE if there is no memory. */
static uint32_t rehang_hole(wi_memory *memory, wi_ctree *t, uint32_t split, uint32_t hole)
{
    const wi_ctree_node old = t->nodes.items[hole];
    uint32_t to =
        t->nodes.items[split].child + wi_cell_half(t->axes, t->nodes.items[split].bits, &old.at);
    if (t->nodes.items[to].bits != old.bits) {
        if (!wi_ctree_compress(memory, t, to, old.at, old.bits)) return NONE;
        to = t->nodes.items[to].child;
    }
    wi_ctree_move_node(t, hole, to);
    return to;
}

/* A corner in a donut: the smallest cell with it and the hole is split, in the place of the
 * compressed node or as its hole. */
static bool add_to_donut(wi_memory *memory, wi_ctree *t, uint32_t donut, const wi_cell_at *point)
{
    const uint32_t number = t->nodes.items[donut].parent, hole = donut - 1;
    const uint32_t list = t->nodes.items[donut].entry;
    const wi_cell_at hole_at = t->nodes.items[hole].at;
    uint8_t bits = wi_cell_common_bits(t->axes, &hole_at, point);
    uint32_t split = number;
    WI_ASSERT(bits > t->nodes.items[hole].bits && bits <= t->nodes.items[number].bits);
    if (bits < t->nodes.items[number].bits) {
        if (!wi_ctree_compress(memory, t, number, wi_cell_around(t->axes, bits, point), bits))
            return false;
        split = t->nodes.items[number].child;
    }
    if (!wi_ctree_split(memory, t, split)) return false;
    const uint32_t moved = rehang_hole(memory, t, split, hole);
    if (moved == NONE) return false;
    wi_ctree_give_nodes_back(t, hole, 2);
    if (!wi_ctree_hand_down(memory, t, number, moved, list))
        return false; /* below it lists are as before */
    const uint32_t leaf = wi_ctree_find_leaf_below(t, 0, point);
    return add_to_leaf(memory, t, leaf, point);
}

bool wi_ctree_add_point_below(wi_memory *memory, wi_ctree *tree, uint32_t number,
                              const wi_cell_at *point)
{
    const uint32_t leaf = wi_ctree_find_leaf_below(tree, number, point);
    return tree->nodes.items[leaf].kind == WI_CTREE_DONUT ? add_to_donut(memory, tree, leaf, point)
                                                          : add_to_leaf(memory, tree, leaf, point);
}

bool wi_ctree_add_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *point)
{
    return wi_ctree_add_point_below(memory, tree, 0, point);
}

/* ---- corners go ---- */

/* Children of `number`, all of them leaves, are gone; it is a leaf with the corner of `keep` and
 * all of their lists. */
static void become_leaf(wi_ctree *t, uint32_t number, uint32_t keep)
{
    const uint32_t first = t->nodes.items[number].child;
    const uint32_t count = wi_ctree_child_count(t, &t->nodes.items[number]);
    wi_ctree_node *n = &t->nodes.items[number];
    n->kind = WI_CTREE_LEAF;
    n->point = t->nodes.items[keep].point;
    n->points = t->nodes.items[keep].points;
    n->entry = NONE;
    n->child = NONE;
    wi_ctree_new_mark(t);
    for (uint32_t i = 0; i < count; i++)
        wi_ctree_join_list(t, t->nodes.items[first + i].entry, number);
    wi_ctree_give_nodes_back(t, first, count);
}

/* The halves of `number` but `only`, which is no leaf of one corner, are empty: what is in `only`
 * becomes the hole. The donut has the lists of all others. */
static bool become_compressed(wi_memory *memory, wi_ctree *t, uint32_t number, uint32_t only)
{
    const uint32_t first = t->nodes.items[number].child;
    const wi_ctree_node kept = t->nodes.items[only];
    const uint32_t from = kept.kind == WI_CTREE_COMPRESSED ? kept.child : only;
    const wi_cell_at at = t->nodes.items[from].at;
    if (!wi_ctree_compress(memory, t, number, at, t->nodes.items[from].bits)) return false;
    const uint32_t hole = t->nodes.items[number].child;
    wi_ctree_new_mark(t);
    for (uint32_t i = 0; i < wi_ctree_split_size(t); i++)
        if (first + i != only) wi_ctree_join_list(t, t->nodes.items[first + i].entry, hole + 1);
    if (kept.kind == WI_CTREE_COMPRESSED)
        wi_ctree_join_list(t, t->nodes.items[kept.child + 1].entry, hole + 1);
    wi_ctree_move_node(t, from, hole);
    if (kept.kind == WI_CTREE_COMPRESSED) wi_ctree_give_nodes_back(t, kept.child, 2);
    wi_ctree_give_nodes_back(t, first, wi_ctree_split_size(t));
    return true;
}

/* `number` is compressed and the hole of a compressed one: one of the two is enough. */
static void join_holes(wi_ctree *t, uint32_t number)
{
    const uint32_t outer = t->nodes.items[number].parent, inner = t->nodes.items[number].child;
    const uint32_t donut = t->nodes.items[outer].child + 1;
    WI_ASSERT(donut == number + 1);
    wi_ctree_new_mark(t);
    const uint32_t list = t->nodes.items[donut].entry;
    t->nodes.items[donut].entry = NONE;
    wi_ctree_join_list(t, list, donut);
    wi_ctree_join_list(t, t->nodes.items[inner + 1].entry, donut);
    wi_ctree_move_node(t, inner, number);
    wi_ctree_give_nodes_back(t, inner, 2);
}

static bool is_hole(const wi_ctree *t, uint32_t number)
{
    const uint32_t parent = t->nodes.items[number].parent;
    return parent != NONE && t->nodes.items[parent].kind == WI_CTREE_COMPRESSED;
}

/* What is below a node has its reasons: one that has none goes. */
static bool prune_node(wi_memory *memory, wi_ctree *t, uint32_t number)
{
    const wi_ctree_node *n = &t->nodes.items[number];
    const bool is_split = n->kind == WI_CTREE_SPLIT;
    const uint32_t only = is_split ? wi_ctree_only_half(t, n) : n->child;
    if (only == NONE) return true;
    const wi_ctree_node *rest = &t->nodes.items[only];
    if (rest->kind == WI_CTREE_LEAF && rest->points <= 1) {
        become_leaf(t, number, only);
    } else if (is_split) {
        return become_compressed(memory, t, number, only);
    } else if (rest->kind == WI_CTREE_COMPRESSED) {
        join_holes(t, only);
    }
    return true;
}

bool wi_ctree_prune_all(wi_memory *memory, wi_ctree *tree)
{
    node_stack above = {0}; /* nodes with children, parents first */
    bool ok = wi_array_push(memory, &above, 0);
    for (size_t i = 0; i < above.count && ok; i++) {
        const wi_ctree_node *n = &tree->nodes.items[above.items[i]];
        for (uint32_t k = 0; k < wi_ctree_child_count(tree, n) && ok; k++)
            ok = wi_ctree_is_leaf(&tree->nodes.items[n->child + k]) ||
                 wi_array_push(memory, &above, n->child + k);
    }
    for (size_t i = above.count; i-- > 0 && ok;)
        ok = wi_ctree_is_leaf(&tree->nodes.items[above.items[i]]) ||
             prune_node(memory, tree, above.items[i]);
    wi_array_free(memory, &above);
    return ok;
}

/* A leaf below has lost a corner: nodes from `number` up that have no reason to be there go. */
static bool prune(wi_memory *memory, wi_ctree *t, uint32_t number)
{
    while (number != NONE) {
        const wi_ctree_node *n = &t->nodes.items[number];
        if (n->kind == WI_CTREE_COMPRESSED) {
            const wi_ctree_node *hole = &t->nodes.items[n->child];
            if (hole->kind != WI_CTREE_LEAF || hole->points > 1) return true;
            become_leaf(t, number, n->child);
        } else {
            const uint32_t only = wi_ctree_only_half(t, n);
            if (only == NONE) return true;
            const wi_ctree_node *half = &t->nodes.items[only];
            if (half->kind != WI_CTREE_LEAF || half->points > 1) {
                if (!become_compressed(memory, t, number, only)) return false;
                if (is_hole(t, number)) join_holes(t, number);
                return true;
            }
            become_leaf(t, number, only);
        }
        number = t->nodes.items[number].parent;
    }
    return true;
}

bool wi_ctree_remove_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *point)
{
    wi_ctree_node *n = &tree->nodes.items[wi_ctree_find_leaf_below(tree, 0, point)];
    WI_ASSERT(n->kind == WI_CTREE_LEAF && n->points > 0);
    n->points--;
    return prune(memory, tree, n->parent);
}

bool wi_ctree_move_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *from,
                         const wi_cell_at *to)
{
    wi_ctree_node *n = &tree->nodes.items[wi_ctree_find_leaf_below(tree, 0, from)];
    if (n->bits > 0 && wi_cell_has_unit(n, tree->axes, to)) {
        n->point = *to;
        return true;
    }
    if (memcmp(from, to, sizeof *from) == 0) return true;
    return wi_ctree_add_point(memory, tree, to) && wi_ctree_remove_point(memory, tree, from);
}
