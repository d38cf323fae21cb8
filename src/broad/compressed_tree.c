/* compressed_tree.c - building a compressed quadtree or octree, and changing it in place.
 *
 * Ways in: wi_ctree_build; wi_ctree_add_point, wi_ctree_remove_point; wi_ctree_put_in,
 * wi_ctree_take_out. A change of a corner concerns one leaf and the nodes on the way up that lose
 * their reason to be there, mostly none. Lists of boxes follow: a leaf that is split hands its list
 * down, and one that nodes collapse into has the union of theirs. */
#include "broad/compressed_cells.h"

#include <string.h>

#include "base/containers/sort.h"
#include "base/hash.h"

#define NONE UINT32_MAX

/* ---- pools ---- */

/* `count` nodes that follow each other: halves, or hole and donut. NONE if there is no memory. */
static uint32_t take_nodes(wi_memory *memory, wi_ctree *t, uint32_t count)
{
    uint32_t *free_list = count == 2 ? &t->free_pair : &t->free_split;
    uint32_t first = *free_list;
    if (first != NONE) {
        *free_list = t->nodes.items[first].child;
    } else {
        if (t->nodes.count + count >= NONE ||
            !wi_array_reserve(memory, &t->nodes, t->nodes.count + count))
            return NONE;
        first = (uint32_t)t->nodes.count;
        t->nodes.count += count;
    }
    t->node_count += count;
    return first;
}

static void give_nodes_back(wi_ctree *t, uint32_t first, uint32_t count)
{
    uint32_t *free_list = count == 2 ? &t->free_pair : &t->free_split;
    for (uint32_t i = 0; i < count; i++) t->nodes.items[first + i].kind = WI_CTREE_FREE;
    t->nodes.items[first].child = *free_list;
    *free_list = first;
    t->node_count -= count;
}

bool wi_ctree_list(wi_memory *memory, wi_ctree *t, uint32_t leaf, uint32_t box)
{
    uint32_t at = t->free_entry;
    if (at != NONE) {
        t->free_entry = t->entries.items[at].next;
    } else {
        if (t->entries.count + 1 >= NONE ||
            !wi_array_reserve(memory, &t->entries, t->entries.count + 1))
            return false;
        at = (uint32_t)t->entries.count++;
    }
    t->entries.items[at] = (wi_ctree_entry){box, t->nodes.items[leaf].entry};
    t->nodes.items[leaf].entry = at;
    t->entry_count++;
    return true;
}

static void drop_entry(wi_ctree *t, uint32_t entry)
{
    t->entries.items[entry].next = t->free_entry;
    t->free_entry = entry;
    t->entry_count--;
}

static wi_ctree_node new_leaf(wi_cell_at at, uint8_t bits, uint32_t parent, wi_ctree_kind kind)
{
    return (wi_ctree_node){.at = at,
                           .parent = parent,
                           .child = NONE,
                           .entry = NONE,
                           .bits = bits,
                           .kind = (uint8_t)kind};
}

/* Gives `number` halves, all of them empty leaves. */
bool wi_ctree_split(wi_memory *memory, wi_ctree *t, uint32_t number)
{
    const uint32_t first = take_nodes(memory, t, wi_ctree_split_size(t));
    if (first == NONE) return false;
    wi_ctree_node *n = &t->nodes.items[number];
    const uint8_t bits = (uint8_t)(n->bits - 1);
    for (uint32_t half = 0; half < wi_ctree_split_size(t); half++) {
        wi_cell_at at = n->at;
        for (uint32_t axis = 0; axis < t->axes; axis++) at.x[axis] |= (half >> axis & 1) << bits;
        t->nodes.items[first + half] = new_leaf(at, bits, number, WI_CTREE_LEAF);
    }
    n->kind = WI_CTREE_SPLIT;
    n->child = first;
    return true;
}

