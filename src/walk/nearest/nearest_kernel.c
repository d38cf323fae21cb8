/* nearest_kernel.c - opens nodes by distance: tree against tree, tree against a point.
 *
 * Way in: wi_nearest_kernels. Both nodes of a pair are opened at once, eight children against
 * eight; pairs of leaves wait in the heap like all others, since a nearer one may make them
 * needless. Where a body is posed, boxes are compared in the frames of both, and the greater
 * distance counts. */
#include "base/kernel.h"
#include "walk/nearest/distance8.h"
#include "walk/nearest/nearest.h"
#include "walk/reader/bits.h"
#include "walk/reader/sight.h"

extern wi_nearest_leaves WI_KERNEL(nearest_leaves);
extern wi_nearest_leaves WI_KERNEL(nearest_leaf_point);

static void nearest_see(wi_nearest *nearest, wi_sight *s, const wi_tree *h, uint32_t node,
                        const wi_turn *turn)
{
    wi_see(nearest->reader, s, h, node, turn, nearest->frames);
}

/* How far the children are from the target, and which of them are within reach. */
static unsigned children_near(wi_nearest *nearest, const wi_sight *s, const wi_target *t,
                              double lower2[WI_LANES])
{
    const wi_node *view = s->view;
    nearest->reader->stats.volume_tests += view->count;
    if (nearest->frames == WI_ONE_FRAME) {
        wi_distances8(view->lower, view->upper, &t->own, lower2);
    } else {
        double other[WI_LANES];
        wi_distances8(view->lower, view->upper, &t->turned, lower2);
        wi_distances8(s->turned.lower, s->turned.upper, &t->own, other);
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            lower2[lane] = (other[lane] > lower2[lane] ? other[lane] : lower2[lane]) *
                           (1.0 - 0x1p-40); /* rotations are not quite of length one */
    }
    unsigned near = 0;
    for (unsigned lane = 0; lane < view->count; lane++)
        near |= (unsigned)(lower2[lane] <= nearest->best.reach2) << lane;
    return near;
}

/* A child is never nearer than its parent, which may have been seen better. */
static double farther_of(double parent2, double child2)
{
    return child2 > parent2 ? child2 : parent2;
}

static bool nearest_open_a(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_sight s;
    double lower2[WI_LANES];
    nearest_see(nearest, &s, item->ha, item->a, &nearest->relation.a_to_b);
    const wi_target t = wi_aim_at(&item->box_b, &nearest->relation.b_to_a, nearest->frames);
    unsigned near = children_near(nearest, &s, &t, lower2);
    wi_nearest_item child = *item;
    while (near != 0) {
        const unsigned lane = wi_take_lowest(&near);
        child.a = wi_child_of(s.view, lane);
        child.box_a = wi_node_box(s.view, lane);
        child.lower2 = farther_of(item->lower2, lower2[lane]);
        if (!wi_nearest_push(nearest, &child)) return false;
    }
    return true;
}

static bool nearest_open_b(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_sight s;
    double lower2[WI_LANES];
    nearest_see(nearest, &s, item->hb, item->b, &nearest->relation.b_to_a);
    const wi_target t = wi_aim_at(&item->box_a, &nearest->relation.a_to_b, nearest->frames);
    unsigned near = children_near(nearest, &s, &t, lower2);
    wi_nearest_item child = *item;
    while (near != 0) {
        const unsigned lane = wi_take_lowest(&near);
        child.b = wi_child_of(s.view, lane);
        child.box_b = wi_node_box(s.view, lane);
        child.lower2 = farther_of(item->lower2, lower2[lane]);
        if (!wi_nearest_push(nearest, &child)) return false;
    }
    return true;
}

static bool nearest_open_both(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_sight a, b;
    double lower2[WI_LANES];
    nearest_see(nearest, &a, item->ha, item->a, &nearest->relation.a_to_b);
    nearest_see(nearest, &b, item->hb, item->b, &nearest->relation.b_to_a);
    const wi_target whole_b = wi_aim_at(&item->box_b, &nearest->relation.b_to_a, nearest->frames);
    unsigned near_a = children_near(nearest, &a, &whole_b, lower2);
    wi_nearest_item child = *item;
    while (near_a != 0) {
        const unsigned lane_a = wi_take_lowest(&near_a);
        const wi_target t = wi_aim_at_child(&a, lane_a, nearest->frames);
        unsigned near_b = children_near(nearest, &b, &t, lower2);
        child.a = wi_child_of(a.view, lane_a);
        child.box_a = t.own;
        while (near_b != 0) {
            const unsigned lane_b = wi_take_lowest(&near_b);
            child.b = wi_child_of(b.view, lane_b);
            child.box_b = wi_node_box(b.view, lane_b);
            child.lower2 = farther_of(item->lower2, lower2[lane_b]);
            if (!wi_nearest_push(nearest, &child)) return false;
        }
    }
    return true;
}

static bool nearest_open_pair(wi_nearest *nearest, const wi_nearest_item *item)
{
    const bool is_leaf_a = (item->a & WI_IS_LEAF) != 0, is_leaf_b = (item->b & WI_IS_LEAF) != 0;
    if (is_leaf_a && is_leaf_b) {
        WI_KERNEL(nearest_leaves)(nearest, item);
        return true;
    }
    if (is_leaf_a) return nearest_open_b(nearest, item);
    if (is_leaf_b) return nearest_open_a(nearest, item);
    if (!nearest->descend_larger) return nearest_open_both(nearest, item);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b)
               ? nearest_open_a(nearest, item)
               : nearest_open_b(nearest, item);
}

static bool nearest_open_item(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_nearest_relate(nearest, item);
    if (nearest->kind == WI_NEAREST_BODIES) return nearest_open_pair(nearest, item);
    if ((item->a & WI_IS_LEAF) == 0) return nearest_open_a(nearest, item);
    WI_KERNEL(nearest_leaf_point)(nearest, item);
    return true;
}

extern const wi_nearest_kernels WI_KERNEL(nearest_kernels);
const wi_nearest_kernels WI_KERNEL(nearest_kernels) = {nearest_open_item};
