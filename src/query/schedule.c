/* schedule.c - walks all pairs of bodies of a question, alone or shared out among workers.
 *
 * Way in: wi_schedule_run. An item is a pair of nodes of a pair of bodies, the roots at first, or a
 * lot of the stars of one body. One worker takes them one by one. For several, pairs of nodes are
 * opened breadth-first until there are enough for each, but not down to the leaves. What the walks
 * find is for the caller to put in order. */
#include "query/schedule.h"

#include <string.h>

#include "base/check.h"
#include "base/sort.h"
#include "walk/brute.h"

/* Enough that nobody waits long for the last one, and few enough that opening them, which one
 * worker does, is a small part of the whole. */
enum { ITEMS_PER_WORKER = 16 };

const wi_query_body *wi_body_a(const willow_scratch *scratch, uint32_t pair)
{
    return &scratch->chosen.items[scratch->pairs.items[pair].a];
}

const wi_query_body *wi_body_b(const willow_scratch *scratch, uint32_t pair)
{
    return &scratch->chosen.items[scratch->pairs.items[pair].b];
}

bool wi_schedule_start(const wi_question *question, willow_scratch *scratch)
{
    if (!wi_scratch_ready(scratch, question->tasks.worker_count)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        wi_query_worker *worker = &scratch->workers[i];
        wi_walk_start(&worker->walk, &question->rules, SIZE_MAX);
        worker->segments.count = 0;
        worker->is_out_of_memory = false;
    }
    scratch->workers[0].walk.stats.body_pairs += scratch->pairs.count;
    scratch->until = 1.0;
    return true;
}

/* Where contacts are looked for, a walk must know how the two bodies move. */
static bool begin_pair(const willow_scratch *scratch, wi_walk *walk, uint32_t pair)
{
    const wi_query_body *a = wi_body_a(scratch, pair), *b = wi_body_b(scratch, pair);
    if (!wi_walk_wants_contacts(walk)) return true;
    const wi_motion still = {.end = a->h};
    const bool stands_still = a == b && a->motion.is_rigid;
    wi_step step = wi_step_between(a->h, stands_still ? &still : &a->motion, b->h,
                                   stands_still ? &still : &b->motion,
                                   wi_reach_of(walk->rules.distance, a, b));
    wi_step_limit(&step, scratch->until);
    return wi_walk_begin_step(walk, &step, pair);
}

/* ---- seeds ---- */

/* Seeds in an item: few enough that a search which has found an impact need not look into many that
 * begin later. */
enum { SEEDS_PER_ITEM = 64 };

static bool knows_step(const willow_scratch *scratch, uint32_t pair)
{
    return pair < scratch->lists.count && scratch->lists.items[pair] != NULL;
}

/* Those from `first` on, by when they begin to meet; equal ones as they came. */
static bool sort_seeds(willow_scratch *scratch, size_t first)
{
    const size_t count = scratch->seeds.count - first;
    scratch->order.count = scratch->spare_keys.count = scratch->sorted_seeds.count = 0;
    if (count > UINT32_MAX || !wi_array_reserve(scratch->memory, &scratch->order, count) ||
        !wi_array_reserve(scratch->memory, &scratch->spare_keys, count) ||
        !wi_array_reserve(scratch->memory, &scratch->sorted_seeds, count))
        return false;
    wi_sep_seed *seeds = scratch->seeds.items + first;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits; /* of numbers that are not negative they are in the same order */
        memcpy(&bits, &seeds[i].when, sizeof bits);
        scratch->order.items[i] = (uint64_t)bits << 32 | i;
    }
    wi_sort_u64(scratch->order.items, scratch->spare_keys.items, count);
    for (size_t i = 0; i < count; i++)
        scratch->sorted_seeds.items[i] = seeds[(uint32_t)scratch->order.items[i]];
    if (count > 0) memcpy(seeds, scratch->sorted_seeds.items, count * sizeof *seeds);
    return true;
}

