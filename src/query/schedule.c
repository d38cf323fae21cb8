/* schedule.c - walks all pairs of bodies of a question, alone or shared out among workers.
 *
 * Way in: wi_schedule_run. An item is a pair of nodes of a pair of bodies, the roots at first, or a
 * lot of the stars of one body. One worker takes them one by one. For several, pairs of nodes are
 * opened breadth-first until there are enough for each, but not down to the leaves. What the walks
 * find is for the caller to put in order. */
#include "query/schedule.h"

#include <string.h>

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
    WI_ASSERT(pair < scratch->pairs.count);
    return &scratch->chosen.items[scratch->pairs.items[pair].a];
}

const wi_query_body *wi_body_b(const willow_scratch *scratch, uint32_t pair)
{
    WI_ASSERT(pair < scratch->pairs.count);
    return &scratch->chosen.items[scratch->pairs.items[pair].b];
}

wi_two_trees wi_trees_of(willow_scratch *scratch, uint32_t worker, uint32_t pair)
{
    WI_ASSERT(worker < scratch->ready_count);
    return wi_worker_trees(&scratch->workers[worker], wi_body_a(scratch, pair),
                           wi_body_b(scratch, pair));
}

willow_pair_run wi_run_of(const willow_scratch *scratch, uint32_t pair, size_t first)
{
    const wi_shown *a = wi_body_a(scratch, pair)->shown, *b = wi_body_b(scratch, pair)->shown;
    return (willow_pair_run){.body_a = a->id,
                             .body_b = b->id,
                             .user_data_a = a->user_data,
                             .user_data_b = b->user_data,
                             .first = first};
}

static void schedule_start_worker(const wi_question *question, wi_query_worker *worker)
{
    if (wi_wants_contacts(&question->rules))
        wi_step_walk_start(&worker->step, &question->rules);
    else
        wi_pair_walk_start(&worker->pairs, &question->rules, SIZE_MAX);
    worker->segments.count = 0;
    worker->is_out_of_memory = false;
}

bool wi_schedule_start(const wi_question *question, willow_scratch *scratch)
{
    if (!wi_scratch_ready(scratch, question->tasks.worker_count)) return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        schedule_start_worker(question, &scratch->workers[i]);
    scratch->workers[0].reader.stats.body_pairs += scratch->pairs.count;
    scratch->schedule.walks =
        wi_wants_contacts(&question->rules) ? WI_WALKS_OVER_STEPS : WI_WALKS_OVER_PAIRS;
    scratch->schedule.until = 1.0;
    return true;
}

/* ---- either kind of walk ---- */

static wi_descent *schedule_descent(willow_scratch *scratch, uint32_t worker)
{
    WI_ASSERT(worker < scratch->ready_count);
    wi_query_worker *w = &scratch->workers[worker];
    return scratch->schedule.walks == WI_WALKS_OVER_STEPS ? &w->step.down : &w->pairs.down;
}

/* Walks over steps must know how the two bodies move. */
static bool schedule_begin_pair(willow_scratch *scratch, uint32_t worker, uint32_t pair)
{
    if (scratch->schedule.walks == WI_WALKS_OVER_PAIRS) return true;
    const wi_query_body *a = wi_body_a(scratch, pair), *b = wi_body_b(scratch, pair);
    wi_step_walk *walk = &scratch->workers[worker].step;
    const wi_two_trees h = wi_trees_of(scratch, worker, pair);
    const wi_motion still_a = {.end = h.a}, still_b = {.end = h.b};
    const bool stands_still = a == b && a->motion && a->motion->is_rigid;
    wi_step step = wi_step_between(h.a, stands_still || a->motion == NULL ? &still_a : a->motion,
                                   h.b, stands_still || b->motion == NULL ? &still_b : b->motion,
                                   wi_reach_of(walk->down.rules.distance, a, b));
    wi_step_limit(&step, scratch->schedule.until);
    return wi_step_walk_take(walk, &step, pair);
}

/* Puts the roots of the pair that was begun on the stack, and its fans. */
static bool schedule_seed(wi_query_worker *w, wi_schedule_walks walks, const wi_tree *a,
                          const wi_tree *b)
{
    return walks == WI_WALKS_OVER_STEPS ? wi_step_walk_seed(&w->step)
                                        : wi_pair_walk_seed(&w->pairs, a, b);
}

static bool schedule_run_stack(wi_query_worker *w, wi_schedule_walks walks, const wi_tree *a,
                               const wi_tree *b)
{
    return walks == WI_WALKS_OVER_STEPS ? w->step.kernels->run(&w->step)
                                        : w->pairs.kernels->run(&w->pairs, a, b);
}

static bool schedule_open(wi_query_worker *w, wi_schedule_walks walks, const wi_tree *a,
                          const wi_tree *b, const wi_walk_item *nodes)
{
    return walks == WI_WALKS_OVER_STEPS ? w->step.kernels->open(&w->step, nodes)
                                        : w->pairs.kernels->open(&w->pairs, a, b, nodes);
}

