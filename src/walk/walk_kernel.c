/* walk_kernel.c - tree against tree, tree against itself, tree against box.
 *
 * Way in: wi_walk_kernels. Made for coherent meshes that meet along a curve or lie on each other: a
 * few percent of the nodes are opened, and most time goes into leaves. Both sides are opened at
 * once, eight children against eight, after lanes that miss the other side's box are dropped;
 * a leaf waits while the other side is opened. Pairs of leaves are tested at once, not pushed.
 * Where a body is posed the two sides are in different frames (van den Bergen 1997), but only above
 * the leaves: blocks of leaves are in the world. */
#include "base/kernel.h"
#include "prim/tri_box.h"
#include "prim/tri_tri.h"
#include "walk/leaf_block.h"
#include "walk/turn8.h"
#include "walk/walk.h"

static inline unsigned take_lowest(unsigned *bits)
{
    unsigned lowest = (unsigned)__builtin_ctz(*bits);
    *bits &= *bits - 1;
    return lowest;
}

static inline uint32_t child_of(const wi_view *view, unsigned lane)
{
    return view->child[lane] | ((view->leaf_mask >> lane & 1) != 0 ? WI_IS_LEAF : 0);
}

static inline void copy_corners(const wi_leaf_block *block, unsigned tri, const uint8_t order[3],
                                wi_tri8 *out, unsigned lane)
{
    const uint8_t *corners = block->corners[tri];
    for (int i = 0; i < 3; i++)
        wi_quad_store(out->corner[i][lane], wi_quad_load(block->points[corners[order[i]]]));
}

static inline bool add_candidate(wi_walk *walk, unsigned shared, const wi_leaf_block *a,
                                 unsigned tri_a, const uint8_t order_a[3], const wi_leaf_block *b,
                                 unsigned tri_b, const uint8_t order_b[3], wi_pair_key key)
{
    wi_candidates *c = &walk->candidates[shared];
    const unsigned lane = c->count;
    copy_corners(a, tri_a, order_a, &c->a, lane);
    copy_corners(b, tri_b, order_b, &c->b, lane);
    c->key[lane] = key;
    c->count = lane + 1;
    return lane + 1 < WI_LANES || wi_walk_decide(walk, shared);
}

static inline bool add_strangers(wi_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                                 const wi_leaf_block *b, unsigned tri_b, wi_pair_key key)
{
    const uint8_t in_order[3] = {0, 1, 2};
    return add_candidate(walk, 0, a, tri_a, in_order, b, tri_b, in_order, key);
}

/* Of one body whose kin are not listed: they may share vertices. */
static bool add_relatives(wi_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                          const wi_leaf_block *b, unsigned tri_b, wi_pair_key key)
{
    uint32_t vertices_a[3], vertices_b[3];
    uint8_t order_a[3], order_b[3];
    for (int i = 0; i < 3; i++) {
        vertices_a[i] = a->vertices[a->corners[tri_a][i]];
        vertices_b[i] = b->vertices[b->corners[tri_b][i]];
    }
    unsigned shared = wi_share_order(vertices_a, vertices_b, order_a, order_b);
    if (shared > 0 && walk->rules.skip_neighbours) return true;
    if (shared == 3) {
        walk->stats.triangle_tests++;
        return wi_array_push(walk->memory, &walk->keys, key);
    }
    return add_candidate(walk, shared, a, tri_a, order_a, b, tri_b, order_b, key);
}

/* How the triangles of two blocks are related: of two bodies, of one whose kin are listed and left
 * to its stars, or of one whose kin are not. A constant where it is inlined. */
typedef enum kinship { OF_TWO_BODIES, KIN_LISTED, KIN_UNLISTED } kinship;

#define FOR_EACH_KINSHIP static inline __attribute__((always_inline))

