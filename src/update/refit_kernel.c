/* refit_kernel.c - bounding leaves over their unique vertices, and nodes over their children.
 *
 * Way in: wi_refit_kernels. This is the work that every update with unknown motion does, so it is a
 * stream: vertex numbers and places in order, the user's array in almost the same order. Per vertex
 * one load, a min, a max, a test and a store. */
#include "update/refit.h"

static inline void set_lane(wi_view *view, unsigned lane, wi_quad lower, wi_quad upper)
{
    float low[4], high[4];
    wi_quad_store(low, lower);
    wi_quad_store(high, upper);
    for (int axis = 0; axis < 3; axis++) {
        view->lower[axis][lane] = low[axis];
        view->upper[axis][lane] = high[axis];
    }
}

/* x - x is 0 for numbers and NaN, with bits set, for NaN and infinity; so is the `or` of many. The
 * fourth float has no meaning. */
static inline bool is_all_finite(wi_quad differences)
{
    float difference[4];
    wi_quad_store(difference, differences);
    return difference[0] == 0.0F && difference[1] == 0.0F && difference[2] == 0.0F;
}

/* Sixteen bytes may be read at every vertex but the last. */
static inline wi_quad load_vertex(const char *positions, size_t stride, uint32_t vertex,
                                  uint32_t last)
{
    const float *p = (const float *)(const void *)(positions + vertex * stride);
    return vertex < last ? wi_quad_load(p) : wi_quad_load3(p);
}

/* The bounds so far, and whether all was finite. */
typedef struct bounds {
    wi_quad lower, upper, differences;
} bounds;

static inline bounds no_bounds(void)
{
    return (bounds){wi_quad_all(INFINITY), wi_quad_all(-INFINITY), wi_quad_all(0.0F)};
}

static inline void add_vertex(bounds *b, wi_quad p)
{
    b->lower = wi_quad_min(b->lower, p);
    b->upper = wi_quad_max(b->upper, p);
}

/* Loops over a leaf's vertices go in steps of four, and the last step begins early enough to be
 * whole: some vertices are taken twice, and most of the mispredicted ends are gone. */
enum { STEP = 4 };

static inline unsigned step_start(unsigned i, unsigned count)
{
    return i + STEP <= count ? i : count - STEP;
}

/* How many vertex numbers ahead of their use the user's positions are asked for: their order is not
 * that of the array, so the machine does not foresee it. It takes a quarter off the time where the
 * positions were written by someone else since, as they are in a simulation. */
enum { AHEAD = 64 };

static inline void fetch_ahead(const char *positions, size_t stride, const uint32_t *vertices,
                               const uint32_t *end, unsigned count)
{
    if ((size_t)(end - vertices) < AHEAD + WI_MAX_LEAF_VERTICES + STEP) return;
    for (unsigned i = 0; i < count; i += STEP)
        for (unsigned k = 0; k < STEP; k++)
            __builtin_prefetch(positions + vertices[AHEAD + i + k] * stride);
}

/* Where vertices come from, and where they go if `places` is not NULL. Both `stride` and that are
 * constants where this is inlined. */
typedef struct transfer {
    const char *positions;
    size_t stride;
    uint32_t last_vertex;
    wi_point *places;
} transfer;

static inline void take_vertex(bounds *b, const transfer *t, const uint32_t *vertices, unsigned i)
{
    wi_quad p = load_vertex(t->positions, t->stride, vertices[i], t->last_vertex);
    add_vertex(b, p);
    b->differences = wi_quad_or(b->differences, wi_quad_sub(p, p));
    if (t->places) wi_quad_store(t->places[i].axis, p);
}

static inline void take_vertices(bounds *b, const transfer *t, const uint32_t *vertices,
                                 unsigned count)
{
    if (count < STEP)
        for (unsigned i = 0; i < count; i++) take_vertex(b, t, vertices, i);
    else
        for (unsigned i = 0; i < count; i += STEP)
            for (unsigned k = 0; k < STEP; k++)
                take_vertex(b, t, vertices, step_start(i, count) + k);
}

static inline __attribute__((always_inline)) bool
bound_from_source(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node,
                  const char *positions, size_t stride, wi_point *stored)
{
    const uint32_t *end = h->leaf_vertices + h->leaf_vertex_count;
    transfer to_places = {positions, stride, h->mesh->vertex_count - 1, NULL};
    const transfer to_nowhere = to_places;
    wi_quad differences = wi_quad_all(0.0F);
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_view *view = &h->views[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(leaves);
            const wi_leaf leaf = h->leaves[view->child[lane]];
            const uint32_t *vertices = h->leaf_vertices + leaf.first_vertex;
            bounds b = no_bounds();
            fetch_ahead(positions, stride, vertices, end, leaf.vertex_count);
            if (stored) to_places.places = stored + leaf.first_place;
            take_vertices(&b, &to_places, vertices, leaf.owned_count);
            differences = wi_quad_or(differences, b.differences);
            take_vertices(&b, &to_nowhere, vertices + leaf.owned_count,
                          (unsigned)leaf.vertex_count - leaf.owned_count);
            set_lane(view, lane, b.lower, b.upper);
        }
    }
    return is_all_finite(differences);
}

static bool leaves_from_source(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node,
                               wi_source source, wi_point *stored)
{
    const size_t packed = 3 * sizeof(float);
    if (stored == NULL)
        return bound_from_source(h, first_node, last_node, source.positions, source.stride, NULL);
    if (source.stride == packed)
        return bound_from_source(h, first_node, last_node, source.positions, packed, stored);
    return bound_from_source(h, first_node, last_node, source.positions, source.stride, stored);
}

static void leaves_from_places(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node)
{
    const wi_point *positions = h->mesh->positions;
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_view *view = &h->views[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(leaves);
            const wi_leaf leaf = h->leaves[view->child[lane]];
            const wi_point *owned = positions + leaf.first_place;
            const uint32_t *border = wi_leaf_border(h, &leaf);
            const unsigned border_count = leaf.vertex_count - leaf.owned_count;
            bounds b = no_bounds();
            for (unsigned i = 0; i < leaf.owned_count; i++)
                add_vertex(&b, wi_quad_load(owned[i].axis));
            for (unsigned i = 0; i < border_count; i++)
                add_vertex(&b, wi_quad_load(positions[border[i]].axis));
            set_lane(view, lane, b.lower, b.upper);
        }
    }
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static void merge(wi_hierarchy *h, uint64_t revision)
{
    for (uint32_t node = h->node_count; node-- > 0;) {
        wi_view *view = &h->views[node];
        wi_box box;
        for (int axis = 0; axis < 3; axis++) {
            box.lower[axis] = wi_wide_least(wi_wide_load(view->lower[axis]));
            box.upper[axis] = wi_wide_greatest(wi_wide_load(view->upper[axis]));
        }
        atomic_store_explicit(&view->stamp, revision, memory_order_relaxed);
        if (node > 0)
            wi_view_set_box(&h->views[view->parent], view->parent_lane, &box);
        else
            h->bounds = box;
    }
    h->revision = revision;
}

extern const wi_refit_kernels WI_KERNEL(refit_kernels);
const wi_refit_kernels WI_KERNEL(refit_kernels) = {leaves_from_source, leaves_from_places, merge};
