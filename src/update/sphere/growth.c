/* growth.c - what happens when a node of a sphere-tree is opened.
 *
 * Way in: wi_sphere_open. Its triangles are tested against its children eight at a time, twice: the
 * first time they are counted, so that it is known what they take, the second time they are listed.
 * All of it is done by the thread that has claimed the node; what the pool has left is counted down
 * by atomics. Nothing here allocates or fails: where the pool is used up the node becomes a bundle
 * of its own triangles, for which room was set aside. */
#include "update/sphere/sphere.h"

#include "base/check.h"
#include "tree/cells/ask_occupancy.h"
#include "update/claim.h"

/* ---- room ---- */

/* Beyond what the bud has set aside. Where a branch takes less, the rest is spare after the next
 * update. */
typedef struct needs {
    int64_t count[WI_GROWN_RESOURCES];
} needs;

static void give_back(wi_grown *g, const needs *n, int below)
{
    for (int i = 0; i < below; i++)
        atomic_fetch_add_explicit(&g->spare[i], n->count[i], memory_order_relaxed);
}

/* False, and nothing taken, if there is not so much left; who had too little of what is noted. */
static bool take_room(wi_grown *g, const needs *n)
{
    for (int i = 0; i < WI_GROWN_RESOURCES; i++) {
        WI_ASSERT(n->count[i] >= 0);
        if (atomic_fetch_sub_explicit(&g->spare[i], n->count[i], memory_order_relaxed) >=
            n->count[i])
            continue;
        give_back(g, n, i + 1);
        atomic_fetch_or_explicit(&g->exhausted, 1U << i, memory_order_relaxed);
        return false;
    }
    return true;
}

/* ---- a branch ---- */

/* The children of a cell that the surface touches, in the order of octants. */
typedef struct split {
    wi_cell_touch touch;
    uint32_t count[WI_LANES], owned[WI_LANES]; /* of triangles */
    uint32_t next[WI_LANES], next_owned[WI_LANES];
} split;

/* The lowest child that a triangle touches has it, if the node itself does. */
static void count_triangles(const wi_tree *h, const wi_grown_cell *cell, split *s)
{
    wi_grown *g = wi_grown_of(h);
    uint64_t exact = 0;
    for (uint32_t first = 0; first < cell->count; first += WI_LANES) {
        const unsigned count = cell->count - first < WI_LANES ? cell->count - first : WI_LANES;
        uint8_t children[WI_LANES];
        wi_cell_touch_tris(&s->touch, h->mesh, h->shape->slots + cell->first + first, count,
                           children, &exact);
        for (unsigned i = 0; i < count; i++) {
            WI_ASSERT(children[i] != 0); /* children cover their parent */
            if (first + i < cell->owned) s->owned[__builtin_ctz(children[i])]++;
            for (unsigned all = children[i]; all != 0; all &= all - 1)
                s->count[__builtin_ctz(all)]++;
        }
    }
    atomic_fetch_add_explicit(&g->counts.exact_tests, exact, memory_order_relaxed);
}

/* The same once more: those that a child owns go to the front of its list. */
static void list_triangles(const wi_tree *h, const wi_grown_cell *cell, split *s)
{
    uint64_t exact = 0;
    for (uint32_t first = 0; first < cell->count; first += WI_LANES) {
        const unsigned count = cell->count - first < WI_LANES ? cell->count - first : WI_LANES;
        const uint32_t *slots = h->shape->slots + cell->first + first;
        uint8_t children[WI_LANES];
        wi_cell_touch_tris(&s->touch, h->mesh, slots, count, children, &exact);
        for (unsigned i = 0; i < count; i++) {
            unsigned all = children[i];
            if (first + i < cell->owned) {
                h->shape->slots[s->next_owned[__builtin_ctz(all)]++] = slots[i];
                all &= all - 1;
            }
            for (; all != 0; all &= all - 1)
                h->shape->slots[s->next[__builtin_ctz(all)]++] = slots[i];
        }
    }
}

/* A child that is a cell of the last level with few triangles is a leaf. */
static bool is_leaf_cell(const wi_tree *h, const split *s, unsigned child)
{
    const wi_grown *g = wi_grown_of(h);
    return s->touch.cells[child].level == g->last_level && s->owned[child] <= h->def.leaf_triangles;
}

