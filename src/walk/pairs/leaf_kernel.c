/* leaf_kernel.c - leaves against leaves and against themselves: which triangles are tested?
 *
 * Ways in: the wi_leaf_ops for each kinship, and wi_meet_pairs. Most time of a query goes here.
 * One triangle's box is held against eight of the other leaf at once; what meets waits for the wide
 * filter until there are eight of a kind. Within one body most boxes that meet are of triangles
 * that share a vertex: where these are listed they are masked out here and left to the stars, and
 * leaves that provably do not fold are not looked at. */
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
#include "walk/pairs/pair_walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/leaf_block.h"
#include "walk/reader/leaf_slabs.h"
#include "walk/self/cannot_fold.h"

extern wi_meet_pairs WI_KERNEL(meet_pairs);
extern wi_run_fans WI_KERNEL(run_fans);
extern const wi_leaf_ops WI_KERNEL(pair_leaves)[WI_KINSHIPS];

static inline void leaf_copy_corners(const wi_leaf_block *block, unsigned tri,
                                     const uint8_t order[3], wi_tri8 *out, unsigned lane)
{
    const uint8_t *corners = block->corners[tri];
    for (int i = 0; i < 3; i++)
        wi_quad_store(out->corner[i][lane], wi_quad_load(block->points[corners[order[i]]]));
}

static inline bool leaf_add_candidate(wi_pair_walk *walk, unsigned shared, const wi_leaf_block *a,
                                      unsigned tri_a, const uint8_t order_a[3],
                                      const wi_leaf_block *b, unsigned tri_b,
                                      const uint8_t order_b[3], wi_pair_key key)
{
    wi_candidates *c = &walk->candidates[shared];
    const unsigned lane = c->count;
    WI_ASSERT(shared < 3 && lane < WI_LANES && tri_a < a->tri_count && tri_b < b->tri_count);
    leaf_copy_corners(a, tri_a, order_a, &c->a, lane);
    leaf_copy_corners(b, tri_b, order_b, &c->b, lane);
    c->key[lane] = key;
    c->count = lane + 1;
    return lane + 1 < WI_LANES || wi_pair_walk_decide(walk, shared);
}

static inline bool add_strangers(wi_pair_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                                 const wi_leaf_block *b, unsigned tri_b, wi_pair_key key)
{
    const uint8_t in_order[3] = {0, 1, 2};
    return leaf_add_candidate(walk, 0, a, tri_a, in_order, b, tri_b, in_order, key);
}

/* Of one body whose kin are not listed: they may share vertices. */
static bool add_relatives(wi_pair_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                          const wi_leaf_block *b, unsigned tri_b, wi_pair_key key)
{
    uint32_t vertices_a[3], vertices_b[3];
    uint8_t order_a[3], order_b[3];
    for (int i = 0; i < 3; i++) {
        vertices_a[i] = a->vertices[a->corners[tri_a][i]];
        vertices_b[i] = b->vertices[b->corners[tri_b][i]];
    }
    unsigned shared = wi_share_order(vertices_a, vertices_b, order_a, order_b);
    if (shared > 0 && walk->down.rules.skip_neighbours) return true;
    if (shared == 3) {
        walk->down.reader->stats.triangle_tests++;
        return wi_array_push(walk->down.reader->memory, &walk->keys, key);
    }
    return leaf_add_candidate(walk, shared, a, tri_a, order_a, b, tri_b, order_b, key);
}

/* In loops that exist once for each kinship, which is a constant there. */
#define FOR_EACH_KINSHIP static inline __attribute__((always_inline))

FOR_EACH_KINSHIP bool add_two(wi_pair_walk *walk, const wi_leaf_block *a, unsigned tri_a,
                              const wi_leaf_block *b, unsigned tri_b, wi_kinship kind)
{
    const uint32_t slot_a = a->slots[tri_a], slot_b = b->slots[tri_b];
    if (kind != WI_OF_TWO_BODIES && !wi_descent_tests(&walk->down, slot_a, slot_b)) return true;
    const wi_pair_key key = kind == WI_OF_TWO_BODIES ? wi_pair_key_of(slot_a, slot_b)
                                                     : wi_pair_key_within(slot_a, slot_b);
    return kind == WI_KIN_UNLISTED ? add_relatives(walk, a, tri_a, b, tri_b, key)
                                   : add_strangers(walk, a, tri_a, b, tri_b, key);
}

/* Which triangles of the block meet the box, a bit each. */
static inline uint32_t leaf_tris_met(wi_pair_walk *walk, const wi_leaf_block *block,
                                     const wi_box *box)
{
    uint32_t met = 0;
    const wi_box8 *group = block->boxes;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES, group++)
        met |= (uint32_t)wi_boxes_met(group->lower, group->upper, box) << first;
    walk->down.reader->stats.volume_tests += block->tri_count;
    return met;
}

