/* user_parts.c - bounds the rest shape in a tree, leaves first. Way in: wi_parts_make. */
#include "update/blend/user_parts.h"

#include "base/check.h"
#include "tree/tree.h"

static wi_part leaf_part(const wi_tree *h, const wi_leaf *leaf)
{
    wi_part part = {wi_box_empty(), leaf->first_vertex, leaf->vertex_count};
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_box_add_point(&part.rest, wi_mesh_user(h->mesh)->rest[wi_leaf_place(h, leaf, i)]);
    return part;
}

/* The run begins and ends where those of the children do, whatever their order. */
static wi_part node_part(const wi_tree *h, const wi_part *parts, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    wi_part part = {wi_box_empty(), UINT32_MAX, 0};
    uint32_t end = 0;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const wi_part *child = &parts[(is_leaf ? h->shape->node_count : 0) + view->child[lane]];
        WI_ASSERT(is_leaf || view->child[lane] > node);
        wi_box_add_box(&part.rest, &child->rest);
        if (child->first < part.first) part.first = child->first;
        if (child->first + child->count > end) end = child->first + child->count;
    }
    WI_ASSERT(part.first < end && end <= h->shape->leaf_vertex_count);
    part.count = end - part.first;
    return part;
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
wi_part *wi_parts_make(wi_memory *memory, const wi_tree *h)
{
    const size_t count = (size_t)h->shape->node_count + h->shape->leaf_count;
    wi_part *parts = wi_alloc_array(memory, count, sizeof *parts);
    if (parts == NULL) return NULL;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        parts[h->shape->node_count + leaf] = leaf_part(h, &h->shape->leaves[leaf]);
    for (uint32_t node = h->shape->node_count; node-- > 0;) parts[node] = node_part(h, parts, node);
    return parts;
}
