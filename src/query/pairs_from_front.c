/* pairs_from_front.c - all pairs of two bodies, or of one with itself, from a front that is kept.
 *
 * Way in: wi_find_tracked_pairs. The walk goes down to pairs of leaves as in any query, on the
 * calling thread, and only lists them; the front tells which of these are new and which are gone.
 * Workers then share out the front: first its leaves, to see which have moved, then its pairs,
 * and the lots of stars. Where the front would be larger than it may be, the question is asked anew
 * from the roots. */
#include "base/check.h"
#include "base/threads.h"
#include "query/scratch.h"

/* Enough work that handing it out costs little beside it. */
enum { LEAVES_PER_TASK = 64, PAIRS_PER_TASK = 64 };

typedef struct tracking {
    willow_scratch *scratch;
    wi_front *front;
    const wi_front_kernels *kernels;
    const wi_tree *a, *b;
    const wi_walk_item *items; /* the pairs of leaves, as the walk has listed them */
    uint32_t move_tasks[2];    /* by side */
    uint32_t meet_tasks;
    size_t lot_count; /* of stars */
} tracking;

/* Lists the pairs of leaves that meet, and the lots of stars in scratch->schedule.items. */
static bool tracking_list_leaves(tracking *t)
{
    willow_scratch *scratch = t->scratch;
    wi_pair_walk *walk = &scratch->workers[0].pairs;
    scratch->schedule.items.count = 0;
    if (!wi_pair_walk_seed(walk, t->a, t->b)) return false;
    t->lot_count =
        walk->down.stack.count > 0 ? walk->down.stack.count - 1 : 0; /* the roots are on top */
    if (!wi_array_reserve(scratch->memory, &scratch->schedule.items, t->lot_count)) return false;
    for (size_t i = 0; i < t->lot_count; i++)
        scratch->schedule.items.items[scratch->schedule.items.count++] =
            (wi_query_item){.kind = WI_QUERY_NODES, .nodes = walk->down.stack.items[i]};
    if (walk->down.stack.count > 0)
        walk->down.stack.items[0] = walk->down.stack.items[t->lot_count];
    walk->down.stack.count -= t->lot_count;
    return walk->kernels->list(walk, t->a, t->b);
}

/* Cuts [0, count) evenly. */
static size_t front_part(size_t count, uint32_t number, uint32_t parts)
{
    return count * number / parts;
}

static void tracking_move_task(void *arg, uint32_t task, uint32_t worker)
{
    const tracking *t = arg;
    const bool is_b = task >= t->move_tasks[0];
    wi_front_side *side = &t->front->sides[is_b];
    const uint32_t number = is_b ? task - t->move_tasks[0] : task, parts = t->move_tasks[is_b];
    t->kernels->move(side, is_b ? t->b : t->a, front_part(side->leaves.count, number, parts),
                     front_part(side->leaves.count, number + 1, parts),
                     &t->scratch->workers[worker].reader.openings);
}

static void tracking_move_leaves(const wi_question *question, tracking *t)
{
    const willow_tasks *tasks = &question->tasks;
    for (int side = 0; side < 2; side++) {
        const uint32_t count = (uint32_t)t->front->sides[side].leaves.count;
        t->move_tasks[side] = count > 0 ? wi_task_count(tasks, count, LEAVES_PER_TASK) : 0;
    }
    const uint32_t count = t->move_tasks[0] + t->move_tasks[1];
    if (count > 0) tasks->parallel_for(tasks->context, count, tracking_move_task, t);
    t->front->sides[0].placement = t->a->boxes.placement;
    t->front->sides[1].placement = t->b->boxes.placement;
}

static bool tracking_run_lot(const tracking *t, wi_pair_walk *walk, uint32_t lot)
{
    return wi_array_push(t->scratch->memory, &walk->down.stack,
                         t->scratch->schedule.items.items[lot].nodes) &&
           walk->kernels->run(walk, t->a, t->b);
}

