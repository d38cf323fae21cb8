/* find_pairs.c - all pairs, sorted, in one run per pair of bodies (C3).
 *
 * Way in: wi_find_pairs. An item is a pair of nodes of a pair of bodies; the roots are the first
 * ones. One worker takes them one by one. For several, items are opened breadth-first until there
 * are some tens per worker. What is found is put together by pair of bodies and sorted, so no
 * answer depends on who found it (C10). */
#include <string.h>

#include "base/check.h"
#include "base/sort.h"
#include "query/question.h"
#include "walk/brute.h"

enum { ITEMS_PER_WORKER = 64, MAX_EXPANSIONS = 16 };

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

/* One item per pair of bodies in [first, last): the roots. A pair without two trees has an item all
 * the same, which BRUTE walks. */
static bool seed_items(willow_scratch *scratch, size_t first, size_t last)
{
    wi_walk *walk = &scratch->workers[0].walk;
    scratch->items.count = 0;
    for (uint32_t pair = (uint32_t)first; pair < last; pair++) {
        const wi_hierarchy *a = body_a(scratch, pair)->h, *b = body_b(scratch, pair)->h;
        wi_query_item item = {.pair = pair};
        walk->stack.count = 0;
        if (!wi_walk_seed(walk, a, b)) return false;
        /* The broad phase hands on only boxes that meet, so two trees always give an item. */
        WI_ASSERT(walk->stack.count == 1 || a->views == NULL || b->views == NULL);
        if (walk->stack.count > 0) item.nodes = walk->stack.items[0];
        if (!wi_array_push(scratch->memory, &scratch->items, item)) return false;
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

/* Opens the nodes of an item; their children become next items. */
static bool expand_item(willow_scratch *scratch, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[0].walk;
    const wi_hierarchy *a = body_a(scratch, item->pair)->h, *b = body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    wi_query_items *next = &scratch->next_items;
    if (a->views == NULL || b->views == NULL) return wi_array_push(scratch->memory, next, *item);
    if (!walk->kernels->step(walk, a, b, &item->nodes) || !wi_walk_decide_all(walk) ||
        !add_segment(scratch, 0, item->pair, first) ||
        !wi_array_reserve(scratch->memory, next, next->count + walk->stack.count))
        return false;
    for (size_t i = 0; i < walk->stack.count; i++)
        next->items[next->count++] = (wi_query_item){item->pair, walk->stack.items[i]};
    walk->stack.count = 0;
    return true;
}

static bool expand_items(willow_scratch *scratch, size_t wanted)
{
    for (int round = 0; round < MAX_EXPANSIONS && scratch->items.count < wanted; round++) {
        scratch->next_items.count = 0;
        for (size_t i = 0; i < scratch->items.count; i++)
            if (!expand_item(scratch, &scratch->items.items[i])) return false;
        wi_query_items done = scratch->items;
        scratch->items = scratch->next_items;
        scratch->next_items = done;
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

/* Puts the keys of segments [first, last) in a row and sorts them; a single one stays in place. */
static uint64_t *gather_keys(willow_scratch *scratch, size_t first, size_t last, size_t count)
{
    const wi_segment *only = segment_at(scratch, first);
    uint64_t *keys = scratch->workers[only->worker].walk.keys.items + only->first;
    if (!wi_array_reserve(scratch->memory, &scratch->spare_keys, count)) return NULL;
    if (last - first > 1) {
        if (!wi_array_reserve(scratch->memory, &scratch->keys, count)) return NULL;
        keys = scratch->keys.items;
        for (size_t i = first, at = 0; i < last; i++) {
            const wi_segment *s = segment_at(scratch, i);
            memcpy(keys + at, scratch->workers[s->worker].walk.keys.items + s->first,
                   s->count * sizeof *keys);
            at += s->count;
        }
    }
    wi_sort_u64(keys, scratch->spare_keys.items, count);
    return keys;
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

/* Appends one run; false in *complete if the limit cuts it. */
static bool emit_run(const wi_question *question, willow_scratch *scratch, uint32_t pair,
                     const uint64_t *keys, size_t count, bool *complete)
{
    const willow_query_options *options = &question->options;
    willow_pair_run run = {body_a(scratch, pair)->id, body_b(scratch, pair)->id,
                           scratch->found.count, 0};
    if (!wi_array_reserve(scratch->memory, &scratch->found, scratch->found.count + count) ||
        !wi_array_reserve(scratch->memory, &scratch->runs, scratch->runs.count + 1))
        return false;
    for (size_t i = 0; i < count && *complete; i++) {
        willow_tri_pair found = {(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
        willow_tri_ref a = {run.body_a, found.tri_a}, b = {run.body_b, found.tri_b};
        if (options->filter && !options->filter(options->filter_context, a, b)) continue;
        if (options->max_results > 0 && scratch->found.count == options->max_results)
            *complete = false;
        else
            scratch->found.items[scratch->found.count++] = found;
    }
    run.count = scratch->found.count - run.first;
    if (run.count > 0) scratch->runs.items[scratch->runs.count++] = run;
    return !options->witness || add_witnesses(scratch, pair, run.first);
}

static bool emit_runs(const wi_question *question, willow_scratch *scratch, bool *complete)
{
    if (!order_segments(scratch)) return false;
    *complete = true;
    scratch->found.count = scratch->runs.count = scratch->witnesses.count = 0;
    for (size_t first = 0, last; first < scratch->segments.count && *complete; first = last) {
        uint32_t pair = segment_at(scratch, first)->pair;
        size_t count = 0;
        for (last = first; last < scratch->segments.count; last++) {
            if (segment_at(scratch, last)->pair != pair) break;
            count += segment_at(scratch, last)->count;
        }
        const uint64_t *keys = gather_keys(scratch, first, last, count);
        if (keys == NULL || !emit_run(question, scratch, pair, keys, count, complete)) return false;
    }
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
