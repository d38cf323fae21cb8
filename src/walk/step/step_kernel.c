/* step_kernel.c - leaves against leaves over a step: which triangles may touch on the way?
 *
 * Way in: wi_step_leaves, wi_step_leaf_itself. As leaf_kernel.c, with moving boxes in the place of
 * boxes. What meets waits until there are eight for the filter of moving triangles; what that
 * leaves goes to wi_test_features. */
#include "base/kernel.h"
#include "prim/apart8.h"
#include "walk/reader/bits.h"
#include "walk/self/cannot_fold.h"
#include "walk/step/features.h"
#include "walk/step/moving8.h"

extern wi_apart8 WI_KERNEL(apart8);
extern wi_step_leaves WI_KERNEL(step_leaves);
extern wi_step_leaf_itself WI_KERNEL(step_leaf_itself);
extern wi_step_fans WI_KERNEL(step_stars);
extern wi_step_decide WI_KERNEL(step_decide);
extern wi_run_swept_fans WI_KERNEL(run_swept_fans);

bool WI_KERNEL(step_decide)(wi_walk *walk)
{
    wi_movers *m = &walk->movers;
    const unsigned lanes = (1U << m->count) - 1;
    if (lanes == 0) return true;
    unsigned open =
        lanes & ~WI_KERNEL(apart8)(m->a, m->b, walk->step.widen, walk->step.is_moving, lanes);
    walk->stats.triangle_tests += m->count;
    m->count = 0;
    while (open != 0)
        if (!wi_test_movers(walk, wi_take_lowest(&open))) return false;
    return true;
}

/* A leaf at both ends of the step; the same block twice if it stands still. */
typedef struct moving_block {
    wi_leaf_block *start, *end;
} moving_block;

static inline void copy_corners(const wi_leaf_block *block, unsigned tri, wi_tri8 *out,
                                unsigned lane)
{
    const uint8_t *corners = block->corners[tri];
    for (int i = 0; i < 3; i++)
        wi_quad_store(out->corner[i][lane], wi_quad_load(block->points[corners[i]]));
}

static inline bool add_movers(wi_walk *walk, const moving_block *a, unsigned tri_a,
                              const moving_block *b, unsigned tri_b)
{
    wi_movers *m = &walk->movers;
    const uint32_t slot_a = a->start->slots[tri_a], slot_b = b->start->slots[tri_b];
    const unsigned lane = m->count;
    const bool is_within = walk->step.a.start == walk->step.b.start;
    if (is_within && !wi_walk_tests(walk, slot_a, slot_b)) return true;
    const bool is_swapped = is_within && slot_a > slot_b; /* the lower one is a */
    wi_tri8 *to_a = is_swapped ? m->b : m->a, *to_b = is_swapped ? m->a : m->b;
    copy_corners(a->start, tri_a, &to_a[0], lane);
    copy_corners(b->start, tri_b, &to_b[0], lane);
    if (walk->step.is_moving) {
        copy_corners(a->end, tri_a, &to_a[1], lane);
        copy_corners(b->end, tri_b, &to_b[1], lane);
    }
    m->key[lane] = is_swapped ? wi_pair_key_of(slot_b, slot_a) : wi_pair_key_of(slot_a, slot_b);
    m->count = lane + 1;
    return lane + 1 < WI_LANES || WI_KERNEL(step_decide)(walk);
}

static inline moving_block block_of(wi_walk *walk, const wi_side *side, int cache, uint32_t leaf)
{
    moving_block block;
    block.start = block.end =
        wi_leaf_cache_get(&walk->caches[cache], side->start, leaf, &walk->openings);
    if (side->motion.end != side->start)
        block.end =
            wi_leaf_cache_get(&walk->end_caches[cache], side->motion.end, leaf, &walk->openings);
    return block;
}

/* Which triangles of the block may meet a moving box, a bit each. */
static inline uint32_t tris_met(wi_walk *walk, const moving_block *block, const wi_mover *mover,
                                bool with_times)
{
    uint32_t met = 0;
    const unsigned count = block->start->tri_count;
    for (unsigned first = 0, group = 0; first < count; first += WI_LANES, group++) {
        const wi_box8 *start = &block->start->boxes[group], *end = &block->end->boxes[group];
        const wi_moving8 boxes = {start->lower, start->upper, end->lower, end->upper};
        const unsigned lanes = count - first < WI_LANES ? wi_lanes_mask(count - first) : 0xFFU;
        met |= (uint32_t)wi_moving_met(&boxes, mover, walk->step.horizon, with_times, lanes)
               << first;
    }
    walk->stats.volume_tests += count;
    return met;
}

static inline wi_mover mover_of_block(const wi_walk *walk, const moving_block *block)
{
    return wi_mover_of(wi_block_box(block->start), wi_block_box(block->end), walk->step.widen);
}

static inline wi_box tri_box(const wi_leaf_block *block, unsigned tri)
{
    const wi_box8 *boxes = &block->boxes[tri / WI_LANES];
    const unsigned lane = tri % WI_LANES;
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = boxes->lower[axis][lane];
        box.upper[axis] = boxes->upper[axis][lane];
    }
    return box;
}

