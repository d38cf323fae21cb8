/* front_kernel.c - how leaves of a front have moved, and which of their triangles may meet.
 *
 * Ways in: move and meet of wi_front_kernels. Most pairs of leaves are not looked into: their close
 * triangles, most often none, are tested and that is all. The others are looked into as in any
 * query, but with boxes that are larger by a skin.
 *
 * Why only close triangles can meet. Let `skin` be that of the last time when two leaves were
 * looked into, and two of their triangles not be close. Then one of two things was found:
 *   1. Their boxes were apart along an axis by more than the skin: low_b - skin > high_a as
 *      computed, so by at least skin - u (size + skin), u = 2^-24, size the greatest coordinate.
 *   2. Or they were farther apart than 1.7321 skin (wi_apart8), that is more than sqrt(3) skin, so
 *      along some direction of length 1 by that much.
 * Let each coordinate of each vertex of a leaf have changed, since then, by d_a for the one and by
 * d_b for the other, and |d_a - d_b| at most s for all vertices and axes. Then
 *   3. along an axis the gap of 1 has become smaller by at most s;
 *   4. along a direction of length 1 the gap of 2 has become smaller by at most the length of
 *      d_a - d_b, which is at most sqrt(3) s. Triangles are the hulls of their corners, so gaps
 *      along a direction are those of corners.
 * So two triangles that are not close do not meet while s < skin - 2 u (size + skin). s is the sum
 * over all queries since of what vertices have closed in from one to the next.
 *
 * How s is measured. From query to query a coordinate changes by d = now - before as computed, off
 * by u |d|: lower and upper, the least and the greatest d of a leaf, are widened by 4 u of their
 * size. Two leaves then close in by at most the greatest of upper_a - lower_b and
 * upper_b - lower_a over the axes, off by u of it. `slack` is what is left of the skin: it is
 * made smaller by this and 2^-20 of this, off by u of what is left, so 4 u of that is taken off.
 * Numbers of more than 2^100, which may overflow, count as not known: then leaves are looked into.
 * Where vertices stand still nothing is lost. */
#include <math.h>

#include "base/kernel.h"
#include "prim/gap8.h"
#include "walk/bits.h"
#include "walk/flat.h"
#include "walk/front.h"
#include "walk/leaf_tris.h"

extern wi_gap8 WI_KERNEL(gap8);
extern wi_meet_leaves WI_KERNEL(meet_leaves);
extern wi_meet_leaf_itself WI_KERNEL(meet_leaf_itself);

/* ---- motion ---- */

static void set_motion(wi_front_leaf *leaf, wi_quad lower, wi_quad upper)
{
    const wi_quad off = wi_quad_all(0x1p-22F);
    float size[4];
    wi_quad_store(size, wi_quad_max(wi_quad_abs(lower), wi_quad_abs(upper)));
    const bool is_known =
        !leaf->is_new && size[0] < 0x1p100F && size[1] < 0x1p100F && size[2] < 0x1p100F;
    lower = wi_quad_sub(lower, wi_quad_mul(wi_quad_abs(lower), off));
    upper = wi_quad_add(upper, wi_quad_mul(wi_quad_abs(upper), off));
    wi_quad_store(leaf->lower, is_known ? lower : wi_quad_all(-INFINITY));
    wi_quad_store(leaf->upper, is_known ? upper : wi_quad_all(INFINITY));
    leaf->is_new = false;
}

static void move_leaf(wi_front_leaf *leaf, wi_front_point *points, const wi_hierarchy *h)
{
    const wi_leaf *of = &h->leaves[leaf->leaf];
    alignas(16) float now[WI_MAX_LEAF_VERTICES][4];
    wi_leaf_read_positions(h, of, now);
    wi_quad lower = wi_quad_all(INFINITY), upper = wi_quad_all(-INFINITY);
    for (unsigned i = 0; i < of->vertex_count; i++) {
        const wi_quad at = wi_quad_load(now[i]);
        const wi_quad d = wi_quad_sub(at, wi_quad_load(points[i].axis));
        lower = wi_quad_min(d, lower);
        upper = wi_quad_max(d, upper);
        wi_quad_store(points[i].axis, at);
    }
    set_motion(leaf, lower, upper);
}