static bool tracking_meet_part(const tracking *t, wi_pair_walk *walk, uint32_t number,
                               uint32_t worker)
{
    const size_t count = t->front->pairs.count;
    return wi_pair_walk_begin(walk, t->a, t->b) &&
           t->kernels->meet(walk, t->front, t->a, t->b, t->items, worker,
                            front_part(count, number, t->meet_tasks),
                            front_part(count, number + 1, t->meet_tasks));
}

static void tracking_meet_task(void *arg, uint32_t task, uint32_t worker)
{
    const tracking *t = arg;
    wi_query_worker *w = &t->scratch->workers[worker];
    const size_t first = w->pairs.keys.count;
    if (w->is_out_of_memory) return;
    const bool ok = task < t->meet_tasks ? tracking_meet_part(t, &w->pairs, task, worker)
                                         : tracking_run_lot(t, &w->pairs, task - t->meet_tasks);
    w->is_out_of_memory = !ok || !wi_add_segment(t->scratch, worker, 0, first);
}

static bool tracking_meet_pairs(const wi_question *question, tracking *t)
{
    const willow_tasks *tasks = &question->tasks;
    const uint32_t count = (uint32_t)t->front->pairs.count;
    t->items = t->scratch->workers[0].pairs.leaf_pairs.items;
    t->meet_tasks = count > 0 ? wi_task_count(tasks, count, PAIRS_PER_TASK) : 0;
    const uint32_t all = t->meet_tasks + (uint32_t)t->lot_count;
    if (all > 0) tasks->parallel_for(tasks->context, all, tracking_meet_task, t);
    for (uint32_t i = 0; i < t->scratch->ready_count; i++)
        if (t->scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static const wi_pair_walk *walk_of(const void *context, uint32_t worker)
{
    const willow_scratch *scratch = context;
    return &scratch->workers[worker].pairs;
}

/* False if there is no memory, or if the front was not kept. */
static bool track(const wi_question *question, tracking *t)
{
    willow_scratch *scratch = t->scratch;
    wi_front *front = t->front;
    const wi_pair_walk *walk = &scratch->workers[0].pairs;
    if (!wi_front_begin(scratch->memory, front, t->a, t->b, &question->rules)) return false;
    bool ok =
        tracking_list_leaves(t) &&
        wi_front_follow(scratch->memory, front, walk->leaf_pairs.items, walk->leaf_pairs.count);
    if (ok) {
        tracking_move_leaves(question, t);
        ok = tracking_meet_pairs(question, t);
    }
    if (!ok) wi_front_drop(scratch->memory, front);
    return ok;
}

willow_result wi_find_tracked_pairs(const wi_question *question, willow_scratch *scratch,
                                    wi_front *front, willow_pairs *out)
{
    if (!wi_schedule_start(question, scratch)) return wi_fail_pairs(scratch);
    if (scratch->pairs.count == 0) {
        wi_front_clear(front);
        return wi_answer_pairs(question, scratch, out);
    }
    WI_ASSERT(scratch->pairs.count == 1);
    const wi_two_trees h = wi_trees_of(scratch, 0, 0);
    WI_ASSERT(h.a->boxes.nodes && h.b->boxes.nodes);
    tracking t = {.scratch = scratch,
                  .front = front,
                  .kernels = wi_front_kernels_for(scratch->kernel),
                  .a = h.a,
                  .b = h.b};
    if (!track(question, &t))
        return front->is_over ? wi_find_pairs(question, scratch, out) : wi_fail_pairs(scratch);
    willow_result result = wi_answer_pairs(question, scratch, out);
    if (!wi_front_keep(scratch->memory, front, walk_of, scratch) && !front->is_over) {
        *out = (willow_pairs){0};
        return wi_fail_pairs(scratch);
    }
    WI_ASSERT_SLOW(wi_front_validate(front, t.a, t.b) == NULL);
    return result;
}
