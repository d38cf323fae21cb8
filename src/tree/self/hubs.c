/* hubs.c - room for hubs, and what whole leaves and nodes have in common. Which vertices are hubs
 * is said by tree/self/shared_vertices.c. */
#include "tree/self/hubs.h"

#include "tree/tree.h"

bool wi_hubs_reserve(wi_memory *memory, wi_hubs *hubs, const wi_tree *h, uint32_t count)
{
    WI_ASSERT(hubs->items == NULL && count > 0);
    hubs->count = count;
    hubs->leaf_count = h->shape->leaf_count;
    hubs->node_count = h->shape->node_count;
    hubs->items = wi_alloc_array(memory, count, sizeof *hubs->items);
    hubs->first = wi_alloc_array(memory, (size_t)hubs->leaf_count + 1, sizeof *hubs->first);
    hubs->of_leaves = wi_alloc_array(memory, hubs->leaf_count, sizeof *hubs->of_leaves);
    hubs->of_nodes = wi_alloc_array(memory, hubs->node_count, sizeof *hubs->of_nodes);
    if (hubs->items && hubs->first && hubs->of_leaves && hubs->of_nodes) return true;
    wi_hubs_free(memory, hubs);
    return false;
}

void wi_hubs_free(wi_memory *memory, wi_hubs *hubs)
{
    wi_free_array(memory, hubs->items, hubs->count, sizeof *hubs->items);
    wi_free_array(memory, hubs->first, (size_t)hubs->leaf_count + 1, sizeof *hubs->first);
    wi_free_array(memory, hubs->of_leaves, hubs->leaf_count, sizeof *hubs->of_leaves);
    wi_free_array(memory, hubs->of_nodes, hubs->node_count, sizeof *hubs->of_nodes);
    *hubs = (wi_hubs){0};
}

size_t wi_hubs_bytes(const wi_hubs *hubs)
{
    if (hubs->items == NULL) return 0;
    return hubs->count * sizeof *hubs->items +
           ((size_t)hubs->leaf_count + 1) * sizeof *hubs->first +
           hubs->leaf_count * sizeof *hubs->of_leaves + hubs->node_count * sizeof *hubs->of_nodes;
}

/* The lowest of the hubs that all triangles of a leaf have. */
static uint32_t hub_of_leaf(const wi_hubs *hubs, const wi_tree *h, uint32_t leaf)
{
    const uint32_t all = UINT32_MAX >> (32 - h->shape->leaves[leaf].tri_count);
    for (uint32_t i = hubs->first[leaf]; i < hubs->first[leaf + 1]; i++)
        if (hubs->items[i].tris == all) return hubs->items[i].vertex;
    return WI_NO_HUB;
}

/* What all children have; those of later nodes are known. */
static uint32_t hub_of_node(const wi_hubs *hubs, const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    uint32_t hub = WI_NO_HUB;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const uint32_t of = (is_leaf ? hubs->of_leaves : hubs->of_nodes)[view->child[lane]];
        if (of == WI_NO_HUB || (lane > 0 && of != hub)) return WI_NO_HUB;
        hub = of;
    }
    return hub;
}

void wi_hubs_find_common(wi_hubs *hubs, const wi_tree *h)
{
    WI_ASSERT(hubs->leaf_count == h->shape->leaf_count);
    WI_ASSERT(hubs->node_count == h->shape->node_count && hubs->first[0] == 0);
    for (uint32_t leaf = 0; leaf < hubs->leaf_count; leaf++)
        hubs->of_leaves[leaf] = hub_of_leaf(hubs, h, leaf);
    /* Children follow their parent (I1), so a backward sweep meets them first. */
    for (uint32_t node = hubs->node_count; node-- > 0;)
        hubs->of_nodes[node] = hub_of_node(hubs, h, node);
}

static const char *validate_leaf(const wi_hubs *hubs, const wi_tree *h, uint32_t number)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    for (uint32_t i = hubs->first[number]; i < hubs->first[number + 1]; i++) {
        const wi_hub *hub = &hubs->items[i];
        uint32_t tris = 0;
        for (unsigned tri = 0; tri < leaf->tri_count; tri++)
            for (int k = 0; k < 3; k++) {
                const uint8_t corner = h->shape->corners[leaf->first_tri + tri][k];
                const uint32_t vertex = h->shape->leaf_vertices[leaf->first_vertex + corner];
                tris |= (uint32_t)(vertex == hub->vertex) << tri;
            }
        if (tris == 0 || tris != hub->tris) return "I12: a hub has other triangles in a leaf";
        if (i > hubs->first[number] && hubs->items[i - 1].vertex >= hub->vertex)
            return "I12: the hubs of a leaf are not in order";
    }
    return hubs->of_leaves[number] == hub_of_leaf(hubs, h, number)
               ? NULL
               : "I12: the triangles of a leaf have another hub in common";
}

const char *wi_hubs_validate(const wi_hubs *hubs, const wi_tree *h)
{
    if (hubs->items == NULL) return NULL;
    if (hubs->leaf_count != h->shape->leaf_count || hubs->node_count != h->shape->node_count ||
        hubs->first[hubs->leaf_count] != hubs->count)
        return "I12: hubs are of another tree";
    for (uint32_t leaf = 0; leaf < hubs->leaf_count; leaf++) {
        const char *broken = validate_leaf(hubs, h, leaf);
        if (broken) return broken;
    }
    for (uint32_t node = 0; node < hubs->node_count; node++)
        if (hubs->of_nodes[node] != hub_of_node(hubs, h, node))
            return "I12: the triangles below a node have another hub in common";
    return NULL;
}
