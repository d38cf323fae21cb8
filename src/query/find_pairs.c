/* find_pairs.c - all pairs, sorted, in one run per pair of bodies (C3).
 *
 * Way in: wi_find_pairs. An item is a pair of nodes of a pair of bodies, the roots at first, or a
 * lot of the stars of one body. One worker takes them one by one. For several, pairs of nodes are
 * opened breadth-first until there are enough for each, but not down to the leaves. What is found
 * is put together by pair of bodies and sorted, so no answer depends on who found it (C10). */
#include <string.h>

#include "base/check.h"
#include "base/sort.h"
#include "base/threads.h"
#include "query/question.h"
#include "walk/brute.h"

/* Enough that nobody waits long for the last one, and few enough that opening them, which one
 * worker does, is a small part of the whole. */
enum { ITEMS_PER_WORKER = 16 };

/* Sorting fewer takes a few microseconds: not worth a loop. */
enum { KEYS_WORTH_SHARING = 512 };

static const wi_query_body *body_a(const willow_scratch *scratch, uint32_t pair)
{
    return &scratch->chosen.items[scratch->pairs.items[pair].a];
}

static const wi_query_body *body_b(const willow_scratch *scratch, uint32_t pair)
{
    return &scratch->chosen.items[scratch->pairs.items[pair].b];
}

static bool start_workers(const wi_question *question, willow_scratch *scratch)
{
    if (!wi_scratch_ready(scratch, question->tasks.worker_count)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        wi_query_worker *worker = &scratch->workers[i];
        wi_walk_start(&worker->walk, &question->rules, SIZE_MAX);
        worker->segments.count = 0;
        worker->is_out_of_memory = false;
    }
    scratch->workers[0].walk.stats.body_pairs += scratch->pairs.count;
    return true;
}

/* The items of pairs of bodies in [first, last): the roots, and lots of stars. A pair without two
 * trees has an item all the same, which BRUTE walks. */
static bool seed_items(willow_scratch *scratch, size_t first, size_t last)
{
    wi_walk *walk = &scratch->workers[0].walk;
    scratch->items.count = 0;
    for (uint32_t pair = (uint32_t)first; pair < last; pair++) {
        const wi_hierarchy *a = body_a(scratch, pair)->h, *b = body_b(scratch, pair)->h;
        const bool has_trees = a->views && b->views;
        walk->stack.count = 0;
        if (!wi_walk_seed(walk, a, b)) return false;
        /* The broad phase hands on only boxes that meet, so two trees always give an item. */
        WI_ASSERT(has_trees == (walk->stack.count > 0));
        const size_t count = has_trees ? walk->stack.count : 1;
        if (!wi_array_reserve(scratch->memory, &scratch->items, scratch->items.count + count))
            return false;
        for (size_t i = 0; i < count; i++) {
            wi_query_item *item = &scratch->items.items[scratch->items.count++];
            *item = (wi_query_item){.pair = pair};
            if (has_trees) item->nodes = walk->stack.items[i];
        }
    }
    walk->stack.count = 0;
    return true;
}

/* Closes the segment of keys that began at `first`, if it holds any. */
static bool add_segment(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first)
{
    wi_query_worker *w = &scratch->workers[worker];
    wi_segment segment = {pair, worker, first, w->walk.keys.count - first};
    return segment.count == 0 || wi_array_push(scratch->memory, &w->segments, segment);
}

static bool run_brute(wi_walk *walk, const wi_hierarchy *a, const wi_hierarchy *b)
{
    wi_brute_at at = {0};
    bool done = false;
    bool ok = wi_brute_run(walk, a->mesh, b->mesh, &at, &done);
    WI_ASSERT(!ok || done);
    return ok;
}

static bool run_item(willow_scratch *scratch, uint32_t worker, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[worker].walk;
    const wi_hierarchy *a = body_a(scratch, item->pair)->h, *b = body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    bool ok;
    if (a->views == NULL || b->views == NULL)
        ok = run_brute(walk, a, b);
    else
        ok = wi_array_push(scratch->memory, &walk->stack, item->nodes) &&
             walk->kernels->run(walk, a, b);
    return ok && add_segment(scratch, worker, item->pair, first);
}

static bool has_leaves(const wi_hierarchy *h, uint32_t node)
{
    return (node & WI_IS_LEAF) != 0 || h->views[node].leaf_mask != 0;
}

/* Opening it tests triangles, which is what items are shared out for; or it cannot be opened. */
static bool is_at_bottom(const wi_hierarchy *a, const wi_hierarchy *b, const wi_walk_item *nodes)
{
    if (a->views == NULL || b->views == NULL || nodes->b == WI_STARS) return true;
    return has_leaves(a, nodes->a) && (nodes->b == WI_ITSELF || has_leaves(b, nodes->b));
}

