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
#include "prim/apart8.h"
#include "walk/bits.h"
#include "walk/flat.h"
#include "walk/front.h"
#include "walk/leaf_tris.h"

extern wi_apart8 WI_KERNEL(apart8);
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

/* What is left of a slack; 0 if nothing is. */
static inline float left_of(float slack, float closed)
{
    if (!(closed > 0.0F)) return slack;
    const float left = (slack - closed) * (1.0F - 0x1p-22F);
    return left > 0.0F ? left : 0.0F;
}

/* ---- pairs of leaves ---- */

/* Two leaves of the front, or one with itself. */
typedef struct encounter {
    const wi_hierarchy *ha, *hb;
    uint32_t leaf_a, leaf_b;
    const wi_tie *tie; /* of two leaves of one tree whose kin are listed, and that share vertices */
    wi_kinship kind;
} encounter;

static encounter encounter_of(const wi_hierarchy *ha, const wi_hierarchy *hb,
                              const wi_front_pair *pair)
{
    encounter e = {ha, hb, pair->a, pair->b, NULL, WI_OF_TWO_BODIES};
    if (ha != hb) return e;
    e.kind = ha->kin.first_tie ? WI_KIN_LISTED : WI_KIN_UNLISTED;
    return e;
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

/* `kind` is a constant where it is inlined. */
WI_FOR_EACH_KINSHIP bool add_close(wi_walk *walk, const wi_leaf_tris *a, const wi_leaf_tris *b,
                                   const uint16_t *close, uint32_t count, wi_kinship kind)
{
    for (uint32_t i = 0; i < count; i++)
        if (!wi_add_two(walk, a, close[i] & 0xFF, b, close[i] >> 8, kind)) return false;
    return true;
}

static bool test_close(wi_walk *walk, const wi_front *front, const encounter *e,
                       const wi_front_pair *pair, const uint16_t *lists)
{
    if (pair->count == 0) return true;
    const uint16_t *close = lists + pair->first;
    const wi_leaf_tris a = tris_at(&front->sides[0], e->ha, pair->a, pair->place_a);
    const wi_leaf_tris b =
        tris_at(&front->sides[!front->is_within], e->hb, pair->b, pair->place_b);
    switch (e->kind) {
    case WI_OF_TWO_BODIES: return add_close(walk, &a, &b, close, pair->count, WI_OF_TWO_BODIES);
    case WI_KIN_LISTED: return add_close(walk, &a, &b, close, pair->count, WI_KIN_LISTED);
    case WI_KIN_UNLISTED: break;
    }
    return add_close(walk, &a, &b, close, pair->count, WI_KIN_UNLISTED);
}

/* ---- looking into a pair ---- */

/* Every triangle with every other. */
enum { MOST_CLOSE = WI_MAX_LEAF_TRIS * WI_MAX_LEAF_TRIS };

typedef struct close_list {
    uint16_t items[MOST_CLOSE];
    unsigned count;
} close_list;

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

static inline wi_box tri_box(const wi_leaf_block *block, unsigned tri, float skin)
{
    const wi_box8 *boxes = &block->boxes[tri / WI_LANES];
    const unsigned lane = tri % WI_LANES;
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = boxes->lower[axis][lane] - skin;
        box.upper[axis] = boxes->upper[axis][lane] + skin;
    }
    return box;
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

/* Triangles whose boxes are no farther apart than the skin. */
static void list_near(wi_walk *walk, const encounter *e, wi_leaf_block *a, wi_leaf_block *b,
                      float skin, close_list *out)
{
    const wi_box wide_a = widened(wi_block_box(a), skin), wide_b = widened(wi_block_box(b), skin);
    uint32_t met_a = tris_near(walk, a, &wide_b);
    const uint32_t met_b = tris_near(walk, b, &wide_a);
    out->count = 0;
    while (met_a != 0 && met_b != 0) {
        const unsigned tri = wi_take_lowest(&met_a);
        const wi_box box = tri_box(a, tri, skin);
        uint32_t met = tris_near(walk, b, &box) & met_b & ~left_out(e, tri);
        while (met != 0) out->items[out->count++] = wi_close_of(tri, wi_take_lowest(&met));
    }
}

/* Takes out those that are farther apart than the skin along another direction. */
static void drop_apart(const wi_leaf_block *block_a, const wi_leaf_block *block_b, float skin,
                       close_list *list)
{
    const uint8_t in_order[3] = {0, 1, 2};
    const wi_leaf_tris a = wi_block_tris(block_a), b = wi_block_tris(block_b);
    unsigned kept = 0;
    for (unsigned first = 0; first < list->count; first += WI_LANES) {
        wi_tri8 eight_a, eight_b;
        const unsigned rest = list->count - first, count = rest < WI_LANES ? rest : WI_LANES;
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            const uint16_t two = list->items[first + (lane < count ? lane : 0)];
            wi_copy_corners(&a, two & 0xFF, in_order, &eight_a, lane);
            wi_copy_corners(&b, two >> 8, in_order, &eight_b, lane);
        }
        const unsigned lanes = wi_lanes_mask(count);
        unsigned close =
            lanes & ~WI_KERNEL(apart8)(&eight_a, &eight_b, 1.7321F * skin, false, lanes);
        while (close != 0) list->items[kept++] = list->items[first + wi_take_lowest(&close)];
    }
    list->count = kept;
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
static const float QUERIES_TO_LAST = 8.0F, MOST_OF_LEAF = 0.0625F, LEAST_OF_MOST = 0.125F;

static float choose_skin(const wi_box *a, const wi_box *b, float closed)
{
    const float side_a = largest_side(a), side_b = largest_side(b);
    const float most = MOST_OF_LEAF * (side_a < side_b ? side_a : side_b);
    const float least = LEAST_OF_MOST * most, lasting = QUERIES_TO_LAST * closed;
    const float wanted = lasting > least ? lasting : least;
    const float skin = wanted < most ? wanted : most;
    return skin >= 2.0F * closed && skin < 0x1p100F ? skin : 0.0F;
}

/* What of a skin is certain, by steps 1 to 4. */
static float slack_of(float skin, const wi_box *a, const wi_box *b)
{
    const double size_a = wi_box_size(a), size_b = wi_box_size(b);
    const double size = size_a > size_b ? size_a : size_b;
    const double slack = (double)skin * (1.0 - 0x1p-20) - size * 0x1p-22;
    return slack > 0.0 ? (float)(slack * (1.0 - 0x1p-20)) : 0.0F;
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

static bool look_into(wi_walk *walk, const wi_front *front, encounter *e, wi_front_pair *pair,
                      float closed, uint32_t worker)
{
    wi_leaf_block *a, *b;
    close_list close;
    pair->count = 0;
    pair->first = 0;
    pair->slack = 0.0F;
    pair->finder = worker + 1;
    get_blocks(walk, e, &a, &b);
    const float skin = choose_skin(wi_block_box(a), wi_block_box(b), closed);
    const float slack = slack_of(skin, wi_block_box(a), wi_block_box(b));
    if (!(slack > closed)) return meet_without_skin(walk, e, a, b);
    walk->stats.leaf_pairs++;
    if (e->kind == WI_KIN_LISTED && e->leaf_a != e->leaf_b)
        e->tie = wi_kin_tie(&e->ha->kin, e->leaf_a, e->leaf_b);
    list_near(walk, e, a, b, skin, &close);
    drop_apart(a, b, skin, &close);
    if (!wi_array_reserve(walk->memory, &walk->close_tris, walk->close_tris.count + close.count))
        return false;
    pair->first = (uint32_t)walk->close_tris.count;
    pair->count = close.count;
    pair->slack = slack;
    for (unsigned i = 0; i < close.count; i++)
        walk->close_tris.items[walk->close_tris.count++] = close.items[i];
    return test_close(walk, front, e, pair, walk->close_tris.items);
}

static bool meet_pair(wi_walk *walk, const wi_front *front, const wi_hierarchy *ha,
                      const wi_hierarchy *hb, wi_front_pair *pair, uint32_t worker)
{
    const wi_front_leaf *a = &front->sides[0].leaves.items[pair->place_a];
    const wi_front_leaf *b = &front->sides[!front->is_within].leaves.items[pair->place_b];
    const float closed = closed_in(a, b);
    encounter e = encounter_of(ha, hb, pair);
    pair->slack = left_of(pair->slack, closed);
    if (!(pair->slack > 0.0F)) return look_into(walk, front, &e, pair, closed, worker);
    walk->stats.leaf_pairs++;
    return test_close(walk, front, &e, pair, front->close.items);
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
