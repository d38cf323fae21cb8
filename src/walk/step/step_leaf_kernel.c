/* step_leaf_kernel.c - leaves against leaves over a step: which triangles may touch on the way?
 *
 * Ways in: the wi_leaf_ops for each kinship, and wi_step_decide. As leaf_kernel.c, with moving
 * boxes in the place of boxes. What meets waits until there are eight for the filter of moving
 * triangles; what that leaves goes to wi_test_features. */
#include "base/kernel.h"
#include "prim/meet/apart8.h"
#include "walk/reader/bits.h"
#include "walk/self/cannot_fold.h"
#include "walk/step/features.h"
#include "walk/step/moving8.h"

extern wi_apart8 WI_KERNEL(apart8);
extern wi_step_decide WI_KERNEL(step_decide);
extern wi_run_swept_fans WI_KERNEL(run_swept_fans);
extern const wi_leaf_ops WI_KERNEL(step_leaves)[WI_KINSHIPS];

bool WI_KERNEL(step_decide)(wi_step_walk *walk)
{
    wi_movers *m = &walk->movers;
    WI_ASSERT(m->count <= WI_LANES);
    const unsigned lanes = (1U << m->count) - 1;
    if (lanes == 0) return true;
    unsigned open =
        lanes & ~WI_KERNEL(apart8)(m->a, m->b, walk->step.widen, walk->step.is_moving, lanes);
    walk->down.reader->stats.triangle_tests += m->count;
    m->count = 0;
    while (open != 0)
        if (!wi_test_movers(walk, wi_take_lowest(&open))) return false;
    return true;
}

/* A leaf at both ends of the step; the same block twice if it stands still. */
typedef struct moving_block {
    wi_leaf_block *start, *end;
} moving_block;

static inline bool add_movers(wi_step_walk *walk, const moving_block *a, unsigned tri_a,
                              const moving_block *b, unsigned tri_b)
{
    wi_movers *m = &walk->movers;
    const uint32_t slot_a = a->start->slots[tri_a], slot_b = b->start->slots[tri_b];
    const unsigned lane = m->count;
    WI_ASSERT(lane < WI_LANES && tri_a < a->start->tri_count && tri_b < b->start->tri_count);
    const bool is_within = walk->step.a.start == walk->step.b.start;
    if (is_within && !wi_descent_tests(&walk->down, slot_a, slot_b)) return true;
    const bool is_swapped = is_within && slot_a > slot_b; /* the lower one is a */
    wi_tri8 *to_a = is_swapped ? m->b : m->a, *to_b = is_swapped ? m->a : m->b;
    wi_block_copy_corners(a->start, tri_a, &to_a[0], lane);
    wi_block_copy_corners(b->start, tri_b, &to_b[0], lane);
    if (walk->step.is_moving) {
        wi_block_copy_corners(a->end, tri_a, &to_a[1], lane);
        wi_block_copy_corners(b->end, tri_b, &to_b[1], lane);
    }
    m->key[lane] = is_swapped ? wi_pair_key_of(slot_b, slot_a) : wi_pair_key_of(slot_a, slot_b);
    m->count = lane + 1;
    return lane + 1 < WI_LANES || WI_KERNEL(step_decide)(walk);
}

static inline moving_block block_of(wi_step_walk *walk, const wi_side *side, int cache,
                                    uint32_t leaf)
{
    wi_reader *reader = walk->down.reader;
    moving_block block;
    WI_ASSERT(leaf < side->start->shape->leaf_count);
    block.start = block.end =
        wi_leaf_cache_get(&reader->caches[cache], side->start, leaf, &reader->openings);
    if (side->motion.end != side->start)
        block.end =
            wi_leaf_cache_get(&walk->end_caches[cache], side->motion.end, leaf, &reader->openings);
    return block;
}

/* How triangles of two leaves are compared: as in wi_meeting_rule. */
typedef struct leaf_rule {
    bool is_moving, with_times;
} leaf_rule;

/* In loops that exist twice: whether anything moves is a constant there. */
#define MOVING_OR_NOT static inline __attribute__((always_inline))

/* Which triangles of the block may meet a moving box, a bit each. The horizon is nearer once an
 * impact is found. */
