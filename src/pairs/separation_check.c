/* separation_check.c - whether a separation list is sound: S1 to S8 of docs/invariants.md. */
#include <string.h>

#include "base/check.h"
#include "pairs/separation_keeper.h"

/* How many pairs are in the ring, and leaves that meet in them. */
static const char *validate_ring(const wi_separation *list)
{
    const wi_sep_pair *pairs = list->pairs.items;
    size_t leaf_pairs = 0;
    uint32_t number = 0;
    do {
        const wi_sep_pair *pair = &pairs[number];
        const size_t count = (size_t)__builtin_popcountll(pair->meets & pair->leaves);
        if (number != 0 && count == 0) return "S3: a pair without leaves that meet is listed";
        if (pairs[pair->next_met].last_met != number) return "S3: the ring of pairs is broken";
        leaf_pairs += count;
        number = pair->next_met;
    } while (number != 0);
    return leaf_pairs == list->leaf_pairs ? NULL : "S3: leaves that meet are not listed";
}

/* Its bits are as a look finds them now, and there is a pair for each that is not of leaves. */
static const char *separation_validate_pair(const wi_sep_keeper *keep, uint32_t number,
                                            bool has_event)
{
    const wi_separation *list = keep->list;
    const wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = wi_sep_look_now(keep, pair);
    if (sight.meets != pair->meets) return "S1: the list is not what a search finds";
    if (has_event != (sight.next <= 1.0F)) return "S2: a pair has no event, or one in vain";
    uint64_t found = 0;
    for (uint32_t child = pair->child; child != WI_NO_PAIR; child = list->pairs.items[child].next) {
        if (list->pairs.items[child].parent != number) return "S4: a pair is below another";
        found |= UINT64_C(1) << list->pairs.items[child].bit;
    }
    return found == (pair->meets & ~pair->leaves) ? NULL : "S4: a pair is missing, or left over";
}

/* ---- broods ---- */

/* The pairs of a brood are those that name it, and go back and forth. */
static const char *validate_pairs_of(const wi_separation *list, int of, int side, uint32_t brood,
                                     size_t *seen)
{
    const wi_sep_pair *pairs = list->pairs.items;
    uint32_t last = WI_NO_PAIR;
    for (uint32_t number = list->boxes[side].items[brood].first_pair[of]; number != WI_NO_PAIR;
         last = number, number = pairs[number].next_of[of]) {
        if (number >= list->pairs.count || pairs[number].brood[of] != brood ||
            pairs[number].last_of[of] != last)
            return "S6: the pairs of a brood are not those that it is in";
        if (pairs[number].is_due) return "S6: a pair is still to be looked at";
        if (++*seen > 2 * list->pair_count) return "S6: the pairs of a brood go round";
    }
    return NULL;
}

static const char *validate_lanes(const wi_separation *list, int side, uint32_t number)
{
    const wi_brood *brood = &list->broods[side].items[number];
    for (unsigned lane = 0; lane < brood->count; lane++) {
        const uint32_t first = brood->leaf_mask >> lane & 1 ? list->node_count[side] : 0;
        if (list->lane_of[side][first + brood->child[lane]] != number * WI_LANES + lane + 1)
            return "S6: a box does not know its lane";
    }
    return NULL;
}

static const char *validate_broods(const wi_separation *list)
{
    size_t seen = 0;
    const char *broken = NULL;
    for (int side = 0; side < (list->is_within ? 1 : 2) && !broken; side++)
        for (uint32_t i = 0; i < list->broods[side].count && !broken; i++) {
            broken = validate_lanes(list, side, i);
            for (int of = 0; of < 2 && !broken; of++)
                broken = validate_pairs_of(list, of, side, i, &seen);
        }
    if (broken) return broken;
    return seen == 2 * list->pair_count ? NULL : "S6: a pair is of no brood";
}

static const char *validate_entries(const wi_separation *list)
{
    size_t entries = 0;
    for (uint32_t number = 0; number != WI_NO_PAIR; number = wi_separation_after(list, number))
        entries += wi_separation_entries(list, &list->pairs.items[number]);
    return entries == list->entry_count ? NULL : "S7: entries are counted wrongly";
}

