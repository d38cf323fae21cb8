/* separation_changes.c - boxes that take another course while the others go on (the paper's
 * BV-change).
 *
 * Way in: wi_sep_look_at_changes. A tree lists them (update/kinetic/box_changes.h). Most are of no
 * pair: what is below a box that is apart from all others is not looked at. Those that are, are one
 * lane of one brood, and the pairs of that brood are looked at again. A chord that was found before
 * may serve the box as it goes now; then nothing is. */
#include <math.h>

#include "base/check.h"
#include "geom/outward.h"
#include "pairs/separation_keeper.h"
#include "update/kinetic/straight_spans.h"

/* Of one box: an end of it at both ends of the time. */
static float number_at(float from, float to, float at) { return from + at * (to - from); }

/* The edges of a box now and at the end, added up. */
static float edges_of(const wi_end_lanes *lanes, unsigned lane, float at)
{
    float sum = 0.0F;
    for (unsigned end = 0; end < WI_ENDS; end++) {
        const float from = lanes->from[end][lane], to = lanes->to[end][lane];
        const float both = number_at(from, to, at) + to;
        sum += end < 3 ? -both : both;
    }
    return sum;
}

static bool is_beyond(float in, float out, unsigned end)
{
    const float rounding = (float)WI_STRAIGHT_EASE * (fabsf(in) + fabsf(out));
    return end < 3 ? !(in >= out - rounding) : !(in <= out + rounding);
}

/* From now on to the end a chord is within another one, which is not much larger. One that is
 * anchored is rounded outward, and so a little beyond the one before even where its vertices go as
 * ever; that much boxes are wider than they need be (`widen`). */
static bool lane_serves(const wi_end_lanes *outer, const wi_end_lanes *inner, unsigned lane,
                        float at)
{
    const float worth_it = 1.25F;
    for (unsigned end = 0; end < WI_ENDS; end++) {
        const float out = number_at(outer->from[end][lane], outer->to[end][lane], at);
        const float in = number_at(inner->from[end][lane], inner->to[end][lane], at);
        if (is_beyond(in, out, end) || is_beyond(inner->to[end][lane], outer->to[end][lane], end))
            return false;
    }
    return edges_of(outer, lane, at) <= worth_it * edges_of(inner, lane, at);
}

static bool lane_is_same(const wi_end_lanes *a, const wi_end_lanes *b, unsigned lane)
{
    for (unsigned end = 0; end < WI_ENDS; end++)
        if (a->from[end][lane] != b->from[end][lane] || a->to[end][lane] != b->to[end][lane])
            return false;
    return true;
}

/* What is known of a lane, and as it goes now. */
static bool goes_as_known(const wi_separation *list, const wi_sep_course *course,
                          const wi_end_lanes *known, const wi_end_lanes *now, unsigned lane)
{
    if (course->way == WI_SEP_ENDS) return lane_is_same(known, now, lane);
    return lane_serves(known, now, lane, list->at);
}

static void copy_lane(wi_end_lanes *to, const wi_end_lanes *from, unsigned lane)
{
    for (unsigned end = 0; end < WI_ENDS; end++) {
        to->from[end][lane] = from->from[end][lane];
        to->to[end][lane] = from->to[end][lane];
    }
}

void wi_sep_widen(const wi_sep_course *course, unsigned lane, wi_end_lanes *lanes)
{
    if (course->way != WI_SEP_STRAIGHT || !(course->margin > 0.0)) return;
    for (unsigned end = 0; end < WI_ENDS; end++) {
        float *const both[2] = {&lanes->from[end][lane], &lanes->to[end][lane]};
        for (int i = 0; i < 2; i++)
            *both[i] = end < 3 ? wi_float_below((double)*both[i] - course->margin)
                               : wi_float_above((double)*both[i] + course->margin);
    }
}

static float extreme(const float *numbers, unsigned count, bool is_least)
{
    float all = numbers[0];
    for (unsigned i = 1; i < count; i++)
        if (is_least ? numbers[i] < all : numbers[i] > all) all = numbers[i];
    return all;
}

