/* tight_boxes.c - from the leaves up. */
#include "support/tight_boxes.h"
#include "support/kept.h"
#include "tree/grown/grown.h"

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

/* Of a grown tree, whose buds have no children yet: what these are to own. */
static wi_box box_of_bud(const wi_tree *h, uint32_t node)
{
    const wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    return wi_grown_box(h, cell->first, cell->owned);
}

/* The tight box of a node. Children may have lower numbers than their parents. */
static wi_box count_below(const wi_tree *h, uint32_t node, uint32_t depth, box_count *count)
{
    const wi_node *view = &h->boxes.nodes[node];
    const bool is_open = wi_is_open(h, node);
    const bool is_below = kept_patches(h)->items && depth >= kept_patches(h)->level;
    wi_box tight = wi_box_empty();
    count->closed += !is_open;
    if (wi_shape_is_grown(h->shape) && !wi_grown_is_opened(h, node)) return box_of_bud(h, node);
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const wi_box own = wi_node_box(view, lane);
        const wi_box around = (view->leaf_mask >> lane & 1) != 0
                                  ? wi_leaf_box(h, &h->shape->leaves[child])
                                  : count_below(h, child, depth + 1, count);
        if (is_open) count_box(count, &own, &around, is_below);
        wi_box_add_box(&tight, &around);
    }
    return tight;
}

box_count count_boxes(const wi_tree *h)
{
    box_count count = {0};
    if (h->boxes.nodes == NULL) return count;
    const wi_box tight = count_below(h, 0, 0, &count);
    count_box(&count, &h->boxes.bounds, &tight, false);
    return count;
}
