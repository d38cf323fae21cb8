/* refit_kernel.c - bounding leaves over their unique vertices, and nodes over their children.
 *
 * Way in: wi_refit_kernels. This is the work that every update with unknown motion does, so it is a
 * stream: vertex numbers and places in order, the user's array in almost the same order. Per vertex
 * one load, a min, a max, a test and a store. */
#include "base/check.h"
#include "tree/linked/links.h"
#include "update/bounds.h"
#include "update/refit/refit.h"

/* Loops over a leaf's vertices go in steps of four, and the last step begins early enough to be
 * whole: some vertices are taken twice, and most of the mispredicted ends are gone. */
enum { STEP = 4 };

static inline unsigned step_start(unsigned i, unsigned count)
{
    WI_ASSERT(i < count && count >= STEP);
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

/* What a leaf's vertices are added to, and where they go if `places` is not NULL. Both that and the
 * stride of `from` are constants where this is inlined. */
typedef struct transfer {
    wi_vertices from;
    wi_point *places;
    wi_flaws flaws;
} transfer;

static inline void take_vertex(wi_bounds *b, transfer *t, const uint32_t *vertices, unsigned i)
{
    wi_quad p = wi_vertices_load(&t->from, vertices[i]);
    wi_bounds_add(b, p);
    wi_flaws_add(&t->flaws, p);
    if (t->places) wi_quad_store(t->places[i].axis, p);
}

static inline void take_vertices(wi_bounds *b, transfer *t, const uint32_t *vertices,
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
bound_from_source(const wi_tree *h, uint32_t first_node, uint32_t last_node, const char *positions,
                  size_t stride, wi_point *stored)
{
    const uint32_t *end = h->shape->leaf_vertices + h->shape->leaf_vertex_count;
    transfer to_places = {{positions, stride, h->mesh->vertex_count - 1}, NULL, wi_flaws_none()};
    transfer to_nowhere = to_places; /* what others own, and so test */
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_node *view = &h->boxes.nodes[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(leaves);
            const wi_leaf leaf = h->shape->leaves[view->child[lane]];
            const uint32_t *vertices = h->shape->leaf_vertices + leaf.first_vertex;
            WI_ASSERT(leaf.first_vertex + leaf.vertex_count <= h->shape->leaf_vertex_count);
            wi_bounds b = wi_bounds_none();
            fetch_ahead(positions, stride, vertices, end, leaf.vertex_count);
            if (stored) to_places.places = stored + leaf.first_place;
            take_vertices(&b, &to_places, vertices, leaf.owned_count);
            take_vertices(&b, &to_nowhere, vertices + leaf.owned_count,
                          (unsigned)leaf.vertex_count - leaf.owned_count);
            wi_node_set_bounds(view, lane, &b);
        }
    }
    return !wi_flaws_any(to_places.flaws);
}

static bool leaves_from_source(const wi_tree *h, uint32_t first_node, uint32_t last_node,
                               wi_source source, wi_point *stored)
{
    const size_t packed = 3 * sizeof(float);
    WI_ASSERT(first_node <= last_node && last_node <= h->shape->node_count);
    WI_ASSERT(source.positions && source.stride >= packed);
    if (stored == NULL)
        return bound_from_source(h, first_node, last_node, source.positions, source.stride, NULL);
    if (source.stride == packed)
        return bound_from_source(h, first_node, last_node, source.positions, packed, stored);
    return bound_from_source(h, first_node, last_node, source.positions, source.stride, stored);
}

static inline void refit_bound_leaf(const wi_tree *h, wi_node *view, unsigned lane)
{
    const wi_point *positions = h->mesh->positions;
    const wi_leaf leaf = h->shape->leaves[view->child[lane]];
    const wi_point *owned = positions + leaf.first_place;
    const uint32_t *border = wi_leaf_border(h, &leaf);
    const unsigned border_count = leaf.vertex_count - leaf.owned_count;
    wi_bounds b = wi_bounds_none();
    WI_ASSERT(positions && lane < view->count && (view->leaf_mask >> lane & 1) != 0);
    WI_ASSERT(leaf.first_place + leaf.owned_count <= h->mesh->vertex_count);
    for (unsigned i = 0; i < leaf.owned_count; i++) wi_bounds_add(&b, wi_quad_load(owned[i].axis));
    for (unsigned i = 0; i < border_count; i++)
        wi_bounds_add(&b, wi_quad_load(positions[border[i]].axis));
    wi_node_set_bounds(view, lane, &b);
}

static void leaves_from_places(const wi_tree *h, uint32_t first_node, uint32_t last_node)
{
    WI_ASSERT(first_node <= last_node && last_node <= h->shape->node_count);
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_node *view = &h->boxes.nodes[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1)
            refit_bound_leaf(h, view, (unsigned)__builtin_ctz(leaves));
    }
}

/* Level by level, so that children come first. */
static void merge_linked(wi_tree *h, uint64_t revision)
{
    const wi_links *links = wi_links_of(h);
    for (uint32_t level = 0; level < h->shape->height; level++)
        for (uint32_t node = 0; node < h->shape->node_count; node++)
            if (links->level[node] == level && wi_tree_has_node(h, node))
                wi_merge_node(h, node, revision);
}

/* Children follow their parent in a packed tree (I1), so a backward sweep meets them first. */
static void refit_merge(wi_tree *h, uint64_t revision)
{
    WI_ASSERT(revision >= WI_FIRST_REVISION);
    if (wi_shape_is_linked(h->shape))
        merge_linked(h, revision);
    else
        for (uint32_t node = h->shape->node_count; node-- > 0;) wi_merge_node(h, node, revision);
    h->boxes.valid_from = revision;
    h->boxes.revision = revision;
}

static size_t merge_touched(wi_tree *h, uint64_t revision)
{
    const wi_moved_vertices *moved = h->moved;
    size_t count = 0;
    WI_ASSERT(moved && !moved->is_all && moved->node_count == h->shape->node_count);
    for (uint32_t node = wi_moved_vertices_next(moved, h->shape->node_count); node != UINT32_MAX;
         node = wi_moved_vertices_next(moved, node), count++) {
        for (unsigned leaves = moved->lanes[node]; leaves != 0; leaves &= leaves - 1)
            refit_bound_leaf(h, &h->boxes.nodes[node], (unsigned)__builtin_ctz(leaves));
        wi_merge_node(h, node, revision);
    }
    return count;
}

extern const wi_refit_kernels WI_KERNEL(refit_kernels);
const wi_refit_kernels WI_KERNEL(refit_kernels) = {leaves_from_source, leaves_from_places,
                                                   refit_merge, merge_touched};
