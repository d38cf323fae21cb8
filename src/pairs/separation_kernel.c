/* separation_kernel.c - looks at eight boxes against eight: which meet, and until when.
 *
 * Ways in: wi_sep_fill, wi_sep_look, wi_sep_expect. Boxes go straight, so two of them meet from one
 * time to another: between the last gap that closes and the first that opens (geom/gaps8.h). */
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "geom/gaps8.h"
#include "geom/outward.h"
#include "pairs/separation.h"
#include "update/kinetic/end_lanes.h"
#include "update/kinetic/straight_spans.h"

extern wi_sep_look WI_KERNEL(sep_look);
extern wi_sep_fill WI_KERNEL(sep_fill);
extern wi_sep_expect WI_KERNEL(sep_expect);
extern wi_straight_boxes_child WI_KERNEL(straight_boxes_child);

/* ---- boxes ---- */

static void separation_stand(const wi_tree *h, const wi_brood *brood, unsigned lane,
                             wi_end_lanes *out)
{
    wi_openings count = {0};
    const wi_node *view = wi_open(h, brood->node[lane], &count);
    const wi_box box = wi_node_box(view, brood->lane[lane]);
    for (int axis = 0; axis < 3; axis++) {
        out->from[axis][lane] = out->to[axis][lane] = box.lower[axis];
        out->from[3 + axis][lane] = out->to[3 + axis][lane] = box.upper[axis];
    }
}

/* The part of a chord from one share of it to another. */
static void separation_cut(wi_end_lanes *lanes, const double shares[2])
{
    const wi_quad64 first = wi_quad64_all(shares[0]), last = wi_quad64_all(shares[1]);
    for (unsigned end = 0; end < WI_ENDS; end++)
        for (unsigned half = 0; half < WI_LANES; half += 4) {
            float *from = lanes->from[end] + half, *to = lanes->to[end] + half;
            const wi_quad64 a = wi_between_keys(from, to, first);
            const wi_quad64 b = wi_between_keys(from, to, last);
            wi_quad_store(from, end < 3 ? wi_quad_below(a) : wi_quad_above(a));
            wi_quad_store(to, end < 3 ? wi_quad_below(b) : wi_quad_above(b));
        }
}

/* One coordinate of a vertex at both ends of the time at hand, and how far it leaves the straight
 * line between on the side of an end: half-way, where a parabola is farthest from it. */
typedef struct way_of_end {
    double from, to, bulge;
} way_of_end;

static way_of_end way_of(const wi_tree *h, const wi_sep_course *course, uint32_t place,
                         unsigned end)
{
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const int axis = (int)(end % 3);
    const wi_course at = wi_plan_course(plan, &course->first, place, axis);
    const double time = course->last.time - course->first.time;
    const double bends = end < 3 ? at.a : -at.a;
    return (way_of_end){at.x, wi_plan_course(plan, &course->last, place, axis).x,
                        bends > 0.0 ? bends * time * time / 8.0 : 0.0};
}

/* Beyond the range of floats a vertex stays at the border, which is no straight line. */
static bool is_off_range(const way_of_end *way)
{
    const double most = (double)FLT_MAX / 16.0;
    return !(way->from < most && way->from > -most && way->to < most && way->to > -most &&
             way->bulge < most);
}

/* Wider by the roundings of looks, too: each box has its own, so that one that is far away does not
 * make all others wider. */
static void separation_set_end(const way_of_end *way, double margin, unsigned end, unsigned lane,
                               wi_end_lanes *out)
{
    const double from = way->from < 0.0 ? -way->from : way->from;
    const double to = way->to < 0.0 ? -way->to : way->to;
    const double more = margin + way->bulge + 0x1p-19 * (from > to ? from : to);
    float *start = &out->from[end][lane], *stop = &out->to[end][lane];
    if (is_off_range(way)) {
        *start = *stop = end < 3 ? -FLT_MAX : FLT_MAX;
    } else if (end < 3) {
        *start = wi_float_below(way->from - more);
        *stop = wi_float_below(way->to - more);
    } else {
        *start = wi_float_above(way->from + more);
        *stop = wi_float_above(way->to + more);
    }
}

