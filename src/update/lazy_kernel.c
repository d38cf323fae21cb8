/* lazy_kernel.c - bounding any node over the vertices below it.
 *
 * Way in: wi_lazy_kernels. In the update all vertices are read once, in the order of the tree:
 * per vertex one load, a min, a max, a test and a store, with a register for each. In a query the
 * children of an opened node are bounded over their runs of places, which is a stream, and over
 * their outlines, which are short. */
#include "base/threads.h"
#include "update/bounds.h"
#include "update/lazy.h"

/* Kept twice, so that neighbours in a run do not wait for each other. */
typedef struct twins {
    wi_bounds even, odd;
} twins;

static inline twins no_twins(void) { return (twins){wi_bounds_none(), wi_bounds_none()}; }

/* ---- from the user's array, in the update ---- */

/* Stores and bounds places [first, last). */
static inline wi_bounds take_run(const wi_vertices *from, const uint32_t *vertex_at, uint32_t first,
                                 uint32_t last, wi_point *stored, wi_flaws *flaws)
{
    twins b = no_twins();
    uint32_t i = first;
    for (; i + 2 <= last; i += 2) {
        wi_vertices_fetch(from, vertex_at[i + WI_VERTEX_AHEAD - 1]);
        wi_vertices_fetch(from, vertex_at[i + WI_VERTEX_AHEAD]);
        wi_quad even = wi_vertices_load(from, vertex_at[i]);
        wi_quad odd = wi_vertices_load(from, vertex_at[i + 1]);
        wi_bounds_add(&b.even, even);
        wi_bounds_add(&b.odd, odd);
        wi_flaws_add(flaws, even);
        wi_flaws_add(flaws, odd);
        wi_quad_store(stored[i].axis, even);
        wi_quad_store(stored[i + 1].axis, odd);
    }
    if (i < last) {
        wi_quad only = wi_vertices_load(from, vertex_at[i]);
        wi_bounds_add(&b.even, only);
        wi_flaws_add(flaws, only);
        wi_quad_store(stored[i].axis, only);
    }
    return wi_bounds_join(&b.even, &b.odd);
}

static inline __attribute__((always_inline)) bool take_patches(wi_hierarchy *h, uint32_t first,
                                                               uint32_t last,
                                                               const wi_vertices *from,
                                                               wi_point *stored)
{
    const uint32_t *vertex_at = h->patches.vertex_at;
    wi_flaws flaws = wi_flaws_none();
    for (uint32_t number = first; number < last; number++) {
        wi_patch *patch = &h->patches.items[number];
        const wi_below *below = &patch->below;
        const uint32_t *outline = wi_patch_outline(h, patch);
        wi_bounds b =
            take_run(from, vertex_at, below->first_place, below->last_place, stored, &flaws);
        for (uint32_t i = 0; i < below->last_outline - below->first_outline; i++)
            wi_bounds_add(&b, wi_vertices_load(from, vertex_at[outline[i]]));
        patch->box = wi_bounds_box(&b);
    }
    return !wi_flaws_any(flaws);
}

static bool take(wi_hierarchy *h, uint32_t first, uint32_t last, wi_source source, wi_point *stored)
{
    const wi_vertices any = wi_vertices_of(h->mesh, source);
    const wi_vertices packed = {any.positions, 3 * sizeof(float), any.last};
    return any.stride == packed.stride ? take_patches(h, first, last, &packed, stored)
                                       : take_patches(h, first, last, &any, stored);
}

/* ---- from positions in place ---- */

/* A run of places, four at a time. */
static wi_bounds bound_run(const wi_point *first, uint32_t count)
{
    wi_bounds b = wi_bounds_none();
    uint32_t i = 0;
    if (count >= 4) {
        wi_wide even = wi_wide_load(first[0].axis), odd = wi_wide_load(first[2].axis);
        wi_wide lower[2] = {even, odd}, upper[2] = {even, odd};
        for (i = 4; i + 4 <= count; i += 4) {
            even = wi_wide_load(first[i].axis);
            odd = wi_wide_load(first[i + 2].axis);
            lower[0] = wi_wide_min(lower[0], even);
            lower[1] = wi_wide_min(lower[1], odd);
            upper[0] = wi_wide_max(upper[0], even);
            upper[1] = wi_wide_max(upper[1], odd);
        }
        wi_wide low = wi_wide_min(lower[0], lower[1]), high = wi_wide_max(upper[0], upper[1]);
        b.lower = wi_quad_min(wi_wide_half(low, false), wi_wide_half(low, true));
        b.upper = wi_quad_max(wi_wide_half(high, false), wi_wide_half(high, true));
    }
    for (; i < count; i++) wi_bounds_add(&b, wi_quad_load(first[i].axis));
    return b;
}