/* Gives `number` a hole, which is an empty leaf, and a donut. */
bool wi_ctree_compress(wi_memory *memory, wi_ctree *t, uint32_t number, wi_cell_at at, uint8_t bits)
{
    const uint32_t first = take_nodes(memory, t, 2);
    if (first == NONE) return false;
    wi_ctree_node *n = &t->nodes.items[number];
    WI_ASSERT(bits < n->bits);
    t->nodes.items[first] = new_leaf(at, bits, number, WI_CTREE_LEAF);
    t->nodes.items[first + 1] = new_leaf(n->at, n->bits, number, WI_CTREE_DONUT);
    n->kind = WI_CTREE_COMPRESSED;
    n->child = first;
    return true;
}

/* A node goes to the place of another, with what is below it. */
static void move_node(wi_ctree *t, uint32_t from, uint32_t to)
{
    const uint32_t parent = t->nodes.items[to].parent;
    t->nodes.items[to] = t->nodes.items[from];
    wi_ctree_node *n = &t->nodes.items[to];
    n->parent = parent;
    for (uint32_t i = 0; i < wi_ctree_child_count(t, n); i++)
        t->nodes.items[n->child + i].parent = to;
}

/* ---- making ---- */

void wi_ctree_init(wi_ctree *tree, uint32_t axes)
{
    WI_ASSERT(axes == 2 || axes == 3);
    *tree = (wi_ctree){.axes = axes, .free_split = NONE, .free_pair = NONE, .free_entry = NONE};
}

void wi_ctree_free(wi_memory *memory, wi_ctree *tree)
{
    wi_array_free(memory, &tree->nodes);
    wi_array_free(memory, &tree->entries);
    wi_array_free(memory, &tree->ranges);
    wi_array_free(memory, &tree->marks);
    wi_array_free(memory, &tree->stack);
    wi_array_free(memory, &tree->codes);
}

bool wi_ctree_reserve(wi_memory *memory, wi_ctree *tree, uint32_t box_count)
{
    const wi_cell_range nothing = {{{0}}, {{0}}};
    if (!wi_array_reserve(memory, &tree->ranges, box_count) ||
        !wi_array_reserve(memory, &tree->marks, box_count))
        return false;
    while (tree->ranges.count < box_count) tree->ranges.items[tree->ranges.count++] = nothing;
    while (tree->marks.count < box_count) tree->marks.items[tree->marks.count++] = 0;
    return true;
}

/* ---- looking ---- */

bool wi_ctree_leaf_has(const wi_ctree *t, uint32_t leaf, const wi_cell_at *at)
{
    const wi_ctree_node *n = &t->nodes.items[leaf];
    WI_ASSERT(wi_ctree_is_leaf(n));
    if (!wi_cell_has_unit(n, t->axes, at)) return false;
    return n->kind == WI_CTREE_LEAF || !wi_cell_has_unit(n - 1, t->axes, at);
}

/* The leaf or donut below a node that a unit is in. */
static uint32_t find_leaf_below(const wi_ctree *t, uint32_t number, const wi_cell_at *at)
{
    for (;;) {
        const wi_ctree_node *n = &t->nodes.items[number];
        if (wi_ctree_is_leaf(n)) return number;
        if (n->kind == WI_CTREE_SPLIT)
            number = n->child + wi_cell_half(t->axes, n->bits, at);
        else
            number = n->child + !wi_cell_has_unit(&t->nodes.items[n->child], t->axes, at);
    }
}

static uint32_t find_leaf(const wi_ctree *t, const wi_cell_at *at)
{
    return find_leaf_below(t, 0, at);
}

typedef WI_ARRAY(uint32_t) node_stack;

static bool push_children(wi_memory *memory, const wi_ctree *t, const wi_ctree_node *n,
                          const wi_cell_range *range, node_stack *stack)
{
    if (!wi_array_reserve(memory, stack, stack->count + 8)) return false;
    for (uint32_t i = 0; i < wi_ctree_child_count(t, n); i++) {
        const wi_ctree_node *child = &t->nodes.items[n->child + i];
        const bool meets = child->kind == WI_CTREE_DONUT
                               ? wi_cell_donut_meets(child, t->axes, range)
                               : wi_cell_meets(child, t->axes, range);
        if (meets) stack->items[stack->count++] = n->child + i;
    }
    return true;
}