FOR_EACH_KINSHIP bool add_two(wi_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                              const wi_leaf_block *b, unsigned tri_b, kinship kind)
{
    const uint32_t slot_a = a->slots[tri_a], slot_b = b->slots[tri_b];
    if (kind != OF_TWO_BODIES && !wi_walk_tests(walk, slot_a, slot_b)) return true;
    const wi_pair_key key =
        kind == OF_TWO_BODIES ? wi_pair_key_of(slot_a, slot_b) : wi_pair_key_within(slot_a, slot_b);
    return kind == KIN_UNLISTED ? add_relatives(walk, a, tri_a, b, tri_b, key)
                                : add_strangers(walk, a, tri_a, b, tri_b, key);
}

/* Which triangles of the block meet the box, a bit each. */
static inline uint32_t tris_met(wi_walk *walk, const wi_leaf_block *block, const wi_box *box)
{
    uint32_t met = 0;
    const wi_box8 *group = block->boxes;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES, group++)
        met |= (uint32_t)wi_boxes_met(group->lower, group->upper, box) << first;
    walk->stats.volume_tests += block->tri_count;
    return met;
}

/* The same for the box of triangle `tri` of another block. */
static inline uint32_t tris_met_by_tri(wi_walk *walk, const wi_leaf_block *block,
                                       const wi_leaf_block *other, unsigned tri)
{
    const wi_box8 *boxes = &other->boxes[tri / WI_LANES];
    const unsigned lane = tri % WI_LANES;
    wi_wide low[3], high[3];
    uint32_t met = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = wi_wide_all(boxes->lower[axis][lane]);
        high[axis] = wi_wide_all(boxes->upper[axis][lane]);
    }
    const wi_box8 *group = block->boxes;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES, group++)
        met |= (uint32_t)wi_boxes_met_by(group->lower, group->upper, low, high) << first;
    walk->stats.volume_tests += block->tri_count;
    return met;
}

/* Some triangles of one block, and which of another block's each may meet: a row of 2^shift bits
 * each. The end of a loop over bits is not foreseen, so one over several rows is better than one
 * over each. */
typedef struct tri_rows {
    uint64_t met;
    unsigned shift;
    uint8_t tri[4]; /* by row */
} tri_rows;

FOR_EACH_KINSHIP bool add_rows(wi_walk *walk, const wi_leaf_block *a, const wi_leaf_block *b,
                               const tri_rows *rows, kinship kind)
{
    for (uint64_t met = rows->met; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met);
        const unsigned tri_a = rows->tri[bit >> rows->shift];
        const unsigned tri_b = bit & ((1U << rows->shift) - 1);
        if (!add_two(walk, a, tri_a, b, tri_b, kind)) return false;
    }
    return true;
}

/* Two leaves, and the box of each in the frame of the positions; what ties them, if that is
 * listed. */
typedef struct encounter {
    const wi_leaf_block *a, *b;
    const wi_box *box_a, *box_b;
    const wi_kin *kin;
    const wi_tie *tie;
} encounter;

FOR_EACH_KINSHIP bool meet_blocks(wi_walk *walk, const encounter *e, kinship kind)
{
    const wi_leaf_block *a = e->a, *b = e->b;
    uint32_t met_a = tris_met(walk, a, e->box_b), met_b = tris_met(walk, b, e->box_a);
    if (met_b == 0) return true;
    const unsigned shift = b->tri_count <= 16 ? 4 : 5;
    while (met_a != 0) {
        tri_rows rows = {.shift = shift};
        for (unsigned row = 0; row < 64U >> shift && met_a != 0; row++) {
            const unsigned tri = take_lowest(&met_a);
            uint32_t met = tris_met_by_tri(walk, b, a, tri) & met_b;
            if (kind == KIN_LISTED && e->tie) met &= ~wi_kin_row(e->kin, e->tie, tri);
            rows.tri[row] = (uint8_t)tri;
            rows.met |= (uint64_t)met << (row << shift);
        }
        if (!add_rows(walk, a, b, &rows, kind)) return false;
    }
    return true;
}