static void move(wi_front_side *side, const wi_hierarchy *h, size_t first, size_t last)
{
    for (size_t place = first; place < last; place++)
        if (side->leaves.items[place].leaf != WI_NO_LEAF)
            move_leaf(&side->leaves.items[place], side->points.items + place * side->stride, h);
}

/* By how much vertices of two leaves have closed in, at most. */
static inline float closed_in(const wi_front_leaf *a, const wi_front_leaf *b)
{
    float by[4];
    wi_quad_store(by, wi_quad_max(wi_quad_sub(wi_quad_load(a->upper), wi_quad_load(b->lower)),
                                  wi_quad_sub(wi_quad_load(b->upper), wi_quad_load(a->lower))));
    const float most = by[0] > by[1] ? by[0] : by[1];
    return (most > by[2] ? most : by[2]) * (1.0F + 0x1p-20F);
}

/* A sum that is not too small. */
static inline float sum_of(float sum, float closed)
{
    return closed > 0.0F ? (sum + closed) * (1.0F + 0x1p-22F) : sum;
}

/* ---- pairs of leaves ---- */

/* Two leaves of the front, or one with itself. */
typedef struct encounter {
    const wi_hierarchy *ha, *hb;
    uint32_t leaf_a, leaf_b;
    const wi_tie *tie; /* of two leaves of one tree whose kin are listed, and that share vertices */
    wi_kinship kind;
} encounter;

static wi_kinship kinship_of(const wi_hierarchy *ha, const wi_hierarchy *hb)
{
    if (ha != hb) return WI_OF_TWO_BODIES;
    return ha->kin.first_tie ? WI_KIN_LISTED : WI_KIN_UNLISTED;
}

static encounter encounter_of(const wi_hierarchy *ha, const wi_hierarchy *hb,
                              const wi_front_pair *pair)
{
    return (encounter){ha, hb, pair->a, pair->b, NULL, kinship_of(ha, hb)};
}

static inline wi_leaf_tris tris_at(const wi_front_side *side, const wi_hierarchy *h, uint32_t leaf,
                                   uint32_t place)
{
    const wi_leaf *of = &h->leaves[leaf];
    const wi_front_point *points = side->points.items + (size_t)place * side->stride;
    return (wi_leaf_tris){h->slots + of->first_tri, h->leaf_vertices + of->first_vertex,
                          (const uint8_t(*)[3])(h->corners + of->first_tri),
                          (const float(*)[4])(const void *)points};
}

/* Two leaves, wherever their positions are. */
typedef struct two_leaves {
    wi_leaf_tris a, b;
    wi_kinship kind;
} two_leaves;

static inline bool add_two(wi_walk *walk, const two_leaves *two, const wi_close_tris *close)
{
    const wi_leaf_tris *a = &two->a, *b = &two->b;
    const unsigned tri_a = close->tri_a, tri_b = close->tri_b;
    switch (two->kind) {
    case WI_OF_TWO_BODIES: return wi_add_two(walk, a, tri_a, b, tri_b, WI_OF_TWO_BODIES);
    case WI_KIN_LISTED: return wi_add_two(walk, a, tri_a, b, tri_b, WI_KIN_LISTED);
    case WI_KIN_UNLISTED: break;
    }
    return wi_add_two(walk, a, tri_a, b, tri_b, WI_KIN_UNLISTED);
}

/* Triangles that may meet are tested this often, at most, before they are measured again. */
enum { MOST_PATIENCE = 32 };

/* Up to eight close triangles whose gaps are to be measured. */
typedef struct gap_queue {
    wi_tri8 a, b;
    wi_close_tris *close[WI_LANES];
    unsigned count;
} gap_queue;

