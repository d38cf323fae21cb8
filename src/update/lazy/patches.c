/* patches.c - finds what is below every node, and cuts the tree into patches.
 *
 * Way in: wi_patches_make. A backward sweep over the nodes meets children first, so the outline of
 * a node is made of its children's: what they do not own and it does not own either.
 * wi_patches_validate looks at it all again (I10), node by node. */
#include "update/lazy/patches.h"

#include <string.h>

#include "base/check.h"
#include "tree/tree.h"

/* Adds to the outline of `node` those places of a child's that lie before `first_place` and have
 * not been added yet. All that is not owned was owned before (I3), so none lies behind. */
static bool patches_add_outline(wi_memory *memory, wi_patches *p, uint32_t *added_by, uint32_t node,
                                const uint32_t *places, uint32_t count)
{
    const uint32_t first_place = p->below[node].first_place;
    if (!wi_array_reserve(memory, &p->outlines, p->outlines.count + count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = places[i];
        WI_ASSERT(place < p->place_count);
        if (place >= first_place || added_by[place] == node) continue;
        added_by[place] = node;
        p->outlines.items[p->outlines.count++] = place;
    }
    return true;
}

/* Runs of the children of `node`, which follow each other; sets first_place, last_place and the
 * last node. */
static void join_runs(const wi_tree *h, wi_patches *p, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    wi_below *own = &p->below[node];
    *own = (wi_below){UINT32_MAX, 0, 0, 0};
    p->last_node[node] = node + 1;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const wi_below run = is_leaf ? wi_leaf_below(&h->shape->leaves[child]) : p->below[child];
        if (run.first_place < own->first_place) own->first_place = run.first_place;
        if (run.last_place > own->last_place) own->last_place = run.last_place;
        WI_ASSERT(run.first_place <= run.last_place && (is_leaf || child > node));
        if (!is_leaf && p->last_node[child] > p->last_node[node])
            p->last_node[node] = p->last_node[child];
    }
}

static bool join_outlines(wi_memory *memory, const wi_tree *h, wi_patches *p, uint32_t *added_by,
                          uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    const size_t first = p->outlines.count;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        bool ok;
        if ((view->leaf_mask >> lane & 1) != 0) {
            const wi_leaf *leaf = &h->shape->leaves[child];
            ok = patches_add_outline(memory, p, added_by, node, wi_leaf_border(h, leaf),
                                     (uint32_t)leaf->vertex_count - leaf->owned_count);
        } else {
            const wi_below b = p->below[child];
            const uint32_t count = b.last_outline - b.first_outline;
            /* The list may move while it grows, so room comes first. */
            ok = wi_array_reserve(memory, &p->outlines, p->outlines.count + count) &&
                 patches_add_outline(memory, p, added_by, node, p->outlines.items + b.first_outline,
                                     count);
        }
        if (!ok) return false;
    }
    if (p->outlines.count > UINT32_MAX) return false; /* more than can be numbered: no room */
    p->below[node].first_outline = (uint32_t)first;
    p->below[node].last_outline = (uint32_t)p->outlines.count;
    return true;
}

static void list_vertices(const wi_tree *h, wi_patches *p)
{
    p->is_in_order = true;
    for (uint32_t i = 0; i < h->shape->leaf_count; i++) {
        const wi_leaf *leaf = &h->shape->leaves[i];
        for (uint32_t k = 0; k < leaf->owned_count; k++) {
            const uint32_t place = leaf->first_place + k;
            const uint32_t vertex = h->shape->leaf_vertices[leaf->first_vertex + k];
            WI_ASSERT(place < p->place_count && vertex < h->mesh->vertex_count);
            p->vertex_at[place] = vertex;
            p->is_in_order = p->is_in_order && vertex == place;
        }
    }
    for (uint32_t i = 0; i < WI_VERTEX_AHEAD; i++) p->vertex_at[p->place_count + i] = 0;
}

/* The depth of every node, while the tree is cut. */
static void find_depths(const wi_tree *h, uint32_t *depths)
{
    WI_ASSERT(h->shape->node_count > 0);
    depths[0] = 0;
    for (uint32_t node = 1; node < h->shape->node_count; node++)
        depths[node] = depths[h->boxes.nodes[node].parent] + 1;
}

static void add_patch(wi_patches *p, const wi_below *below, uint32_t parent, unsigned lane,
                      bool is_leaf)
{
    WI_ASSERT(lane < WI_LANES && below->last_place <= p->place_count);
    p->items[p->count++] = (wi_patch){.box = wi_box_empty(),
                                      .below = *below,
                                      .parent = parent,
                                      .parent_lane = (uint8_t)lane,
                                      .is_leaf = is_leaf};
}

/* Counts, or lists if there is room, the nodes above the cut and the patches, both in the order of
 * nodes, which is that of places and of leaves. */