/* As the vertices go that are its ends now. */
static void separation_follow_ends(const wi_tree *h, const wi_sep_course *course,
                                   const wi_brood *brood, unsigned lane, wi_end_lanes *out)
{
    const uint32_t first = brood->leaf_mask >> lane & 1 ? h->shape->node_count : 0;
    const wi_kinetic_item *item = &wi_kinetic_of(h)->items[first + brood->child[lane]];
    for (unsigned end = 0; end < WI_ENDS; end++) {
        const way_of_end way = way_of(h, course, item->ends[end], end);
        separation_set_end(&way, course->margin, end, lane, out);
    }
}

static void separation_fill_lane(const wi_tree *h, const wi_sep_course *course,
                                 const wi_brood *brood, unsigned lane, wi_end_lanes *lanes)
{
    switch (course->way) {
    case WI_SEP_STANDS: separation_stand(h, brood, lane, lanes); break;
    case WI_SEP_STRAIGHT:
        WI_KERNEL(straight_boxes_child)(h, brood->node[lane], brood->lane[lane], lanes, lane);
        break;
    case WI_SEP_ENDS: separation_follow_ends(h, course, brood, lane, lanes); break;
    }
}

void WI_KERNEL(sep_fill)(const wi_tree *h, const wi_sep_course *course, const wi_brood *brood,
                         unsigned some, wi_end_lanes *out)
{
    WI_ASSERT(brood->count > 0 && brood->count <= WI_LANES);
    WI_ASSERT(some != 0 && some >> brood->count == 0);
    const double *shares = course->shares;
    memset(out, 0, sizeof *out);
    for (unsigned left = some; left != 0; left &= left - 1)
        separation_fill_lane(h, course, brood, (unsigned)__builtin_ctz(left), out);
    if (!(shares[0] == 0.0 && shares[1] == 1.0)) separation_cut(out, shares);
}

/* ---- when they meet ---- */

/* One box at both ends. */
typedef struct mover {
    float from[WI_ENDS], to[WI_ENDS];
} mover;

static inline mover mover_in(const wi_brood_boxes *boxes, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES && boxes->range != 0);
    mover m;
    for (unsigned end = 0; end < WI_ENDS; end++) {
        m.from[end] = boxes->lanes.from[end][lane];
        m.to[end] = boxes->lanes.to[end][lane];
    }
    return m;
}

static inline wi_gaps8 gaps_to(const mover *m, const wi_end_lanes *b, float more)
{
    wi_gaps8 gaps;
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide low0 = wi_wide_all(m->from[axis] - more);
        const wi_wide low1 = wi_wide_all(m->to[axis] - more);
        const wi_wide high0 = wi_wide_all(m->from[3 + axis] + more);
        const wi_wide high1 = wi_wide_all(m->to[3 + axis] + more);
        gaps.start[axis] = wi_wide_sub(wi_wide_load(b->from[axis]), high0);
        gaps.end[axis] = wi_wide_sub(wi_wide_load(b->to[axis]), high1);
        gaps.start[3 + axis] = wi_wide_sub(low0, wi_wide_load(b->from[3 + axis]));
        gaps.end[3 + axis] = wi_wide_sub(low1, wi_wide_load(b->to[3 + axis]));
    }
    return gaps;
}

/* The least float that is greater than one that is not negative. */
static inline float float_after(float time)
{
    WI_ASSERT(time >= 0.0F);
    uint32_t bits;
    memcpy(&bits, &time, sizeof bits);
    bits++;
    memcpy(&time, &bits, sizeof bits);
    return time;
}

/* One child of a against those of b in `lanes`. Odd ones are taken to meet all the time. */
static inline unsigned look_at_row(const wi_gaps8 *gaps, float at, unsigned lanes, float *next)
{
    const wi_wide now = wi_wide_all(at);
    lanes &= ~wi_gaps_apart(gaps, 0.0F);
    if (lanes == 0) return 0;
    const wi_meeting8 m = wi_gaps_meeting(gaps, 2.0F);
    const wi_mask has_begun = wi_wide_less_equal(m.early, now);
    const wi_mask has_ended = wi_wide_less(m.late, now);
    const wi_mask is_empty = wi_wide_less(m.late, m.early);
    const unsigned ever = lanes & (~wi_mask_bits(is_empty) | m.odd);
    const unsigned meets = ever & ((wi_mask_bits(has_begun) & ~wi_mask_bits(has_ended)) | m.odd);
    const unsigned waits = ever & ~meets & ~wi_mask_bits(has_begun);
    float early[WI_LANES], late[WI_LANES];
    wi_wide_store(early, m.early);
    wi_wide_store(late, m.late);
    for (unsigned left = (meets & ~m.odd) | waits; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const float time = (meets >> lane & 1) != 0 ? float_after(late[lane]) : early[lane];
        *next = time < *next ? time : *next;
    }
    return meets;
}