/* Leaves below `from`, but for what is below `skip`, if that is a node. */
static bool visit_from(wi_memory *memory, const wi_ctree *t, uint32_t from, uint32_t skip,
                       const wi_cell_range *range, node_stack *stack, wi_ctree_visit *visit,
                       void *context)
{
    stack->count = 0;
    if (!wi_array_push(memory, stack, from)) return false;
    while (stack->count > 0) {
        const uint32_t number = stack->items[--stack->count];
        const wi_ctree_node *n = &t->nodes.items[number];
        if (number == skip) continue;
        if (!(wi_ctree_is_leaf(n) ? visit(context, number)
                                  : push_children(memory, t, n, range, stack)))
            return false;
    }
    return true;
}

bool wi_ctree_visit_leaves(wi_memory *memory, const wi_ctree *tree, const wi_cell_range *range,
                           wi_ctree_visit *visit, void *context)
{
    node_stack stack = {0};
    const bool ok =
        tree->nodes.count == 0 || visit_from(memory, tree, 0, NONE, range, &stack, visit, context);
    wi_array_free(memory, &stack);
    return ok;
}

/* ---- lists ---- */

typedef struct listing {
    wi_memory *memory;
    wi_ctree *tree;
    uint32_t box;
} listing;

static bool list_box(void *context, uint32_t leaf)
{
    const listing *l = context;
    return wi_ctree_list(l->memory, l->tree, leaf, l->box);
}

static bool unlist_box(void *context, uint32_t leaf)
{
    const listing *l = context;
    wi_ctree *t = l->tree;
    for (uint32_t *at = &t->nodes.items[leaf].entry; *at != NONE;
         at = &t->entries.items[*at].next) {
        const uint32_t entry = *at;
        if (t->entries.items[entry].box != l->box) continue;
        *at = t->entries.items[entry].next;
        drop_entry(t, entry);
        return true;
    }
    WI_ASSERT(false);
    return true;
}

/* The tree's own stack, under another type. */
static bool visit_for(wi_memory *memory, wi_ctree *t, uint32_t from, uint32_t skip, uint32_t box,
                      const wi_cell_range *range, wi_ctree_visit *visit)
{
    listing l = {memory, t, box};
    node_stack stack = {t->stack.items, 0, t->stack.capacity};
    const bool ok = visit_from(memory, t, from, skip, range, &stack, visit, &l);
    t->stack.items = stack.items;
    t->stack.capacity = stack.capacity;
    return ok;
}

bool wi_ctree_take_out(wi_memory *memory, wi_ctree *tree, uint32_t box)
{
    WI_ASSERT(box < tree->ranges.count);
    const wi_cell_range range = tree->ranges.items[box];
    return visit_for(memory, tree, 0, NONE, box, &range, unlist_box);
}

bool wi_ctree_put_in(wi_memory *memory, wi_ctree *tree, uint32_t box, const wi_cell_range *range)
{
    WI_ASSERT(box < tree->ranges.count);
    tree->ranges.items[box] = *range;
    return visit_for(memory, tree, 0, NONE, box, range, list_box);
}

/* A list that was `entry` goes to the leaves below a node, but for what is below `skip`. */
static bool hand_down(wi_memory *memory, wi_ctree *t, uint32_t number, uint32_t skip,
                      uint32_t entry)
{
    while (entry != NONE) {
        const wi_ctree_entry own = t->entries.items[entry];
        const wi_cell_range range = t->ranges.items[own.box];
        drop_entry(t, entry);
        if (!visit_for(memory, t, number, skip, own.box, &range, list_box)) return false;
        entry = own.next;
    }
    return true;
}