/* The vertices of a leaf, from stored positions. A leaf owns some ten vertices, and has as many on
 * its border. Both are read side by side, in whole steps, the last ones as often as it takes: the
 * number of steps is then nearly always the same, and foreseen. */
static inline wi_bounds bound_leaf(const wi_point *positions, const wi_point *owned,
                                   unsigned owned_count, const uint32_t *border,
                                   unsigned border_count)
{
    enum { STEP = 4 };
    twins b = no_twins();
    const unsigned last_owned = owned_count - 1, last_border = border_count - 1;
    const unsigned count = owned_count > border_count ? owned_count : border_count;
    for (unsigned step = 0; step < count; step += STEP)
        for (unsigned i = step; i < step + STEP; i++) {
            const unsigned own = i < last_owned ? i : last_owned;
            const unsigned other = i < last_border ? i : last_border;
            wi_bounds_add(&b.even, wi_quad_load(owned[own].axis));
            wi_bounds_add(&b.odd, wi_quad_load(positions[border[other]].axis));
        }
    return wi_bounds_join(&b.even, &b.odd);
}

/* A borrowed array in the order of the tree, without gaps: eight vertices are three whole
 * registers, whose lanes are x, y, z in turn. */
static wi_bounds bound_packed(const float *p, size_t count)
{
    enum { STEP = 3 * WI_LANES };
    wi_bounds b = wi_bounds_none();
    size_t i = 0;
    if (count >= WI_LANES) {
        wi_wide lower[3], upper[3];
        for (int k = 0; k < 3; k++) lower[k] = upper[k] = wi_wide_load(p + k * WI_LANES);
        for (i = WI_LANES; i + WI_LANES <= count; i += WI_LANES)
            for (int k = 0; k < 3; k++) {
                wi_wide next = wi_wide_load(p + 3 * i + (size_t)k * WI_LANES);
                lower[k] = wi_wide_min(lower[k], next);
                upper[k] = wi_wide_max(upper[k], next);
            }
        float low[STEP], high[STEP];
        for (int k = 0; k < 3; k++) {
            wi_wide_store(low + k * WI_LANES, lower[k]);
            wi_wide_store(high + k * WI_LANES, upper[k]);
        }
        for (int k = 0; k < WI_LANES; k++) {
            b.lower = wi_quad_min(b.lower, wi_quad_load3(low + 3 * k));
            b.upper = wi_quad_max(b.upper, wi_quad_load3(high + 3 * k));
        }
    }
    for (; i < count; i++) wi_bounds_add(&b, wi_quad_load3(p + 3 * i));
    return b;
}

static wi_bounds bound_borrowed(const wi_hierarchy *h, uint32_t first, uint32_t last)
{
    const wi_mesh *mesh = h->mesh;
    const wi_vertices v = wi_vertices_of(mesh, wi_mesh_borrowed(mesh));
    const uint32_t *vertex_at = h->patches.vertex_at;
    twins b = no_twins();
    uint32_t i = first;
    if (h->patches.is_in_order && v.stride == 3 * sizeof(float))
        return bound_packed((const float *)(const void *)v.positions + 3 * (size_t)first,
                            last - first);
    for (; i + 2 <= last; i += 2) {
        wi_vertices_fetch(&v, vertex_at[i + WI_VERTEX_AHEAD - 1]);
        wi_vertices_fetch(&v, vertex_at[i + WI_VERTEX_AHEAD]);
        wi_bounds_add(&b.even, wi_vertices_load(&v, vertex_at[i]));
        wi_bounds_add(&b.odd, wi_vertices_load(&v, vertex_at[i + 1]));
    }
    if (i < last) wi_bounds_add(&b.even, wi_vertices_load(&v, vertex_at[i]));
    return wi_bounds_join(&b.even, &b.odd);
}

