/* nearest_kernel.c - opens nodes by distance: tree against tree, tree against a point.
 *
 * Way in: wi_nearest_kernels. The distances of eight boxes to one are found at once, in double,
 * where differences of floats neither overflow nor lose their order. Both nodes of a pair are
 * opened at once, eight children against eight; pairs of leaves wait in the heap like all others,
 * since a nearer one may make them needless. Of leaves that face each other at an angle to all axes
 * boxes say little, so these are also seen along the line between their middles. Where a body is
 * posed, boxes are compared in the frames of both, and the greater distance counts. */
#include <math.h>

#include "base/kernel.h"
#include "walk/bits.h"
#include "walk/nearest.h"
#include "walk/turn8.h"

/* Squared distances of eight boxes to one, as wi_box_distance2 finds them. Empty ones are
 * infinitely far, or nowhere after a turn: mask them. */
static inline void find_distances(const float lower[3][WI_LANES], const float upper[3][WI_LANES],
                                  const wi_box *box, double out[WI_LANES])
{
    for (unsigned lane = 0; lane < WI_LANES; lane++) out[lane] = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)box->lower[axis], high = (double)box->upper[axis];
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            double below = low - (double)upper[axis][lane];
            double above = (double)lower[axis][lane] - high;
            double gap = below > above ? below : above;
            gap = gap > 0.0 ? gap : 0.0;
            out[lane] += gap * gap;
        }
    }
}

/* The children of a node, and in two frames also as the other side sees them. */
typedef struct sight {
    const wi_view *view;
    wi_box8 turned;
} sight;

static void see(wi_nearest *nearest, sight *s, const wi_hierarchy *h, uint32_t node,
                const wi_turn *turn)
{
    nearest->walk->stats.nodes_opened++;
    s->view = wi_open(h, node, &nearest->walk->openings);
    if (nearest->is_related) wi_turn8(turn, s->view->lower, s->view->upper, &s->turned);
}

/* A box, and in two frames also as the other side sees it. */
typedef struct target {
    wi_box own, turned;
} target;

static target aim_at(const wi_nearest *nearest, const wi_box *box, const wi_turn *turn)
{
    target t = {.own = *box};
    if (nearest->is_related) t.turned = wi_turn_box(turn, box);
    return t;
}

static target aim_at_child(const wi_nearest *nearest, const sight *s, unsigned lane)
{
    target t = {.own = wi_view_box(s->view, lane)};
    for (int axis = 0; axis < 3 && nearest->is_related; axis++) {
        t.turned.lower[axis] = s->turned.lower[axis][lane];
        t.turned.upper[axis] = s->turned.upper[axis][lane];
    }
    return t;
}

/* How far the children are from the target, and which of them are within reach. */
static unsigned children_near(wi_nearest *nearest, const sight *s, const target *t,
                              double lower2[WI_LANES])
{
    const wi_view *view = s->view;
    nearest->walk->stats.volume_tests += view->count;
    if (!nearest->is_related) {
        find_distances(view->lower, view->upper, &t->own, lower2);
    } else {
        double other[WI_LANES];
        find_distances(view->lower, view->upper, &t->turned, lower2);
        find_distances(s->turned.lower, s->turned.upper, &t->own, other);
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            lower2[lane] = (other[lane] > lower2[lane] ? other[lane] : lower2[lane]) *
                           (1.0 - 0x1p-40); /* rotations are not quite of length one */
    }
    unsigned near = 0;
    for (unsigned lane = 0; lane < view->count; lane++)
        near |= (unsigned)(lower2[lane] <= nearest->best.reach2) << lane;
    return near;
}

static uint32_t child_of(const wi_view *view, unsigned lane)
{
    return view->child[lane] | ((view->leaf_mask >> lane & 1) != 0 ? WI_IS_LEAF : 0);
}

/* A child is never nearer than its parent, which may have been seen better. */
static double later_of(double parent2, double child2)
{
    return child2 > parent2 ? child2 : parent2;
}

static bool open_a(wi_nearest *nearest, const wi_nearest_item *item)
{
    sight s;
    double lower2[WI_LANES];
    see(nearest, &s, item->ha, item->a, &nearest->relation.a_to_b);
    const target t = aim_at(nearest, &item->box_b, &nearest->relation.b_to_a);
    unsigned near = children_near(nearest, &s, &t, lower2);
    wi_nearest_item child = *item;
    while (near != 0) {
        const unsigned lane = wi_take_lowest(&near);
        child.a = child_of(s.view, lane);
        child.box_a = wi_view_box(s.view, lane);
        child.lower2 = later_of(item->lower2, lower2[lane]);
        if (!wi_nearest_push(nearest, &child)) return false;
    }
    return true;
}