/* The same for the box of triangle `tri` of another block; the caller counts. */
static inline uint32_t tris_met_by_tri(const wi_leaf_block *block, const wi_leaf_block *other,
                                       unsigned tri)
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

FOR_EACH_KINSHIP bool add_rows(wi_pair_walk *walk, const wi_leaf_block *a, const wi_leaf_block *b,
                               const tri_rows *rows, wi_kinship kind)
{
    for (uint64_t met = rows->met; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met);
        const unsigned tri_a = rows->tri[bit >> rows->shift];
        const unsigned tri_b = bit & ((1U << rows->shift) - 1);
        if (!add_two(walk, a, tri_a, b, tri_b, kind)) return false;
    }
    return true;
}

/* Where so many boxes of triangles meet, leaves are looked at as wholes before the triangles are.
 */
enum { MANY_MET = 24 };

/* Out of line, so that the loop over triangles keeps its registers. */
static __attribute__((noinline)) bool are_apart(wi_leaf_block *a, wi_leaf_block *b)
{
    return wi_blocks_apart(a, b);
}

/* Two leaves, and the box of each in the frame of the positions; what they share, if that is
 * listed. */
typedef struct encounter {
    wi_leaf_block *a, *b;
    const wi_box *box_a, *box_b;
    const wi_leaf_kin *kin;
} encounter;

/* The kin of a triangle of the earlier leaf. Hubs are rare, and have a loop of their own. */
FOR_EACH_KINSHIP uint32_t kin_of(const wi_leaf_kin *kin, unsigned tri, bool has_hubs)
{
    if (has_hubs) return wi_leaf_kin_row(kin, tri);
    return kin->tie ? wi_shared_vertices_row(kin->kin, kin->tie, tri) : 0;
}

FOR_EACH_KINSHIP bool meet_blocks(wi_pair_walk *walk, const encounter *e, wi_kinship kind,
                                  bool has_hubs)
{
    wi_leaf_block *a = e->a, *b = e->b;
    uint32_t met_a = leaf_tris_met(walk, a, e->box_b), met_b = leaf_tris_met(walk, b, e->box_a);
    if (met_b == 0) return true;
    const unsigned shift = b->tri_count <= 16 ? 4 : 5;
    while (met_a != 0) {
        tri_rows rows = {.shift = shift};
        unsigned row = 0;
        for (; row < 64U >> shift && met_a != 0; row++) {
            const unsigned tri = wi_take_lowest(&met_a);
            uint32_t met = tris_met_by_tri(b, a, tri) & met_b;
            if (kind == WI_KIN_LISTED) met &= ~kin_of(e->kin, tri, has_hubs);
            rows.tri[row] = (uint8_t)tri;
            rows.met |= (uint64_t)met << (row << shift);
        }
        walk->down.reader->stats.volume_tests += (uint64_t)row * b->tri_count;
        if (__builtin_popcountll(rows.met) >= MANY_MET && are_apart(a, b)) return true;
        if (!add_rows(walk, a, b, &rows, kind)) return false;
    }
    return true;
}

/* In one frame the boxes of the nodes serve, if they are known; else the blocks are bounded where
 * they are now. */
static encounter encounter_of(const wi_pair_walk *walk, const wi_walk_item *item, wi_leaf_block *a,
                              wi_leaf_block *b)
{
    const bool has_boxes = walk->leaf_boxes == WI_BOXES_OF_NODES;
    return (encounter){.a = a,
                       .b = b,
                       .box_a = has_boxes ? &item->box_a : wi_block_box(a),
                       .box_b = has_boxes ? &item->box_b : wi_block_box(b)};
}

static bool pairs_meet_two_bodies(wi_descent *down, const wi_tree *ha, const wi_tree *hb,
                                  const wi_walk_item *item)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    wi_reader *reader = down->reader;
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    WI_ASSERT(ha != hb && leaf_a < ha->shape->leaf_count && leaf_b < hb->shape->leaf_count);
    reader->stats.leaf_pairs++;
    wi_leaf_block *a = wi_leaf_cache_get(&reader->caches[0], ha, leaf_a, &reader->openings);
    wi_leaf_block *b = wi_leaf_cache_get(&reader->caches[1], hb, leaf_b, &reader->openings);
    const encounter e = encounter_of(walk, item, a, b);
    return meet_blocks(walk, &e, WI_OF_TWO_BODIES, false);
}

