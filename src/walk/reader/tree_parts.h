/* tree_parts.h - the optional parts of a tree that traversals read, each said in one place.
 *
 * Lists for pairs within a body (triangles that share vertices, fans of vertices, boundary loops of
 * clusters), sets of groups, and volumes beyond boxes. A tree may have none of them; what is not
 * there is only slower. */
#ifndef WI_WALK_READER_TREE_PARTS_H
#define WI_WALK_READER_TREE_PARTS_H

#include "base/check.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

/* Which triangles of leaves share vertices; NULL if that is not listed. */
static inline const wi_shared_vertices *wi_shared_of(const wi_tree *h)
{
    const wi_self_lists *self = h->shape->self;
    return self && self->shared.first_tie ? &self->shared : NULL;
}

/* Vertices that many leaves have; NULL where there are none. */
static inline const wi_hubs *wi_hubs_of(const wi_tree *h)
{
    const wi_shared_vertices *shared = wi_shared_of(h);
    return shared && shared->hubs.items ? &shared->hubs : NULL;
}

/* The fans of vertices; NULL where there are none. */
static inline const wi_vertex_fans *wi_fans_of(const wi_tree *h)
{
    return h->shape->self ? &h->shape->self->fans : NULL;
}

static inline bool wi_has_loops(const wi_tree *h)
{
    return h->shape->self && h->shape->self->loops.items;
}

/* The boundary loops of clusters, if the tree has some. */
static inline const wi_boundary_loops *wi_loops_of(const wi_tree *h)
{
    WI_ASSERT(wi_has_loops(h));
    return &h->shape->self->loops;
}

static inline bool wi_has_sets(const wi_tree *h) { return h->shape->sets.nodes != NULL; }

/* The groups below each node, if the mesh has group masks. */
static inline const wi_group_sets *wi_sets_of(const wi_tree *h)
{
    WI_ASSERT(wi_has_sets(h));
    return &h->shape->sets;
}

/* Diagonal slabs of a node's children; NULL if there are none that hold now. */
static inline const wi_slabs *wi_slabs_of(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    return h->boxes.volumes && h->boxes.volumes->slabs ? &h->boxes.volumes->slabs[node] : NULL;
}

/* The same with spheres. */
static inline const wi_spheres *wi_spheres_of(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    return h->boxes.volumes && h->boxes.volumes->spheres ? &h->boxes.volumes->spheres[node] : NULL;
}

static inline bool wi_has_volumes(const wi_tree *h) { return h->boxes.volumes != NULL; }

#endif
