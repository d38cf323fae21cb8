/* boxtree_parts.c - the memory of a BoxTree, and the way up in it. */
#include "update/kinetic/boxtree_parts.h"

#include <string.h>

#include "base/check.h"
#include "update/kinetic/kinetic.h"

/* What halving runs of 2 to 8 lanes comes to, the first half being the larger one. */
const wi_part_shape wi_part_shapes[WI_LANES + 1][WI_MOST_PARTS] = {
    [2] = {{0, 1, WI_NO_PART, 1}, {1, 1, WI_NO_PART, 2}},
    [3] = {{0, 2, WI_NO_PART, 3}, {0, 1, 0, 2}, {1, 1, 0, 3}, {2, 1, WI_NO_PART, 4}},
    [4] = {{0, 2, WI_NO_PART, 3},
           {0, 1, 0, 2},
           {1, 1, 0, 3},
           {2, 2, WI_NO_PART, 6},
           {2, 1, 3, 5},
           {3, 1, 3, 6}},
    [5] = {{0, 3, WI_NO_PART, 5},
           {0, 2, 0, 4},
           {0, 1, 1, 3},
           {1, 1, 1, 4},
           {2, 1, 0, 5},
           {3, 2, WI_NO_PART, 8},
           {3, 1, 5, 7},
           {4, 1, 5, 8}},
    [6] = {{0, 3, WI_NO_PART, 5},
           {0, 2, 0, 4},
           {0, 1, 1, 3},
           {1, 1, 1, 4},
           {2, 1, 0, 5},
           {3, 3, WI_NO_PART, 10},
           {3, 2, 5, 9},
           {3, 1, 6, 8},
           {4, 1, 6, 9},
           {5, 1, 5, 10}},
    [7] = {{0, 4, WI_NO_PART, 7},
           {0, 2, 0, 4},
           {0, 1, 1, 3},
           {1, 1, 1, 4},
           {2, 2, 0, 7},
           {2, 1, 4, 6},
           {3, 1, 4, 7},
           {4, 3, WI_NO_PART, 12},
           {4, 2, 7, 11},
           {4, 1, 8, 10},
           {5, 1, 8, 11},
           {6, 1, 7, 12}},
    [8] = {{0, 4, WI_NO_PART, 7},
           {0, 2, 0, 4},
           {0, 1, 1, 3},
           {1, 1, 1, 4},
           {2, 2, 0, 7},
           {2, 1, 4, 6},
           {3, 1, 4, 7},
           {4, 4, WI_NO_PART, 14},
           {4, 2, 7, 11},
           {4, 1, 8, 10},
           {5, 1, 8, 11},
           {6, 2, 7, 14},
           {6, 1, 11, 13},
           {7, 1, 11, 14}},
};

const uint8_t wi_lane_parts[WI_LANES + 1][WI_LANES] = {
    [1] = {WI_NO_PART},
    [2] = {0, 1, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART},
    [3] = {1, 2, 3, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART},
    [4] = {1, 2, 4, 5, WI_NO_PART, WI_NO_PART, WI_NO_PART, WI_NO_PART},
    [5] = {2, 3, 4, 6, 7, WI_NO_PART, WI_NO_PART, WI_NO_PART},
    [6] = {2, 3, 4, 7, 8, 9, WI_NO_PART, WI_NO_PART},
    [7] = {2, 3, 5, 6, 9, 10, 11, WI_NO_PART},
    [8] = {2, 3, 5, 6, 9, 10, 12, 13},
};

void wi_boxtree_free_boxes(wi_memory *memory, wi_boxtree *b)
{
    wi_free_array(memory, b->boxes, b->node_count, sizeof *b->boxes);
    b->boxes = NULL;
}

void wi_boxtree_free(wi_memory *memory, wi_boxtree *b)
{
    wi_boxtree_free_boxes(memory, b);
    if (b->parts) wi_free_array(memory, b->parts, wi_boxtree_part_count(b), sizeof *b->parts);
    wi_free_array(memory, b->knots, b->node_count, sizeof *b->knots);
    wi_free_array(memory, b->leaf_node, b->leaf_count, sizeof *b->leaf_node);
    *b = (wi_boxtree){0};
}

