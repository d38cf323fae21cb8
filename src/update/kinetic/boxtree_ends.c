/* boxtree_ends.c - which ends of the parts of a BoxTree are cut. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/boxtree.h"

static wi_box node_box(const wi_boxtree *b, uint32_t node)
{
    const float *x = b->boxes[node];
    WI_ASSERT(b->boxes && node < b->node_count);
    return (wi_box){{x[0], x[1], x[2]}, {x[4], x[5], x[6]}};
}

static void set_node_box(wi_boxtree *b, uint32_t node, const wi_box *box)
{
    WI_ASSERT(node < b->node_count && !wi_box_is_empty(box));
    for (unsigned axis = 0; axis < 3; axis++) {
        b->boxes[node][axis] = box->lower[axis];
        b->boxes[node][4 + axis] = box->upper[axis];
    }
}

/* The boxes of the children of a node, of which those that are nodes are known. */
static void ends_collect_lanes(const wi_tree *h, const wi_moment *at, uint32_t node,
                               wi_box lanes[WI_LANES])
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++)
        lanes[lane] = view->leaf_mask >> lane & 1
                          ? wi_boxtree_leaf_box(h, at, &h->shape->leaves[view->child[lane]])
                          : node_box(&wi_kinetic_of(h)->box, view->child[lane]);
}

static wi_box joined(const wi_box *lanes, unsigned count)
{
    wi_box box = lanes[0];
    WI_ASSERT(count > 0 && count <= WI_LANES);
    for (unsigned i = 1; i < count; i++) wi_box_add_box(&box, &lanes[i]);
    return box;
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static void ends_bound_all(wi_tree *h, const wi_moment *at)
{
    wi_box lanes[WI_LANES];
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        ends_collect_lanes(h, at, node, lanes);
        const wi_box box = joined(lanes, h->boxes.nodes[node].count);
        set_node_box(&wi_kinetic_of(h)->box, node, &box);
    }
}

/* ---- which ends are cut ---- */

static wi_box with_end(const wi_box *box, const wi_box *tight, unsigned end)
{
    wi_box out = *box;
    if (end < 3)
        out.lower[end] = tight->lower[end];
    else
        out.upper[end - 3] = tight->upper[end - 3];
    return out;
}

static double length_of(const wi_box *box)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) sum += (double)box->upper[axis] - (double)box->lower[axis];
    return sum;
}

/* The one that leaves the least surface, then the least length. */
static unsigned best_end(const wi_box *box, const wi_box *tight)
{
    unsigned best = 0;
    double least = (double)INFINITY, shortest = (double)INFINITY;
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++) {
        const wi_box rest = with_end(box, tight, end);
        const double area = wi_box_half_area(&rest), length = length_of(&rest);
        if (area < least || (area == least && length < shortest)) {
            best = end;
            least = area;
            shortest = length;
        }
    }
    WI_ASSERT(best < WI_ROOT_PARTS);
    return best;
}

/* The box that the node inherits takes the place of its own one, as soon as that has been used. */
static void ends_choose_in_node(wi_tree *h, const wi_moment *at, uint32_t node)
{
    wi_boxtree *b = &wi_kinetic_of(h)->box;
    const wi_node *view = &h->boxes.nodes[node];
    const wi_part_shape *shapes = wi_part_shapes[view->count];
    const wi_box own = node_box(b, node);
    wi_box_part *parts = b->parts + wi_boxtree_first(b, node);
    wi_box lanes[WI_LANES], boxes[WI_MOST_PARTS];
    ends_collect_lanes(h, at, node, lanes);
    if (view->count == 1 && view->leaf_mask == 0) set_node_box(b, view->child[0], &own);
    for (unsigned i = 0; i < wi_parts_of(view->count); i++) {
        const wi_box *box = shapes[i].above == WI_NO_PART ? &own : &boxes[shapes[i].above];
        const wi_box tight = joined(lanes + shapes[i].first, shapes[i].count);
        parts[i].end = (uint8_t)best_end(box, &tight);
        boxes[i] = with_end(box, &tight, parts[i].end);
        if (shapes[i].count == 1 && (view->leaf_mask >> shapes[i].first & 1) == 0)
            set_node_box(b, view->child[shapes[i].first], &boxes[i]);
    }
}

void wi_boxtree_choose_ends(wi_tree *h, const wi_moment *at)
{
    ends_bound_all(h, at);
    for (uint32_t node = 0; node < h->shape->node_count; node++) ends_choose_in_node(h, at, node);
}
