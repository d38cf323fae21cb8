/* balanced_kernel.c - bounds nodes of linked trees by the vertices below them.
 *
 * Leaves are read one by one, each where its room is: vertices on the borders of two leaves are
 * read twice, which a packed tree saves with its outlines. */
#include "base/check.h"
#include "tree/linked/avl.h"
#include "update/balanced/balanced.h"
#include "update/bounds.h"
#include "update/claim.h"

/* Nodes still to be looked into: up to seven beside each node on the way down. */
enum { STACK = 24 * WI_LANES };

static inline void add_leaf(const wi_tree *h, uint32_t number, wi_bounds *b)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    const uint32_t *border = h->shape->borders + leaf->first_vertex;
    const wi_point *positions = h->mesh->positions;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_bounds_add(b, wi_quad_load(positions[border[i]].axis));
}

static inline void add_borrowed_leaf(const wi_tree *h, uint32_t number, wi_bounds *b)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    const wi_vertices from = wi_vertices_of(h->mesh, wi_mesh_borrowed(h->mesh));
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_bounds_add(b, wi_vertices_load(&from, h->shape->leaf_vertices[leaf->first_vertex + i]));
}

static inline void add_any_leaf(const wi_tree *h, uint32_t number, wi_bounds *b)
{
    if (h->mesh->borrowed)
        add_borrowed_leaf(h, number, b);
    else
        add_leaf(h, number, b);
}

static wi_bounds bounds_below(const wi_tree *h, uint32_t node)
{
    uint32_t stack[STACK];
    unsigned count = 0;
    wi_bounds b = wi_bounds_none();
    stack[count++] = node;
    while (count > 0) {
        const wi_node *view = &h->boxes.nodes[stack[--count]];
        WI_ASSERT(count + view->count <= STACK);
        for (unsigned lane = 0; lane < view->count; lane++) {
            if (view->leaf_mask != 0)
                add_any_leaf(h, view->child[lane], &b);
            else
                stack[count++] = view->child[lane];
        }
    }
    return b;
}

static void bound_lanes(const wi_tree *h, wi_node *view)
{
    for (unsigned lane = 0; lane < view->count; lane++) {
        wi_bounds b = wi_bounds_none();
        if (view->leaf_mask != 0)
            add_any_leaf(h, view->child[lane], &b);
        else
            b = bounds_below(h, view->child[lane]);
        wi_node_set_bounds(view, lane, &b);
    }
}

static void balanced_bound(wi_tree *h, uint32_t node, uint64_t revision)
{
    bound_lanes(h, &h->boxes.nodes[node]);
    atomic_store_explicit(&h->boxes.nodes[node].stamp, revision, memory_order_relaxed);
}

static void balanced_merge(wi_tree *h, uint32_t node, uint64_t revision)
{
    wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(view->leaf_mask == 0);
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box box = wi_node_merged(&h->boxes.nodes[view->child[lane]]);
        wi_node_set_box(view, lane, &box);
    }
    atomic_store_explicit(&view->stamp, revision, memory_order_relaxed);
}

static void balanced_bound_leaves(wi_tree *h)
{
    wi_avl *avl = wi_avl_of(h);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        wi_bounds b = wi_bounds_none();
        if (h->shape->leaves[leaf].tri_count == 0) continue;
        add_any_leaf(h, leaf, &b);
        avl->leaf_boxes[leaf] = wi_bounds_box(&b);
    }
}

static void balanced_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    bound_lanes(h, view);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

extern const wi_balanced_kernels WI_KERNEL(balanced_kernels);
const wi_balanced_kernels WI_KERNEL(balanced_kernels) = {balanced_bound, balanced_merge,
                                                         balanced_bound_leaves, balanced_refresh};
