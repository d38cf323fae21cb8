/* lazy_kernel.c - bounding any node over the vertices below it.
 *
 * Way in: wi_lazy_kernels. In the update all vertices are read once, in the order of the tree: per
 * vertex one load, a min, a max, a test and a store. In a query the children of an opened node are
 * bounded over their runs of places, which is a stream, and over their outlines, which are short.
 *
 * The paper has three ways to open a node: over the vertices below its children, the next levels
 * from the lowest of them up, or the whole subtree from the leaves up. The second and third read
 * each vertex less often, but compute nodes that nobody opens. Measured on `bumpy` (2 x 81,920
 * triangles, query alone): the whole subtree is never best; two levels at once win by 3 to 6 % in
 * subtrees of more than some 64 nodes, and lose by 4 % in smaller ones. So large nodes are opened
 * two levels at once, of which there are some below the default cut only in bodies of half
 * a million triangles and more. */
#include <float.h>

#include "base/check.h"
#include "update/bounds.h"
#include "update/claim.h"
#include "update/lazy/lazy.h"

/* More nodes below than this make a node large. */
enum { NODES_FOR_TWO_LEVELS = 64 };

/* Kept twice, so that neighbours in a run do not wait for each other. */
typedef struct twins {
    wi_bounds even, odd;
} twins;

static inline twins no_twins(void) { return (twins){wi_bounds_none(), wi_bounds_none()}; }

static inline uint32_t outline_count(const wi_below *below)
{
    WI_ASSERT(below->first_outline <= below->last_outline);
    return below->last_outline - below->first_outline;
}

/* ---- from the user's array, in the update ---- */

