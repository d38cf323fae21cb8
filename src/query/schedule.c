/* schedule.c - walks all pairs of bodies of a question, alone or shared out among workers.
 *
 * Way in: wi_schedule_run. An item is a pair of nodes of a pair of bodies, the roots at first, or a
 * lot of the stars of one body. One worker takes them one by one. For several, pairs of nodes are
 * opened breadth-first until there are enough for each, but not down to the leaves. What the walks
 * find is for the caller to put in order. */
#include "query/schedule.h"

#include "base/check.h"
#include "query/scratch.h"
#include "walk/brute.h"

/* Enough that nobody waits long for the last one, and few enough that opening them, which one
 * worker does, is a small part of the whole. */
enum { ITEMS_PER_WORKER = 16 };

void wi_schedule_free(wi_memory *memory, wi_schedule *schedule)
{
    wi_array_free(memory, &schedule->items);
    wi_array_free(memory, &schedule->next_items);
}

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
    scratch->schedule.until = 1.0;
    return true;
}

/* Where contacts are looked for, a walk must know how the two bodies move. */
static bool schedule_begin_pair(const willow_scratch *scratch, wi_walk *walk, uint32_t pair)
{
    const wi_query_body *a = wi_body_a(scratch, pair), *b = wi_body_b(scratch, pair);
    if (!wi_walk_wants_contacts(walk)) return true;
    const wi_motion still = {.end = a->h};
    const bool stands_still = a == b && a->motion.is_rigid;
    wi_step step = wi_step_between(a->h, stands_still ? &still : &a->motion, b->h,
                                   stands_still ? &still : &b->motion,
                                   wi_reach_of(walk->rules.distance, a, b));
    wi_step_limit(&step, scratch->schedule.until);
    return wi_walk_begin_step(walk, &step, pair);
}

/* ---- items ---- */

/* The items of a pair of bodies: the roots, lots of stars and seeds of lists. A pair without two
 * trees has one item, which BRUTE walks. */
static bool schedule_pair(willow_scratch *scratch, uint32_t pair)
{
    wi_walk *walk = &scratch->workers[0].walk;
    wi_query_items *items = &scratch->schedule.items;
    const wi_tree *a = wi_body_a(scratch, pair)->h, *b = wi_body_b(scratch, pair)->h;
    const wi_query_item brute = {.kind = WI_QUERY_BRUTE, .pair = pair};
    walk->stack.count = 0;
    if (!schedule_begin_pair(scratch, walk, pair)) return false;
    if (a->nodes == NULL || b->nodes == NULL) return wi_array_push(scratch->memory, items, brute);
    if (!wi_walk_seed(walk, a, b)) return false;
    /* The broad phase hands on only boxes that meet, so two trees always give an item. */
    WI_ASSERT(walk->stack.count > 0);
    const bool has_list = wi_step_lists_know(scratch, pair); /* in the place of the roots */
    const size_t count = has_list ? walk->stack.count - 1 : walk->stack.count;
    if (!wi_array_reserve(scratch->memory, items, items->count + count)) return false;
    for (size_t i = 0; i < count; i++)
        items->items[items->count++] =
            (wi_query_item){.kind = WI_QUERY_NODES, .pair = pair, .nodes = walk->stack.items[i]};
    return !has_list || wi_step_lists_seed(scratch, pair);
}

/* The items of pairs of bodies in [first, last). */
static bool schedule_pairs(willow_scratch *scratch, size_t first, size_t last)
{
    WI_ASSERT(first <= last && last <= scratch->pairs.count);
    scratch->schedule.items.count = scratch->lists.seeds.count = 0;
    for (uint32_t pair = (uint32_t)first; pair < last; pair++)
        if (!schedule_pair(scratch, pair)) return false;
    scratch->workers[0].walk.stack.count = 0;
    return true;
}

static bool schedule_brute(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    wi_brute_at at = {0};
    bool done = false;
    if (wi_walk_wants_contacts(walk)) return wi_brute_run_step(walk);
    bool ok = wi_brute_run(walk, a->mesh, b->mesh, &at, &done);
    WI_ASSERT(!ok || done);
    return ok;
}

static bool schedule_run_item(willow_scratch *scratch, uint32_t worker, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[worker].walk;
    const wi_tree *a = wi_body_a(scratch, item->pair)->h, *b = wi_body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    if (!schedule_begin_pair(scratch, walk, item->pair)) return false;
    bool ok = false;
    switch (item->kind) {
    case WI_QUERY_NODES:
        ok = wi_array_push(scratch->memory, &walk->stack, item->nodes) &&
             walk->kernels->run(walk, a, b);
        break;
    case WI_QUERY_SEEDS:
        ok = wi_step_lists_push(scratch, walk, item) && walk->kernels->run(walk, a, b);
        break;
    case WI_QUERY_BRUTE: ok = schedule_brute(walk, a, b); break;
    }
    return ok && wi_add_segment(scratch, worker, item->pair, first);
}