/* Moves a list to a leaf, but for boxes that were met since the mark was new. */
static void join_list(wi_ctree *t, uint32_t entry, uint32_t leaf)
{
    while (entry != NONE) {
        wi_ctree_entry *own = &t->entries.items[entry];
        const uint32_t next = own->next;
        if (t->marks.items[own->box] == t->mark) {
            drop_entry(t, entry);
        } else {
            t->marks.items[own->box] = t->mark;
            own->next = t->nodes.items[leaf].entry;
            t->nodes.items[leaf].entry = entry;
        }
        entry = next;
    }
}

void wi_ctree_new_mark(wi_ctree *t)
{
    if (++t->mark != 0) return;
    memset(t->marks.items, 0, t->marks.count * sizeof *t->marks.items);
    t->mark = 1;
}

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
           hand_down(memory, t, number, NONE, list);
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
    move_node(t, hole, to);
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
    give_nodes_back(t, hole, 2);
    if (!hand_down(memory, t, number, moved, list)) return false; /* below it lists are as before */
    const uint32_t leaf = find_leaf(t, point);
    return add_to_leaf(memory, t, leaf, point);
}

bool wi_ctree_add_point_below(wi_memory *memory, wi_ctree *tree, uint32_t number,
                              const wi_cell_at *point)
{
    const uint32_t leaf = find_leaf_below(tree, number, point);
    return tree->nodes.items[leaf].kind == WI_CTREE_DONUT ? add_to_donut(memory, tree, leaf, point)
                                                          : add_to_leaf(memory, tree, leaf, point);
}

bool wi_ctree_add_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *point)
{
    return wi_ctree_add_point_below(memory, tree, 0, point);
}

/* ---- corners go ---- */

/* All halves of a node but one are empty leaves, or all of them: which one; NONE if two are not. */
static uint32_t only_half(const wi_ctree *t, const wi_ctree_node *n)
{
    uint32_t only = n->child, count = 0;
    for (uint32_t i = 0; i < wi_ctree_split_size(t); i++) {
        const wi_ctree_node *half = &t->nodes.items[n->child + i];
        if (half->kind == WI_CTREE_LEAF && half->points == 0) continue;
        only = n->child + i;
        count++;
    }
    return count > 1 ? NONE : only;
}

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
    for (uint32_t i = 0; i < count; i++) join_list(t, t->nodes.items[first + i].entry, number);
    give_nodes_back(t, first, count);
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
        if (first + i != only) join_list(t, t->nodes.items[first + i].entry, hole + 1);
    if (kept.kind == WI_CTREE_COMPRESSED)
        join_list(t, t->nodes.items[kept.child + 1].entry, hole + 1);
    move_node(t, from, hole);
    if (kept.kind == WI_CTREE_COMPRESSED) give_nodes_back(t, kept.child, 2);
    give_nodes_back(t, first, wi_ctree_split_size(t));
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
    join_list(t, list, donut);
    join_list(t, t->nodes.items[inner + 1].entry, donut);
    move_node(t, inner, number);
    give_nodes_back(t, inner, 2);
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
    const uint32_t only = is_split ? only_half(t, n) : n->child;
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
            const uint32_t only = only_half(t, n);
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
    wi_ctree_node *n = &tree->nodes.items[find_leaf(tree, point)];
    WI_ASSERT(n->kind == WI_CTREE_LEAF && n->points > 0);
    n->points--;
    return prune(memory, tree, n->parent);
}

bool wi_ctree_move_point(wi_memory *memory, wi_ctree *tree, const wi_cell_at *from,
                         const wi_cell_at *to)
{
    wi_ctree_node *n = &tree->nodes.items[find_leaf(tree, from)];
    if (n->bits > 0 && wi_cell_has_unit(n, tree->axes, to)) {
        n->point = *to;
        return true;
    }
    if (memcmp(from, to, sizeof *from) == 0) return true;
    return wi_ctree_add_point(memory, tree, to) && wi_ctree_remove_point(memory, tree, from);
}