static needs needs_of(const wi_tree *h, const wi_grown_cell *cell, const split *s)
{
    const uint32_t per_leaf = h->def.leaf_triangles;
    int64_t nodes = -(int64_t)wi_bundle_nodes(cell->owned, per_leaf), entries = 0;
    int64_t leaves = -(int64_t)wi_bundle_leaves(cell->owned, per_leaf);
    for (unsigned child = 0; child < s->touch.count; child++) {
        entries += s->count[child];
        if (s->count[child] == 0) continue;
        if (is_leaf_cell(h, s, child)) {
            leaves++;
            continue;
        }
        nodes += 1 + (int64_t)wi_bundle_nodes(s->owned[child], per_leaf);
        leaves += wi_bundle_leaves(s->owned[child], per_leaf);
    }
    return (needs){{nodes > 0 ? nodes : 0, leaves > 0 ? leaves : 0, entries}};
}

static void place_lists(wi_grown *g, split *s, uint32_t entries)
{
    uint32_t at = atomic_fetch_add_explicit(&g->list_end, entries, memory_order_relaxed);
    for (unsigned child = 0; child < s->touch.count; child++) {
        s->next_owned[child] = at;
        s->next[child] = at + s->owned[child];
        at += s->count[child];
    }
}

/* ---- children ---- */

static void set_leaf(const wi_tree *h, uint32_t leaf, const wi_grown_cell *cell)
{
    WI_ASSERT(cell->owned <= h->def.leaf_triangles);
    wi_grown_of(h)->leaves[leaf] = *cell;
    h->shape->leaves[leaf] = (wi_leaf){.first_tri = cell->first,
                                       .tri_count = (uint8_t)cell->owned,
                                       .vertex_count = (uint8_t)(3 * cell->owned)};
}

/* A child with the next free number. */
static uint32_t add_child(const wi_tree *h, uint32_t node, unsigned lane, const wi_grown_cell *cell,
                          bool is_leaf)
{
    wi_grown *g = wi_grown_of(h);
    const uint32_t number = is_leaf ? wi_grown_take_leaf(g) : wi_grown_take_node(g);
    if (is_leaf) {
        set_leaf(h, number, cell);
    } else {
        g->nodes[number] = *cell;
        g->used[number] = g->time;
        h->boxes.nodes[number].parent = node;
        h->boxes.nodes[number].parent_lane = (uint8_t)lane;
    }
    h->boxes.nodes[node].child[lane] = number;
    return number;
}

/* Children that own something come first, where walks look. */
static void add_cells(const wi_tree *h, uint32_t node, const split *s, bool has_own)
{
    wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    wi_node *view = &h->boxes.nodes[node];
    for (unsigned child = 0; child < s->touch.count; child++) {
        if (s->count[child] == 0 || (s->owned[child] > 0) != has_own) continue;
        const unsigned lane = view->count + (unsigned)cell->hidden;
        const bool is_leaf = is_leaf_cell(h, s, child);
        const wi_grown_cell made = {.cell = s->touch.cells[child],
                                    .first = s->next_owned[child] - s->owned[child],
                                    .count = s->count[child],
                                    .owned = s->owned[child],
                                    .kind = is_leaf ? WI_GROWN_LEAF : WI_GROWN_BUD};
        add_child(h, node, lane, &made, is_leaf);
        cell->is_leaf |= (uint8_t)((unsigned)is_leaf << lane);
        cell->hidden = (uint8_t)(cell->hidden + !has_own);
        if (!has_own) continue;
        view->count++;
        const wi_box box = wi_grown_box(h, made.first, made.owned);
        wi_node_set_box(view, lane, &box);
    }
}

/* Holds what a backend has said against what is so. */
static void note_seen(wi_grown *g, const split *s, const wi_occupancy_answer *seen)
{
    unsigned touched = 0;
    if (!seen->is_asked) return;
    for (unsigned child = 0; child < s->touch.count; child++)
        touched |= (unsigned)(s->count[child] > 0) << child;
    const willow_occupancy_stats compared = wi_occupancy_compare(seen, touched, s->touch.count);
    wi_grown_note_occupancy(g, &compared);
}