/* In one frame the boxes of the nodes serve; else the blocks are bounded where they are now. */
static encounter encounter_of(const wi_walk *walk, const wi_walk_item *item, wi_leaf_block *a,
                              wi_leaf_block *b)
{
    const bool related = walk->is_related;
    return (encounter){.a = a,
                       .b = b,
                       .box_a = related ? wi_block_box(a) : &item->box_a,
                       .box_b = related ? wi_block_box(b) : &item->box_b};
}

static bool meet_two_bodies(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                            const wi_walk_item *item)
{
    wi_leaf_block *a = wi_leaf_cache_get(&walk->caches[0], ha, item->a & ~WI_IS_LEAF);
    wi_leaf_block *b = wi_leaf_cache_get(&walk->caches[1], hb, item->b & ~WI_IS_LEAF);
    const encounter e = encounter_of(walk, item, a, b);
    return meet_blocks(walk, &e, OF_TWO_BODIES);
}

extern wi_find_fold WI_KERNEL(find_fold);

static inline bool cannot_fold(wi_walk *walk, const wi_hierarchy *h, uint32_t cluster)
{
    if (h->rims.items[cluster].vertex_count == 0) return false;
    uint8_t *fold = &walk->folds.folds.items[cluster];
    if (*fold == WI_FOLD_UNKNOWN) *fold = (uint8_t)WI_KERNEL(find_fold)(&walk->folds, h, cluster);
    return *fold == WI_CANNOT_FOLD;
}

/* True if two leaves that are tied, or one and the same, provably do not meet: if the surface does
 * not fold around the node of either, which is the cheaper to ask, or around either. */
static inline bool is_flat(wi_walk *walk, const wi_hierarchy *h, uint32_t leaf_a, uint32_t leaf_b)
{
    if (!walk->knows_folds) return false;
    const uint32_t a = h->rims.nodes[leaf_a], b = h->rims.nodes[leaf_b];
    return cannot_fold(walk, h, a) || (b != a && cannot_fold(walk, h, b)) ||
           cannot_fold(walk, h, leaf_a) || (leaf_b != leaf_a && cannot_fold(walk, h, leaf_b));
}

/* Two leaves of one body are in one cache, unless they would be in one place of it. */
static bool meet_blocks_within(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item,
                               const wi_tie *tie)
{
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    const bool is_same_place = leaf_a % WI_CACHED_BLOCKS == leaf_b % WI_CACHED_BLOCKS;
    wi_leaf_block *a = wi_leaf_cache_get(&walk->caches[0], h, leaf_a);
    wi_leaf_block *b = wi_leaf_cache_get(&walk->caches[is_same_place], h, leaf_b);
    encounter e = encounter_of(walk, item, a, b);
    if (h->kin.first_tie == NULL) return meet_blocks(walk, &e, KIN_UNLISTED);
    if (leaf_a > leaf_b) e = (encounter){.a = b, .b = a, .box_a = e.box_b, .box_b = e.box_a};
    e.kin = &h->kin;
    e.tie = tie;
    return meet_blocks(walk, &e, KIN_LISTED);
}

static bool meet_within(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item)
{
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    const wi_tie *tie = NULL;
    if (h->kin.first_tie)
        tie = leaf_a < leaf_b ? wi_kin_tie(&h->kin, leaf_a, leaf_b)
                              : wi_kin_tie(&h->kin, leaf_b, leaf_a);
    if (tie && is_flat(walk, h, leaf_a, leaf_b)) {
        walk->stats.leaf_pairs_culled++;
        return true;
    }
    return meet_blocks_within(walk, h, item, tie);
}

static bool meet_leaves(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                        const wi_walk_item *item)
{
    walk->stats.leaf_pairs++;
    return ha == hb ? meet_within(walk, ha, item) : meet_two_bodies(walk, ha, hb, item);
}

FOR_EACH_KINSHIP bool meet_block_itself(wi_walk *walk, const wi_leaf_block *block,
                                        const uint32_t *kin, kinship kind)
{
    for (unsigned tri_a = 0; tri_a + 1 < block->tri_count; tri_a++) {
        const uint32_t later = ~(uint32_t)((UINT64_C(2) << tri_a) - 1);
        uint32_t met = tris_met_by_tri(walk, block, block, tri_a) & later;
        if (kind == KIN_LISTED) met &= ~kin[tri_a];
        while (met != 0)
            if (!add_two(walk, block, tri_a, block, take_lowest(&met), kind)) return false;
    }
    return true;
}