/* ---- building ---- */

/* Bits of x at every axes-th place. */
static uint64_t spread_bits(uint32_t x, uint32_t axes)
{
    uint64_t v = x;
    if (axes == 2) {
        v = (v | v << 16) & UINT64_C(0x0000FFFF0000FFFF);
        v = (v | v << 8) & UINT64_C(0x00FF00FF00FF00FF);
        v = (v | v << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
        v = (v | v << 2) & UINT64_C(0x3333333333333333);
        return (v | v << 1) & UINT64_C(0x5555555555555555);
    }
    v = (v | v << 32) & UINT64_C(0x001F00000000FFFF);
    v = (v | v << 16) & UINT64_C(0x001F0000FF0000FF);
    v = (v | v << 8) & UINT64_C(0x100F00F00F00F00F);
    v = (v | v << 4) & UINT64_C(0x10C30C30C30C30C3);
    return (v | v << 2) & UINT64_C(0x1249249249249249);
}

static uint32_t gather_bits(uint64_t v, uint32_t axes)
{
    uint32_t x = 0;
    for (uint32_t bit = 0; bit * axes < 63; bit++) x |= (uint32_t)(v >> bit * axes & 1) << bit;
    return x;
}

static uint64_t code_of(const wi_cell_at *at, uint32_t axes)
{
    uint64_t code = 0;
    for (uint32_t axis = 0; axis < axes; axis++) code |= spread_bits(at->x[axis], axes) << axis;
    return code;
}

static wi_cell_at at_of_code(uint64_t code, uint32_t axes)
{
    wi_cell_at at = {{0}};
    for (uint32_t axis = 0; axis < axes; axis++) at.x[axis] = gather_bits(code >> axis, axes);
    return at;
}

/* A node to be made over codes [first, end). */
typedef struct node_to_make {
    uint32_t number;
    size_t first, end;
} node_to_make;

typedef WI_ARRAY(node_to_make) nodes_to_make;

/* The first of the sorted codes in [first, end) that is at least `code`. */
static size_t first_code(const uint64_t *codes, size_t first, size_t end, uint64_t code)
{
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (codes[middle] < code)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool push_halves(wi_memory *memory, const wi_ctree *t, const node_to_make *of,
                        nodes_to_make *stack)
{
    const wi_ctree_node *n = &t->nodes.items[of->number];
    size_t first = of->first;
    if (!wi_array_reserve(memory, stack, stack->count + 8)) return false;
    for (uint32_t half = 0; half < wi_ctree_split_size(t); half++) {
        size_t end = of->end;
        if (half + 1 < wi_ctree_split_size(t)) {
            const uint64_t next = code_of(&t->nodes.items[n->child + half + 1].at, t->axes);
            end = first_code(t->codes.items, first, of->end, next);
        }
        if (end > first) stack->items[stack->count++] = (node_to_make){n->child + half, first, end};
        first = end;
    }
    return true;
}

static bool make_node(wi_memory *memory, wi_ctree *t, const node_to_make *of, nodes_to_make *stack)
{
    wi_ctree_node *n = &t->nodes.items[of->number];
    const wi_cell_at low = at_of_code(t->codes.items[of->first], t->axes);
    if (of->end - of->first == 1 || n->bits == 0) {
        n->point = low;
        n->points = (uint32_t)(of->end - of->first);
        return true;
    }
    const wi_cell_at high = at_of_code(t->codes.items[of->end - 1], t->axes);
    const uint8_t bits = wi_cell_common_bits(t->axes, &low, &high);
    if (bits == n->bits)
        return wi_ctree_split(memory, t, of->number) && push_halves(memory, t, of, stack);
    if (!wi_ctree_compress(memory, t, of->number, wi_cell_around(t->axes, bits, &low), bits))
        return false;
    const node_to_make hole = {t->nodes.items[of->number].child, of->first, of->end};
    return wi_array_push(memory, stack, hole);
}

static bool gather_codes(wi_memory *memory, wi_ctree *t, const wi_cell_range *ranges,
                         const bool *is_alive, uint32_t box_count, size_t *out)
{
    size_t living = 0, count = 0;
    for (uint32_t i = 0; i < box_count; i++) living += is_alive[i];
    if (!wi_array_reserve(memory, &t->codes, 2 * living * wi_ctree_split_size(t))) return false;
    for (uint32_t i = 0; i < box_count; i++)
        for (uint32_t corner = 0; is_alive[i] && corner < wi_ctree_split_size(t); corner++) {
            const wi_cell_at at = wi_cell_corner(&ranges[i], corner);
            t->codes.items[count++] = code_of(&at, t->axes);
        }
    wi_sort_u64(t->codes.items, t->codes.items + count, count);
    *out = count;
    return true;
}

static bool make_nodes(wi_memory *memory, wi_ctree *t, size_t code_count)
{
    nodes_to_make stack = {0};
    const node_to_make all = {0, 0, code_count};
    bool ok = code_count == 0 || wi_array_push(memory, &stack, all);
    while (ok && stack.count > 0) {
        const node_to_make next = stack.items[--stack.count];
        ok = make_node(memory, t, &next, &stack);
    }
    wi_array_free(memory, &stack);
    return ok;
}

bool wi_ctree_start(wi_memory *memory, wi_ctree *t)
{
    t->nodes.count = t->entries.count = 0;
    t->node_count = t->entry_count = 0;
    t->free_split = t->free_pair = t->free_entry = NONE;
    const wi_cell_at origin = {{0}};
    const wi_ctree_node root = new_leaf(origin, (uint8_t)wi_ctree_bits(t), NONE, WI_CTREE_LEAF);
    t->node_count = 1;
    return wi_array_push(memory, &t->nodes, root);
}

bool wi_ctree_build(wi_memory *memory, wi_ctree *tree, const wi_cell_range *ranges,
                    const bool *is_alive, uint32_t box_count)
{
    size_t code_count;
    if (!wi_ctree_reserve(memory, tree, box_count) || !wi_ctree_start(memory, tree) ||
        !gather_codes(memory, tree, ranges, is_alive, box_count, &code_count) ||
        !make_nodes(memory, tree, code_count))
        return false;
    for (uint32_t i = 0; i < box_count; i++)
        if (is_alive[i] && !wi_ctree_put_in(memory, tree, i, &ranges[i])) return false;
    return true;
}

/* ---- checks ---- */

static const char *validate_split(const wi_ctree *t, const wi_ctree_node *n)
{
    if (n->bits == 0) return "B10: a unit cell is split";
    if (only_half(t, n) != NONE) return "B11: a cell is split that does not part its corners";
    for (uint32_t half = 0; half < wi_ctree_split_size(t); half++) {
        const wi_ctree_node *child = &t->nodes.items[n->child + half];
        if (child->bits + 1 != n->bits || wi_cell_half(t->axes, n->bits, &child->at) != half ||
            !wi_cell_has_cell(n, t->axes, child))
            return "B10: a half is elsewhere";
    }
    return NULL;
}

static const char *validate_compressed(const wi_ctree *t, const wi_ctree_node *n)
{
    const wi_ctree_node *hole = &t->nodes.items[n->child], *donut = hole + 1;
    if (hole->bits >= n->bits || !wi_cell_has_cell(n, t->axes, hole))
        return "B10: a hole is elsewhere";
    if (donut->kind != WI_CTREE_DONUT || donut->bits != n->bits || donut->points != 0)
        return "B10: a donut is not around its hole";
    if (hole->kind == WI_CTREE_SPLIT) return NULL;
    return hole->kind == WI_CTREE_LEAF && hole->bits == 0 && hole->points > 1
               ? NULL
               : "B11: a hole is not the smallest cell with its corners";
}

static const char *validate_node(const wi_ctree *t, uint32_t number)
{
    const wi_ctree_node *n = &t->nodes.items[number];
    const wi_cell_at at = wi_cell_around(t->axes, n->bits, &n->at);
    if (memcmp(&at, &n->at, sizeof at) != 0) return "B10: a cell is not canonical";
    for (uint32_t i = 0; i < wi_ctree_child_count(t, n); i++) {
        if (n->child + i >= t->nodes.count) return "B10: a child is not there";
        if (t->nodes.items[n->child + i].parent != number) return "B10: a child has another parent";
    }
    if (n->kind == WI_CTREE_SPLIT) return validate_split(t, n);
    if (n->kind == WI_CTREE_COMPRESSED) return validate_compressed(t, n);
    if (n->points > 1 && n->bits > 0) return "B11: a leaf with two corners is not split";
    if (n->points > 0 && !wi_cell_has_unit(n, t->axes, &n->point))
        return "B12: a corner is elsewhere";
    return NULL;
}

static uint64_t hash_unit(const wi_cell_at *at)
{
    uint64_t hash = WI_HASH_START;
    for (int axis = 0; axis < 3; axis++) hash = wi_hash_u64(hash, at->x[axis]);
    return hash;
}

/* As many corners in every unit as boxes have there: the same sum of hashes. */
static bool has_all_corners(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    uint64_t wanted = 0, found = 0;
    for (uint32_t i = 0; i < box_count; i++)
        for (uint32_t corner = 0; is_alive[i] && corner < wi_ctree_split_size(t); corner++) {
            const wi_cell_at at = wi_cell_corner(&t->ranges.items[i], corner);
            wanted += hash_unit(&at);
        }
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        if (n->kind == WI_CTREE_LEAF && n->points > 0) found += n->points * hash_unit(&n->point);
    }
    return wanted == found;
}

/* Lists have each box that meets the leaf: those in them do, none is twice, and there are as many
 * as the tree counts, which is as many as a search from the root finds. */
static const char *validate_lists(const wi_ctree *t, bool is_small, size_t *out)
{
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        if (!wi_ctree_is_leaf(n)) continue;
        for (uint32_t e = n->entry; e != NONE; e = t->entries.items[e].next) {
            if (!wi_ctree_leaf_meets(t, n, &t->ranges.items[t->entries.items[e].box]))
                return "B13: a box is in the list of a leaf that it does not meet";
            for (uint32_t k = t->entries.items[e].next; k != NONE && is_small;
                 k = t->entries.items[k].next)
                if (t->entries.items[k].box == t->entries.items[e].box)
                    return "B13: a box is in a list twice";
            ++*out;
        }
    }
    return NULL;
}