/* In the place of the roots, which are on top of the stack. */
static bool seed_from_list(willow_scratch *scratch, uint32_t pair)
{
    const size_t first = scratch->seeds.count;
    if (!wi_separation_look_ahead(scratch->memory, scratch->kernel, scratch->lists.items[pair],
                                  scratch->lists_until, &scratch->seeds) ||
        !sort_seeds(scratch, first))
        return false;
    for (size_t at = first; at < scratch->seeds.count; at += SEEDS_PER_ITEM) {
        const size_t left = scratch->seeds.count - at;
        const wi_query_item item = {.pair = pair,
                                    .first_seed = at,
                                    .seed_count = left < SEEDS_PER_ITEM ? left : SEEDS_PER_ITEM};
        if (!wi_array_push(scratch->memory, &scratch->items, item)) return false;
    }
    return true;
}

/* Nothing is known of boxes but that of the whole body. */
static bool push_seeds(const willow_scratch *scratch, wi_walk *walk, const wi_query_item *item)
{
    const wi_query_body *a = wi_body_a(scratch, item->pair), *b = wi_body_b(scratch, item->pair);
    for (size_t i = item->seed_count; i-- > 0;) { /* so that the first comes first */
        const wi_sep_seed *seed = &scratch->seeds.items[item->first_seed + i];
        const bool is_itself = a == b && seed->a == seed->b;
        const wi_walk_item nodes = {seed->a, is_itself ? WI_ITSELF : seed->b, a->bounds, b->bounds};
        if (!wi_array_push(scratch->memory, &walk->stack, nodes)) return false;
    }
    return true;
}

/* ---- items ---- */

/* The items of pairs of bodies in [first, last): the roots, and lots of stars. A pair without two
 * trees has an item all the same, which BRUTE walks. */
static bool seed_items(willow_scratch *scratch, size_t first, size_t last)
{
    wi_walk *walk = &scratch->workers[0].walk;
    scratch->items.count = scratch->seeds.count = 0;
    for (uint32_t pair = (uint32_t)first; pair < last; pair++) {
        const wi_tree *a = wi_body_a(scratch, pair)->h, *b = wi_body_b(scratch, pair)->h;
        const bool has_trees = a->nodes && b->nodes;
        walk->stack.count = 0;
        if (!begin_pair(scratch, walk, pair) || !wi_walk_seed(walk, a, b)) return false;
        /* The broad phase hands on only boxes that meet, so two trees always give an item. */
        WI_ASSERT(has_trees == (walk->stack.count > 0));
        const bool has_list = has_trees && knows_step(scratch, pair);
        const size_t count = has_list ? walk->stack.count - 1 : has_trees ? walk->stack.count : 1;
        if (!wi_array_reserve(scratch->memory, &scratch->items, scratch->items.count + count))
            return false;
        for (size_t i = 0; i < count; i++) {
            wi_query_item *item = &scratch->items.items[scratch->items.count++];
            *item = (wi_query_item){.pair = pair};
            if (has_trees) item->nodes = walk->stack.items[i];
        }
        if (has_list && !seed_from_list(scratch, pair)) return false;
    }
    walk->stack.count = 0;
    return true;
}

bool wi_schedule_add_segment(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first)
{
    wi_query_worker *w = &scratch->workers[worker];
    wi_segment segment = {pair, worker, first, w->walk.keys.count - first};
    return segment.count == 0 || wi_array_push(scratch->memory, &w->segments, segment);
}

static bool run_brute(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    wi_brute_at at = {0};
    bool done = false;
    if (wi_walk_wants_contacts(walk)) return wi_brute_run_step(walk);
    bool ok = wi_brute_run(walk, a->mesh, b->mesh, &at, &done);
    WI_ASSERT(!ok || done);
    return ok;
}

static bool run_item(willow_scratch *scratch, uint32_t worker, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[worker].walk;
    const wi_tree *a = wi_body_a(scratch, item->pair)->h, *b = wi_body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    bool ok = begin_pair(scratch, walk, item->pair);
    if (!ok) return false;
    if (a->nodes == NULL || b->nodes == NULL)
        ok = run_brute(walk, a, b);
    else
        ok = (item->seed_count > 0 ? push_seeds(scratch, walk, item)
                                   : wi_array_push(scratch->memory, &walk->stack, item->nodes)) &&
             walk->kernels->run(walk, a, b);
    return ok && wi_schedule_add_segment(scratch, worker, item->pair, first);
}

