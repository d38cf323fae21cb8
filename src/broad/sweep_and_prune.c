/* sweep_and_prune.c - sorted lists of ends along every axis, kept sorted by insertion.
 *
 * Way in: the wi_kept_ops of it. Made for hundreds to some ten thousand boxes that move little in a
 * step: ends then hardly change places, and each two that do are one swap, which is all that can
 * begin or end a pair. Where a lower end passes an upper one downwards, two boxes begin to overlap
 * along the axis; they are a pair if they meet along the others, too. Where an upper end passes a
 * lower one, a pair ends if there was one. Swaps grow with the boxes that share a slab, so that in
 * space a step costs n^(5/3).
 *
 * Coherence is lost when boxes are born or die, or when a list needs more than MOST_SWAPS swaps for
 * each end: then all lists are sorted afresh and one is swept, which is counted (rebuilds). After
 * Baraff 1992, Cohen, Lin, Manocha and Ponamgi 1995, and Larsson 2003, section 5.3.4. */
#include "broad/kept.h"

#include <string.h>

#include "base/containers/sort.h"

/* An end as a number that is ordered as ends are: by place, lower ends first, so that boxes that
 * touch meet, then by box. */
enum { UPPER_BIT = 31 };
#define SAP_BOX_MASK UINT32_C(0x7FFFFFFF)

enum { MOST_SWAPS = 64 };

typedef struct sap_state {
    uint64_t *ends[3];
    size_t end_capacity[3];
    uint64_t *spare; /* for sorting */
    size_t spare_capacity;
    wi_box *before; /* boxes as the lists have them */
    size_t before_capacity;
    uint32_t *active; /* for a sweep: the boxes that have begun, and where each of them is */
    size_t active_capacity;
    uint32_t end_count; /* in each list */
    uint32_t box_count;
    double longest[3]; /* extents, rounded up */
    size_t swaps;
    bool has_events; /* the last update found begun and ended pairs */
    wi_body_pairs begun, ended;
} sap_state;

static uint64_t sap_end(const wi_box *box, int axis, bool is_upper, uint32_t number)
{
    WI_ASSERT(number <= SAP_BOX_MASK);
    return (uint64_t)wi_float_key(is_upper ? box->upper[axis] : box->lower[axis]) << 32 |
           (uint64_t)is_upper << UPPER_BIT | number;
}

static bool sap_is_upper(uint64_t end) { return (end >> UPPER_BIT & 1) != 0; }
static uint32_t sap_box(uint64_t end) { return (uint32_t)end & SAP_BOX_MASK; }

static int sap_axes(const wi_kept *kept) { return (int)kept->dimensions; }

/* ---- afresh ---- */

static bool sap_reserve(wi_kept *kept, sap_state *s)
{
    const size_t count = 2 * (size_t)kept->living;
    bool ok =
        wi_kept_block(kept, (void **)&s->spare, &s->spare_capacity, count, sizeof *s->spare) &&
        wi_kept_block(kept, (void **)&s->before, &s->before_capacity, kept->count,
                      sizeof *s->before) &&
        wi_kept_block(kept, (void **)&s->active, &s->active_capacity, 2 * (size_t)kept->count,
                      sizeof *s->active);
    for (int axis = 0; axis < sap_axes(kept) && ok; axis++)
        ok = wi_kept_block(kept, (void **)&s->ends[axis], &s->end_capacity[axis], count,
                           sizeof *s->ends[axis]);
    return ok;
}

static void sap_sort_axis(wi_kept *kept, sap_state *s, int axis)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
        if (wi_box_is_empty(&kept->boxes[i])) continue;
        s->ends[axis][count++] = sap_end(&kept->boxes[i], axis, false, i);
        s->ends[axis][count++] = sap_end(&kept->boxes[i], axis, true, i);
    }
    wi_sort_u64(s->ends[axis], s->spare, count);
    s->end_count = count;
}

