/* locality.c - counts the certificates that a change of one path may break.
 *
 * A vertex has a part in a certificate if it is one of those among whom the end is chosen: in all
 * six of each leaf that it is in, and in that of a node where it is this end of a child. In a
 * BoxTree: in the one that is next above a leaf that it is in, and next above a plane that it
 * holds, for each end; once for each leaf. */
#include "update/kinetic/locality.h"

#include "base/check.h"

#include <string.h>

static void count_leaf(const wi_tree *h, const wi_leaf *leaf, uint32_t *parts)
{
    for (unsigned i = 0; i < leaf->vertex_count; i++) parts[wi_leaf_place(h, leaf, i)] += WI_ENDS;
}

static uint32_t end_of_child(const wi_tree *h, const wi_kinetic *k, const wi_node *view,
                             unsigned lane, unsigned end)
{
    const uint32_t first = view->leaf_mask >> lane & 1 ? h->shape->node_count : 0;
    WI_ASSERT(lane < view->count && end < WI_ENDS);
    return k->items[first + view->child[lane]].ends[end];
}

/* Children may share a vertex, which has one part then. */
static void count_node(const wi_tree *h, const wi_kinetic *k, const wi_node *view, unsigned end,
                       uint32_t *parts)
{
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t place = end_of_child(h, k, view, lane, end);
        unsigned before = 0;
        while (end_of_child(h, k, view, before, end) != place) before++;
        parts[place] += before == lane;
    }
}

static void count_in_boxes(const wi_tree *h, const wi_kinetic *k, uint32_t *parts)
{
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        count_leaf(h, &h->shape->leaves[leaf], parts);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned end = 0; end < WI_ENDS; end++)
            count_node(h, k, &h->boxes.nodes[node], end, parts);
}

static void count_in_boxtree(const wi_tree *h, const wi_kinetic *k, uint32_t *counts)
{
    const wi_boxtree *b = &k->box;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        count_leaf(h, &h->shape->leaves[leaf], counts);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned i = 0; i < wi_parts_of(h->boxes.nodes[node].count); i++)
            counts[b->parts[wi_boxtree_first(b, node) + i].place]++;
}

static wi_locality sum_up(const uint32_t *parts, uint32_t count)
{
    wi_locality sum = {0};
    uint32_t vertices = 0;
    for (uint32_t place = 0; place < count; place++) {
        if (parts[place] == 0) continue; /* no triangle that collides uses it */
        vertices++;
        sum.mean += (double)parts[place];
        sum.most = parts[place] > sum.most ? parts[place] : sum.most;
    }
    if (vertices > 0) sum.mean /= (double)vertices;
    return sum;
}

bool wi_kinetic_locality(wi_memory *memory, const wi_tree *h, const wi_kinetic *k, wi_locality *out)
{
    const uint32_t count = h->mesh->vertex_count;
    *out = (wi_locality){0};
    if (!k->is_set_up || k->items == NULL) return true; /* no certificates */
    uint32_t *parts = wi_alloc_array(memory, count, sizeof *parts);
    if (parts == NULL) return false;
    memset(parts, 0, count * sizeof *parts);
    if (k->box.parts)
        count_in_boxtree(h, k, parts);
    else
        count_in_boxes(h, k, parts);
    *out = sum_up(parts, count);
    wi_free_array(memory, parts, count, sizeof *parts);
    return true;
}