static void patches_cut(const wi_tree *h, wi_patches *p, const uint32_t *depths)
{
    uint32_t patches = 0, above = 0, leaf = 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        const bool is_above = depths[node] < p->level;
        if (depths[node] == p->level) {
            if (p->items) add_patch(p, &p->below[node], view->parent, view->parent_lane, false);
            patches++;
        }
        if (is_above) {
            if (p->above) p->above[above] = node;
            above++;
        }
        p->of_node[node] = is_above ? WI_ABOVE : patches - 1;
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1, leaf++) {
            wi_below below = wi_leaf_below(&h->shape->leaves[leaf]);
            if (is_above && p->items)
                add_patch(p, &below, node, (unsigned)__builtin_ctz(leaves), true);
            patches += is_above;
            p->of_leaf[leaf] = patches - 1;
        }
    }
    WI_ASSERT(leaf == h->shape->leaf_count && (p->items == NULL || p->count == patches));
    p->count = patches;
    p->above_count = above;
}

/* The paper's half of the height, of a tree whose last level is the leaves. */
uint32_t wi_patches_level(const wi_tree *h, uint32_t level)
{
    if (level == WI_HALF_HEIGHT) return (h->shape->height + 1) / 2;
    return level < h->shape->height ? level : h->shape->height;
}

static bool patches_allocate(wi_memory *memory, const wi_tree *h, wi_patches *p)
{
    const wi_leaf *last = &h->shape->leaves[h->shape->leaf_count - 1];
    WI_ASSERT(last->first_place + last->owned_count <= h->mesh->vertex_count);
    p->node_count = h->shape->node_count;
    p->leaf_count = h->shape->leaf_count;
    p->place_count = last->first_place + last->owned_count;
    p->below = wi_alloc_array(memory, p->node_count, sizeof *p->below);
    p->last_node = wi_alloc_array(memory, p->node_count, sizeof *p->last_node);
    p->of_node = wi_alloc_array(memory, p->node_count, sizeof *p->of_node);
    p->of_leaf = wi_alloc_array(memory, p->leaf_count, sizeof *p->of_leaf);
    p->vertex_at =
        wi_alloc_array(memory, (size_t)p->place_count + WI_VERTEX_AHEAD, sizeof *p->vertex_at);
    if (h->def.margin > 0) p->drift_at = wi_alloc_array(memory, p->node_count, sizeof *p->drift_at);
    return p->below && p->last_node && p->vertex_at && p->of_node && p->of_leaf &&
           (p->drift_at || !(h->def.margin > 0));
}

/* A number for each node or place, while patches are made. */
static uint32_t *take_marks(wi_memory *memory, wi_workspace *workspace, const wi_patches *p)
{
    const size_t count = p->place_count > p->node_count ? p->place_count : p->node_count;
    if (!wi_workspace_reserve(memory, workspace, wi_workspace_size(count, sizeof(uint32_t))))
        return NULL;
    return wi_workspace_take(workspace, count, sizeof(uint32_t));
}

static bool find_below(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, wi_patches *p)
{
    uint32_t *added_by = take_marks(memory, workspace, p);
    if (added_by == NULL) return false;
    memset(added_by, 0xFF, p->place_count * sizeof *added_by);
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        join_runs(h, p, node);
        if (!join_outlines(memory, h, p, added_by, node)) return false;
    }
    list_vertices(h, p);
    return true;
}

static void free_cut(wi_memory *memory, wi_patches *p)
{
    wi_free_array(memory, p->items, p->count, sizeof *p->items);
    wi_free_array(memory, p->above, p->above_count, sizeof *p->above);
    p->items = NULL;
    p->above = NULL;
    p->count = p->above_count = 0;
}

static bool list_cut(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, wi_patches *p,
                     uint32_t level)
{
    uint32_t *depths = take_marks(memory, workspace, p);
    free_cut(memory, p);
    if (depths == NULL) return false;
    p->level = wi_patches_level(h, level);
    find_depths(h, depths);
    patches_cut(h, p, depths);
    const uint32_t count = p->count, above = p->above_count;
    p->items = wi_alloc_array(memory, count, sizeof *p->items);
    p->above = wi_alloc_array(memory, above, sizeof *p->above);
    if (p->items == NULL || (above > 0 && p->above == NULL)) return false;
    p->count = 0;
    patches_cut(h, p, depths);
    WI_ASSERT(p->count == count && p->above_count == above);
    return true;
}

bool wi_patches_make(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, uint32_t level,
                     wi_patches *p)
{
    wi_patches_free(memory, p);
    bool ok = patches_allocate(memory, h, p) && find_below(memory, workspace, h, p) &&
              list_cut(memory, workspace, h, p, level);
    if (!ok) wi_patches_free(memory, p);
    return ok;
}