/* Over a run of places and an outline. */
static wi_bounds bound_below(const wi_hierarchy *h, const wi_below *below, const uint32_t *outline)
{
    const wi_mesh *mesh = h->mesh;
    const uint32_t count = below->last_outline - below->first_outline;
    wi_bounds b;
    if (mesh->borrowed) {
        const wi_vertices v = wi_vertices_of(mesh, wi_mesh_borrowed(mesh));
        b = bound_borrowed(h, below->first_place, below->last_place);
        for (uint32_t i = 0; i < count; i++)
            wi_bounds_add(&b, wi_vertices_load(&v, h->patches.vertex_at[outline[i]]));
    } else {
        b = bound_run(mesh->positions + below->first_place, below->last_place - below->first_place);
        for (uint32_t i = 0; i < count; i++)
            wi_bounds_add(&b, wi_quad_load(mesh->positions[outline[i]].axis));
    }
    return b;
}

static void bound(wi_hierarchy *h, uint32_t first, uint32_t last)
{
    for (uint32_t number = first; number < last; number++) {
        wi_patch *patch = &h->patches.items[number];
        wi_bounds b = bound_below(h, &patch->below, wi_patch_outline(h, patch));
        patch->box = wi_bounds_box(&b);
    }
}

/* ---- nodes ---- */

static void merge_above(wi_hierarchy *h, uint64_t revision)
{
    const wi_patches *patches = &h->patches;
    for (uint32_t i = 0; i < patches->count && patches->above_count > 0; i++) {
        const wi_patch *patch = &patches->items[i];
        wi_view_set_box(&h->views[patch->parent], patch->parent_lane, &patch->box);
    }
    h->bounds = patches->items[0].box;
    for (uint32_t i = patches->above_count; i-- > 0;) wi_merge_node(h, patches->above[i], revision);
}

/* Claims the node; false if another thread has computed it by now. The claim is the only thing that
 * threads wait for, and who has it neither allocates nor waits (C9). */
static bool claim(const wi_hierarchy *h, wi_view *view)
{
    uint64_t stamp = atomic_load_explicit(&view->stamp, memory_order_acquire);
    for (;;) {
        if (stamp >= h->valid_from) return false;
        if (stamp == WI_STAMP_CLAIMED) {
            wi_thread_yield();
            stamp = atomic_load_explicit(&view->stamp, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(&view->stamp, &stamp, WI_STAMP_CLAIMED,
                                                         memory_order_acquire,
                                                         memory_order_acquire)) {
            return true;
        }
    }
}

static void refresh(const wi_hierarchy *h, uint32_t node, wi_openings *count)
{
    wi_view *view = &h->views[node];
    if (!claim(h, view)) {
        count->lost++;
        return;
    }
    count->refreshed++;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        wi_bounds b;
        if ((view->leaf_mask >> lane & 1) != 0) {
            const wi_leaf leaf = h->leaves[child];
            const wi_below below = wi_leaf_below(&leaf);
            const unsigned border_count = leaf.vertex_count - leaf.owned_count;
            const wi_point *positions = h->mesh->positions;
            const uint32_t *border = h->borders + below.first_outline;
            if (positions && leaf.owned_count > 0 && border_count > 0)
                b = bound_leaf(positions, positions + leaf.first_place, leaf.owned_count, border,
                               border_count);
            else
                b = bound_below(h, &below, border);
        } else {
            const wi_below *below = &h->patches.below[child];
            b = bound_below(h, below, h->patches.outlines.items + below->first_outline);
        }
        wi_view_set_bounds(view, lane, &b);
    }
    atomic_store_explicit(&view->stamp, h->revision, memory_order_release);
}

extern const wi_lazy_kernels WI_KERNEL(lazy_kernels);
const wi_lazy_kernels WI_KERNEL(lazy_kernels) = {take, bound, merge_above, refresh};