static bool open_b(wi_nearest *nearest, const wi_nearest_item *item)
{
    sight s;
    double lower2[WI_LANES];
    see(nearest, &s, item->hb, item->b, &nearest->relation.b_to_a);
    const target t = aim_at(nearest, &item->box_a, &nearest->relation.a_to_b);
    unsigned near = children_near(nearest, &s, &t, lower2);
    wi_nearest_item child = *item;
    while (near != 0) {
        const unsigned lane = wi_take_lowest(&near);
        child.b = child_of(s.view, lane);
        child.box_b = wi_view_box(s.view, lane);
        child.lower2 = later_of(item->lower2, lower2[lane]);
        if (!wi_nearest_push(nearest, &child)) return false;
    }
    return true;
}

static bool open_both(wi_nearest *nearest, const wi_nearest_item *item)
{
    sight a, b;
    double lower2[WI_LANES];
    see(nearest, &a, item->ha, item->a, &nearest->relation.a_to_b);
    see(nearest, &b, item->hb, item->b, &nearest->relation.b_to_a);
    const target whole_b = aim_at(nearest, &item->box_b, &nearest->relation.b_to_a);
    unsigned near_a = children_near(nearest, &a, &whole_b, lower2);
    wi_nearest_item child = *item;
    while (near_a != 0) {
        const unsigned lane_a = wi_take_lowest(&near_a);
        const target t = aim_at_child(nearest, &a, lane_a);
        unsigned near_b = children_near(nearest, &b, &t, lower2);
        child.a = child_of(a.view, lane_a);
        child.box_a = t.own;
        while (near_b != 0) {
            const unsigned lane_b = wi_take_lowest(&near_b);
            child.b = child_of(b.view, lane_b);
            child.box_b = wi_view_box(b.view, lane_b);
            child.lower2 = later_of(item->lower2, lower2[lane_b]);
            if (!wi_nearest_push(nearest, &child)) return false;
        }
    }
    return true;
}

static wi_tri tri_of(const wi_leaf_block *block, unsigned number)
{
    wi_tri tri;
    for (int i = 0; i < 3; i++)
        memcpy(tri.corner[i], block->points[block->corners[number][i]], sizeof tri.corner[i]);
    return tri;
}

static wi_box box_of(const wi_leaf_block *block, unsigned tri)
{
    const wi_box8 *boxes = &block->boxes[tri / WI_LANES];
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = boxes->lower[axis][tri % WI_LANES];
        box.upper[axis] = boxes->upper[axis][tri % WI_LANES];
    }
    return box;
}

/* How far the boxes of a block's triangles are from another one. */
static void find_tri_distances(wi_nearest *nearest, const wi_leaf_block *block, const wi_box *box,
                               double out[WI_MAX_LEAF_TRIS])
{
    const wi_box8 *group = block->boxes;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES, group++)
        find_distances(group->lower, group->upper, box, out + first);
    nearest->walk->stats.volume_tests += block->tri_count;
}

/* Blocks are in the world, so there is one frame here. The best may improve while the triangles are
 * tested, so each is looked at again before its turn. */
static void meet_point(wi_nearest *nearest, const wi_nearest_item *item)
{
    const wi_leaf_block *block =
        wi_leaf_cache_get(&nearest->walk->caches[0], item->ha, item->a & ~WI_IS_LEAF);
    double lower2[WI_MAX_LEAF_TRIS];
    wi_nearest_key key = {.body_a = item->body_a};
    find_tri_distances(nearest, block, &item->box_b, lower2);
    for (unsigned i = 0; i < block->tri_count; i++) {
        if (lower2[i] > nearest->best.reach2) continue;
        const wi_tri tri = tri_of(block, i);
        key.tri_a = block->slots[i];
        wi_nearest_test_point(nearest, &tri, item->box_b.lower, &key);
    }
}

/* Two blocks along the line between their middles: where the triangles of each begin and end. */
typedef struct lineup {
    double low[2][WI_MAX_LEAF_TRIS], high[2][WI_MAX_LEAF_TRIS];
    double greatest_a, least_b;
    double length; /* of the direction, by which all above are multiplied */
    double slack;  /* roundings, and what distances may be off */
} lineup;

static void line_up_block(const wi_leaf_block *block, const double origin[3], const double along[3],
                          double low[], double high[])
{
    for (unsigned tri = 0; tri < block->tri_count; tri++) {
        low[tri] = INFINITY;
        high[tri] = -INFINITY;
        for (int i = 0; i < 3; i++) {
            const float *p = block->points[block->corners[tri][i]];
            double at = 0.0;
            for (int axis = 0; axis < 3; axis++)
                at += ((double)p[axis] - origin[axis]) * along[axis];
            low[tri] = at < low[tri] ? at : low[tri];
            high[tri] = at > high[tri] ? at : high[tri];
        }
    }
}

