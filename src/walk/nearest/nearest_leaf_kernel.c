/* nearest_leaf_kernel.c - leaves by distance: which of their triangles are tested?
 *
 * Way in: wi_nearest_leaves, of two leaves and of one and a point. Of leaves that face each other
 * at an angle to all axes boxes say little, so these are also seen along the line between their
 * middles. Blocks of leaves are in the world, so there is one frame here. */
#include <math.h>

#include "base/check.h"
#include "base/kernel.h"
#include "walk/nearest/distance8.h"
#include "walk/nearest/nearest.h"

extern wi_nearest_leaves WI_KERNEL(nearest_leaves);
extern wi_nearest_leaves WI_KERNEL(nearest_leaf_point);

static wi_tri nearest_tri_of(const wi_leaf_block *block, unsigned number)
{
    WI_ASSERT(number < block->tri_count);
    wi_tri tri;
    for (int i = 0; i < 3; i++)
        memcpy(tri.corner[i], block->points[block->corners[number][i]], sizeof tri.corner[i]);
    return tri;
}

static wi_box nearest_leaf_box_of(const wi_leaf_block *block, unsigned tri)
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
        wi_distances8(group->lower, group->upper, box, out + first);
    nearest->reader->stats.volume_tests += block->tri_count;
}

/* The best may improve while the triangles are tested, so each is looked at again before its turn.
 */
void WI_KERNEL(nearest_leaf_point)(wi_nearest *nearest, const wi_nearest_item *item)
{
    const wi_leaf_block *block = wi_leaf_cache_get(
        &nearest->reader->caches[0], item->ha, item->a & ~WI_IS_LEAF, &nearest->reader->openings);
    double lower2[WI_MAX_LEAF_TRIS];
    wi_nearest_key key = {.body_a = item->body_a};
    WI_ASSERT((item->a & WI_IS_LEAF) != 0);
    find_tri_distances(nearest, block, &item->box_b, lower2);
    for (unsigned i = 0; i < block->tri_count; i++) {
        if (lower2[i] > nearest->best.reach2) continue;
        const wi_tri tri = nearest_tri_of(block, i);
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
    WI_ASSERT(a->tri_count <= WI_MAX_LEAF_TRIS && b->tri_count <= WI_MAX_LEAF_TRIS);
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
static void nearest_meet_tri(wi_nearest *nearest, const wi_leaf_block *a, unsigned number,
                             const wi_leaf_block *b, const lineup *l, wi_nearest_key *key)
{
    double lower2[WI_MAX_LEAF_TRIS];
    const wi_tri tri_a = nearest_tri_of(a, number);
    const wi_box box_a = nearest_leaf_box_of(a, number);
    find_tri_distances(nearest, b, &box_a, lower2);
    key->tri_a = a->slots[number];
    for (unsigned i = 0; i < b->tri_count; i++) {
        if (lower2[i] > nearest->best.reach2 ||
            is_too_wide(nearest, l, l->low[1][i] - l->high[0][number]))
            continue;
        const wi_tri tri_b = nearest_tri_of(b, i);
        key->tri_b = b->slots[i];
        wi_nearest_test(nearest, &tri_a, &tri_b, key);
    }
}

void WI_KERNEL(nearest_leaves)(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_reader *reader = nearest->reader;
    wi_leaf_block *a =
        wi_leaf_cache_get(&reader->caches[0], item->ha, item->a & ~WI_IS_LEAF, &reader->openings);
    wi_leaf_block *b =
        wi_leaf_cache_get(&reader->caches[1], item->hb, item->b & ~WI_IS_LEAF, &reader->openings);
    double lower2[WI_MAX_LEAF_TRIS];
    wi_nearest_key key = {.body_a = item->body_a, .body_b = item->body_b};
    lineup l;
    WI_ASSERT((item->a & item->b & WI_IS_LEAF) != 0);
    reader->stats.leaf_pairs++;
    line_up(&l, a, wi_block_box(a), b, wi_block_box(b));
    if (is_too_wide(nearest, &l, l.least_b - l.greatest_a)) return;
    find_tri_distances(nearest, a, wi_block_box(b), lower2);
    for (unsigned i = 0; i < a->tri_count; i++)
        if (lower2[i] <= nearest->best.reach2 &&
            !is_too_wide(nearest, &l, l.least_b - l.high[0][i]))
            nearest_meet_tri(nearest, a, i, b, &l, &key);
}