/* Measures all that wait, and tests those that may meet. */
static bool measure(wi_walk *walk, const two_leaves *two, float closed, gap_queue *q)
{
    float gap[WI_LANES];
    WI_KERNEL(gap8)(&q->a, &q->b, gap);
    for (unsigned lane = 0; lane < q->count; lane++) {
        wi_close_tris *close = q->close[lane];
        close->until = (closed + gap[lane]) * (1.0F - 0x1p-22F);
        if (close->until > closed) {
            close->patience = 1;
            continue;
        }
        close->hold = close->patience;
        close->patience = (uint8_t)(close->patience < MOST_PATIENCE ? 2 * close->patience
                                                                    : MOST_PATIENCE);
        if (!add_two(walk, two, close)) return false;
    }
    q->count = 0;
    return true;
}

static bool queue_up(wi_walk *walk, const two_leaves *two, float closed, gap_queue *q,
                     wi_close_tris *close)
{
    const uint8_t in_order[3] = {0, 1, 2};
    wi_copy_corners(&two->a, close->tri_a, in_order, &q->a, q->count);
    wi_copy_corners(&two->b, close->tri_b, in_order, &q->b, q->count);
    q->close[q->count++] = close;
    return q->count < WI_LANES || measure(walk, two, closed, q);
}

/* Puts those that may meet first. */
static void sort_out(wi_front_pair *pair, wi_close_tris *close)
{
    float next = pair->end;
    unsigned hot = 0;
    for (unsigned i = 0; i < pair->count; i++) {
        const wi_close_tris one = close[i];
        if (one.until > pair->closed) {
            if (one.until < next) next = one.until;
            continue;
        }
        close[i] = close[hot];
        close[hot++] = one;
    }
    pair->hot = (uint16_t)hot;
    pair->next = next;
}

/* Tests those close triangles of a pair that may meet by now. */
static bool test_close(wi_walk *walk, const two_leaves *two, wi_front_pair *pair,
                       wi_close_tris *close)
{
    gap_queue q;
    const float closed = pair->closed;
    const bool are_all_due = !(closed < pair->next);
    const unsigned count = are_all_due ? pair->count : pair->hot;
    bool is_measured = are_all_due;
    q.count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i >= pair->hot && close[i].until > closed) continue;
        const bool holds = close[i].hold > 0;
        close[i].hold = (uint8_t)(close[i].hold - holds);
        is_measured = is_measured || !holds;
        if (!(holds ? add_two(walk, two, &close[i]) : queue_up(walk, two, closed, &q, &close[i])))
            return false;
    }
    if (q.count > 0 && !measure(walk, two, closed, &q)) return false;
    if (is_measured) sort_out(pair, close);
    return true;
}

/* ---- looking into a pair ---- */

static inline wi_box widened(const wi_box *box, float skin)
{
    wi_box wide;
    for (int axis = 0; axis < 3; axis++) {
        wide.lower[axis] = box->lower[axis] - skin;
        wide.upper[axis] = box->upper[axis] + skin;
    }
    return wide;
}

static inline uint32_t tris_near(wi_walk *walk, const wi_leaf_block *block, const wi_box *box)
{
    uint32_t met = 0;
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES) {
        const wi_box8 *group = &block->boxes[first / WI_LANES];
        met |= (uint32_t)wi_boxes_met(group->lower, group->upper, box) << first;
    }
    walk->stats.volume_tests += block->tri_count;
    return met;
}

/* The gaps between the box of triangle `tri` of a block and those of eight others: along the axis
 * where it is the greatest; 0 or less where boxes meet. */
static inline wi_wide gaps_between(const wi_leaf_block *block, unsigned tri, const wi_box8 *others)
{
    const wi_box8 *boxes = &block->boxes[tri / WI_LANES];
    const unsigned lane = tri % WI_LANES;
    wi_wide gap = wi_wide_all(-INFINITY);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide low = wi_wide_all(boxes->lower[axis][lane]);
        const wi_wide high = wi_wide_all(boxes->upper[axis][lane]);
        gap = wi_wide_max(wi_wide_sub(wi_wide_load(others->lower[axis]), high), gap);
        gap = wi_wide_max(wi_wide_sub(low, wi_wide_load(others->upper[axis])), gap);
    }
    return gap;
}