static bool meet_leaf_itself(wi_walk *walk, const wi_hierarchy *h, uint32_t leaf)
{
    const uint32_t number = leaf & ~WI_IS_LEAF;
    walk->stats.leaf_pairs++;
    if (is_flat(walk, h, number, number)) {
        walk->stats.leaf_pairs_culled++;
        return true;
    }
    const wi_leaf_block *block = wi_leaf_cache_get(&walk->caches[0], h, number);
    if (h->kin.first_tie == NULL) return meet_block_itself(walk, block, NULL, KIN_UNLISTED);
    return meet_block_itself(walk, block, h->kin.within + h->leaves[number].first_tri, KIN_LISTED);
}

static inline bool visit(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                         const wi_walk_item *item)
{
    if ((item->a & item->b & WI_IS_LEAF) != 0) return meet_leaves(walk, ha, hb, item);
    return wi_array_push(walk->memory, &walk->stack, *item);
}

static inline const wi_view *open_node(wi_walk *walk, const wi_hierarchy *h, uint32_t node)
{
    walk->stats.nodes_opened++;
    return wi_open(h, node, &walk->openings);
}

extern wi_run_stars WI_KERNEL(run_stars);

/* In all below `related` is a constant where it is inlined: the loops exist twice, for one frame
 * and for two. */
#define IN_BOTH_LOOPS static inline __attribute__((always_inline))

/* The children of a node; in two frames also as the other side sees them. */
typedef struct sight {
    const wi_view *view;
    wi_box8 turned;
} sight;

IN_BOTH_LOOPS void see(sight *s, const wi_view *view, const wi_turn *turn, bool related)
{
    s->view = view;
    if (related) wi_turn8(turn, view->lower, view->upper, &s->turned);
}

/* A box; in two frames also as the other side sees it. */
typedef struct target {
    wi_box own, turned;
} target;

IN_BOTH_LOOPS target aim_at(const wi_box *box, const wi_turn *turn, bool related)
{
    target t = {.own = *box};
    if (related) t.turned = wi_turn_box(turn, box);
    return t;
}

IN_BOTH_LOOPS target aim_at_child(const sight *s, unsigned lane, bool related)
{
    target t = {.own = wi_view_box(s->view, lane)};
    for (int axis = 0; axis < 3 && related; axis++) {
        t.turned.lower[axis] = s->turned.lower[axis][lane];
        t.turned.upper[axis] = s->turned.upper[axis][lane];
    }
    return t;
}

/* Which children may meet a target of the other side. In two frames they are held against it along
 * the axes of both, which is the cheap part of the separating axis test. */
IN_BOTH_LOOPS unsigned children_met(wi_walk *walk, const sight *s, const target *t, bool related)
{
    const wi_view *view = s->view;
    walk->stats.volume_tests += view->count;
    if (!related) return wi_boxes_met(view->lower, view->upper, &t->own);
    return wi_boxes_met(view->lower, view->upper, &t->turned) &
           wi_boxes_met(s->turned.lower, s->turned.upper, &t->own) & wi_lanes_mask(view->count);
}

/* Of some children of a node those with a group that is tested against one below `other`, a node or
 * leaf of the same body, which has group masks. */
static unsigned children_tested(const wi_hierarchy *h, const wi_view *view, unsigned lanes,
                                uint32_t other)
{
    unsigned tested = 0;
    while (lanes != 0) {
        const unsigned lane = take_lowest(&lanes);
        const bool is_apart = wi_group_sets_apart(&h->sets, child_of(view, lane), other);
        tested |= (unsigned)!is_apart << lane;
    }
    return tested;
}