/* Without a stack that could fail: from every leaf, which a box meets or does not. */
static size_t count_meetings(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    size_t count = 0;
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        for (uint32_t k = 0; k < box_count && wi_ctree_is_leaf(n); k++)
            count += is_alive[k] && wi_ctree_leaf_meets(t, n, &t->ranges.items[k]);
    }
    return count;
}

/* Beyond so many, asking every leaf about every box takes longer than a check may. */
enum { CHECKED_BOXES = 100 };

const char *wi_ctree_validate(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    size_t in_use = 0, listed = 0;
    for (uint32_t i = 0; i < t->nodes.count; i++) {
        if (t->nodes.items[i].kind == WI_CTREE_FREE) continue;
        const char *broken = validate_node(t, i);
        if (broken) return broken;
        in_use++;
    }
    if (in_use != t->node_count) return "B10: a node is neither in use nor free";
    if (!has_all_corners(t, is_alive, box_count)) return "B12: a corner is not there once";
    const char *broken = validate_lists(t, box_count <= CHECKED_BOXES, &listed);
    if (broken) return broken;
    if (listed != t->entry_count) return "B13: an entry is neither in use nor free";
    if (box_count <= CHECKED_BOXES && listed != count_meetings(t, is_alive, box_count))
        return "B13: a box is not in the list of a leaf that it meets";
    return NULL;
}