/* Of the triangles of b those that are not to be tested against this one of a. */
static inline uint32_t left_out(const encounter *e, unsigned tri)
{
    const wi_kin *kin = &e->ha->kin;
    const bool is_listed = e->kind == WI_KIN_LISTED;
    if (e->ha != e->hb || e->leaf_a != e->leaf_b)
        return is_listed && e->tie ? wi_kin_row(kin, e->tie, tri) : 0;
    const uint32_t not_later = (uint32_t)((UINT64_C(2) << tri) - 1);
    return not_later | (is_listed ? kin->within[e->ha->leaves[e->leaf_a].first_tri + tri] : 0);
}

/* Lists those of eight triangles of b that are close to one of a. */
static inline void list_eight(wi_walk *walk, const wi_leaf_block *a, unsigned tri,
                              const wi_leaf_block *b, unsigned first, uint32_t met, float skin)
{
    float gap[WI_LANES];
    const wi_wide gaps = gaps_between(a, tri, &b->boxes[first / WI_LANES]);
    unsigned near = wi_mask_bits(wi_wide_less_equal(gaps, wi_wide_all(skin))) & met;
    if (near == 0) return;
    wi_wide_store(gap, gaps);
    while (near != 0) {
        const unsigned lane = wi_take_lowest(&near);
        walk->close_tris.items[walk->close_tris.count++] = (wi_close_tris){
            (uint8_t)tri, (uint8_t)(first + lane), 0, 1, gap[lane] * (1.0F - 0x1p-20F)};
    }
}

/* Lists triangles whose boxes are no farther apart than the skin, and until when they are apart. */
static bool list_near(wi_walk *walk, const encounter *e, wi_leaf_block *a, wi_leaf_block *b,
                      float skin)
{
    const wi_box wide_a = widened(wi_block_box(a), skin), wide_b = widened(wi_block_box(b), skin);
    uint32_t met_a = tris_near(walk, a, &wide_b);
    const uint32_t met_b = tris_near(walk, b, &wide_a);
    if (!wi_array_reserve(walk->memory, &walk->close_tris,
                          walk->close_tris.count + (size_t)a->tri_count * b->tri_count))
        return false;
    while (met_a != 0 && met_b != 0) {
        const unsigned tri = wi_take_lowest(&met_a);
        const uint32_t met = met_b & ~left_out(e, tri);
        for (unsigned first = 0; first < b->tri_count; first += WI_LANES)
            list_eight(walk, a, tri, b, first, met >> first, skin);
        walk->stats.volume_tests += b->tri_count;
    }
    return true;
}

static bool test_hot(wi_walk *walk, const two_leaves *two, const wi_front_pair *pair,
                     const wi_close_tris *close)
{
    for (unsigned i = 0; i < pair->hot; i++)
        if (!add_two(walk, two, &close[i])) return false;
    return true;
}

/* Two leaves of one body are in one cache, unless they would be in one place of it. */
static void get_blocks(wi_walk *walk, const encounter *e, wi_leaf_block **a, wi_leaf_block **b)
{
    const bool in_first = e->ha == e->hb && (e->leaf_a == e->leaf_b ||
                                             e->leaf_a % WI_CACHED_BLOCKS !=
                                                 e->leaf_b % WI_CACHED_BLOCKS);
    *a = wi_leaf_cache_get(&walk->caches[0], e->ha, e->leaf_a);
    *b = wi_leaf_cache_get(&walk->caches[!in_first], e->hb, e->leaf_b);
}

static float largest_side(const wi_box *box)
{
    float side = 0.0F;
    for (int axis = 0; axis < 3; axis++) {
        const float length = box->upper[axis] - box->lower[axis];
        if (length > side) side = length;
    }
    return side;
}

/* A skin lasts for some queries like the last one, but is not so large that many triangles are
 * close, nor so small that every little motion ends it. Where it would last for less than two
 * queries it is 0. */
