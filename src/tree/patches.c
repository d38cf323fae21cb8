/* patches.c - finds what is below every node, and cuts the tree into patches.
 *
 * Way in: wi_patches_make. A backward sweep over the nodes meets children first, so the outline of
 * a node is made of its children's: what they do not own and it does not own either. */
#include "tree/patches.h"

#include <string.h>

#include "base/check.h"
#include "tree/hierarchy.h"

/* Adds to the outline of `node` those places of a child's that lie before `first_place` and have
 * not been added yet. All that is not owned was owned before (I3), so none lies behind. */
static bool add_outline(wi_memory *memory, wi_patches *p, uint32_t *added_by, uint32_t node,
                        const uint32_t *places, uint32_t count)
{
    const uint32_t first_place = p->below[node].first_place;
    if (!wi_array_reserve(memory, &p->outlines, p->outlines.count + count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = places[i];
        if (place >= first_place || added_by[place] == node) continue;
        added_by[place] = node;
        p->outlines.items[p->outlines.count++] = place;
    }
    return true;
}

/* Runs of the children of `node`, which follow each other; sets first_place, last_place and the
 * last node. */
static void join_runs(const wi_hierarchy *h, wi_patches *p, uint32_t node)
{
    const wi_view *view = &h->views[node];
    wi_below *own = &p->below[node];
    *own = (wi_below){UINT32_MAX, 0, 0, 0};
    p->last_node[node] = node + 1;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const wi_below run = is_leaf ? wi_leaf_below(&h->leaves[child]) : p->below[child];
        if (run.first_place < own->first_place) own->first_place = run.first_place;
        if (run.last_place > own->last_place) own->last_place = run.last_place;
        if (!is_leaf && p->last_node[child] > p->last_node[node])
            p->last_node[node] = p->last_node[child];
    }
}

static bool join_outlines(wi_memory *memory, const wi_hierarchy *h, wi_patches *p,
                          uint32_t *added_by, uint32_t node)
{
    const wi_view *view = &h->views[node];
    const size_t first = p->outlines.count;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        bool ok;
        if ((view->leaf_mask >> lane & 1) != 0) {
            const wi_leaf *leaf = &h->leaves[child];
            ok = add_outline(memory, p, added_by, node, wi_leaf_border(h, leaf),
                             (uint32_t)leaf->vertex_count - leaf->owned_count);
        } else {
            const wi_below b = p->below[child];
            const uint32_t count = b.last_outline - b.first_outline;
            /* The list may move while it grows, so room comes first. */
            ok = wi_array_reserve(memory, &p->outlines, p->outlines.count + count) &&
                 add_outline(memory, p, added_by, node, p->outlines.items + b.first_outline, count);
        }
        if (!ok) return false;
    }
    WI_ASSERT(p->outlines.count <= UINT32_MAX);
    p->below[node].first_outline = (uint32_t)first;
    p->below[node].last_outline = (uint32_t)p->outlines.count;
    return true;
}

static void list_vertices(const wi_hierarchy *h, wi_patches *p)
{
    p->is_in_order = true;
    for (uint32_t i = 0; i < h->leaf_count; i++) {
        const wi_leaf *leaf = &h->leaves[i];
        for (uint32_t k = 0; k < leaf->owned_count; k++) {
            const uint32_t place = leaf->first_place + k;
            const uint32_t vertex = h->leaf_vertices[leaf->first_vertex + k];
            p->vertex_at[place] = vertex;
            p->is_in_order = p->is_in_order && vertex == place;
        }
    }
    for (uint32_t i = 0; i < WI_VERTEX_AHEAD; i++) p->vertex_at[p->place_count + i] = 0;
}

/* The depth of every node, while the tree is cut. */
static void find_depths(const wi_hierarchy *h, uint32_t *depths)
{
    depths[0] = 0;
    for (uint32_t node = 1; node < h->node_count; node++)
        depths[node] = depths[h->views[node].parent] + 1;
}

static void add_patch(wi_patches *p, const wi_below *below, uint32_t parent, unsigned lane,
                      bool is_leaf)
{
    p->items[p->count++] = (wi_patch){.box = wi_box_empty(),
                                      .below = *below,
                                      .parent = parent,
                                      .parent_lane = (uint8_t)lane,
                                      .is_leaf = is_leaf};
}

/* Counts, or lists if there is room, the nodes above the cut and the patches, both in the order of
 * nodes, which is that of places and of leaves. */
static void cut(const wi_hierarchy *h, wi_patches *p, const uint32_t *depths)
{
    uint32_t patches = 0, above = 0, leaf = 0;
    for (uint32_t node = 0; node < h->node_count; node++) {
        const wi_view *view = &h->views[node];
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
            wi_below below = wi_leaf_below(&h->leaves[leaf]);
            if (is_above && p->items)
                add_patch(p, &below, node, (unsigned)__builtin_ctz(leaves), true);
            patches += is_above;
            p->of_leaf[leaf] = patches - 1;
        }
    }
    p->count = patches;
    p->above_count = above;
}

/* The paper's half of the height, of a tree whose last level is the leaves. */
uint32_t wi_patches_level(const wi_hierarchy *h, uint32_t level)
{
    if (level == WI_HALF_HEIGHT) return (h->height + 1) / 2;
    return level < h->height ? level : h->height;
}

static bool allocate(wi_memory *memory, const wi_hierarchy *h, wi_patches *p)
{
    const wi_leaf *last = &h->leaves[h->leaf_count - 1];
    p->node_count = h->node_count;
    p->leaf_count = h->leaf_count;
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

static bool find_below(wi_memory *memory, wi_workspace *workspace, const wi_hierarchy *h,
                       wi_patches *p)
{
    uint32_t *added_by = take_marks(memory, workspace, p);
    if (added_by == NULL) return false;
    memset(added_by, 0xFF, p->place_count * sizeof *added_by);
    for (uint32_t node = h->node_count; node-- > 0;) {
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

static bool list_cut(wi_memory *memory, wi_workspace *workspace, const wi_hierarchy *h,
                     wi_patches *p, uint32_t level)
{
    uint32_t *depths = take_marks(memory, workspace, p);
    free_cut(memory, p);
    if (depths == NULL) return false;
    p->level = wi_patches_level(h, level);
    find_depths(h, depths);
    cut(h, p, depths);
    const uint32_t count = p->count, above = p->above_count;
    p->items = wi_alloc_array(memory, count, sizeof *p->items);
    p->above = wi_alloc_array(memory, above, sizeof *p->above);
    if (p->items == NULL || (above > 0 && p->above == NULL)) return false;
    p->count = 0;
    cut(h, p, depths);
    WI_ASSERT(p->count == count && p->above_count == above);
    return true;
}

bool wi_patches_make(wi_memory *memory, wi_workspace *workspace, wi_hierarchy *h, uint32_t level)
{
    wi_patches *p = &h->patches;
    wi_patches_free(memory, p);
    bool ok = allocate(memory, h, p) && find_below(memory, workspace, h, p) &&
              list_cut(memory, workspace, h, p, level);
    if (!ok) wi_patches_free(memory, p);
    return ok;
}

bool wi_patches_cut(wi_memory *memory, wi_workspace *workspace, wi_hierarchy *h, uint32_t level)
{
    bool ok = list_cut(memory, workspace, h, &h->patches, level);
    if (!ok) wi_patches_free(memory, &h->patches);
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