/* Two leaves of one body are in one cache, unless they would be in one place of it. */
static encounter encounter_within(wi_pair_walk *walk, const wi_tree *h, const wi_walk_item *item)
{
    wi_reader *reader = walk->down.reader;
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    WI_ASSERT(leaf_a != leaf_b && leaf_a < h->shape->leaf_count && leaf_b < h->shape->leaf_count);
    const bool is_same_place = leaf_a % WI_CACHED_BLOCKS == leaf_b % WI_CACHED_BLOCKS;
    wi_leaf_block *a = wi_leaf_cache_get(&reader->caches[0], h, leaf_a, &reader->openings);
    wi_leaf_block *b =
        wi_leaf_cache_get(&reader->caches[is_same_place], h, leaf_b, &reader->openings);
    return encounter_of(walk, item, a, b);
}

static bool pairs_meet_unlisted(wi_descent *down, const wi_tree *h, const wi_tree *same,
                                const wi_walk_item *item)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    WI_ASSERT(h == same), (void)same;
    down->reader->stats.leaf_pairs++;
    const encounter e = encounter_within(walk, h, item);
    return meet_blocks(walk, &e, WI_KIN_UNLISTED, false);
}

static __attribute__((noinline)) bool meet_with_hubs(wi_pair_walk *walk, const encounter *e)
{
    return meet_blocks(walk, e, WI_KIN_LISTED, true);
}

static bool pairs_meet_listed(wi_descent *down, const wi_tree *h, const wi_tree *same,
                              const wi_walk_item *item)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    WI_ASSERT(h == same && wi_shared_of(h)), (void)same;
    const wi_leaf_kin kin = wi_shared_vertices_between(
        wi_shared_of(h), leaf_a < leaf_b ? leaf_a : leaf_b, leaf_a < leaf_b ? leaf_b : leaf_a);
    down->reader->stats.leaf_pairs++;
    if (kin.tie && wi_is_flat(down->folds, h, leaf_a, leaf_b)) {
        down->reader->stats.leaf_pairs_culled++;
        return true;
    }
    encounter e = encounter_within(walk, h, item);
    if (leaf_a > leaf_b) e = (encounter){.a = e.b, .b = e.a, .box_a = e.box_b, .box_b = e.box_a};
    e.kin = &kin;
    return kin.has_hubs ? meet_with_hubs(walk, &e) : meet_blocks(walk, &e, WI_KIN_LISTED, false);
}

FOR_EACH_KINSHIP bool meet_block_itself(wi_pair_walk *walk, const wi_leaf_block *block,
                                        const uint32_t *kin, wi_kinship kind)
{
    const unsigned count = block->tri_count;
    WI_ASSERT(count <= WI_MAX_LEAF_TRIS);
    walk->down.reader->stats.volume_tests += count > 0 ? (uint64_t)(count - 1) * count : 0;
    for (unsigned tri_a = 0; tri_a + 1 < count; tri_a++) {
        const uint32_t later = ~(uint32_t)((UINT64_C(2) << tri_a) - 1);
        uint32_t met = tris_met_by_tri(block, block, tri_a) & later;
        if (kind == WI_KIN_LISTED) met &= ~kin[tri_a];
        while (met != 0)
            if (!add_two(walk, block, tri_a, block, wi_take_lowest(&met), kind)) return false;
    }
    return true;
}

FOR_EACH_KINSHIP bool pairs_meet_itself(wi_descent *down, const wi_tree *h, uint32_t leaf,
                                        wi_kinship kind)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    wi_reader *reader = down->reader;
    WI_ASSERT(leaf < h->shape->leaf_count);
    reader->stats.leaf_pairs++;
    if (wi_is_flat(down->folds, h, leaf, leaf)) {
        reader->stats.leaf_pairs_culled++;
        return true;
    }
    const wi_leaf_block *block = wi_leaf_cache_get(&reader->caches[0], h, leaf, &reader->openings);
    const uint32_t *kin =
        kind == WI_KIN_LISTED ? wi_shared_of(h)->within + h->shape->leaves[leaf].first_tri : NULL;
    return meet_block_itself(walk, block, kin, kind);
}

static bool pairs_meet_itself_unlisted(wi_descent *down, const wi_tree *h, uint32_t leaf)
{
    return pairs_meet_itself(down, h, leaf, WI_KIN_UNLISTED);
}

static bool pairs_meet_itself_listed(wi_descent *down, const wi_tree *h, uint32_t leaf)
{
    return pairs_meet_itself(down, h, leaf, WI_KIN_LISTED);
}

const wi_leaf_ops WI_KERNEL(pair_leaves)[WI_KINSHIPS] = {
    [WI_OF_TWO_BODIES] = {pairs_meet_two_bodies, NULL, NULL},
    [WI_KIN_LISTED] = {pairs_meet_listed, pairs_meet_itself_listed, WI_KERNEL(run_fans)},
    [WI_KIN_UNLISTED] = {pairs_meet_unlisted, pairs_meet_itself_unlisted, WI_KERNEL(run_fans)},
};