static bool schedule_brute(wi_query_worker *w, wi_schedule_walks walks, const wi_tree *a,
                           const wi_tree *b)
{
    wi_brute_at at = {0};
    bool done = false;
    if (walks == WI_WALKS_OVER_STEPS) return wi_brute_run_step(&w->step);
    bool ok = wi_brute_run(&w->pairs, a->mesh, b->mesh, &at, &done);
    WI_ASSERT(!ok || done);
    return ok;
}

/* Closes the segment of keys that began at `first`; contacts know their pairs of bodies. */
static bool schedule_end_item(willow_scratch *scratch, uint32_t worker, uint32_t pair, size_t first)
{
    return scratch->schedule.walks == WI_WALKS_OVER_STEPS ||
           wi_add_segment(scratch, worker, pair, first);
}

/* ---- items ---- */

/* The items of a pair of bodies: the roots, lots of stars and seeds of lists. A pair without two
 * trees has one item, which BRUTE walks. */
static bool schedule_pair(willow_scratch *scratch, uint32_t pair)
{
    const wi_walk_items *stack = &schedule_descent(scratch, 0)->stack;
    wi_query_items *items = &scratch->schedule.items;
    const wi_two_trees h = wi_trees_of(scratch, 0, pair);
    const wi_tree *a = h.a, *b = h.b;
    const wi_query_item brute = {.kind = WI_QUERY_BRUTE, .pair = pair};
    schedule_descent(scratch, 0)->stack.count = 0;
    if (!schedule_begin_pair(scratch, 0, pair)) return false;
    if (a->boxes.nodes == NULL || b->boxes.nodes == NULL)
        return wi_array_push(scratch->memory, items, brute);
    if (!schedule_seed(&scratch->workers[0], scratch->schedule.walks, a, b)) return false;
    /* The broad phase hands on only boxes that meet, so two trees always give an item. */
    WI_ASSERT(stack->count > 0);
    const bool has_list = wi_step_lists_know(scratch, pair); /* in the place of the roots */
    const size_t count = has_list ? stack->count - 1 : stack->count;
    if (!wi_array_reserve(scratch->memory, items, items->count + count)) return false;
    for (size_t i = 0; i < count; i++)
        items->items[items->count++] =
            (wi_query_item){.kind = WI_QUERY_NODES, .pair = pair, .nodes = stack->items[i]};
    return !has_list || wi_step_lists_seed(scratch, pair);
}

/* What is known of a body with itself becomes keys of the first worker. */
static bool schedule_known(willow_scratch *scratch, uint32_t pair, const wi_kept_self *known)
{
    wi_query_worker *w = &scratch->workers[0];
    const size_t first = w->pairs.keys.count, count = known->keys.count;
    if (!wi_array_reserve(scratch->memory, &w->pairs.keys, first + count)) return false;
    if (count > 0)
        memcpy(w->pairs.keys.items + first, known->keys.items, count * sizeof *known->keys.items);
    w->pairs.keys.count += count;
    return wi_add_segment(scratch, 0, pair, first);
}

static const wi_kept_self *find_known(const willow_scratch *scratch, uint32_t pair)
{
    if (scratch->schedule.walks == WI_WALKS_OVER_STEPS) return NULL;
    return wi_kept_selves_find(scratch, pair, &scratch->workers[0].pairs.down.rules);
}

/* The items of pairs of bodies in [first, last). */
static bool schedule_pairs(willow_scratch *scratch, size_t first, size_t last)
{
    WI_ASSERT(first <= last && last <= scratch->pairs.count);
    scratch->schedule.items.count = scratch->lists.seeds.count = 0;
    for (uint32_t pair = (uint32_t)first; pair < last; pair++) {
        const wi_kept_self *known = find_known(scratch, pair);
        if (!(known ? schedule_known(scratch, pair, known) : schedule_pair(scratch, pair)))
            return false;
    }
    schedule_descent(scratch, 0)->stack.count = 0;
    return true;
}

static bool schedule_run_item(willow_scratch *scratch, uint32_t worker, const wi_query_item *item)
{
    wi_query_worker *w = &scratch->workers[worker];
    const wi_schedule_walks walks = scratch->schedule.walks;
    const wi_two_trees h = wi_trees_of(scratch, worker, item->pair);
    const wi_tree *a = h.a, *b = h.b;
    wi_descent *down = schedule_descent(scratch, worker);
    const size_t first = w->pairs.keys.count;
    if (!schedule_begin_pair(scratch, worker, item->pair)) return false;
    bool ok = false;
    switch (item->kind) {
    case WI_QUERY_NODES:
        ok = wi_descent_push(down, &item->nodes) && schedule_run_stack(w, walks, a, b);
        break;
    case WI_QUERY_SEEDS:
        ok = wi_step_lists_push(scratch, down, item) && schedule_run_stack(w, walks, a, b);
        break;
    case WI_QUERY_BRUTE: ok = schedule_brute(w, walks, a, b); break;
    }
    return ok && schedule_end_item(scratch, worker, item->pair, first);
}