/* The same for pairs of children of two nodes, a row of eight bits for each of a. */
static uint64_t pairs_tested(const wi_hierarchy *h, const wi_view *a, const wi_view *b,
                             uint64_t pairs)
{
    uint64_t tested = 0;
    for (unsigned lane = 0; lane < a->count; lane++) {
        const unsigned row = (unsigned)(pairs >> 8 * lane & 0xFF);
        tested |= (uint64_t)children_tested(h, b, row, child_of(a, lane)) << 8 * lane;
    }
    return tested;
}

IN_BOTH_LOOPS bool open_a(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                          const wi_walk_item *item, bool related)
{
    sight s;
    see(&s, open_node(walk, ha, item->a), &walk->relation.a_to_b, related);
    target t = aim_at(&item->box_b, &walk->relation.b_to_a, related);
    unsigned met = children_met(walk, &s, &t, related);
    if (walk->masked) met = children_tested(ha, s.view, met, item->b);
    while (met != 0) {
        unsigned lane = take_lowest(&met);
        wi_walk_item child = {child_of(s.view, lane), item->b, wi_view_box(s.view, lane),
                              item->box_b};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

IN_BOTH_LOOPS bool open_b(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                          const wi_walk_item *item, bool related)
{
    sight s;
    see(&s, open_node(walk, hb, item->b), &walk->relation.b_to_a, related);
    target t = aim_at(&item->box_a, &walk->relation.a_to_b, related);
    unsigned met = children_met(walk, &s, &t, related);
    if (walk->masked) met = children_tested(hb, s.view, met, item->a);
    while (met != 0) {
        unsigned lane = take_lowest(&met);
        wi_walk_item child = {item->a, child_of(s.view, lane), item->box_a,
                              wi_view_box(s.view, lane)};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

IN_BOTH_LOOPS bool open_both(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                             const wi_walk_item *item, bool related)
{
    const wi_turn *a_to_b = &walk->relation.a_to_b, *b_to_a = &walk->relation.b_to_a;
    sight a, b;
    see(&a, open_node(walk, ha, item->a), a_to_b, related);
    see(&b, open_node(walk, hb, item->b), b_to_a, related);
    const target whole_a = aim_at(&item->box_a, a_to_b, related);
    const target whole_b = aim_at(&item->box_b, b_to_a, related);
    unsigned met_a = children_met(walk, &a, &whole_b, related);
    const unsigned met_b = children_met(walk, &b, &whole_a, related);
    uint64_t met = 0; /* a row of eight bits for each child of a; see tri_rows */
    while (met_a != 0 && met_b != 0) {
        const unsigned lane_a = take_lowest(&met_a);
        const target t = aim_at_child(&a, lane_a, related);
        met |= (uint64_t)(children_met(walk, &b, &t, related) & met_b) << 8 * lane_a;
    }
    if (walk->masked) met = pairs_tested(ha, a.view, b.view, met);
    for (; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met), lane_a = bit / 8, lane_b = bit % 8;
        const wi_walk_item child = {child_of(a.view, lane_a), child_of(b.view, lane_b),
                                    wi_view_box(a.view, lane_a), wi_view_box(b.view, lane_b)};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

static inline bool visit_itself(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item)
{
    if (walk->masked && wi_group_sets_apart(&h->sets, item->a, item->a)) return true;
    if ((item->a & WI_IS_LEAF) != 0) return meet_leaf_itself(walk, h, item->a);
    return wi_array_push(walk->memory, &walk->stack, *item);
}

/* Children against themselves and against later ones: each pair of leaves comes up once. Both
 * frames are the same, but vertices that a pose rounds may meet where their boxes do not. */
IN_BOTH_LOOPS bool open_itself(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item,
                               bool related)
{
    sight s;
    see(&s, open_node(walk, h, item->a), &walk->relation.a_to_b, related);
    for (unsigned lane = 0; lane < s.view->count; lane++) {
        target t = aim_at_child(&s, lane, related);
        wi_walk_item child = {child_of(s.view, lane), WI_ITSELF, t.own, {{0}, {0}}};
        bool ok = visit_itself(walk, h, &child);
        unsigned met = children_met(walk, &s, &t, related) & ~wi_lanes_mask(lane + 1);
        if (walk->masked) met = children_tested(h, s.view, met, child.a);
        while (ok && met != 0) {
            unsigned other = take_lowest(&met);
            child.b = child_of(s.view, other);
            child.box_b = wi_view_box(s.view, other);
            ok = visit(walk, h, h, &child);
        }
        if (!ok) return false;
    }
    return true;
}

/* Of two inner nodes both are opened at once, or the larger one alone. */
IN_BOTH_LOOPS bool open_pair(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                             const wi_walk_item *item, bool related)
{
    if (item->b == WI_ITSELF) return open_itself(walk, ha, item, related);
    if (item->b == WI_STARS) return WI_KERNEL(run_stars)(walk, ha, item->a);
    if ((item->a & WI_IS_LEAF) != 0) return open_b(walk, ha, hb, item, related);
    if ((item->b & WI_IS_LEAF) != 0) return open_a(walk, ha, hb, item, related);
    if (!walk->rules.descend_larger) return open_both(walk, ha, hb, item, related);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b)
               ? open_a(walk, ha, hb, item, related)
               : open_b(walk, ha, hb, item, related);
}

IN_BOTH_LOOPS bool open_until_pause(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                                    bool related)
{
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        wi_walk_item item = walk->stack.items[--walk->stack.count];
        if (!open_pair(walk, ha, hb, &item, related)) return false;
    }
    return walk->stack.count > 0 || wi_walk_decide_all(walk);
}

static bool step(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                 const wi_walk_item *item)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    return walk->is_related ? open_pair(walk, ha, hb, item, true)
                            : open_pair(walk, ha, hb, item, false);
}

static bool run(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    return walk->is_related ? open_until_pause(walk, ha, hb, true)
                            : open_until_pause(walk, ha, hb, false);
}

static bool meet_leaf_box(wi_walk *walk, const wi_hierarchy *h, uint32_t leaf, const wi_box *box)
{
    const wi_leaf_block *block = wi_leaf_cache_get(&walk->caches[0], h, leaf);
    uint32_t met = tris_met(walk, block, box);
    while (met != 0) {
        unsigned number = take_lowest(&met);
        wi_box own = wi_box_empty();
        wi_tri tri;
        for (int i = 0; i < 3; i++) {
            const float *corner = block->points[block->corners[number][i]];
            memcpy(tri.corner[i], corner, sizeof tri.corner[i]);
            wi_box_add_point(&own, corner);
        }
        walk->stats.triangle_tests++;
        if (!wi_box_contains(box, &own) && !wi_tri_meets_box(&tri, box->lower, box->upper))
            continue;
        if (!wi_array_push(walk->memory, &walk->keys, block->slots[number])) return false;
    }
    return true;
}

IN_BOTH_LOOPS bool open_towards(wi_walk *walk, const wi_hierarchy *h, const target *t, bool related)
{
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        sight s;
        see(&s, open_node(walk, h, walk->stack.items[--walk->stack.count].a),
            &walk->relation.a_to_b, related);
        unsigned met = children_met(walk, &s, t, related);
        while (met != 0) {
            unsigned lane = take_lowest(&met);
            wi_walk_item child = {s.view->child[lane], 0, wi_view_box(s.view, lane), t->own};
            bool is_leaf = (s.view->leaf_mask >> lane & 1) != 0;
            bool ok = is_leaf ? meet_leaf_box(walk, h, child.a, &t->own)
                              : wi_array_push(walk->memory, &walk->stack, child);
            if (!ok) return false;
        }
    }
    return true;
}

static bool run_box(wi_walk *walk, const wi_hierarchy *h, const wi_box *box)
{
    wi_walk_relate_box(walk, h, box);
    target t = aim_at(box, &walk->relation.b_to_a, walk->is_related);
    return walk->is_related ? open_towards(walk, h, &t, true) : open_towards(walk, h, &t, false);
}

extern const wi_walk_kernels WI_KERNEL(walk_kernels);
const wi_walk_kernels WI_KERNEL(walk_kernels) = {step, run, run_box};