/* ---- pairs that are known ---- */

/* A leaf of a single triangle: its corners in their order, and its box. */
typedef struct single {
    uint32_t slot;
    wi_quad corner[3], lower, upper;
} single;

static inline single read_single(const wi_tree *h, uint32_t number, wi_openings *count)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    WI_ASSERT(number < h->shape->leaf_count && leaf->tri_count == 1);
    const uint8_t *corners = wi_leaf_corners(h, leaf)[0];
    float points[WI_MAX_LEAF_VERTICES][4];
    single s = {.slot = h->shape->slots[leaf->first_tri]};
    wi_leaf_read_positions(h, leaf, points, &count->blended);
    for (int i = 0; i < 3; i++) s.corner[i] = wi_quad_load(points[corners[i]]);
    s.lower = wi_quad_min(wi_quad_min(s.corner[0], s.corner[1]), s.corner[2]);
    s.upper = wi_quad_max(wi_quad_max(s.corner[0], s.corner[1]), s.corner[2]);
    return s;
}

static inline bool singles_meet(const single *a, const single *b)
{
    return wi_quad_same3(wi_quad_min(a->lower, b->upper), a->lower) == 7 &&
           wi_quad_same3(wi_quad_min(b->lower, a->upper), b->lower) == 7;
}

static inline bool add_singles(wi_pair_walk *walk, const single *a, const single *b)
{
    wi_candidates *c = &walk->candidates[0];
    const unsigned lane = c->count;
    for (int i = 0; i < 3; i++) {
        wi_quad_store(c->a.corner[i][lane], a->corner[i]);
        wi_quad_store(c->b.corner[i][lane], b->corner[i]);
    }
    c->key[lane] = wi_pair_key_of(a->slot, b->slot);
    c->count = lane + 1;
    return lane + 1 < WI_LANES || wi_pair_walk_decide(walk, 0);
}

/* Those read last, by leaf. */
enum { CACHED_SINGLES = 256 };

typedef struct singles {
    uint32_t leaf[CACHED_SINGLES]; /* UINT32_MAX: none */
    single at[CACHED_SINGLES];
} singles;

static inline const single *get_single(singles *cache, const wi_tree *h, uint32_t leaf,
                                       wi_openings *count)
{
    const uint32_t at = leaf % CACHED_SINGLES;
    if (cache->leaf[at] != leaf) {
        cache->at[at] = read_single(h, leaf, count);
        cache->leaf[at] = leaf;
    }
    return &cache->at[at];
}

/* Of two bodies whose leaves are single triangles, which are not worth a block each. */
static bool meet_singles(wi_pair_walk *walk, const wi_tree *ha, const wi_tree *hb,
                         const wi_leaf_pair *pairs, size_t count)
{
    singles of_a, of_b;
    memset(of_a.leaf, 0xff, sizeof of_a.leaf);
    memset(of_b.leaf, 0xff, sizeof of_b.leaf);
    walk->down.reader->stats.leaf_pairs += count;
    walk->down.reader->stats.volume_tests += count;
    for (size_t i = 0; i < count; i++) {
        const single *a = get_single(&of_a, ha, pairs[i].a, &walk->down.reader->openings);
        const single *b = get_single(&of_b, hb, pairs[i].b, &walk->down.reader->openings);
        if (singles_meet(a, b) && !add_singles(walk, a, b)) return false;
    }
    return true;
}

static bool meet_all(wi_pair_walk *walk, const wi_tree *ha, const wi_tree *hb,
                     const wi_leaf_pair *pairs, size_t count)
{
    wi_descent *down = &walk->down;
    for (size_t i = 0; i < count; i++) {
        const wi_walk_item item = {
            .kind = WI_NODES, .a = pairs[i].a | WI_IS_LEAF, .b = pairs[i].b | WI_IS_LEAF};
        const bool ok = ha == hb && item.a == item.b ? down->leaf.itself(down, ha, pairs[i].a)
                                                     : down->leaf.two(down, ha, hb, &item);
        if (!ok) return false;
    }
    return true;
}

bool WI_KERNEL(meet_pairs)(wi_pair_walk *walk, const wi_tree *ha, const wi_tree *hb,
                           const wi_leaf_pair *pairs, size_t count)
{
    const bool are_single = ha != hb && ha->def.leaf_triangles == 1 && hb->def.leaf_triangles == 1;
    if (!wi_pair_walk_begin(walk, ha, hb)) return false;
    walk->leaf_boxes = WI_BOXES_OF_BLOCKS; /* the boxes of nodes are not known */
    return (are_single ? meet_singles(walk, ha, hb, pairs, count)
                       : meet_all(walk, ha, hb, pairs, count)) &&
           wi_pair_walk_decide_all(walk);
}
