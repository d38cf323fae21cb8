/* tight_boxes.c - a backward sweep over all nodes has the tight boxes of children first (I1). */
#include "support/tight_boxes.h"
#include "support/kept.h"

#include <stdlib.h>

bool boxes_equal(const wi_box *a, const wi_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] != b->lower[axis] || a->upper[axis] != b->upper[axis]) return false;
    return true;
}

wi_box box_of_leaf(const wi_tree *h, const wi_leaf *leaf, test_corners from)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < 3U * leaf->tri_count; i++) {
        uint32_t slot = h->shape->slots[leaf->first_tri + i / 3];
        wi_box_add_point(&box, from.positions[from.tris[slot][i % 3]]);
    }
    return box;
}

static uint32_t depth_of(const wi_tree *h, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0; node = h->boxes.nodes[node].parent) depth++;
    return depth;
}

static void count_box(box_count *count, const wi_box *box, const wi_box *tight, bool is_below)
{
    if (boxes_equal(box, tight)) {
        count->tight++;
    } else if (!wi_box_contains(box, tight)) {
        count->too_small++;
    } else {
        count->wider++;
        count->wider_below += is_below;
    }
}

box_count count_boxes(const wi_tree *h)
{
    box_count count = {0};
    if (h->boxes.nodes == NULL) return count;
    wi_box *tight = calloc(h->shape->node_count, sizeof *tight);
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = &h->boxes.nodes[node];
        const bool is_open = wi_is_open(h, node);
        const bool is_below = kept_patches(h)->items && depth_of(h, node) >= kept_patches(h)->level;
        tight[node] = wi_box_empty();
        count.closed += !is_open;
        for (unsigned lane = 0; lane < view->count; lane++) {
            const uint32_t child = view->child[lane];
            const wi_box own = wi_node_box(view, lane);
            const wi_box around = (view->leaf_mask >> lane & 1) != 0
                                      ? wi_leaf_box(h, &h->shape->leaves[child])
                                      : tight[child];
            if (is_open) count_box(&count, &own, &around, is_below);
            wi_box_add_box(&tight[node], &around);
        }
    }
    count_box(&count, &h->boxes.bounds, &tight[0], false);
    free(tight);
    return count;
}
