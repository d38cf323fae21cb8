/* find_pairs.c - all pairs, sorted, in one run per pair of bodies (C3).
 *
 * Way in: wi_find_pairs. What the workers found is put together by pair of bodies and sorted, so no
 * answer depends on who found it (C10). */
#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "base/threads.h"
#include "query/scratch.h"

/* Sorting fewer takes a few microseconds: not worth a loop. */
enum { KEYS_WORTH_SHARING = 512 };

void wi_pairs_found_free(wi_memory *memory, wi_pairs_found *found)
{
    wi_array_free(memory, &found->segments);
    wi_array_free(memory, &found->order);
    wi_array_free(memory, &found->lots);
    wi_array_free(memory, &found->runs);
    wi_array_free(memory, &found->pairs);
    wi_array_free(memory, &found->witnesses);
}

bool wi_add_segment(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first)
{
    wi_query_worker *w = &scratch->workers[worker];
    WI_ASSERT(pair < scratch->pairs.count && first <= w->pairs.keys.count);
    wi_segment segment = {pair, worker, first, w->pairs.keys.count - first};
    return segment.count == 0 || wi_array_push(scratch->memory, &w->segments, segment);
}

/* Lists the segments of all workers by pair of bodies. */
static bool order_segments(willow_scratch *scratch)
{
    wi_memory *memory = scratch->memory;
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++) count += scratch->workers[i].segments.count;
    scratch->found.segments.count = 0;
    if (!wi_array_reserve(memory, &scratch->found.segments, count) ||
        !wi_array_reserve(memory, &scratch->found.order, count) ||
        !wi_array_reserve(memory, &scratch->sort.spare, count))
        return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_segments *from = &scratch->workers[i].segments;
        for (size_t k = 0; k < from->count; k++) {
            size_t at = scratch->found.segments.count++;
            scratch->found.segments.items[at] = from->items[k];
            scratch->found.order.items[at] = (uint64_t)from->items[k].pair << 32 | at;
        }
    }
    wi_sort_u64(scratch->found.order.items, scratch->sort.spare.items, count);
    return true;
}

static const wi_segment *segment_at(const willow_scratch *scratch, size_t at)
{
    WI_ASSERT(at < scratch->found.segments.count);
    return &scratch->found.segments.items[(uint32_t)scratch->found.order.items[at]];
}

/* Cuts the segments, which are in order, into one lot per pair of bodies. Lots follow each other
 * where the answer will be. */
static bool list_lots(willow_scratch *scratch)
{
    size_t first = 0, key_count = 0;
    scratch->found.lots.count = 0;
    while (first < scratch->found.segments.count) {
        wi_lot lot = {segment_at(scratch, first)->pair, first, first, key_count, 0};
        for (; lot.last < scratch->found.segments.count; lot.last++) {
            const wi_segment *segment = segment_at(scratch, lot.last);
            if (segment->pair != lot.pair) break;
            lot.count += segment->count;
        }
        if (!wi_array_push(scratch->memory, &scratch->found.lots, lot)) return false;
        first = lot.last;
        key_count += lot.count;
    }
    return true;
}

/* The keys of a lot in a row; those of a single segment stay where they are. */
static uint64_t *gather_keys(const willow_scratch *scratch, const wi_lot *lot)
{
    const wi_segment *only = segment_at(scratch, lot->first);
    if (lot->last - lot->first == 1)
        return scratch->workers[only->worker].pairs.keys.items + only->first;
    uint64_t *keys = scratch->sort.keys.items + lot->place, *to = keys;
    for (size_t i = lot->first; i < lot->last; i++) {
        const wi_segment *s = segment_at(scratch, i);
        memcpy(to, scratch->workers[s->worker].pairs.keys.items + s->first, s->count * sizeof *to);
        to += s->count;
    }
    return keys;
}

/* A pair found has the size of a key, so until it is there its place helps to sort. */
_Static_assert(sizeof(willow_tri_pair) == sizeof(uint64_t), "see sort_lot");