static void line_up(lineup *l, const wi_leaf_block *a, const wi_box *box_a, const wi_leaf_block *b,
                    const wi_box *box_b)
{
    double origin[3], along[3], length2 = 0.0, size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low_a = (double)box_a->lower[axis], high_a = (double)box_a->upper[axis];
        const double low_b = (double)box_b->lower[axis], high_b = (double)box_b->upper[axis];
        origin[axis] = 0.5 * (low_a + high_a);
        along[axis] = 0.5 * (low_b + high_b) - origin[axis];
        length2 += along[axis] * along[axis];
        size += (high_a - low_a) + (high_b - low_b) + fabs(along[axis]);
    }
    line_up_block(a, origin, along, l->low[0], l->high[0]);
    line_up_block(b, origin, along, l->low[1], l->high[1]);
    l->greatest_a = -INFINITY;
    l->least_b = INFINITY;
    for (unsigned i = 0; i < a->tri_count; i++)
        l->greatest_a = l->high[0][i] > l->greatest_a ? l->high[0][i] : l->greatest_a;
    for (unsigned i = 0; i < b->tri_count; i++)
        l->least_b = l->low[1][i] < l->least_b ? l->low[1][i] : l->least_b;
    l->length = sqrt(length2);
    l->slack = 1e-12 * size;
}

/* A gap along the line that is too wide for anything better than the best. */
static bool is_too_wide(const wi_nearest *nearest, const lineup *l, double gap)
{
    return gap > l->length * (nearest->best.distance + l->slack) * (1.0 + 1e-12);
}

/* One triangle of block a against those of b. */
static void meet_tri(wi_nearest *nearest, const wi_leaf_block *a, unsigned number,
                     const wi_leaf_block *b, const lineup *l, wi_nearest_key *key)
{
    double lower2[WI_MAX_LEAF_TRIS];
    const wi_tri tri_a = tri_of(a, number);
    const wi_box box_a = box_of(a, number);
    find_tri_distances(nearest, b, &box_a, lower2);
    key->tri_a = a->slots[number];
    for (unsigned i = 0; i < b->tri_count; i++) {
        if (lower2[i] > nearest->best.reach2 ||
            is_too_wide(nearest, l, l->low[1][i] - l->high[0][number]))
            continue;
        const wi_tri tri_b = tri_of(b, i);
        key->tri_b = b->slots[i];
        wi_nearest_test(nearest, &tri_a, &tri_b, key);
    }
}

static void meet_leaves(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_walk *walk = nearest->walk;
    wi_leaf_block *a = wi_leaf_cache_get(&walk->caches[0], item->ha, item->a & ~WI_IS_LEAF);
    wi_leaf_block *b = wi_leaf_cache_get(&walk->caches[1], item->hb, item->b & ~WI_IS_LEAF);
    double lower2[WI_MAX_LEAF_TRIS];
    wi_nearest_key key = {.body_a = item->body_a, .body_b = item->body_b};
    lineup l;
    walk->stats.leaf_pairs++;
    line_up(&l, a, wi_block_box(a), b, wi_block_box(b));
    if (is_too_wide(nearest, &l, l.least_b - l.greatest_a)) return;
    find_tri_distances(nearest, a, wi_block_box(b), lower2);
    for (unsigned i = 0; i < a->tri_count; i++)
        if (lower2[i] <= nearest->best.reach2 &&
            !is_too_wide(nearest, &l, l.least_b - l.high[0][i]))
            meet_tri(nearest, a, i, b, &l, &key);
}

static bool open_pair(wi_nearest *nearest, const wi_nearest_item *item)
{
    const bool is_leaf_a = (item->a & WI_IS_LEAF) != 0, is_leaf_b = (item->b & WI_IS_LEAF) != 0;
    if (is_leaf_a && is_leaf_b) {
        meet_leaves(nearest, item);
        return true;
    }
    if (is_leaf_a) return open_b(nearest, item);
    if (is_leaf_b) return open_a(nearest, item);
    if (!nearest->walk->rules.descend_larger) return open_both(nearest, item);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b) ? open_a(nearest, item)
                                                                            : open_b(nearest, item);
}

static bool open_item(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_nearest_relate(nearest, item);
    if (item->hb) return open_pair(nearest, item);
    if ((item->a & WI_IS_LEAF) == 0) return open_a(nearest, item);
    meet_point(nearest, item);
    return true;
}

extern const wi_nearest_kernels WI_KERNEL(nearest_kernels);
const wi_nearest_kernels WI_KERNEL(nearest_kernels) = {open_item};