static const float QUERIES_TO_LAST = 64.0F, MOST_OF_LEAF = 0.0625F, LEAST_OF_MOST = 0.125F;

static float choose_skin(const wi_box *a, const wi_box *b, float closed)
{
    const float side_a = largest_side(a), side_b = largest_side(b);
    const float most = MOST_OF_LEAF * (side_a < side_b ? side_a : side_b);
    const float least = LEAST_OF_MOST * most, lasting = QUERIES_TO_LAST * closed;
    const float wanted = lasting > least ? lasting : least;
    const float skin = wanted < most ? wanted : most;
    return skin >= 3.0F * closed && skin < 0x1p100F ? skin : 0.0F;
}

/* As any query does. */
static bool meet_without_skin(wi_walk *walk, const encounter *e, wi_leaf_block *a, wi_leaf_block *b)
{
    if (e->ha == e->hb && e->leaf_a == e->leaf_b)
        return WI_KERNEL(meet_leaf_itself)(walk, e->ha, e->leaf_a);
    const wi_walk_item item = {e->leaf_a | WI_IS_LEAF, e->leaf_b | WI_IS_LEAF, *wi_block_box(a),
                               *wi_block_box(b)};
    return WI_KERNEL(meet_leaves)(walk, e->ha, e->hb, &item);
}

static bool look_into(wi_walk *walk, encounter *e, wi_front_pair *pair, float closed,
                      uint32_t worker)
{
    wi_leaf_block *a, *b;
    pair->count = pair->hot = 0;
    pair->first = (uint32_t)walk->close_tris.count;
    pair->closed = pair->end = pair->next = 0.0F;
    pair->finder = worker + 1;
    get_blocks(walk, e, &a, &b);
    const float skin = choose_skin(wi_block_box(a), wi_block_box(b), closed);
    if (!(skin > 0.0F)) return meet_without_skin(walk, e, a, b);
    walk->stats.leaf_pairs++;
    if (e->kind == WI_KIN_LISTED && e->leaf_a != e->leaf_b)
        e->tie = wi_kin_tie(&e->ha->kin, e->leaf_a, e->leaf_b);
    if (!list_near(walk, e, a, b, skin)) return false;
    pair->count = (uint16_t)(walk->close_tris.count - pair->first);
    pair->end = skin * (1.0F - 0x1p-20F);
    wi_close_tris *close = walk->close_tris.items + pair->first;
    sort_out(pair, close);
    const two_leaves two = {wi_block_tris(a), wi_block_tris(b), e->kind};
    return test_hot(walk, &two, pair, close);
}

static bool meet_pair(wi_walk *walk, const wi_front *front, const wi_hierarchy *ha,
                      const wi_hierarchy *hb, wi_front_pair *pair, uint32_t worker)
{
    const wi_front_side *side_a = &front->sides[0], *side_b = &front->sides[!front->is_within];
    const float closed = closed_in(&side_a->leaves.items[pair->place_a],
                                   &side_b->leaves.items[pair->place_b]);
    pair->closed = sum_of(pair->closed, closed);
    if (!(pair->closed < pair->end)) {
        encounter e = encounter_of(ha, hb, pair);
        return look_into(walk, &e, pair, closed, worker);
    }
    walk->stats.leaf_pairs++;
    if (pair->hot == 0 && pair->closed < pair->next) return true;
    const two_leaves two = {tris_at(side_a, ha, pair->a, pair->place_a),
                            tris_at(side_b, hb, pair->b, pair->place_b), kinship_of(ha, hb)};
    return test_close(walk, &two, pair, front->close.items + pair->first);
}

static bool meet(wi_walk *walk, wi_front *front, const wi_hierarchy *a, const wi_hierarchy *b,
                 uint32_t worker, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        if (!meet_pair(walk, front, a, b, &front->pairs.items[i], worker)) return false;
    return wi_walk_decide_all(walk);
}

extern const wi_front_kernels WI_KERNEL(front_kernels);
const wi_front_kernels WI_KERNEL(front_kernels) = {move, meet};
