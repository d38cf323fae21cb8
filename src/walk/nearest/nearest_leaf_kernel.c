/* nearest_leaf_kernel.c - leaves by distance: which of their triangles are tested?
 *
 * Way in: wi_nearest_leaves, of two leaves and of one and a point. Of leaves that face each other
 * at an angle to all axes boxes say little, so these are also seen along the line between their
 * middles. Blocks of leaves are in the world, so there is one frame here. */
#include <math.h>

#include "base/check.h"
#include "base/kernel.h"
#include "geom/outward.h"
#include "prim/meet/apart8.h"
#include "walk/nearest/distance8.h"
#include "walk/nearest/nearest.h"
#include "walk/reader/bits.h"

extern wi_apart8 WI_KERNEL(apart8);
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

/* Pairs of triangles that wait until there are eight: most are told apart by a look in float32. */
typedef struct waiting {
    const wi_leaf_block *a, *b;
    wi_tri8 at_a[2], at_b[2]; /* the second have no meaning: nothing moves */
    uint8_t tri_a[WI_LANES], tri_b[WI_LANES];
    unsigned count;
} waiting;

/* Which of those that wait may be as near as the best: as is_too_wide, along more directions. */
static unsigned lanes_left(const wi_nearest *nearest, const waiting *w, const lineup *l)
{
    const unsigned lanes = (1U << w->count) - 1;
    const double reach = (nearest->best.distance + l->slack) * (1.0 + 1e-12);
    if (lanes == 0 || !(reach < 1e30)) return lanes;
    return lanes & ~WI_KERNEL(apart8)(w->at_a, w->at_b, wi_float_above(reach), false, lanes);
}

static void decide_waiting(wi_nearest *nearest, waiting *w, const lineup *l, wi_nearest_key *key)
{
    WI_ASSERT(w->count <= WI_LANES);
    unsigned left = lanes_left(nearest, w, l);
    nearest->reader->stats.triangle_tests += w->count - (unsigned)__builtin_popcount(left);
    w->count = 0;
    while (left != 0) {
        const unsigned lane = wi_take_lowest(&left);
        const wi_tri tri_a = nearest_tri_of(w->a, w->tri_a[lane]);
        const wi_tri tri_b = nearest_tri_of(w->b, w->tri_b[lane]);
        key->tri_a = w->a->slots[w->tri_a[lane]];
        key->tri_b = w->b->slots[w->tri_b[lane]];
        wi_nearest_test(nearest, &tri_a, &tri_b, key);
    }
}

/* Which triangles of a block have boxes that may be within reach of another one, a bit each. In
 * float32 a squared distance is off by some units of 2^-24 of itself, 2^-20 are allowed for; what
 * underflows counts as nearer than it is, and no reach that squares could overflow at is asked. */
static uint32_t tris_in_reach(wi_nearest *nearest, const wi_leaf_block *block, const wi_box *box)
{
    const double reach2 = nearest->best.reach2 * (1.0 + 0x1p-20);
    const wi_wide reach = wi_wide_all(wi_float_above(reach2)), zero = wi_wide_all(0.0F);
    uint32_t met = 0;
    nearest->reader->stats.volume_tests += block->tri_count;
    WI_ASSERT(block->tri_count > 0 && block->tri_count <= WI_MAX_LEAF_TRIS);
    if (!(reach2 < 1e30)) return UINT32_MAX >> (32 - block->tri_count);
    for (unsigned first = 0, group = 0; first < block->tri_count; first += WI_LANES, group++) {
        const wi_box8 *boxes = &block->boxes[group];
        wi_wide sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            const wi_wide below =
                wi_wide_sub(wi_wide_all(box->lower[axis]), wi_wide_load(boxes->upper[axis]));
            const wi_wide above =
                wi_wide_sub(wi_wide_load(boxes->lower[axis]), wi_wide_all(box->upper[axis]));
            const wi_wide gap = wi_wide_max(wi_wide_max(below, above), zero);
            sum = wi_wide_add(sum, wi_wide_mul(gap, gap));
        }
        const unsigned left = block->tri_count - first;
        const unsigned lanes = left < WI_LANES ? wi_lanes_mask(left) : 0xFFU;
        met |= (uint32_t)(lanes & ~wi_mask_bits(wi_wide_less(reach, sum))) << first;
    }
    return met;
}

/* One triangle of block a against those of b. */
static void nearest_meet_tri(wi_nearest *nearest, waiting *w, unsigned number, const lineup *l,
                             wi_nearest_key *key)
{
    const wi_box box_a = nearest_leaf_box_of(w->a, number);
    uint32_t met = tris_in_reach(nearest, w->b, &box_a);
    while (met != 0) {
        const unsigned i = wi_take_lowest(&met);
        if (is_too_wide(nearest, l, l->low[1][i] - l->high[0][number])) continue;
        wi_block_copy_corners(w->a, number, &w->at_a[0], w->count);
        wi_block_copy_corners(w->b, i, &w->at_b[0], w->count);
        w->tri_a[w->count] = (uint8_t)number;
        w->tri_b[w->count++] = (uint8_t)i;
        if (w->count == WI_LANES) decide_waiting(nearest, w, l, key);
    }
}

void WI_KERNEL(nearest_leaves)(wi_nearest *nearest, const wi_nearest_item *item)
{
    wi_reader *reader = nearest->reader;
    wi_leaf_block *a =
        wi_leaf_cache_get(&reader->caches[0], item->ha, item->a & ~WI_IS_LEAF, &reader->openings);
    wi_leaf_block *b =
        wi_leaf_cache_get(&reader->caches[1], item->hb, item->b & ~WI_IS_LEAF, &reader->openings);
    wi_nearest_key key = {.body_a = item->body_a, .body_b = item->body_b};
    lineup l;
    waiting w;
    WI_ASSERT((item->a & item->b & WI_IS_LEAF) != 0);
    reader->stats.leaf_pairs++;
    line_up(&l, a, wi_block_box(a), b, wi_block_box(b));
    if (is_too_wide(nearest, &l, l.least_b - l.greatest_a)) return;
    w.a = a;
    w.b = b;
    w.count = 0;
    for (uint32_t met = tris_in_reach(nearest, a, wi_block_box(b)); met != 0;) {
        const unsigned i = wi_take_lowest(&met);
        if (!is_too_wide(nearest, &l, l.least_b - l.high[0][i]))
            nearest_meet_tri(nearest, &w, i, &l, &key);
    }
    decide_waiting(nearest, &w, &l, &key);
}