MOVING_OR_NOT uint32_t step_leaf_tris_met(wi_step_walk *walk, const moving_block *block,
                                          const wi_mover *mover, leaf_rule of_leaves)
{
    const wi_meeting_rule rule = {walk->step.widen, walk->step.horizon, of_leaves.is_moving,
                                  of_leaves.with_times};
    uint32_t met = 0;
    const unsigned count = block->start->tri_count;
    for (unsigned first = 0, group = 0; first < count; first += WI_LANES, group++) {
        const wi_box8 *start = &block->start->boxes[group], *end = &block->end->boxes[group];
        const wi_moving8 boxes = {start->lower, start->upper, end->lower, end->upper};
        const unsigned lanes = count - first < WI_LANES ? wi_lanes_mask(count - first) : 0xFFU;
        met |= (uint32_t)wi_moving_met(&boxes, mover, rule, lanes) << first;
    }
    walk->down.reader->stats.volume_tests += count;
    return met;
}

static inline wi_mover mover_of_block(const moving_block *block)
{
    return wi_mover_of(wi_block_box(block->start), wi_block_box(block->end));
}

MOVING_OR_NOT wi_mover mover_of_tri(const moving_block *block, unsigned tri, bool is_moving)
{
    const unsigned group = tri / WI_LANES, lane = tri % WI_LANES;
    const wi_box8 *start = &block->start->boxes[group], *end = &block->end->boxes[group];
    wi_mover m;
    for (int axis = 0; axis < 3; axis++) {
        m.lower0[axis] = wi_wide_all(start->lower[axis][lane]);
        m.upper0[axis] = wi_wide_all(start->upper[axis][lane]);
        m.lower1[axis] = is_moving ? wi_wide_all(end->lower[axis][lane]) : m.lower0[axis];
        m.upper1[axis] = is_moving ? wi_wide_all(end->upper[axis][lane]) : m.upper0[axis];
    }
    return m;
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

/* Two leaves, and what ties them, if that is listed. */
typedef struct moving_leaves {
    moving_block a, b;
    const wi_leaf_kin *kin; /* or NULL */
} moving_leaves;

MOVING_OR_NOT bool meet_tris(wi_step_walk *walk, const moving_leaves *leaves, leaf_rule rule)
{
    const moving_block *a = &leaves->a, *b = &leaves->b;
    const wi_mover whole_a = mover_of_block(a), whole_b = mover_of_block(b);
    uint32_t met_a = step_leaf_tris_met(walk, a, &whole_b, rule), met_b = 0;
    if (met_a != 0) met_b = step_leaf_tris_met(walk, b, &whole_a, rule);
    while (met_a != 0 && met_b != 0) {
        const unsigned tri_a = wi_take_lowest(&met_a);
        const wi_mover mover = mover_of_tri(a, tri_a, rule.is_moving);
        uint32_t met = step_leaf_tris_met(walk, b, &mover, rule) & met_b;
        if (leaves->kin) met &= ~wi_leaf_kin_row(leaves->kin, tri_a);
        while (met != 0)
            if (!add_movers(walk, a, tri_a, b, wi_take_lowest(&met))) return false;
    }
    return true;
}

static bool meet_blocks(wi_step_walk *walk, const moving_leaves *leaves)
{
    const wi_step *step = &walk->step;
    if (!step->is_moving) return meet_tris(walk, leaves, (leaf_rule){.is_moving = false});
    const bool with_times = step->until < 1.0 || are_fast(&leaves->a, &leaves->b);
    return meet_tris(walk, leaves, (leaf_rule){true, with_times});
}

/* Two leaves of one body are in one cache, unless they would be in one place of it. */
static bool step_meet_within(wi_step_walk *walk, uint32_t leaf_a, uint32_t leaf_b,
                             const wi_leaf_kin *kin)
{
    const bool is_same_place = leaf_a % WI_CACHED_BLOCKS == leaf_b % WI_CACHED_BLOCKS;
    WI_ASSERT(leaf_a < leaf_b);
    const moving_leaves leaves = {block_of(walk, &walk->step.a, 0, leaf_a),
                                  block_of(walk, &walk->step.b, is_same_place, leaf_b), kin};
    return meet_blocks(walk, &leaves);
}

static bool step_meet_two_bodies(wi_descent *down, const wi_tree *ha, const wi_tree *hb,
                                 const wi_walk_item *item)
{
    wi_step_walk *walk = wi_step_walk_of(down);
    WI_ASSERT(ha == walk->step.a.start && hb == walk->step.b.start && ha != hb);
    (void)ha, (void)hb;
    down->reader->stats.leaf_pairs++;
    const moving_leaves leaves = {block_of(walk, &walk->step.a, 0, item->a & ~WI_IS_LEAF),
                                  block_of(walk, &walk->step.b, 1, item->b & ~WI_IS_LEAF), NULL};
    return meet_blocks(walk, &leaves);
}

/* The two leaves of an item of one body, the lower one first. */
typedef struct two_leaves {
    uint32_t a, b;
} two_leaves;

static inline two_leaves leaves_in_order(const wi_walk_item *item)
{
    const uint32_t a = item->a & ~WI_IS_LEAF, b = item->b & ~WI_IS_LEAF;
    return a < b ? (two_leaves){a, b} : (two_leaves){b, a};
}

static bool step_meet_unlisted(wi_descent *down, const wi_tree *h, const wi_tree *same,
                               const wi_walk_item *item)
{
    const two_leaves leaf = leaves_in_order(item);
    WI_ASSERT(h == same), (void)h, (void)same;
    down->reader->stats.leaf_pairs++;
    return step_meet_within(wi_step_walk_of(down), leaf.a, leaf.b, NULL);
}

static bool step_meet_listed(wi_descent *down, const wi_tree *h, const wi_tree *same,
                             const wi_walk_item *item)
{
    const two_leaves leaf = leaves_in_order(item);
    WI_ASSERT(h == same && wi_shared_of(h)), (void)same;
    const wi_leaf_kin kin = wi_shared_vertices_between(wi_shared_of(h), leaf.a, leaf.b);
    down->reader->stats.leaf_pairs++;
    if (kin.tie && wi_is_flat(down->folds, h, leaf.a, leaf.b)) {
        down->reader->stats.leaf_pairs_culled++;
        return true;
    }
    return step_meet_within(wi_step_walk_of(down), leaf.a, leaf.b,
                            kin.tie || kin.has_hubs ? &kin : NULL);
}

/* `kin` has for each triangle of the leaf those that it shares vertices with, or is NULL. */
MOVING_OR_NOT bool meet_own_tris(wi_step_walk *walk, const moving_block *block, const uint32_t *kin,
                                 leaf_rule rule)
{
    for (unsigned tri_a = 0; tri_a + 1 < block->start->tri_count; tri_a++) {
        const uint32_t later = ~(uint32_t)((UINT64_C(2) << tri_a) - 1);
        const wi_mover mover = mover_of_tri(block, tri_a, rule.is_moving);
        uint32_t met = step_leaf_tris_met(walk, block, &mover, rule) & later;
        if (kin) met &= ~kin[tri_a];
        while (met != 0)
            if (!add_movers(walk, block, tri_a, block, wi_take_lowest(&met))) return false;
    }
    return true;
}

static bool step_meet_itself(wi_step_walk *walk, uint32_t leaf, const uint32_t *kin)
{
    const moving_block block = block_of(walk, &walk->step.a, 0, leaf);
    return walk->step.is_moving ? meet_own_tris(walk, &block, kin, (leaf_rule){.is_moving = true})
                                : meet_own_tris(walk, &block, kin, (leaf_rule){.is_moving = false});
}

static bool step_meet_itself_unlisted(wi_descent *down, const wi_tree *h, uint32_t leaf)
{
    WI_ASSERT(leaf < h->shape->leaf_count), (void)h;
    down->reader->stats.leaf_pairs++;
    return step_meet_itself(wi_step_walk_of(down), leaf, NULL);
}

static bool step_meet_itself_listed(wi_descent *down, const wi_tree *h, uint32_t leaf)
{
    WI_ASSERT(leaf < h->shape->leaf_count);
    down->reader->stats.leaf_pairs++;
    if (wi_is_flat(down->folds, h, leaf, leaf)) {
        down->reader->stats.leaf_pairs_culled++;
        return true;
    }
    const uint32_t *kin = wi_shared_of(h)->within + h->shape->leaves[leaf].first_tri;
    return step_meet_itself(wi_step_walk_of(down), leaf, kin);
}

static bool step_test_kin(void *context, uint32_t slot_a, uint32_t slot_b)
{
    return wi_test_features(context, slot_a, slot_b);
}

static bool step_run_fans(wi_descent *down, const wi_tree *h, uint32_t lot)
{
    wi_step_walk *walk = wi_step_walk_of(down);
    const wi_sharing_visitor visitor = {step_test_kin, walk};
    return WI_KERNEL(run_swept_fans)(down, h, wi_step_within(&walk->step), lot, visitor);
}

const wi_leaf_ops WI_KERNEL(step_leaves)[WI_KINSHIPS] = {
    [WI_OF_TWO_BODIES] = {step_meet_two_bodies, NULL, NULL},
    [WI_KIN_LISTED] = {step_meet_listed, step_meet_itself_listed, step_run_fans},
    [WI_KIN_UNLISTED] = {step_meet_unlisted, step_meet_itself_unlisted, NULL},
};