/* Opens the nodes of an item; their children become next items. */
static bool expand_item(willow_scratch *scratch, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[0].walk;
    const wi_hierarchy *a = body_a(scratch, item->pair)->h, *b = body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    wi_query_items *next = &scratch->next_items;
    if (is_at_bottom(a, b, &item->nodes)) return wi_array_push(scratch->memory, next, *item);
    if (!walk->kernels->step(walk, a, b, &item->nodes) || !wi_walk_decide_all(walk) ||
        !add_segment(scratch, 0, item->pair, first) ||
        !wi_array_reserve(scratch->memory, next, next->count + walk->stack.count))
        return false;
    for (size_t i = 0; i < walk->stack.count; i++)
        next->items[next->count++] = (wi_query_item){item->pair, walk->stack.items[i]};
    walk->stack.count = 0;
    return true;
}

static size_t count_lots_of_stars(const willow_scratch *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < scratch->items.count; i++)
        count += scratch->items.items[i].nodes.b == WI_STARS;
    return count;
}

/* Until there are as many pairs of nodes as wanted, or none can be opened. */
static bool expand_items(willow_scratch *scratch, size_t wanted)
{
    const wi_walk *walk = &scratch->workers[0].walk;
    const size_t lots = count_lots_of_stars(scratch); /* which stay what they are */
    bool goes_on = true;
    while (goes_on && scratch->items.count < wanted + lots) {
        const uint64_t opened = walk->stats.nodes_opened;
        scratch->next_items.count = 0;
        for (size_t i = 0; i < scratch->items.count; i++)
            if (!expand_item(scratch, &scratch->items.items[i])) return false;
        wi_query_items done = scratch->items;
        scratch->items = scratch->next_items;
        scratch->next_items = done;
        goes_on = walk->stats.nodes_opened > opened;
    }
    return true;
}

static void run_task(void *arg, uint32_t task, uint32_t worker)
{
    willow_scratch *scratch = arg;
    WI_ASSERT(worker < scratch->ready_count);
    wi_query_worker *w = &scratch->workers[worker];
    /* A walk that failed stands in the middle of something, so it takes no further item. */
    if (!w->is_out_of_memory)
        w->is_out_of_memory = !run_item(scratch, worker, &scratch->items.items[task]);
}

static bool run_items_alone(willow_scratch *scratch)
{
    for (size_t i = 0; i < scratch->items.count; i++)
        if (!run_item(scratch, 0, &scratch->items.items[i])) return false;
    return true;
}

static bool run_items_shared(const wi_question *question, willow_scratch *scratch)
{
    const willow_tasks *tasks = &question->tasks;
    if (!expand_items(scratch, (size_t)tasks->worker_count * ITEMS_PER_WORKER)) return false;
    WI_ASSERT(scratch->items.count <= UINT32_MAX);
    if (scratch->items.count == 0) return true;
    tasks->parallel_for(tasks->context, (uint32_t)scratch->items.count, run_task, scratch);
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        if (scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static bool run_items(const wi_question *question, willow_scratch *scratch)
{
    bool is_shared = question->tasks.worker_count > 1;
    return is_shared ? run_items_shared(question, scratch) : run_items_alone(scratch);
}

static size_t count_keys(const willow_scratch *scratch)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        count += scratch->workers[i].walk.keys.count;
    return count;
}

/* All pairs of bodies at once. Under a limit one after the other, and none once there are enough,
 * with any number of workers, so that counts do not depend on it (C10). A filter may refuse what
 * was found, so with one all are searched. */
static bool run_pairs(const wi_question *question, willow_scratch *scratch)
{
    size_t pair_count = scratch->pairs.count, limit = question->options.max_results;
    if (limit == 0 || question->options.filter)
        return seed_items(scratch, 0, pair_count) && run_items(question, scratch);
    for (size_t pair = 0; pair < pair_count && count_keys(scratch) <= limit; pair++)
        if (!seed_items(scratch, pair, pair + 1) || !run_items(question, scratch)) return false;
    return true;
}

/* Lists the segments of all workers by pair of bodies. */
static bool order_segments(willow_scratch *scratch)
{
    wi_memory *memory = scratch->memory;
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++) count += scratch->workers[i].segments.count;
    scratch->segments.count = 0;
    if (!wi_array_reserve(memory, &scratch->segments, count) ||
        !wi_array_reserve(memory, &scratch->order, count) ||
        !wi_array_reserve(memory, &scratch->spare_keys, count))
        return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_segments *from = &scratch->workers[i].segments;
        for (size_t k = 0; k < from->count; k++) {
            size_t at = scratch->segments.count++;
            scratch->segments.items[at] = from->items[k];
            scratch->order.items[at] = (uint64_t)from->items[k].pair << 32 | at;
        }
    }
    wi_sort_u64(scratch->order.items, scratch->spare_keys.items, count);
    return true;
}

static const wi_segment *segment_at(const willow_scratch *scratch, size_t at)
{
    return &scratch->segments.items[(uint32_t)scratch->order.items[at]];
}

/* Cuts the segments, which are in order, into one lot per pair of bodies. Lots follow each other
 * where the answer will be. */