bool wi_patches_cut(wi_memory *memory, wi_workspace *workspace, const wi_tree *h, uint32_t level,
                    wi_patches *p)
{
    bool ok = list_cut(memory, workspace, h, p, level);
    if (!ok) wi_patches_free(memory, p);
    return ok;
}

void wi_patches_free(wi_memory *memory, wi_patches *p)
{
    const size_t places = p->vertex_at ? (size_t)p->place_count + WI_VERTEX_AHEAD : 0;
    wi_free_array(memory, p->below, p->node_count, sizeof *p->below);
    wi_free_array(memory, p->last_node, p->node_count, sizeof *p->last_node);
    wi_free_array(memory, p->vertex_at, places, sizeof *p->vertex_at);
    wi_free_array(memory, p->of_node, p->node_count, sizeof *p->of_node);
    wi_free_array(memory, p->of_leaf, p->leaf_count, sizeof *p->of_leaf);
    wi_free_array(memory, p->drift_at, p->node_count, sizeof *p->drift_at);
    free_cut(memory, p);
    wi_array_free(memory, &p->outlines);
    *p = (wi_patches){0};
}

size_t wi_patches_bytes(const wi_patches *p)
{
    const size_t places = p->vertex_at ? (size_t)p->place_count + WI_VERTEX_AHEAD : 0;
    const size_t drift = p->drift_at ? sizeof *p->drift_at : 0;
    return p->node_count * (sizeof *p->below + sizeof *p->last_node + sizeof *p->of_node + drift) +
           p->leaf_count * sizeof *p->of_leaf + places * sizeof *p->vertex_at +
           p->count * sizeof *p->items + p->above_count * sizeof *p->above +
           p->outlines.capacity * sizeof *p->outlines.items;
}

/* ---- is it all true? ---- */

/* Places and vertices name each other: those of leaves, which are all. */
static const char *validate_vertices(const wi_tree *h, const wi_patches *p)
{
    bool is_in_order = true;
    for (uint32_t i = 0; i < h->shape->leaf_count; i++) {
        const wi_leaf *leaf = &h->shape->leaves[i];
        const uint32_t *border = wi_leaf_border(h, leaf);
        for (uint32_t k = 0; k < leaf->vertex_count; k++) {
            const uint32_t vertex = h->shape->leaf_vertices[leaf->first_vertex + k];
            const bool is_owned = k < leaf->owned_count;
            const uint32_t place = is_owned ? leaf->first_place + k : border[k - leaf->owned_count];
            if (place >= p->place_count || p->vertex_at[place] != vertex)
                return "I10: a place has another vertex";
            is_in_order = is_in_order && (!is_owned || place == vertex);
        }
    }
    for (uint32_t i = 0; i < WI_VERTEX_AHEAD; i++)
        if (p->vertex_at[p->place_count + i] >= h->mesh->vertex_count)
            return "I10: behind all places is a vertex that is not there";
    return is_in_order == p->is_in_order ? NULL : "I10: places are vertices, or not, by mistake";
}

/* The places of the leaves of a node come first, then those of its nodes, and these are numbered
 * one subtree after the other. */
static const char *validate_runs(const wi_tree *h, const wi_patches *p, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    const wi_below *own = &p->below[node];
    uint32_t next_place = own->first_place, next_node = node + 1;
    for (int of_nodes = 0; of_nodes < 2; of_nodes++)
        for (unsigned lane = 0; lane < view->count; lane++) {
            const uint32_t child = view->child[lane];
            const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            if (is_leaf == (of_nodes != 0)) continue;
            const wi_below run =
                is_leaf ? wi_leaf_below(&h->shape->leaves[child]) : p->below[child];
            if (run.first_place != next_place)
                return "I10: runs of places do not follow each other";
            next_place = run.last_place;
            if (is_leaf) continue;
            if (child != next_node) return "I10: nodes do not follow those of the child before";
            next_node = p->last_node[child];
        }
    if (own->last_place != next_place) return "I10: runs of places do not follow each other";
    if (p->last_node[node] != next_node) return "I10: another node is the last below";
    if (own->first_outline > own->last_outline || own->last_outline > p->outlines.count)
        return "I10: an outline is not among the outlines";
    return NULL;
}

/* Sets of places, as bits, since a validator has no memory: those of a window at a time. */
enum { WINDOW = 1 << 17 };

typedef struct window {
    uint64_t listed[WINDOW / 64]; /* by the outline */
    uint64_t named[WINDOW / 64];  /* by children */
    uint32_t first;
} window;

static inline bool is_seen(const window *w, uint32_t place)
{
    return place - w->first < WINDOW; /* those before it wrap around */
}

