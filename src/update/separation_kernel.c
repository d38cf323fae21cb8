/* separation_kernel.c - looks at all children of two nodes at once: which meet, and until when.
 *
 * Way in: wi_sep_look. Boxes go straight, so two of them meet from one time to another: between the
 * last gap that closes and the first that opens (geom/gaps8.h). */
#include "base/kernel.h"
#include "geom/gaps8.h"
#include "update/chords.h"
#include "update/end_lanes.h"
#include "update/separation.h"

extern wi_sep_look WI_KERNEL(sep_look);
extern wi_chords_lanes WI_KERNEL(chords_lanes);

/* ---- the boxes of children ---- */

static void stand(const wi_view *view, wi_end_lanes *out)
{
    for (int axis = 0; axis < 3; axis++)
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            out->from[axis][lane] = out->to[axis][lane] = view->lower[axis][lane];
            out->from[3 + axis][lane] = out->to[3 + axis][lane] = view->upper[axis][lane];
        }
}

/* The part of a chord from one share of it to another. */
static void cut(const wi_end_lanes *lanes, const double shares[2], wi_end_lanes *out)
{
    const wi_quad64 first = wi_quad64_all(shares[0]), last = wi_quad64_all(shares[1]);
    for (unsigned end = 0; end < WI_ENDS; end++)
        for (unsigned half = 0; half < WI_LANES; half += 4) {
            const float *from = lanes->from[end] + half, *to = lanes->to[end] + half;
            const wi_quad64 a = wi_between_keys(from, to, first);
            const wi_quad64 b = wi_between_keys(from, to, last);
            wi_quad_store(out->from[end] + half, end < 3 ? wi_quad_below(a) : wi_quad_above(a));
            wi_quad_store(out->to[end] + half, end < 3 ? wi_quad_below(b) : wi_quad_above(b));
        }
}

/* Those of a tree with chords may be stored there: nobody else looks at it in an update. */
static const wi_end_lanes *lanes_of(const wi_separation *list, int side, const wi_hierarchy *h,
                                    uint32_t node, wi_end_lanes room[2])
{
    if (h->kinetic.chords.from == NULL) {
        wi_openings count = {0};
        stand(wi_open(h, node, &count), &room[0]);
        return &room[0];
    }
    const wi_end_lanes *lanes = WI_KERNEL(chords_lanes)(h, node, &room[0]);
    const double *shares = list->shares[side];
    if (shares[0] == 0.0 && shares[1] == 1.0) return lanes;
    cut(lanes, shares, &room[1]);
    return &room[1];
}

static unsigned lanes_in(const wi_hierarchy *h, uint32_t node, uint8_t lane)
{
    return lane == WI_ALL_LANES ? (1U << h->views[node].count) - 1U : 1U << lane;
}

/* ---- when they meet ---- */

static inline wi_gaps8 gaps_to(const wi_end_lanes *a, unsigned lane, const wi_end_lanes *b,
                               float more)
{
    wi_gaps8 gaps;
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide low0 = wi_wide_all(a->from[axis][lane] - more);
        const wi_wide low1 = wi_wide_all(a->to[axis][lane] - more);
        const wi_wide high0 = wi_wide_all(a->from[3 + axis][lane] + more);
        const wi_wide high1 = wi_wide_all(a->to[3 + axis][lane] + more);
        gaps.start[axis] = wi_wide_sub(wi_wide_load(b->from[axis]), high0);
        gaps.end[axis] = wi_wide_sub(wi_wide_load(b->to[axis]), high1);
        gaps.start[3 + axis] = wi_wide_sub(low0, wi_wide_load(b->from[3 + axis]));
        gaps.end[3 + axis] = wi_wide_sub(low1, wi_wide_load(b->to[3 + axis]));
    }
    return gaps;
}

/* The least float that is greater; 1 is beyond all times of interest. */
static inline wi_wide beyond(wi_wide time)
{
    return wi_wide_add(wi_wide_mul(time, wi_wide_all(1.0F + 0x1p-22F)), wi_wide_all(0x1p-125F));
}

/* One child of a against those of b in `lanes`. Odd ones are taken to meet all the time. */
static inline unsigned look_at_row(const wi_gaps8 *gaps, float at, unsigned lanes, float *next)
{
    const wi_wide never = wi_wide_all(2.0F), now = wi_wide_all(at);
    lanes &= ~wi_gaps_apart(gaps);
    if (lanes == 0) return 0;
    const wi_meeting8 m = wi_gaps_meeting(gaps, 2.0F);
    const wi_mask has_begun = wi_wide_less_equal(m.early, now);
    const wi_mask has_ended = wi_wide_less(m.late, now);
    const wi_mask is_empty = wi_wide_less(m.late, m.early);
    const unsigned ever = lanes & (~wi_mask_bits(is_empty) | m.odd);
    const unsigned meets = ever & ((wi_mask_bits(has_begun) & ~wi_mask_bits(has_ended)) | m.odd);
    const unsigned waits = ever & ~meets & ~wi_mask_bits(has_begun);
    const wi_wide change =
        wi_wide_select(wi_wide_less_equal(m.early, now), beyond(m.late), m.early);
    float times[WI_LANES];
    wi_wide_store(times, wi_wide_min(change, never));
    for (unsigned left = (meets & ~m.odd) | waits; left != 0; left &= left - 1) {
        const float time = times[__builtin_ctz(left)];
        *next = time < *next ? time : *next;
    }
    return meets;
}

wi_sep_sight WI_KERNEL(sep_look)(const wi_separation *list, const wi_hierarchy *a,
                                 const wi_hierarchy *b, const wi_sep_pair *pair)
{
    wi_end_lanes rooms[2][2];
    const wi_end_lanes *of_a = lanes_of(list, 0, a, pair->node[0], rooms[0]);
    const wi_end_lanes *of_b =
        pair->is_itself ? of_a : lanes_of(list, 1, b, pair->node[1], rooms[1]);
    const unsigned all_b = lanes_in(b, pair->node[1], pair->lane[1]);
    wi_sep_sight sight = {0, 2.0F};
    for (unsigned left = lanes_in(a, pair->node[0], pair->lane[0]); left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned others = pair->is_itself ? all_b & ~((2U << lane) - 1U) : all_b;
        const wi_gaps8 gaps = gaps_to(of_a, lane, of_b, list->widen);
        unsigned row = look_at_row(&gaps, list->at, others, &sight.next);
        if (pair->is_itself) row |= 1U << lane;
        sight.meets |= (uint64_t)row << 8 * lane;
    }
    return sight;
}