/* Writes the pairs of a lot to their place in the answer, sorted. Lots have nothing in common. */
static void sort_lot(void *arg, uint32_t number, uint32_t worker)
{
    const willow_scratch *scratch = arg;
    const wi_lot *lot = &scratch->found.lots.items[number];
    willow_tri_pair *place = scratch->found.pairs.items + lot->place;
    WI_ASSERT(lot->place + lot->count <= scratch->found.pairs.capacity);
    uint64_t *keys = gather_keys(scratch, lot);
    (void)worker;
    /* What was known already is in order. */
    if (!wi_is_sorted_u64(keys, lot->count))
        wi_sort_u64(keys, (uint64_t *)(void *)place, lot->count);
    for (size_t i = 0; i < lot->count; i++)
        place[i] = (willow_tri_pair){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
}

static bool sort_lots(const wi_question *question, willow_scratch *scratch)
{
    const size_t count = wi_schedule_count(scratch), lot_count = scratch->found.lots.count;
    const bool is_gathered = scratch->found.segments.count > lot_count;
    scratch->found.pairs.count = scratch->sort.keys.count = 0; /* nothing to keep when they grow */
    if (!wi_array_reserve(scratch->memory, &scratch->found.pairs, count) ||
        !wi_array_reserve(scratch->memory, &scratch->sort.keys, is_gathered ? count : 0))
        return false;
    willow_tasks tasks = count < KEYS_WORTH_SHARING ? wi_serial_tasks() : question->tasks;
    if (lot_count > 0) tasks.parallel_for(tasks.context, (uint32_t)lot_count, sort_lot, scratch);
    return true;
}

/* A point for every pair found from number `first` on, all of one pair of bodies. On the calling
 * thread, one after the other. */
static bool add_witnesses(willow_scratch *scratch, uint32_t pair, size_t first)
{
    const wi_two_trees h = wi_trees_of(scratch, 0, pair);
    const wi_mesh *a = h.a->mesh, *b = h.b->mesh;
    if (!wi_array_reserve(scratch->memory, &scratch->found.witnesses, scratch->found.pairs.count))
        return false;
    for (size_t i = first; i < scratch->found.pairs.count; i++)
        scratch->found.witnesses.items[scratch->found.witnesses.count++] = wi_find_witness(
            a, scratch->found.pairs.items[i].tri_a, b, scratch->found.pairs.items[i].tri_b);
    return true;
}

/* Moves up to the answer what is wanted; false in *complete if the limit cuts it. */
static void keep_wanted(const wi_question *question, willow_scratch *scratch, const wi_lot *lot,
                        bool *complete)
{
    const size_t limit = question->options.max_results;
    const wi_query_body *a = wi_body_a(scratch, lot->pair), *b = wi_body_b(scratch, lot->pair);
    const willow_tri_pair *from = scratch->found.pairs.items + lot->place;
    for (size_t i = 0; i < lot->count && *complete; i++) {
        if (!wi_question_wants(question, a, from[i].tri_a, b, from[i].tri_b)) continue;
        if (limit > 0 && scratch->found.pairs.count == limit)
            *complete = false;
        else
            scratch->found.pairs.items[scratch->found.pairs.count++] = from[i];
    }
}

/* Makes a run of a lot, whose pairs are at or behind the end of the answer. */
static bool emit_run(const wi_question *question, willow_scratch *scratch, const wi_lot *lot,
                     bool *complete)
{
    const willow_query_options *options = &question->options;
    willow_pair_run run = wi_run_of(scratch, lot->pair, scratch->found.pairs.count);
    WI_ASSERT(run.first <= lot->place);
    if (!wi_question_wants_all(question) || options->max_results > 0)
        keep_wanted(question, scratch, lot, complete);
    else
        scratch->found.pairs.count += lot->count;
    run.count = scratch->found.pairs.count - run.first;
    if (run.count > 0 && !wi_array_push(scratch->memory, &scratch->found.runs, run)) return false;
    return !options->witness || add_witnesses(scratch, lot->pair, run.first);
}

static bool emit_runs(const wi_question *question, willow_scratch *scratch, bool is_kept,
                      bool *complete)
{
    *complete = true;
    scratch->found.runs.count = scratch->found.witnesses.count = 0;
    if (!order_segments(scratch) || !list_lots(scratch) || !sort_lots(question, scratch))
        return false;
    if (is_kept) wi_kept_selves_keep(question, scratch);
    for (size_t i = 0; i < scratch->found.lots.count && *complete; i++)
        if (!emit_run(question, scratch, &scratch->found.lots.items[i], complete)) return false;
    return true;
}

static willow_result answer_pairs(const wi_question *question, willow_scratch *scratch,
                                  bool is_kept, willow_pairs *out)
{
    bool complete = true;
    if (!emit_runs(question, scratch, is_kept, &complete)) return wi_fail_pairs(scratch);
    *out = (willow_pairs){.runs = scratch->found.runs.items,
                          .run_count = scratch->found.runs.count,
                          .items = scratch->found.pairs.items,
                          .count = scratch->found.pairs.count,
                          .witnesses =
                              question->options.witness ? scratch->found.witnesses.items : NULL,
                          .complete = complete};
    return WILLOW_OK;
}

willow_result wi_answer_pairs(const wi_question *question, willow_scratch *scratch,
                              willow_pairs *out)
{
    return answer_pairs(question, scratch, false, out);
}

willow_result wi_fail_pairs(willow_scratch *scratch)
{
    return wi_fail_memory(&scratch->message, "the pairs found");
}

willow_result wi_find_pairs(const wi_question *question, willow_scratch *scratch, willow_pairs *out)
{
    if (!wi_schedule_start(question, scratch) || !wi_schedule_run(question, scratch))
        return wi_fail_pairs(scratch);
    /* Under a limit not all may have been searched. */
    return answer_pairs(question, scratch, question->options.max_results == 0, out);
}