size_t wi_boxtree_bytes(const wi_boxtree *b)
{
    if (b->parts == NULL) return 0;
    return wi_boxtree_part_count(b) * sizeof *b->parts + b->node_count * sizeof *b->knots +
           b->leaf_count * sizeof *b->leaf_node + (b->boxes ? b->node_count * sizeof *b->boxes : 0);
}

bool wi_boxtree_make_boxes(wi_memory *memory, wi_boxtree *b)
{
    if (b->boxes == NULL) b->boxes = wi_alloc_array(memory, b->node_count, sizeof *b->boxes);
    return b->boxes != NULL;
}

/* Nodes follow their parents (I1). */
static void parts_find_family(const wi_tree *h, wi_boxtree *b)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        WI_ASSERT(view->count <= h->def.arity && (node == 0 || view->parent < node));
        if (node > 0) b->knots[node].depth = (uint8_t)(b->knots[view->parent].depth + 1);
        for (unsigned lane = 0; lane < view->count; lane++)
            if (view->leaf_mask >> lane & 1) b->leaf_node[view->child[lane]] = node;
    }
}

bool wi_boxtree_make(wi_memory *memory, const wi_tree *h, wi_kinetic *k)
{
    wi_boxtree *b = &k->box;
    wi_kinetic_free(memory, k);
    WI_ASSERT(h->shape->height + 1 < WI_MOST_DEPTH);
    b->node_count = h->shape->node_count;
    b->leaf_count = h->shape->leaf_count;
    b->stride = 2 * (h->def.arity - 1);
    const uint32_t parts = wi_boxtree_part_count(b);
    b->parts = wi_alloc_array(memory, parts, sizeof *b->parts);
    b->knots = wi_alloc_array(memory, b->node_count, sizeof *b->knots);
    b->leaf_node = wi_alloc_array(memory, b->leaf_count, sizeof *b->leaf_node);
    if (!b->parts || !b->knots || !b->leaf_node || !wi_queue_make(memory, &k->queue, parts, NULL)) {
        wi_kinetic_free(memory, k);
        return false;
    }
    memset(b->parts, 0, parts * sizeof *b->parts);
    memset(b->knots, 0, b->node_count * sizeof *b->knots);
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++) b->parts[end].end = (uint8_t)end;
    parts_find_family(h, b);
    return true;
}

uint32_t wi_boxtree_above(const wi_tree *h, uint32_t node, unsigned part, unsigned end)
{
    const wi_boxtree *b = &wi_kinetic_of(h)->box;
    WI_ASSERT(end < WI_ROOT_PARTS && node < b->node_count);
    for (;;) {
        const wi_node *view = &h->boxes.nodes[node];
        const wi_box_part *parts = b->parts + wi_boxtree_first(b, node);
        for (; part != WI_NO_PART; part = wi_part_shapes[view->count][part].above)
            if (parts[part].end == end) return wi_boxtree_first(b, node) + part;
        if (node == 0) return end;
        WI_ASSERT(view->parent < node);
        node = view->parent;
        part = wi_lane_parts[h->boxes.nodes[node].count][view->parent_lane];
    }
}

unsigned wi_boxtree_leaf_part(const wi_tree *h, uint32_t leaf)
{
    WI_ASSERT(leaf < wi_kinetic_of(h)->box.leaf_count);
    const wi_node *view = &h->boxes.nodes[wi_kinetic_of(h)->box.leaf_node[leaf]];
    unsigned lane = 0;
    while ((view->leaf_mask >> lane & 1) == 0 || view->child[lane] != leaf) lane++;
    WI_ASSERT(lane < view->count);
    return wi_lane_parts[view->count][lane];
}

const char *wi_boxtree_validate(const wi_tree *h, const wi_kinetic *k)
{
    const wi_boxtree *b = &k->box;
    if (b->node_count != h->shape->node_count || b->leaf_count != h->shape->leaf_count)
        return "K1: a kinetic tree is of another tree";
    for (uint32_t i = 0; i < wi_boxtree_part_count(b); i++)
        if ((b->parts[i].flags & WI_PART_WAITS) != 0) return "K2: a part is still to be looked at";
    for (uint32_t node = 0; node < b->node_count; node++)
        if (b->knots[node].parts != 0) return "K2: a node is still to be looked at";
    return b->root_waits == 0 ? wi_queue_validate(&k->queue)
                              : "K2: the root is still to be looked at";
}