static inline wi_mover mover_of_tri(const wi_walk *walk, const moving_block *block, unsigned tri)
{
    const wi_box start = tri_box(block->start, tri), end = tri_box(block->end, tri);
    return wi_mover_of(&start, &end, walk->step.widen);
}

/* Do two leaves move against each other by as much as the size of their triangles? */
static bool are_fast(const moving_block *a, const moving_block *b)
{
    const wi_box *a0 = wi_block_box(a->start), *a1 = wi_block_box(a->end);
    const wi_box *b0 = wi_block_box(b->start), *b1 = wi_block_box(b->end);
    bool are = false;
    for (int axis = 0; axis < 3; axis++) {
        const float way = (a1->lower[axis] - a0->lower[axis]) - (b1->lower[axis] - b0->lower[axis]);
        const float size =
            (a0->upper[axis] - a0->lower[axis]) + (b0->upper[axis] - b0->lower[axis]);
        are = are || fabsf(way) > 0.25F * size;
    }
    return are;
}

static bool meet_blocks(wi_walk *walk, const moving_block *a, const moving_block *b,
                        const wi_shared_vertices *kin, const wi_tie *tie)
{
    const wi_mover whole_a = mover_of_block(walk, a), whole_b = mover_of_block(walk, b);
    const bool with_times = walk->step.until < 1.0 || are_fast(a, b);
    uint32_t met_a = tris_met(walk, a, &whole_b, with_times), met_b = 0;
    if (met_a != 0) met_b = tris_met(walk, b, &whole_a, with_times);
    while (met_a != 0 && met_b != 0) {
        const unsigned tri_a = wi_take_lowest(&met_a);
        const wi_mover mover = mover_of_tri(walk, a, tri_a);
        uint32_t met = tris_met(walk, b, &mover, with_times) & met_b;
        if (tie) met &= ~wi_shared_vertices_row(kin, tie, tri_a);
        while (met != 0)
            if (!add_movers(walk, a, tri_a, b, wi_take_lowest(&met))) return false;
    }
    return true;
}

/* Two leaves of one body are in one cache, unless they would be in one place of it. */
static bool meet_within(wi_walk *walk, uint32_t leaf_a, uint32_t leaf_b)
{
    const wi_tree *h = walk->step.a.start;
    const bool is_same_place = leaf_a % WI_CACHED_BLOCKS == leaf_b % WI_CACHED_BLOCKS;
    const wi_tie *tie = walk->knows_kin ? wi_shared_vertices_tie(&h->shared, leaf_a, leaf_b) : NULL;
    if (tie && wi_is_flat(walk, h, leaf_a, leaf_b)) {
        walk->stats.leaf_pairs_culled++;
        return true;
    }
    const moving_block a = block_of(walk, &walk->step.a, 0, leaf_a);
    const moving_block b = block_of(walk, &walk->step.b, is_same_place, leaf_b);
    return meet_blocks(walk, &a, &b, &h->shared, tie);
}

bool WI_KERNEL(step_leaves)(wi_walk *walk, const wi_walk_item *item)
{
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    walk->stats.leaf_pairs++;
    if (walk->step.a.start == walk->step.b.start)
        return leaf_a < leaf_b ? meet_within(walk, leaf_a, leaf_b)
                               : meet_within(walk, leaf_b, leaf_a);
    const moving_block a = block_of(walk, &walk->step.a, 0, leaf_a);
    const moving_block b = block_of(walk, &walk->step.b, 1, leaf_b);
    return meet_blocks(walk, &a, &b, NULL, NULL);
}

bool WI_KERNEL(step_leaf_itself)(wi_walk *walk, uint32_t leaf)
{
    const wi_tree *h = walk->step.a.start;
    walk->stats.leaf_pairs++;
    if (walk->knows_kin && wi_is_flat(walk, h, leaf, leaf)) {
        walk->stats.leaf_pairs_culled++;
        return true;
    }
    const moving_block block = block_of(walk, &walk->step.a, 0, leaf);
    const uint32_t *kin = walk->knows_kin ? h->shared.within + h->leaves[leaf].first_tri : NULL;
    for (unsigned tri_a = 0; tri_a + 1 < block.start->tri_count; tri_a++) {
        const uint32_t later = ~(uint32_t)((UINT64_C(2) << tri_a) - 1);
        const wi_mover mover = mover_of_tri(walk, &block, tri_a);
        uint32_t met = tris_met(walk, &block, &mover, false) & later;
        if (kin) met &= ~kin[tri_a];
        while (met != 0)
            if (!add_movers(walk, &block, tri_a, &block, wi_take_lowest(&met))) return false;
    }
    return true;
}

static bool test_kin(void *context, uint32_t slot_a, uint32_t slot_b)
{
    return wi_test_features(context, slot_a, slot_b);
}

bool WI_KERNEL(step_stars)(wi_walk *walk, uint32_t lot)
{
    const wi_side *side = &walk->step.a;
    return WI_KERNEL(run_swept_fans)(walk, side->start, side->motion.end, lot, test_kin, walk);
}