/* Stores and bounds places [first, last). */
static inline wi_bounds take_run(const wi_vertices *from, const uint32_t *vertex_at, uint32_t first,
                                 uint32_t last, wi_point *stored, wi_flaws *flaws)
{
    WI_ASSERT(first <= last && stored);
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

/* The box of a patch is that of its run, until the outline is added. */
static inline void set_run(wi_patch *patch, const wi_bounds *run)
{
    patch->box = wi_bounds_box(run);
    patch->touched = 0;
    patch->has_outline = false;
}

static inline void add_move(wi_quad *moved, wi_quad from, wi_quad to)
{
    *moved = wi_quad_max(*moved, wi_quad_abs(wi_quad_sub(to, from)));
}

/* The farthest that a vertex of the patch moves along an axis from where it is stored, rounded. A
 * second look at the user's array, which is near by now. */
static float measure_move(const wi_tree *h, const wi_patch *patch, const wi_vertices *to)
{
    const wi_point *positions = h->mesh->positions;
    const uint32_t *vertex_at = wi_patches_of(h)->vertex_at,
                   *outline = wi_patch_outline(h, wi_patches_of(h), patch);
    wi_quad moved = wi_quad_all(0.0F);
    float along[4], most = 0.0F;
    for (uint32_t i = patch->below.first_place; i < patch->below.last_place; i++)
        add_move(&moved, wi_quad_load(positions[i].axis), wi_vertices_load(to, vertex_at[i]));
    for (uint32_t i = 0; i < outline_count(&patch->below); i++)
        add_move(&moved, wi_quad_load(positions[outline[i]].axis),
                 wi_vertices_load(to, vertex_at[outline[i]]));
    wi_quad_store(along, moved);
    for (int axis = 0; axis < 3; axis++) most = along[axis] > most ? along[axis] : most;
    return most;
}

static inline __attribute__((always_inline)) bool
take_patches(wi_tree *h, uint32_t first, uint32_t last, const wi_vertices *from, wi_point *stored)
{
    const uint32_t *vertex_at = wi_patches_of(h)->vertex_at;
    wi_flaws flaws = wi_flaws_none();
    WI_ASSERT(first <= last && last <= wi_patches_of(h)->count);
    for (uint32_t number = first; number < last; number++) {
        wi_patch *patch = &wi_patches_of(h)->items[number];
        const wi_below *below = &patch->below;
        const wi_bounds b =
            take_run(from, vertex_at, below->first_place, below->last_place, stored, &flaws);
        set_run(patch, &b);
        if (h->def.margin > 0.0F) patch->moved = measure_move(h, patch, from);
    }
    return !wi_flaws_any(flaws);
}

static bool lazy_take(wi_tree *h, uint32_t first, uint32_t last, wi_source source, wi_point *stored)
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

/* A leaf owns some ten vertices, and has as many on its border. Both are read side by side, in
 * whole steps, the last ones as often as it takes: the number of steps is then nearly always the
 * same, and foreseen. Neither count is 0. */
static inline wi_bounds lazy_bound_leaf(const wi_point *positions, const wi_point *owned,
                                        unsigned owned_count, const uint32_t *border,
                                        unsigned border_count)
{
    WI_ASSERT(owned_count > 0 && border_count > 0);
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
        float low[STEP], high[STEP];
        for (int k = 0; k < 3; k++) lower[k] = upper[k] = wi_wide_load(p + k * WI_LANES);
        for (i = WI_LANES; i + WI_LANES <= count; i += WI_LANES)
            for (int k = 0; k < 3; k++) {
                wi_wide next = wi_wide_load(p + 3 * i + (size_t)k * WI_LANES);
                lower[k] = wi_wide_min(lower[k], next);
                upper[k] = wi_wide_max(upper[k], next);
            }
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

static wi_bounds bound_borrowed(const wi_tree *h, const wi_vertices *v, uint32_t first,
                                uint32_t last)
{
    WI_ASSERT(first <= last && last <= wi_patches_of(h)->place_count);
    const uint32_t *vertex_at = wi_patches_of(h)->vertex_at;
    twins b = no_twins();
    uint32_t i = first;
    if (wi_patches_of(h)->is_in_order && v->stride == 3 * sizeof(float))
        return bound_packed((const float *)(const void *)v->positions + 3 * (size_t)first,
                            last - first);
    for (; i + 2 <= last; i += 2) {
        wi_vertices_fetch(v, vertex_at[i + WI_VERTEX_AHEAD - 1]);
        wi_vertices_fetch(v, vertex_at[i + WI_VERTEX_AHEAD]);
        wi_bounds_add(&b.even, wi_vertices_load(v, vertex_at[i]));
        wi_bounds_add(&b.odd, wi_vertices_load(v, vertex_at[i + 1]));
    }
    if (i < last) wi_bounds_add(&b.even, wi_vertices_load(v, vertex_at[i]));
    return wi_bounds_join(&b.even, &b.odd);
}

static wi_bounds bound_places(const wi_tree *h, const wi_below *below)
{
    const wi_mesh *mesh = h->mesh;
    WI_ASSERT(below->first_place <= below->last_place && below->last_place <= mesh->vertex_count);
    if (mesh->positions)
        return bound_run(mesh->positions + below->first_place,
                         below->last_place - below->first_place);
    const wi_vertices v = wi_vertices_of(mesh, wi_mesh_borrowed(mesh));
    return bound_borrowed(h, &v, below->first_place, below->last_place);
}

static void lazy_add_outline(const wi_tree *h, wi_bounds *b, const uint32_t *outline,
                             uint32_t count)
{
    const wi_mesh *mesh = h->mesh;
    if (mesh->positions) {
        for (uint32_t i = 0; i < count; i++)
            wi_bounds_add(b, wi_quad_load(mesh->positions[outline[i]].axis));
    } else {
        const wi_vertices v = wi_vertices_of(mesh, wi_mesh_borrowed(mesh));
        for (uint32_t i = 0; i < count; i++)
            wi_bounds_add(b, wi_vertices_load(&v, wi_patches_of(h)->vertex_at[outline[i]]));
    }
}

/* Over a run of places and an outline. */
static wi_bounds bound_below(const wi_tree *h, const wi_below *below, const uint32_t *outline)
{
    wi_bounds b = bound_places(h, below);
    lazy_add_outline(h, &b, outline, outline_count(below));
    return b;
}

static void lazy_bound(wi_tree *h, uint32_t first, uint32_t last)
{
    WI_ASSERT(first <= last && last <= wi_patches_of(h)->count);
    for (uint32_t number = first; number < last; number++) {
        wi_patch *patch = &wi_patches_of(h)->items[number];
        const wi_bounds b = bound_places(h, &patch->below);
        set_run(patch, &b);
    }
}

/* Completes the patches, shows them in the nodes above, and bounds those from the lowest up; but
 * for the root, which is the first, and for nodes that a move of a few vertices did not concern.
 * Returns how many nodes these are. */
static uint32_t open_above(const wi_tree *h)
{
    const wi_patches *patches = wi_patches_of(h);
    WI_ASSERT(patches->above_count > 0 && patches->above[0] == 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < patches->count; i++) {
        wi_patch *patch = &patches->items[i];
        if (!patch->has_outline) {
            wi_bounds b = wi_bounds_of(&patch->box);
            lazy_add_outline(h, &b, wi_patch_outline(h, wi_patches_of(h), patch),
                             outline_count(&patch->below));
            patch->box = wi_bounds_box(&b);
            patch->has_outline = true;
        }
        wi_node_set_box(&h->boxes.nodes[patch->parent], patch->parent_lane, &patch->box);
    }
    for (uint32_t i = patches->above_count; i-- > 1;) {
        wi_node *view = &h->boxes.nodes[patches->above[i]];
        if (wi_is_open(h, patches->above[i])) continue;
        const wi_box box = wi_node_merged(view);
        wi_node_set_box(&h->boxes.nodes[view->parent], view->parent_lane, &box);
        atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_relaxed);
        count++;
    }
    return count;
}

/* ---- opening ---- */

static double drift_of(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(wi_patches_of(h)->of_node[node] < wi_patches_of(h)->count);
    return wi_patches_of(h)->items[wi_patches_of(h)->of_node[node]].drift;
}

/* Boxes with a margin are true until their vertices may have left it. */
static bool is_kept(const wi_tree *h, uint32_t node, uint64_t stamp)
{
    WI_ASSERT(!(h->def.margin > 0.0F) || wi_patches_of(h)->drift_at);
    return h->def.margin > 0.0F && stamp >= wi_patches_of(h)->keep_from &&
           drift_of(h, node) - wi_patches_of(h)->drift_at[node] <= (double)h->def.margin;
}

/* Wider by the margin on all sides, rounded outwards: what a rounded sum may be short of is less
 * than what is added then. No farther than floats go, so that boxes can be turned. */
static inline void lazy_widen(wi_bounds *b, float margin)
{
    WI_ASSERT(margin > 0.0F);
    const wi_quad by = wi_quad_all(margin), part = wi_quad_all(0x1p-22F);
    wi_quad lower = wi_quad_sub(b->lower, by), upper = wi_quad_add(b->upper, by);
    lower = wi_quad_sub(lower, wi_quad_mul(wi_quad_abs(lower), part));
    upper = wi_quad_add(upper, wi_quad_mul(wi_quad_abs(upper), part));
    b->lower = wi_quad_max(lower, wi_quad_all(-FLT_MAX));
    b->upper = wi_quad_min(upper, wi_quad_all(FLT_MAX));
}

static inline wi_bounds lazy_bound_child(const wi_tree *h, const wi_node *view, unsigned lane)
{
    const uint32_t child = view->child[lane];
    WI_ASSERT(lane < view->count);
    if ((view->leaf_mask >> lane & 1) == 0) {
        const wi_below *below = &wi_patches_of(h)->below[child];
        return bound_below(h, below, wi_patches_of(h)->outlines.items + below->first_outline);
    }
    const wi_leaf leaf = h->shape->leaves[child];
    const wi_below below = wi_leaf_below(&leaf);
    const unsigned border_count = leaf.vertex_count - leaf.owned_count;
    const wi_point *positions = h->mesh->positions;
    const uint32_t *border = h->shape->borders + below.first_outline;
    if (positions && leaf.owned_count > 0 && border_count > 0)
        return lazy_bound_leaf(positions, positions + leaf.first_place, leaf.owned_count, border,
                               border_count);
    return bound_below(h, &below, border);
}

static void lazy_open_one(const wi_tree *h, uint32_t node, unsigned levels, wi_openings *count);

/* Bounds a lane over the vertices below it or, if there is another level to do, from its node. */
static void bound_lane(const wi_tree *h, wi_node *view, unsigned lane, unsigned levels,
                       wi_openings *count)
{
    WI_ASSERT(levels == 1 || levels == 2);
    if (levels > 1 && (view->leaf_mask >> lane & 1) == 0) {
        if (!wi_is_open(h, view->child[lane]))
            lazy_open_one(h, view->child[lane], levels - 1, count);
        const wi_box box = wi_node_merged(&h->boxes.nodes[view->child[lane]]);
        wi_node_set_box(view, lane, &box);
    } else {
        wi_bounds b = lazy_bound_child(h, view, lane);
        if (h->def.margin > 0.0F) lazy_widen(&b, h->def.margin);
        wi_node_set_bounds(view, lane, &b);
    }
}

/* Opens a node, unless another thread does. */
static void lazy_open_one(const wi_tree *h, uint32_t node, unsigned levels, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    const uint64_t stamp = wi_claim(h, view);
    if (stamp == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    if (!is_kept(h, node, stamp)) {
        for (unsigned lane = 0; lane < view->count; lane++)
            bound_lane(h, view, lane, levels, count);
        if (h->def.margin > 0.0F) wi_patches_of(h)->drift_at[node] = drift_of(h, node);
        count->refreshed++;
    }
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* All nodes above the patches at once, under the claim of the root: nobody gets to the others but
 * by it. */
static void open_root(const wi_tree *h, wi_openings *count)
{
    if (wi_claim(h, &h->boxes.nodes[0]) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    count->refreshed += 1 + open_above(h);
    atomic_store_explicit(&h->boxes.nodes[0].stamp, h->boxes.revision, memory_order_release);
}

static void lazy_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    WI_ASSERT(node < wi_patches_of(h)->node_count);
    if (wi_patches_of(h)->of_node[node] == WI_ABOVE) {
        open_root(h, count);
        return;
    }
    /* What is merged from children has their margins, which may be less than a whole one. */
    const bool has_margin = h->def.margin > 0.0F;
    const bool is_large = wi_patches_of(h)->last_node[node] - node > NODES_FOR_TWO_LEVELS;
    lazy_open_one(h, node, is_large && !has_margin ? 2 : 1, count);
}

extern const wi_lazy_kernels WI_KERNEL(lazy_kernels);
const wi_lazy_kernels WI_KERNEL(lazy_kernels) = {lazy_take, lazy_bound, lazy_refresh};
