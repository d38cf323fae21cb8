/* exchange.c - see exchange.h.
 *
 * After the paper's exchange of grandchildren (Otaduy and others 2007, section 3.3.2), where a node
 * has more children than two: all ways to part those of two siblings along an axis are tried, as
 * when a node is split. */
#include "tree/linked/exchange.h"

#include "base/check.h"
#include "tree/linked/edit_node.h"
#include "tree/linked/part_boxes.h"

/* The work that is left, at most, of an exchange that is worth it; and the overlap of two boxes, as
 * a share of the surface of the smaller one, from which on it is looked for. */
static const double WORTH_EXCHANGE = 0.96, MUCH_OVERLAP = 0.25;

static double half_area_of_overlap(const wi_box *a, const wi_box *b)
{
    wi_box both;
    for (int axis = 0; axis < 3; axis++) {
        both.lower[axis] = a->lower[axis] > b->lower[axis] ? a->lower[axis] : b->lower[axis];
        both.upper[axis] = a->upper[axis] < b->upper[axis] ? a->upper[axis] : b->upper[axis];
        if (!(both.lower[axis] <= both.upper[axis])) return 0.0;
    }
    return wi_box_half_area(&both);
}

/* The lane that overlaps most with this one; WI_LANES: none does by much. */
static unsigned most_overlapping_lane(const wi_node *view, unsigned lane)
{
    const wi_box own = wi_node_box(view, lane);
    const double own_area = wi_box_half_area(&own);
    unsigned best = WI_LANES;
    double most = 0.0;
    for (unsigned i = 0; i < view->count; i++) {
        if (i == lane) continue;
        const wi_box box = wi_node_box(view, i);
        const double overlap = half_area_of_overlap(&own, &box), area = wi_box_half_area(&box);
        const double smaller = area < own_area ? area : own_area;
        if (!(overlap > most) || !(overlap > MUCH_OVERLAP * smaller)) continue;
        most = overlap;
        best = i;
    }
    return best;
}

/* A node is met about as often as its surface is large, and each child is looked at then. */
static double work_of(const wi_box *boxes, const uint8_t *order, unsigned count)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < count; i++) wi_box_add_box(&box, &boxes[order[i]]);
    return wi_box_half_area(&box) * count;
}

static void refill(wi_tree *h, const wi_tree_changes *c, uint32_t node,
                   const wi_edit_child *children, const uint8_t *order, unsigned count)
{
    wi_node *view = &h->boxes.nodes[node];
    wi_edit_empty_node(h, node);
    for (unsigned i = 0; i < count; i++)
        wi_links_add_child(h, node, children[order[i]].number, &children[order[i]].box);
    wi_edit_stamp_node(h, c, node);
    wi_edit_mark_node(h, node);
    const wi_box box = wi_edit_box_of_lanes(view);
    wi_node_set_box(&h->boxes.nodes[view->parent], view->parent_lane, &box);
}

/* Two children of a node. True if they exchanged some of theirs. */
static bool exchange(wi_tree *h, const wi_tree_changes *c, uint32_t a, uint32_t b)
{
    static const uint8_t in_order[2 * WI_LANES] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                   8, 9, 10, 11, 12, 13, 14, 15};
    wi_edit_child children[2 * WI_LANES];
    wi_box boxes[2 * WI_LANES];
    uint32_t keys[2 * WI_LANES];
    uint8_t order[2 * WI_LANES];
    wi_edit_open_node(h, c, a);
    wi_edit_open_node(h, c, b);
    const unsigned own = wi_edit_list_children(h, a, children);
    const unsigned count = own + wi_edit_list_children(h, b, children + own);
    for (unsigned i = 0; i < count; i++) {
        boxes[i] = children[i].box;
        keys[i] = children[i].number;
    }
    const unsigned few =
        count > WI_LANES + WI_LEAST_CHILDREN ? count - WI_LANES : WI_LEAST_CHILDREN;
    const double before =
        work_of(boxes, in_order, own) + work_of(boxes, in_order + own, count - own);
    const unsigned part = wi_part_boxes(boxes, keys, count, few, order);
    const double after = work_of(boxes, order, part) + work_of(boxes, order + part, count - part);
    if (!(after < WORTH_EXCHANGE * before)) return false;
    /* The one that keeps more of its own stays what it is. */
    unsigned kept = 0;
    for (unsigned i = 0; i < part; i++) kept += order[i] < own;
    const bool is_turned = 2 * kept < part;
    refill(h, c, is_turned ? b : a, children, order, part);
    refill(h, c, is_turned ? a : b, children, order + part, count - part);
    return true;
}

unsigned wi_exchange_children(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    const wi_links *l = h->shape->links;
    const wi_node *view = &h->boxes.nodes[node];
    unsigned exchanged = 0;
    WI_ASSERT(l->level[node] > 0);
    for (unsigned lane = 0; lane < view->count; lane++) {
        if (!l->is_changed[view->child[lane]]) continue;
        const unsigned other = most_overlapping_lane(view, lane);
        if (other < WI_LANES) exchanged += exchange(h, c, view->child[lane], view->child[other]);
    }
    return exchanged;
}
