/* bounds.h - boxes while they grow vertex by vertex, in registers; for kernels only. */
#ifndef WI_UPDATE_BOUNDS_H
#define WI_UPDATE_BOUNDS_H

#include "base/check.h"
#include "tree/tree.h"

/* The fourth float has no meaning. */
typedef struct wi_bounds {
    wi_quad lower, upper;
} wi_bounds;

static inline wi_bounds wi_bounds_none(void)
{
    return (wi_bounds){wi_quad_all(INFINITY), wi_quad_all(-INFINITY)};
}

static inline void wi_bounds_add(wi_bounds *b, wi_quad p)
{
    b->lower = wi_quad_min(b->lower, p);
    b->upper = wi_quad_max(b->upper, p);
}

static inline wi_bounds wi_bounds_join(const wi_bounds *a, const wi_bounds *b)
{
    return (wi_bounds){wi_quad_min(a->lower, b->lower), wi_quad_max(a->upper, b->upper)};
}

static inline wi_bounds wi_bounds_of(const wi_box *box)
{
    return (wi_bounds){wi_quad_load3(box->lower), wi_quad_load3(box->upper)};
}

static inline wi_box wi_bounds_box(const wi_bounds *b)
{
    float low[4], high[4];
    wi_quad_store(low, b->lower);
    wi_quad_store(high, b->upper);
    return (wi_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/* Of the vertices of a leaf, at places in an array of `stride` floats each; behind the last there
 * is one to spare. */
static inline wi_bounds wi_bounds_of_leaf(const wi_tree *h, const wi_leaf *leaf, const float *at,
                                          size_t stride)
{
    const float *owned = at + stride * leaf->first_place;
    const uint32_t *border = wi_leaf_border(h, leaf);
    const unsigned border_count = leaf->vertex_count - leaf->owned_count;
    wi_bounds even = wi_bounds_none(),
              odd = wi_bounds_none(); /* so that none waits for the other */
    WI_ASSERT(stride == 3 || stride == 4);
    WI_ASSERT(leaf->vertex_count > 0 && leaf->owned_count <= leaf->vertex_count);
    for (unsigned i = 0; i < border_count; i++)
        wi_bounds_add(&odd, wi_quad_load(at + stride * border[i]));
    unsigned i = 0;
    for (; i + 1 < leaf->owned_count; i += 2, owned += 2 * stride) {
        wi_bounds_add(&even, wi_quad_load(owned));
        wi_bounds_add(&odd, wi_quad_load(owned + stride));
    }
    if (i < leaf->owned_count) wi_bounds_add(&even, wi_quad_load(owned));
    return wi_bounds_join(&even, &odd);
}

static inline void wi_node_set_bounds(wi_node *view, unsigned lane, const wi_bounds *b)
{
    wi_box box = wi_bounds_box(b);
    WI_ASSERT(lane < view->count);
    wi_node_set_box(view, lane, &box);
}

/* x - x is 0 for numbers and NaN, with bits set, for NaN and infinity; so is the `or` of many:
 * gathered here, and tested once at the end. */
typedef wi_quad wi_flaws;

static inline wi_flaws wi_flaws_none(void) { return wi_quad_all(0.0F); }

static inline void wi_flaws_add(wi_flaws *flaws, wi_quad p)
{
    *flaws = wi_quad_or(*flaws, wi_quad_sub(p, p));
}

static inline bool wi_flaws_any(wi_flaws flaws)
{
    float difference[4];
    wi_quad_store(difference, flaws);
    return !(difference[0] == 0.0F && difference[1] == 0.0F && difference[2] == 0.0F);
}

/* The user's array. Sixteen bytes may be read at every vertex but the last. */
typedef struct wi_vertices {
    const char *positions;
    size_t stride;
    uint32_t last;
} wi_vertices;

static inline wi_vertices wi_vertices_of(const wi_mesh *mesh, wi_source source)
{
    WI_ASSERT(source.positions && source.stride >= 3 * sizeof(float) && mesh->vertex_count > 0);
    return (wi_vertices){source.positions, source.stride, mesh->vertex_count - 1};
}

static inline wi_quad wi_vertices_load(const wi_vertices *v, uint32_t vertex)
{
    WI_ASSERT(vertex <= v->last);
    const float *p = (const float *)(const void *)(v->positions + vertex * v->stride);
    return vertex < v->last ? wi_quad_load(p) : wi_quad_load3(p);
}

static inline void wi_vertices_fetch(const wi_vertices *v, uint32_t vertex)
{
    __builtin_prefetch(v->positions + vertex * v->stride);
}

/* The box of all children of a node. */
static inline wi_box wi_node_merged(const wi_node *view)
{
    wi_box box;
    WI_ASSERT(view->count > 0);
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = wi_wide_least(wi_wide_load(view->lower[axis]));
        box.upper[axis] = wi_wide_greatest(wi_wide_load(view->upper[axis]));
    }
    return box;
}

/* It goes to the parent's lane, or is that of the whole. */
static inline void wi_merge_node(wi_tree *h, uint32_t node, uint64_t revision)
{
    wi_node *view = &h->boxes.nodes[node];
    const wi_box box = wi_node_merged(view);
    WI_ASSERT(!wi_box_is_empty(&box) && revision >= WI_FIRST_REVISION);
    WI_ASSERT(view->parent < h->shape->node_count);
    atomic_store_explicit(&view->stamp, revision, memory_order_relaxed);
    if (node > 0)
        wi_node_set_box(&h->boxes.nodes[view->parent], view->parent_lane, &box);
    else
        h->boxes.bounds = box;
}

#endif