/* False if there is no room for it. */
static bool grow_branch(const wi_tree *h, uint32_t node, const wi_occupancy_answer *seen)
{
    wi_grown *g = wi_grown_of(h);
    wi_grown_cell *cell = &g->nodes[node];
    split s = {.count = {0}};
    wi_cell_touch_begin(&s.touch, &g->grid, cell->cell, g->meet);
    count_triangles(h, cell, &s);
    const needs n = needs_of(h, cell, &s);
    if (!take_room(g, &n)) return false;
    note_seen(g, &s, seen);
    place_lists(g, &s, (uint32_t)n.count[WI_GROWN_ENTRIES]);
    list_triangles(h, cell, &s);
    cell->kind = WI_GROWN_BRANCH;
    add_cells(h, node, &s, true);
    add_cells(h, node, &s, false);
    h->boxes.nodes[node].leaf_mask =
        (uint8_t)(cell->is_leaf & ((1U << h->boxes.nodes[node].count) - 1U));
    atomic_fetch_add_explicit(&g->counts.grown, 1, memory_order_relaxed);
    return true;
}

/* ---- a bundle ---- */

/* Into parts that are all as large as whole numbers of full nodes are, but for the last. */
static void open_bundle(const wi_tree *h, uint32_t node)
{
    wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    wi_node *view = &h->boxes.nodes[node];
    const uint32_t per_leaf = h->def.leaf_triangles;
    uint64_t most = per_leaf;
    while (most * WI_LANES < cell->owned) most *= WI_LANES;
    if (cell->kind == WI_GROWN_BUD) cell->kind = WI_GROWN_BUNDLE;
    for (uint32_t done = 0; done < cell->owned; done += (uint32_t)most) {
        const uint32_t left = cell->owned - done, size = left < most ? left : (uint32_t)most;
        const bool is_leaf = size <= per_leaf;
        const wi_grown_cell part = {.cell = cell->cell,
                                    .first = cell->first + done,
                                    .count = size,
                                    .owned = size,
                                    .kind = is_leaf ? WI_GROWN_STICK : WI_GROWN_PART};
        const wi_box box = wi_grown_box(h, part.first, size);
        add_child(h, node, view->count, &part, is_leaf);
        view->leaf_mask |= (uint8_t)((unsigned)is_leaf << view->count);
        wi_node_set_box(view, view->count, &box);
        view->count++;
    }
}

/* ---- opening ---- */

static void grow(const wi_tree *h, uint32_t node, const wi_occupancy_answer *seen)
{
    wi_grown *g = wi_grown_of(h);
    const wi_grown_cell *cell = &g->nodes[node];
    const bool may_branch = cell->kind == WI_GROWN_BUD && cell->cell.level < g->last_level;
    if (!may_branch || !grow_branch(h, node, seen)) open_bundle(h, node);
}

/* Nobody has opened it, and it may become a branch. Another thread may claim it meanwhile, so its
 * own kind is not looked at: what is below a branch is a cell, what is below a bundle is none. */
static bool may_grow(const wi_tree *h, uint32_t node)
{
    const wi_grown *g = wi_grown_of(h);
    const wi_node *view = &h->boxes.nodes[node];
    if (atomic_load_explicit(&view->stamp, memory_order_acquire) != WI_STAMP_NONE) return false;
    if (g->nodes[node].cell.level >= g->last_level) return false;
    return node == 0 || g->nodes[view->parent].kind == WI_GROWN_BRANCH;
}

/* Before the node is claimed, so that no other thread waits for the user's function (C9). */
static wi_occupancy_answer ask_backend(const wi_tree *h, uint32_t node)
{
    const wi_grown *g = wi_grown_of(h);
    const wi_grown_cell *cell = &g->nodes[node];
    wi_cell_touch touch;
    wi_cell_touch_begin(&touch, &g->grid, cell->cell, g->meet);
    return wi_occupancy_ask(&h->def.occupancy, &touch, h->mesh, h->shape->slots + cell->first,
                            cell->count);
}

void wi_sphere_open(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    wi_occupancy_answer seen = {.is_asked = false};
    if (count->use_occupancy && h->def.occupancy.count != NULL && may_grow(h, node))
        seen = ask_backend(h, node);
    const uint64_t stamp = wi_claim(h, view);
    if (stamp == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    if (stamp == WI_STAMP_NONE) {
        grow(h, node, &seen);
        count->refreshed++;
    }
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

bool wi_sphere_grow_all(wi_tree *h)
{
    wi_openings count = {0};
    wi_twig twig = {0, 1, 0};
    do {
        (void)wi_open(h, twig.node, &count);
    } while (wi_grown_next(h, &twig));
    return wi_grown_of(h)->exhausted == 0;
}