void wi_sep_bound(unsigned count, wi_brood_boxes *boxes)
{
    WI_ASSERT(count > 0 && count <= WI_LANES);
    for (unsigned end = 0; end < WI_ENDS; end++) {
        boxes->from[end] = extreme(boxes->lanes.from[end], count, end < 3);
        boxes->to[end] = extreme(boxes->lanes.to[end], count, end < 3);
    }
}

/* The box of a lane as it goes now. False if it goes as before, or within where it was thought to.
 */
static bool take_lane(wi_sep_keeper *keep, int side, uint32_t number, unsigned lane)
{
    wi_separation *list = keep->list;
    const wi_brood *brood = wi_separation_brood(list, side, number);
    wi_brood_boxes *known = &list->boxes[side].items[number];
    wi_end_lanes now;
    WI_ASSERT(lane < brood->count);
    if (known->range != list->courses[side].range) return false; /* nobody has looked at it */
    keep->fill(keep->h[side], &list->courses[side], brood, 1U << lane, &now);
    if (goes_as_known(list, &list->courses[side], &known->lanes, &now, lane)) return false;
    wi_sep_widen(&list->courses[side], lane, &now);
    copy_lane(&known->lanes, &now, lane);
    wi_sep_bound(brood->count, known);
    return true;
}

/* ---- the pairs of a box ---- */

static bool note_due(wi_sep_keeper *keep, uint32_t number)
{
    wi_separation *list = keep->list;
    wi_sep_pair *pair = &list->pairs.items[number];
    if (pair->is_due) return true;
    if (!wi_sep_may_push(list, list->due.count, list->due.capacity, sizeof number) ||
        !wi_array_push(keep->memory, &list->due, number))
        return false;
    pair->is_due = true;
    return true;
}

/* Not those in which a leaf of the brood is alone, and another one. */
static bool note_pairs_of(wi_sep_keeper *keep, int of, int side, uint32_t brood, unsigned lane)
{
    const wi_separation *list = keep->list;
    const wi_sep_pair *pairs = list->pairs.items;
    for (uint32_t number = list->boxes[side].items[brood].first_pair[of]; number != WI_NO_PAIR;
         number = pairs[number].next_of[of])
        if ((pairs[number].lane[of] == WI_ALL_LANES || pairs[number].lane[of] == lane) &&
            !note_due(keep, number))
            return false;
    return true;
}

/* One box of a side, which may be none of the list. */
static bool take_item(wi_sep_keeper *keep, int side, uint32_t item)
{
    wi_separation *list = keep->list;
    WI_ASSERT(item < list->item_count[side]);
    if (list->lane_of[side][item] == 0) return true;
    const uint32_t where = list->lane_of[side][item] - 1, brood = where / WI_LANES;
    const unsigned lane = where % WI_LANES;
    if (!take_lane(keep, side, brood, lane)) return true;
    list->counts.box_changes++;
    return note_pairs_of(keep, side, side, brood, lane) &&
           (!list->is_within || note_pairs_of(keep, 1, side, brood, lane));
}

/* From the last one on: parents come after their children in the list, and what goes with a parent
 * need not be looked at. */
static bool take_items(wi_sep_keeper *keep, int side)
{
    wi_sep_course *course = &keep->list->courses[side];
    const uint32_t count = wi_sep_changes_of(keep->h[side]);
    WI_ASSERT(course->seen <= count);
    if (course->seen == count) return true;
    const wi_box_changes *changes = &wi_kinetic_of(keep->h[side])->boxes;
    for (uint32_t i = count; i-- > course->seen;)
        if (!take_item(keep, side, changes->items[i])) return false;
    course->seen = count;
    return true;
}

bool wi_sep_look_at_changes(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    const uint64_t before = list->counts.entries;
    list->due.count = 0;
    if (!take_items(keep, 0) || (!list->is_within && !take_items(keep, 1))) return false;
    if (list->is_within) list->courses[1] = list->courses[0];
    for (size_t i = 0; i < list->due.count; i++) {
        wi_sep_pair *pair = &list->pairs.items[list->due.items[i]];
        if (!pair->is_due) continue; /* it has gone with the one above */
        pair->is_due = false;
        if (!wi_sep_look_down(keep, list->due.items[i])) return false;
    }
    list->counts.change_entries += list->counts.entries - before;
    return true;
}