static bool list_lots(willow_scratch *scratch)
{
    size_t first = 0, key_count = 0;
    scratch->lots.count = 0;
    while (first < scratch->segments.count) {
        wi_lot lot = {segment_at(scratch, first)->pair, first, first, key_count, 0};
        for (; lot.last < scratch->segments.count; lot.last++) {
            const wi_segment *segment = segment_at(scratch, lot.last);
            if (segment->pair != lot.pair) break;
            lot.count += segment->count;
        }
        if (!wi_array_push(scratch->memory, &scratch->lots, lot)) return false;
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
        return scratch->workers[only->worker].walk.keys.items + only->first;
    uint64_t *keys = scratch->keys.items + lot->place, *to = keys;
    for (size_t i = lot->first; i < lot->last; i++) {
        const wi_segment *s = segment_at(scratch, i);
        memcpy(to, scratch->workers[s->worker].walk.keys.items + s->first, s->count * sizeof *to);
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
    const wi_lot *lot = &scratch->lots.items[number];
    willow_tri_pair *place = scratch->found.items + lot->place;
    uint64_t *keys = gather_keys(scratch, lot);
    (void)worker;
    wi_sort_u64(keys, (uint64_t *)(void *)place, lot->count);
    for (size_t i = 0; i < lot->count; i++)
        place[i] = (willow_tri_pair){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
}

static bool sort_lots(const wi_question *question, willow_scratch *scratch)
{
    const size_t count = count_keys(scratch), lot_count = scratch->lots.count;
    const bool is_gathered = scratch->segments.count > lot_count;
    scratch->found.count = scratch->keys.count = 0; /* nothing to keep when they grow */
    if (!wi_array_reserve(scratch->memory, &scratch->found, count) ||
        !wi_array_reserve(scratch->memory, &scratch->keys, is_gathered ? count : 0))
        return false;
    willow_tasks tasks = count < KEYS_WORTH_SHARING ? wi_serial_tasks() : question->tasks;
    if (lot_count > 0) tasks.parallel_for(tasks.context, (uint32_t)lot_count, sort_lot, scratch);
    return true;
}

/* A point for every pair found from number `first` on, all of one pair of bodies. On the calling
 * thread, one after the other. */
static bool add_witnesses(willow_scratch *scratch, uint32_t pair, size_t first)
{
    const wi_mesh *a = body_a(scratch, pair)->h->mesh, *b = body_b(scratch, pair)->h->mesh;
    if (!wi_array_reserve(scratch->memory, &scratch->witnesses, scratch->found.count)) return false;
    for (size_t i = first; i < scratch->found.count; i++)
        scratch->witnesses.items[scratch->witnesses.count++] =
            wi_find_witness(a, scratch->found.items[i].tri_a, b, scratch->found.items[i].tri_b);
    return true;
}

/* Moves up to the answer what the filter lets through; false in *complete if the limit cuts it. */
static void keep_wanted(const willow_query_options *options, willow_scratch *scratch,
                        const wi_lot *lot, const willow_pair_run *run, bool *complete)
{
    const willow_tri_pair *from = scratch->found.items + lot->place;
    for (size_t i = 0; i < lot->count && *complete; i++) {
        willow_tri_ref a = {run->body_a, from[i].tri_a}, b = {run->body_b, from[i].tri_b};
        if (options->filter && !options->filter(options->filter_context, a, b)) continue;
        if (options->max_results > 0 && scratch->found.count == options->max_results)
            *complete = false;
        else
            scratch->found.items[scratch->found.count++] = from[i];
    }
}

/* Makes a run of a lot, whose pairs are at or behind the end of the answer. */
static bool emit_run(const wi_question *question, willow_scratch *scratch, const wi_lot *lot,
                     bool *complete)
{
    const willow_query_options *options = &question->options;
    willow_pair_run run = {body_a(scratch, lot->pair)->id, body_b(scratch, lot->pair)->id,
                           scratch->found.count, 0};
    if (options->filter || options->max_results > 0)
        keep_wanted(options, scratch, lot, &run, complete);
    else
        scratch->found.count += lot->count;
    run.count = scratch->found.count - run.first;
    if (run.count > 0 && !wi_array_push(scratch->memory, &scratch->runs, run)) return false;
    return !options->witness || add_witnesses(scratch, lot->pair, run.first);
}

static bool emit_runs(const wi_question *question, willow_scratch *scratch, bool *complete)
{
    *complete = true;
    scratch->runs.count = scratch->witnesses.count = 0;
    if (!order_segments(scratch) || !list_lots(scratch) || !sort_lots(question, scratch))
        return false;
    for (size_t i = 0; i < scratch->lots.count && *complete; i++)
        if (!emit_run(question, scratch, &scratch->lots.items[i], complete)) return false;
    return true;
}

willow_result wi_find_pairs(const wi_question *question, willow_scratch *scratch, willow_pairs *out)
{
    bool complete = true;
    bool ok = start_workers(question, scratch) && run_pairs(question, scratch) &&
              emit_runs(question, scratch, &complete);
    if (!ok) return wi_fail_memory(&scratch->message, "the pairs found");
    *out = (willow_pairs){.runs = scratch->runs.items,
                          .run_count = scratch->runs.count,
                          .items = scratch->found.items,
                          .count = scratch->found.count,
                          .witnesses = question->options.witness ? scratch->witnesses.items : NULL,
                          .complete = complete};
    return WILLOW_OK;
}