static bool has_leaves(const wi_tree *h, uint32_t node)
{
    return (node & WI_IS_LEAF) != 0 || h->boxes.nodes[node].leaf_mask != 0;
}

/* Opening it tests triangles, which is what items are shared out for; or it cannot be opened. */
static bool is_at_bottom(const wi_tree *a, const wi_tree *b, const wi_query_item *item)
{
    const wi_walk_item *nodes = &item->nodes;
    if (item->kind != WI_QUERY_NODES || nodes->kind == WI_FANS) return true;
    return has_leaves(a, nodes->a) && (nodes->kind == WI_NODE_ITSELF || has_leaves(b, nodes->b));
}

/* Opens the nodes of an item; their children become next items. */
static bool schedule_expand_item(willow_scratch *scratch, const wi_query_item *item)
{
    wi_query_worker *w = &scratch->workers[0];
    const wi_two_trees h = wi_trees_of(scratch, 0, item->pair);
    const wi_tree *a = h.a, *b = h.b;
    wi_walk_items *stack = &schedule_descent(scratch, 0)->stack;
    const size_t first = w->pairs.keys.count;
    wi_query_items *next = &scratch->schedule.next_items;
    if (is_at_bottom(a, b, item)) return wi_array_push(scratch->memory, next, *item);
    if (!schedule_begin_pair(scratch, 0, item->pair) ||
        !schedule_open(w, scratch->schedule.walks, a, b, &item->nodes) ||
        !schedule_end_item(scratch, 0, item->pair, first) ||
        !wi_array_reserve(scratch->memory, next, next->count + stack->count))
        return false;
    for (size_t i = 0; i < stack->count; i++)
        next->items[next->count++] =
            (wi_query_item){.kind = WI_QUERY_NODES, .pair = item->pair, .nodes = stack->items[i]};
    stack->count = 0;
    return true;
}

static size_t count_lots_of_stars(const wi_query_items *items)
{
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++)
        count += items->items[i].kind == WI_QUERY_NODES && items->items[i].nodes.kind == WI_FANS;
    return count;
}

/* Until there are as many pairs of nodes as wanted, or none can be opened. */
static bool schedule_expand(willow_scratch *scratch, size_t wanted)
{
    const willow_query_stats *stats = &scratch->workers[0].reader.stats;
    const size_t lots =
        count_lots_of_stars(&scratch->schedule.items); /* which stay what they are */
    bool goes_on = true;
    while (goes_on && scratch->schedule.items.count < wanted + lots) {
        const uint64_t opened = stats->nodes_opened;
        scratch->schedule.next_items.count = 0;
        for (size_t i = 0; i < scratch->schedule.items.count; i++)
            if (!schedule_expand_item(scratch, &scratch->schedule.items.items[i])) return false;
        wi_query_items done = scratch->schedule.items;
        scratch->schedule.items = scratch->schedule.next_items;
        scratch->schedule.next_items = done;
        goes_on = stats->nodes_opened > opened;
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
    WI_ASSERT(count <= UINT32_MAX && first + count <= scratch->schedule.items.count);
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
    if (workers > 1 && !schedule_expand(scratch, workers * ITEMS_PER_WORKER)) return false;
    return wi_schedule_run_lot(question, scratch, 0, scratch->schedule.items.count);
}

bool wi_schedule_prepare(willow_scratch *scratch, size_t first, size_t last, size_t wanted)
{
    return schedule_pairs(scratch, first, last) && schedule_expand(scratch, wanted);
}

size_t wi_schedule_count(const willow_scratch *scratch)
{
    const bool is_step = scratch->schedule.walks == WI_WALKS_OVER_STEPS;
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        count += is_step ? scratch->workers[i].step.contacts.count
                         : scratch->workers[i].pairs.keys.count;
    return count;
}

/* Bodies with group masks give some contacts more than once (query/contacts.c). */
static bool may_repeat(const willow_scratch *scratch)
{
    if (scratch->schedule.walks == WI_WALKS_OVER_PAIRS) return false;
    for (size_t i = 0; i < scratch->chosen.count; i++) {
        const wi_shown *shown = scratch->chosen.items[i].shown;
        if (shown->kind == WI_SHOWN_OWN && shown->tree->mesh->masks.rows) return true;
    }
    return false;
}

bool wi_schedule_run(const wi_question *question, willow_scratch *scratch)
{
    size_t pair_count = scratch->pairs.count, limit = question->options.max_results;
    if (limit == 0 || !wi_question_wants_all(question) || may_repeat(scratch))
        return schedule_pairs(scratch, 0, pair_count) && schedule_run_items(question, scratch);
    for (size_t pair = 0; pair < pair_count && wi_schedule_count(scratch) <= limit; pair++)
        if (!schedule_pairs(scratch, pair, pair + 1) || !schedule_run_items(question, scratch))
            return false;
    return true;
}
