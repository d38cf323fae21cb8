/* tree.c - the nodes of a compressed quadtree or octree, and the lists of its leaves.
 *
 * Ways in: wi_ctree_put_in, wi_ctree_take_out, wi_ctree_visit_leaves. Nodes and entries of lists
 * are in arrays, and those that are given back are used again. How the tree follows its corners is
 * in corners.c, how it is made of all of them at once in build.c. */
#include "broad/compressed/nodes.h"

#include <string.h>

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

void wi_ctree_give_nodes_back(wi_ctree *t, uint32_t first, uint32_t count)
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

void wi_ctree_move_node(wi_ctree *t, uint32_t from, uint32_t to)
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

/* ---- looking ---- */

bool wi_ctree_leaf_has(const wi_ctree *t, uint32_t leaf, const wi_cell_at *at)
{
    const wi_ctree_node *n = &t->nodes.items[leaf];
    WI_ASSERT(wi_ctree_is_leaf(n));
    if (!wi_cell_has_unit(n, t->axes, at)) return false;
    return n->kind == WI_CTREE_LEAF || !wi_cell_has_unit(n - 1, t->axes, at);
}

uint32_t wi_ctree_find_leaf_below(const wi_ctree *t, uint32_t number, const wi_cell_at *at)
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

uint32_t wi_ctree_only_half(const wi_ctree *t, const wi_ctree_node *n)
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

bool wi_ctree_hand_down(wi_memory *memory, wi_ctree *t, uint32_t number, uint32_t skip,
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

void wi_ctree_join_list(wi_ctree *t, uint32_t entry, uint32_t leaf)
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