static inline bool patches_has_bit(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}
static inline void set_bit(uint64_t *bits, uint32_t i) { bits[i / 64] |= UINT64_C(1) << i % 64; }
static inline void clear_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static const char *list_outline(const wi_patches *p, uint32_t node, window *w)
{
    const wi_below *own = &p->below[node];
    for (uint32_t i = own->first_outline; i < own->last_outline; i++) {
        const uint32_t place = p->outlines.items[i];
        if (place >= own->first_place) return "I10: an outline has what its node owns";
        if (!is_seen(w, place)) continue;
        if (patches_has_bit(w->listed, place - w->first))
            return "I10: an outline has a vertex twice";
        set_bit(w->listed, place - w->first);
    }
    return NULL;
}

/* What children do not own is in the outline, unless the node owns it. */
static const char *name_children(const wi_tree *h, const wi_patches *p, uint32_t node, window *w)
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const wi_below below = is_leaf ? wi_leaf_below(&h->shape->leaves[child]) : p->below[child];
        const uint32_t *places = is_leaf ? h->shape->borders : p->outlines.items;
        for (uint32_t i = below.first_outline; i < below.last_outline; i++) {
            if (places[i] >= p->below[node].first_place || !is_seen(w, places[i])) continue;
            if (!patches_has_bit(w->listed, places[i] - w->first))
                return "I10: an outline lacks a vertex from below";
            set_bit(w->named, places[i] - w->first);
        }
    }
    return NULL;
}

/* Leaves the window empty for the next node. */
static const char *clear_outline(const wi_patches *p, uint32_t node, window *w)
{
    const wi_below *own = &p->below[node];
    for (uint32_t i = own->first_outline; i < own->last_outline; i++) {
        const uint32_t place = p->outlines.items[i];
        if (!is_seen(w, place)) continue;
        if (!patches_has_bit(w->named, place - w->first))
            return "I10: an outline has a vertex that is not below";
        clear_bit(w->listed, place - w->first);
        clear_bit(w->named, place - w->first);
    }
    return NULL;
}

static const char *validate_outlines(const wi_tree *h, const wi_patches *p)
{
    window w = {.first = 0};
    const char *broken = NULL;
    for (uint64_t first = 0; first < p->place_count; first += WINDOW) {
        w.first = (uint32_t)first;
        for (uint32_t node = 0; node < h->shape->node_count && broken == NULL; node++) {
            broken = list_outline(p, node, &w);
            if (broken == NULL) broken = name_children(h, p, node, &w);
            if (broken == NULL) broken = clear_outline(p, node, &w);
        }
    }
    return broken;
}

/* Is the next patch this one? */
static bool is_next_patch(const wi_patches *p, uint32_t *next, const wi_below *below,
                          uint32_t parent, unsigned lane, bool is_leaf)
{
    if (*next >= p->count) return false;
    const wi_patch *patch = &p->items[(*next)++];
    return patch->parent == parent && patch->parent_lane == lane && patch->is_leaf == is_leaf &&
           patch->below.first_place == below->first_place &&
           patch->below.last_place == below->last_place &&
           patch->below.first_outline == below->first_outline &&
           patch->below.last_outline == below->last_outline;
}

/* The nodes at the level and the leaves above it are the patches, all of them and in order, and
 * what is above is listed, parents first (I1). */
static const char *validate_cut(const wi_tree *h, const wi_patches *p)
{
    uint32_t next = 0, next_above = 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        const uint32_t depth = wi_tree_depth(h, node);
        bool ok = depth != p->level ||
                  is_next_patch(p, &next, &p->below[node], view->parent, view->parent_lane, false);
        for (unsigned lane = 0; lane < view->count && depth < p->level; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) continue;
            const wi_below below = wi_leaf_below(&h->shape->leaves[view->child[lane]]);
            ok = ok && is_next_patch(p, &next, &below, node, lane, true);
        }
        if (!ok) return "I10: patches do not cover the leaves, each once and in order";
        if (depth < p->level && (next_above >= p->above_count || p->above[next_above++] != node))
            return "I10: other nodes are above the patches";
    }
    if (next != p->count) return "I10: patches do not cover the leaves, each once and in order";
    return next_above == p->above_count ? NULL : "I10: other nodes are above the patches";
}

const char *wi_patches_validate(const wi_tree *h, const wi_patches *p)
{
    const wi_leaf *last = &h->shape->leaves[h->shape->leaf_count - 1];
    if (p->node_count != h->shape->node_count ||
        p->place_count != last->first_place + last->owned_count)
        return "I10: patches are of another tree";
    if (p->level > h->shape->height) return "I10: the cut is below the leaves";
    const char *broken = validate_vertices(h, p);
    for (uint32_t node = 0; node < h->shape->node_count && broken == NULL; node++)
        broken = validate_runs(h, p, node);
    if (broken == NULL) broken = validate_outlines(h, p);
    return broken ? broken : validate_cut(h, p);
}