/* What the lists are true for. */
static void sap_remember(wi_kept *kept, sap_state *s)
{
    s->box_count = kept->count;
    memset(s->longest, 0, sizeof s->longest);
    for (uint32_t i = 0; i < kept->count; i++) {
        const wi_box *box = &kept->boxes[i];
        s->before[i] = *box;
        if (wi_box_is_empty(box)) continue;
        for (int axis = 0; axis < 3; axis++) {
            const double length = (double)box->upper[axis] - (double)box->lower[axis];
            s->longest[axis] = length > s->longest[axis] ? length : s->longest[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) s->longest[axis] *= 1.0 + 0x1p-50;
}

static bool sap_start(wi_kept *kept, sap_state *s)
{
    s->has_events = false;
    if (!sap_reserve(kept, s)) return false;
    for (int axis = 0; axis < sap_axes(kept); axis++) sap_sort_axis(kept, s, axis);
    sap_remember(kept, s);
    kept->rebuilds++;
    return true;
}

/* ---- step by step ---- */

static bool sap_note(wi_kept *kept, wi_body_pairs *out, uint32_t a, uint32_t b)
{
    const wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
    return wi_array_push(kept->memory, out, pair);
}

/* The end `low` goes below the end `high`. */
static bool sap_swap(wi_kept *kept, sap_state *s, uint64_t low, uint64_t high)
{
    const uint32_t a = sap_box(low), b = sap_box(high);
    if (sap_is_upper(low) == sap_is_upper(high) || a == b) return true;
    kept->candidates++;
    if (sap_is_upper(high))
        return !wi_boxes_meet(&kept->boxes[a], &kept->boxes[b]) || sap_note(kept, &s->begun, a, b);
    return !wi_boxes_meet(&s->before[a], &s->before[b]) || sap_note(kept, &s->ended, a, b);
}

typedef enum sap_outcome { SAP_SORTED, SAP_LOST, SAP_NO_MEMORY } sap_outcome;

static sap_outcome sap_insert(wi_kept *kept, sap_state *s, int axis)
{
    uint64_t *ends = s->ends[axis];
    size_t left = (size_t)MOST_SWAPS * s->end_count;
    for (uint32_t i = 1; i < s->end_count; i++) {
        const uint64_t end = ends[i];
        uint32_t hole = i;
        for (; hole > 0 && ends[hole - 1] > end; hole--) {
            if (!sap_swap(kept, s, end, ends[hole - 1])) return SAP_NO_MEMORY;
            ends[hole] = ends[hole - 1];
        }
        ends[hole] = end;
        s->swaps += i - hole;
        if (i - hole > left) return SAP_LOST;
        left -= i - hole;
    }
    return SAP_SORTED;
}

/* Ends of all boxes take their new places; those of boxes that stand still are the same. */
static void sap_renew(wi_kept *kept, sap_state *s, int axis)
{
    for (uint32_t i = 0; i < s->end_count; i++) {
        const uint64_t end = s->ends[axis][i];
        s->ends[axis][i] =
            sap_end(&kept->boxes[sap_box(end)], axis, sap_is_upper(end), sap_box(end));
    }
}

static bool sap_update(wi_kept *kept, const wi_kept_change *change)
{
    sap_state *s = kept->state;
    s->swaps = 0;
    s->begun.count = s->ended.count = 0;
    kept->candidates = 0;
    if (change->all || !change->same_live) return sap_start(kept, s);
    for (int axis = 0; axis < sap_axes(kept); axis++) {
        sap_renew(kept, s, axis);
        const sap_outcome outcome = sap_insert(kept, s, axis);
        if (outcome == SAP_LOST) return sap_start(kept, s);
        if (outcome == SAP_NO_MEMORY) return false;
    }
    sap_remember(kept, s);
    s->has_events = true;
    return true;
}

/* ---- pairs ---- */

/* The axis with the fewest boxes at once would be best; the longest one is mostly that. */
static int sap_best_axis(const wi_kept *kept, const sap_state *s)
{
    int best = 0;
    double widest = -1.0;
    for (int axis = 0; axis < sap_axes(kept) && s->end_count > 0; axis++) {
        const double low = (double)wi_float_of_key((uint32_t)(s->ends[axis][0] >> 32));
        const double high =
            (double)wi_float_of_key((uint32_t)(s->ends[axis][s->end_count - 1] >> 32));
        if (!(high - low > widest)) continue;
        widest = high - low;
        best = axis;
    }
    return best;
}

static bool sap_pairs(wi_kept *kept, wi_body_pairs *out)
{
    sap_state *s = kept->state;
    const uint64_t *ends = s->ends[sap_best_axis(kept, s)];
    uint32_t *active = s->active, *place = s->active + kept->count, count = 0;
    for (uint32_t i = 0; i < s->end_count; i++) {
        const uint32_t number = sap_box(ends[i]);
        if (sap_is_upper(ends[i])) {
            active[place[number]] = active[--count];
            place[active[place[number]]] = place[number];
            continue;
        }
        for (uint32_t k = 0; k < count; k++)
            if (wi_boxes_meet(&kept->boxes[number], &kept->boxes[active[k]]) &&
                !sap_note(kept, out, number, active[k]))
                return false;
        kept->candidates += count;
        place[number] = count;
        active[count++] = number;
    }
    return true;
}

static bool sap_events(wi_kept *kept, wi_body_pairs **begun, wi_body_pairs **ended)
{
    sap_state *s = kept->state;
    if (!s->has_events) return false;
    *begun = &s->begun;
    *ended = &s->ended;
    return true;
}

/* ---- searching ---- */

/* The first end at or after a place. */
static uint32_t sap_first(const sap_state *s, int axis, double at)
{
    uint32_t low = 0, high = s->end_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)wi_float_of_key((uint32_t)(s->ends[axis][middle] >> 32)) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lower ends of boxes that may meet a probe, along the axis with the fewest. */
static bool sap_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                     wi_body_numbers *out)
{
    const sap_state *s = kept->state;
    uint32_t first = 0, fewest = UINT32_MAX;
    int best = 0;
    for (int axis = 0; axis < sap_axes(kept); axis++) {
        const double low = (double)probe->box.lower[axis] - s->longest[axis];
        const uint32_t from = low < (double)INFINITY ? sap_first(s, axis, low) : 0;
        const uint32_t count = sap_first(s, axis, (double)probe->box.upper[axis]) - from;
        if (count >= fewest) continue;
        fewest = count;
        first = from;
        best = axis;
    }
    for (uint32_t i = first; i < s->end_count; i++) {
        const uint64_t end = s->ends[best][i];
        if (wi_float_of_key((uint32_t)(end >> 32)) > probe->box.upper[best]) break;
        if (!sap_is_upper(end) && wi_probe_meets(probe, &kept->boxes[sap_box(end)]) &&
            !wi_array_push(memory, out, sap_box(end)))
            return false;
    }
    return true;
}

/* ---- counts and checks ---- */

static void sap_count(const wi_kept *kept, willow_broad_stats *out)
{
    const sap_state *s = kept->state;
    out->entries = (size_t)s->end_count * kept->dimensions;
    out->swaps = s->swaps;
}

static const char *sap_validate(const wi_kept *kept)
{
    const sap_state *s = kept->state;
    if (s->end_count != 2 * kept->living) return "B9: a list has too few ends, or too many";
    for (int axis = 0; axis < sap_axes(kept); axis++)
        for (uint32_t i = 0; i < s->end_count; i++) {
            const uint64_t end = s->ends[axis][i];
            if (i > 0 && s->ends[axis][i - 1] >= end) return "B9: ends are not sorted";
            if (sap_box(end) >= kept->count || wi_box_is_empty(&kept->boxes[sap_box(end)]))
                return "B9: an end is of no box";
            if (end != sap_end(&kept->boxes[sap_box(end)], axis, sap_is_upper(end), sap_box(end)))
                return "B9: an end is elsewhere";
        }
    if (memcmp(s->before, kept->boxes, kept->count * sizeof *s->before) != 0)
        return "B9: lists are of other boxes";
    return NULL;
}

static void sap_free(wi_kept *kept)
{
    sap_state *s = kept->state;
    for (int axis = 0; axis < 3; axis++)
        wi_free_array(kept->memory, s->ends[axis], s->end_capacity[axis], sizeof *s->ends[axis]);
    wi_free_array(kept->memory, s->spare, s->spare_capacity, sizeof *s->spare);
    wi_free_array(kept->memory, s->before, s->before_capacity, sizeof *s->before);
    wi_free_array(kept->memory, s->active, s->active_capacity, sizeof *s->active);
    wi_array_free(kept->memory, &s->begun);
    wi_array_free(kept->memory, &s->ended);
}

const wi_kept_ops wi_kept_sweep_and_prune = {.state_size = sizeof(sap_state),
                                             .update = sap_update,
                                             .pairs = sap_pairs,
                                             .events = sap_events,
                                             .find = sap_find,
                                             .count = sap_count,
                                             .validate = sap_validate,
                                             .free = sap_free};