/* ---- boxes, against those of the tree ---- */

/* By how much the boxes that a tree shows may be beyond those of a list: all of them are as wide as
 * the widest needs to be now. */
static double allowance_of(const wi_sep_keeper *keep, int side)
{
    const wi_separation *list = keep->list;
    const wi_kinetic *k = wi_kinetic_found(keep->h[side]);
    return (double)list->widen + list->courses[side].margin + (k ? k->width : 0.0);
}

static bool lane_is_around(const wi_end_lanes *lanes, double at, double more, unsigned lane,
                           const wi_box *box)
{
    for (unsigned end = 0; end < WI_ENDS; end++) {
        const double from = (double)lanes->from[end][lane], to = (double)lanes->to[end][lane];
        const double now = from + at * (to - from);
        if (end < 3 ? now - more > (double)box->lower[end]
                    : now + more < (double)box->upper[end - 3])
            return false;
    }
    return true;
}

/* Ends are to go as those that are there now, to the bit. */
static const char *validate_boxes_of(const wi_sep_keeper *keep, int side, uint32_t number)
{
    const wi_separation *list = keep->list;
    const wi_brood *brood = &list->broods[side].items[number];
    const wi_brood_boxes *boxes = &list->boxes[side].items[number];
    if (boxes->range != list->courses[side].range) return NULL;
    const double more = allowance_of(keep, side);
    wi_openings count = {0};
    for (unsigned lane = 0; lane < brood->count; lane++) {
        const wi_node *view = wi_open(keep->h[side], brood->node[lane], &count);
        const wi_box box = wi_node_box(view, brood->lane[lane]);
        if (!lane_is_around(&boxes->lanes, (double)list->at, more, lane, &box))
            return "S8: a box is not where the list has it";
    }
    if (list->courses[side].way != WI_SEP_ENDS) return NULL;
    wi_end_lanes now;
    keep->fill(keep->h[side], &list->courses[side], brood, (1U << brood->count) - 1U, &now);
    return memcmp(&now, &boxes->lanes, sizeof now) == 0 ? NULL : "S8: a change of a box was missed";
}

static const char *validate_boxes(const wi_sep_keeper *keep)
{
    const wi_separation *list = keep->list;
    for (int side = 0; side < (list->is_within ? 1 : 2); side++)
        for (uint32_t i = 0; i < list->broods[side].count; i++) {
            const char *broken = validate_boxes_of(keep, side, i);
            if (broken) return broken;
        }
    return NULL;
}

/* ---- the whole ---- */

const char *wi_separation_validate_pairs(const wi_separation *list, willow_kernel kernel,
                                         const wi_tree *a, const wi_tree *b, uint32_t taken)
{
    wi_separation same = *list; /* nothing of it is changed */
    const wi_sep_keeper keep = wi_sep_keeper_of(NULL, kernel, &same, a, b);
    for (uint32_t number = 0; number != WI_NO_PAIR; number = wi_separation_after(list, number)) {
        const bool has_event = number == taken || wi_queue_has(&list->queue, number);
        const char *broken = separation_validate_pair(&keep, number, has_event);
        if (broken) return broken;
    }
    return validate_ring(list);
}

const char *wi_separation_validate(const wi_separation *list, willow_kernel kernel,
                                   const wi_tree *a, const wi_tree *b)
{
    if (!wi_separation_is_true(list, a, b)) return "S5: the list is of other trees";
    wi_separation same = *list; /* nothing of it is changed */
    const wi_sep_keeper keep = wi_sep_keeper_of(NULL, kernel, &same, a, b);
    const char *broken = wi_separation_validate_pairs(list, kernel, a, b, WI_NO_PAIR);
    if (broken == NULL) broken = validate_broods(list);
    if (broken == NULL) broken = validate_entries(list);
    return broken ? broken : validate_boxes(&keep);
}