static bool has_leaves(const wi_tree *h, uint32_t node)
{
    return (node & WI_IS_LEAF) != 0 || h->nodes[node].leaf_mask != 0;
}

/* Opening it tests triangles, which is what items are shared out for; or it cannot be opened. */
static bool is_at_bottom(const wi_tree *a, const wi_tree *b, const wi_query_item *item)
{
    const wi_walk_item *nodes = &item->nodes;
    if (item->kind != WI_QUERY_NODES || nodes->b == WI_FANS) return true;
    return has_leaves(a, nodes->a) && (nodes->b == WI_ITSELF || has_leaves(b, nodes->b));
}

/* Opens the nodes of an item; their children become next items. */
static bool expand_item(willow_scratch *scratch, const wi_query_item *item)
{
    wi_walk *walk = &scratch->workers[0].walk;
    const wi_tree *a = wi_body_a(scratch, item->pair)->h, *b = wi_body_b(scratch, item->pair)->h;
    size_t first = walk->keys.count;
    wi_query_items *next = &scratch->schedule.next_items;
    if (is_at_bottom(a, b, item)) return wi_array_push(scratch->memory, next, *item);
    if (!schedule_begin_pair(scratch, walk, item->pair) ||
        !walk->kernels->step(walk, a, b, &item->nodes) ||
        !wi_add_segment(scratch, 0, item->pair, first) ||
        !wi_array_reserve(scratch->memory, next, next->count + walk->stack.count))
        return false;
    for (size_t i = 0; i < walk->stack.count; i++)
        next->items[next->count++] = (wi_query_item){
            .kind = WI_QUERY_NODES, .pair = item->pair, .nodes = walk->stack.items[i]};
    walk->stack.count = 0;
    return true;
}

static size_t count_lots_of_stars(const willow_scratch *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < scratch->schedule.items.count; i++)
        count += scratch->schedule.items.items[i].kind == WI_QUERY_NODES &&
                 scratch->schedule.items.items[i].nodes.b == WI_FANS;
    return count;
}

/* Until there are as many pairs of nodes as wanted, or none can be opened. */
static bool expand_items(willow_scratch *scratch, size_t wanted)
{
    const wi_walk *walk = &scratch->workers[0].walk;
    const size_t lots = count_lots_of_stars(scratch); /* which stay what they are */
    bool goes_on = true;
    while (goes_on && scratch->schedule.items.count < wanted + lots) {
        const uint64_t opened = walk->stats.nodes_opened;
        scratch->schedule.next_items.count = 0;
        for (size_t i = 0; i < scratch->schedule.items.count; i++)
            if (!expand_item(scratch, &scratch->schedule.items.items[i])) return false;
        wi_query_items done = scratch->schedule.items;
        scratch->schedule.items = scratch->schedule.next_items;
        scratch->schedule.next_items = done;
        goes_on = walk->stats.nodes_opened > opened;
    }
    return true;
}

static void schedule_task(void *arg, uint32_t task, uint32_t worker)
{
    willow_scratch *scratch = arg;
    WI_ASSERT(worker < scratch->ready_count);
    wi_query_worker *w = &scratch->workers[worker];
    /* A walk that failed stands in the middle of something, so it takes no further item. */
    if (!w->is_out_of_memory)
        w->is_out_of_memory = !schedule_run_item(
            scratch, worker, &scratch->schedule.items.items[scratch->schedule.first_item + task]);
}

bool wi_schedule_run_lot(const wi_question *question, willow_scratch *scratch, size_t first,
                         size_t count)
{
    const willow_tasks *tasks = &question->tasks;
    WI_ASSERT(count <= UINT32_MAX);
    if (tasks->worker_count == 1) {
        for (size_t i = first; i < first + count; i++)
            if (!schedule_run_item(scratch, 0, &scratch->schedule.items.items[i])) return false;
        return true;
    }
    scratch->schedule.first_item = first;
    if (count > 0) tasks->parallel_for(tasks->context, (uint32_t)count, schedule_task, scratch);
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        if (scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static bool schedule_run_items(const wi_question *question, willow_scratch *scratch)
{
    const size_t workers = question->tasks.worker_count;
    if (workers > 1 && !expand_items(scratch, workers * ITEMS_PER_WORKER)) return false;
    return wi_schedule_run_lot(question, scratch, 0, scratch->schedule.items.count);
}

bool wi_schedule_prepare(willow_scratch *scratch, size_t wanted)
{
    return schedule_pairs(scratch, 0, scratch->pairs.count) && expand_items(scratch, wanted);
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
        return schedule_pairs(scratch, 0, pair_count) && schedule_run_items(question, scratch);
    for (size_t pair = 0; pair < pair_count && wi_schedule_count(scratch) <= limit; pair++)
        if (!schedule_pairs(scratch, pair, pair + 1) || !schedule_run_items(question, scratch))
            return false;
    return true;
}
