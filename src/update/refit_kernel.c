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

/* x - x is 0 for numbers and NaN for NaN and infinity; the fourth float has no meaning. */
static inline bool is_all_finite(wi_quad sum_of_differences)
{
    float sum[4];
    wi_quad_store(sum, sum_of_differences);
    return sum[0] == 0.0F && sum[1] == 0.0F && sum[2] == 0.0F;
}

/* Sixteen bytes may be read at every vertex but the last. */
static inline wi_quad load_vertex(wi_source source, size_t stride, uint32_t vertex, uint32_t last)
{
    const float *p = (const float *)(const void *)(source.positions + vertex * stride);
    return vertex < last ? wi_quad_load(p) : wi_quad_load3(p);
}

/* `stride` and `stored` are constants where this is inlined. */
static inline __attribute__((always_inline)) bool
bound_from_source(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node, wi_source source,
                  size_t stride, wi_point *stored)
{
    const uint32_t last_vertex = h->mesh->vertex_count - 1;
    wi_quad differences = wi_quad_all(0.0F);
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_view *view = &h->views[node];
        for (unsigned lane = 0; lane < view->count; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) continue;
            const wi_leaf *leaf = &h->leaves[view->child[lane]];
            const uint32_t *vertices = h->leaf_vertices + leaf->first_vertex;
            wi_quad lower = wi_quad_all(INFINITY), upper = wi_quad_all(-INFINITY);
            unsigned i = 0;
            for (; i < leaf->owned_count; i++) {
                wi_quad p = load_vertex(source, stride, vertices[i], last_vertex);
                lower = wi_quad_min(lower, p);
                upper = wi_quad_max(upper, p);
                differences = wi_quad_add(differences, wi_quad_sub(p, p));
                if (stored) wi_quad_store(stored[leaf->first_place + i].axis, p);
            }
            for (; i < leaf->vertex_count; i++) {
                wi_quad p = load_vertex(source, stride, vertices[i], last_vertex);
                lower = wi_quad_min(lower, p);
                upper = wi_quad_max(upper, p);
            }
            set_lane(view, lane, lower, upper);
        }
    }
    return is_all_finite(differences);
}

static bool leaves_from_source(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node,
                               wi_source source, wi_point *stored)
{
    const size_t packed = 3 * sizeof(float);
    if (stored == NULL)
        return bound_from_source(h, first_node, last_node, source, source.stride, NULL);
    if (source.stride == packed)
        return bound_from_source(h, first_node, last_node, source, packed, stored);
    return bound_from_source(h, first_node, last_node, source, source.stride, stored);
}

static void leaves_from_places(const wi_hierarchy *h, uint32_t first_node, uint32_t last_node)
{
    const wi_mesh *mesh = h->mesh;
    for (uint32_t node = first_node; node < last_node; node++) {
        wi_view *view = &h->views[node];
        for (unsigned lane = 0; lane < view->count; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) continue;
            const wi_leaf *leaf = &h->leaves[view->child[lane]];
            const uint32_t *vertices = h->leaf_vertices + leaf->first_vertex;
            const wi_point *owned = mesh->positions + leaf->first_place;
            wi_quad lower = wi_quad_all(INFINITY), upper = wi_quad_all(-INFINITY);
            for (unsigned i = 0; i < leaf->vertex_count; i++) {
                const wi_point *at =
                    i < leaf->owned_count ? owned + i : mesh->positions + mesh->place[vertices[i]];
                wi_quad p = wi_quad_load(at->axis);
                lower = wi_quad_min(lower, p);
                upper = wi_quad_max(upper, p);
            }
            set_lane(view, lane, lower, upper);
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