static unsigned lanes_in(const wi_brood *brood, uint8_t lane)
{
    WI_ASSERT(brood->count <= WI_LANES && (lane == WI_ALL_LANES || lane < brood->count));
    return lane == WI_ALL_LANES ? (1U << brood->count) - 1U : 1U << lane;
}

/* Those lanes of one side that are not apart from the whole other one all the time. */
static inline unsigned lanes_near(wi_sep_side side, uint8_t lane, wi_sep_side other,
                                  uint8_t other_lane, float more)
{
    mover whole;
    if (other_lane == WI_ALL_LANES) {
        memcpy(whole.from, other.boxes->from, sizeof whole.from);
        memcpy(whole.to, other.boxes->to, sizeof whole.to);
    } else {
        whole = mover_in(other.boxes, other_lane);
    }
    const wi_gaps8 gaps = gaps_to(&whole, &side.boxes->lanes, more);
    return lanes_in(side.brood, lane) & ~wi_gaps_apart(&gaps, 0.0F);
}

/* Twice as much is added where lanes are looked at from the other side, which rounds in another
 * way.
 */
wi_sep_sight WI_KERNEL(sep_look)(const wi_separation *list, wi_sep_side a, wi_sep_side b,
                                 const wi_sep_pair *pair)
{
    const float more = list->widen;
    const unsigned all_b = lanes_in(b.brood, pair->lane[1]);
    unsigned left = pair->is_itself ? lanes_in(a.brood, pair->lane[0])
                                    : lanes_near(a, pair->lane[0], b, pair->lane[1], 2.0F * more);
    wi_sep_sight sight = {0, 2.0F};
    for (; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned others = pair->is_itself ? all_b & ~((2U << lane) - 1U) : all_b;
        const mover m = mover_in(a.boxes, lane);
        const wi_gaps8 gaps = gaps_to(&m, &b.boxes->lanes, more);
        unsigned row = look_at_row(&gaps, list->at, others, &sight.next);
        if (pair->is_itself) row |= 1U << lane;
        sight.meets |= (uint64_t)row << 8 * lane;
    }
    return sight;
}

uint64_t WI_KERNEL(sep_expect)(const wi_separation *list, wi_sep_side a, wi_sep_side b,
                               const wi_sep_pair *pair, float until, float when[WI_LANES][WI_LANES])
{
    const unsigned all_b = lanes_in(b.brood, pair->lane[1]);
    uint64_t expected = 0;
    for (unsigned left = lanes_in(a.brood, pair->lane[0]); left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned met = (unsigned)(pair->meets >> 8 * lane) & 0xffU;
        const unsigned others = pair->is_itself ? all_b & ~((2U << lane) - 1U) : all_b;
        const mover m = mover_in(a.boxes, lane);
        const wi_gaps8 gaps = gaps_to(&m, &b.boxes->lanes, list->widen);
        const unsigned lanes = others & ~met & ~wi_gaps_apart(&gaps, 0.0F);
        if (lanes == 0) continue;
        const wi_meeting8 meeting = wi_gaps_meeting(&gaps, 2.0F);
        const unsigned ever = ~wi_mask_bits(wi_wide_less(meeting.late, meeting.early));
        const unsigned in_time =
            wi_mask_bits(wi_wide_less_equal(meeting.early, wi_wide_all(until)));
        const unsigned is_to_come =
            wi_mask_bits(wi_wide_less(wi_wide_all(list->at), meeting.early));
        wi_wide_store(when[lane], meeting.early);
        expected |= (uint64_t)(lanes & ever & in_time & is_to_come) << 8 * lane;
    }
    return expected;
}