static bool has_leaves(const wi_tree *h, uint32_t node)
{
    return (node & WI_IS_LEAF) != 0 || h->nodes[node].leaf_mask != 0;
}

/* Opening it tests triangles, which is what items are shared out for; or it cannot be opened. */
static bool is_at_bottom(const wi_tree *a, const wi_tree *b, const wi_walk_item *nodes)
{
    if (a->nodes == NULL || b->nodes == NULL || nodes->b == WI_FANS) return true;
    return has_leaves(a, nodes->a) && (nodes->b == WI_ITSELF || has_leaves(b, nodes->b));
}

/* Opens the nodes of an item; their children become next items. */
static bool expand_item(willow_scratch *scratch, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[0].walk;
    const wi_tree *a = wi_body_a(scratch, item->pair)->h, *b = wi_body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    wi_query_items *next = &scratch->next_items;
    if (item->seed_count > 0 || is_at_bottom(a, b, &item->nodes))
        return wi_array_push(scratch->memory, next, *item);
    if (!begin_pair(scratch, walk, item->pair) || !walk->kernels->step(walk, a, b, &item->nodes) ||
        !wi_schedule_add_segment(scratch, 0, item->pair, first) ||
        !wi_array_reserve(scratch->memory, next, next->count + walk->stack.count))
        return false;
    for (size_t i = 0; i < walk->stack.count; i++)
        next->items[next->count++] =
            (wi_query_item){.pair = item->pair, .nodes = walk->stack.items[i]};
    walk->stack.count = 0;
    return true;
}

static size_t count_lots_of_stars(const willow_scratch *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < scratch->items.count; i++)
        count += scratch->items.items[i].nodes.b == WI_FANS;
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
        w->is_out_of_memory =
            !run_item(scratch, worker, &scratch->items.items[scratch->first_item + task]);
}

bool wi_schedule_run_lot(const wi_question *question, willow_scratch *scratch, size_t first,
                         size_t count)
{
    const willow_tasks *tasks = &question->tasks;
    WI_ASSERT(count <= UINT32_MAX);
    if (tasks->worker_count == 1) {
        for (size_t i = first; i < first + count; i++)
            if (!run_item(scratch, 0, &scratch->items.items[i])) return false;
        return true;
    }
    scratch->first_item = first;
    if (count > 0) tasks->parallel_for(tasks->context, (uint32_t)count, run_task, scratch);
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        if (scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static bool run_items(const wi_question *question, willow_scratch *scratch)
{
    const size_t workers = question->tasks.worker_count;
    if (workers > 1 && !expand_items(scratch, workers * ITEMS_PER_WORKER)) return false;
    return wi_schedule_run_lot(question, scratch, 0, scratch->items.count);
}

bool wi_schedule_prepare(willow_scratch *scratch, size_t wanted)
{
    return seed_items(scratch, 0, scratch->pairs.count) && expand_items(scratch, wanted);
}

size_t wi_schedule_count(const willow_scratch *scratch)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        count += scratch->workers[i].walk.keys.count + scratch->workers[i].walk.contacts.count;
    return count;
}

/* Bodies with group masks give some contacts more than once (query/contacts.c). */
static bool may_repeat(const willow_scratch *scratch)
{
    if (!wi_walk_wants_contacts(&scratch->workers[0].walk)) return false;
    for (size_t i = 0; i < scratch->chosen.count; i++)
        if (scratch->chosen.items[i].h->mesh->masks.rows) return true;
    return false;
}

bool wi_schedule_run(const wi_question *question, willow_scratch *scratch)
{
    size_t pair_count = scratch->pairs.count, limit = question->options.max_results;
    if (limit == 0 || question->options.filter || may_repeat(scratch))
        return seed_items(scratch, 0, pair_count) && run_items(question, scratch);
    for (size_t pair = 0; pair < pair_count && wi_schedule_count(scratch) <= limit; pair++)
        if (!seed_items(scratch, pair, pair + 1) || !run_items(question, scratch)) return false;
    return true;
}
