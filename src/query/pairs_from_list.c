/* pairs_from_list.c - all pairs of two bodies, or of one with itself, whose leaves that meet are
 * known.
 *
 * Way in: wi_find_listed_pairs. Nothing is searched: workers share out the pairs of leaves, and the
 * lots of stars. */
#include "base/check.h"
#include "base/threads.h"
#include "query/scratch.h"

/* Enough work that handing it out costs little beside it. */
enum { PAIRS_PER_TASK = 64 };

typedef struct meeting {
    willow_scratch *scratch;
    const wi_tree *a, *b;
    const wi_leaf_pair *pairs;
    size_t count;
    uint32_t tasks; /* of pairs; those of stars follow */
} meeting;

static bool meeting_meet_part(const meeting *m, wi_pair_walk *walk, uint32_t task)
{
    WI_ASSERT(task < m->tasks);
    const size_t first = m->count * task / m->tasks, last = m->count * (task + 1) / m->tasks;
    return walk->kernels->meet(walk, m->a, m->b, m->pairs + first, last - first);
}

static bool meeting_run_lot(const meeting *m, wi_pair_walk *walk, uint32_t lot)
{
    const wi_walk_item item = wi_fan_item(lot);
    return wi_descent_push(&walk->down, &item) && walk->kernels->run(walk, m->a, m->b);
}

static void meeting_task(void *arg, uint32_t task, uint32_t worker)
{
    const meeting *m = arg;
    wi_query_worker *w = &m->scratch->workers[worker];
    const size_t first = w->pairs.keys.count;
    if (w->is_out_of_memory) return;
    const bool ok = task < m->tasks ? meeting_meet_part(m, &w->pairs, task)
                                    : meeting_run_lot(m, &w->pairs, task - m->tasks);
    w->is_out_of_memory = !ok || !wi_add_segment(m->scratch, worker, 0, first);
}

static bool meeting_run(const wi_question *question, meeting *m)
{
    const willow_tasks *tasks = &question->tasks;
    const bool has_stars = m->a == m->b && !question->rules.skip_neighbours;
    const uint32_t count = m->count < UINT32_MAX ? (uint32_t)m->count : UINT32_MAX;
    m->tasks = count > 0 ? wi_task_count(tasks, count, PAIRS_PER_TASK) : 0;
    const uint32_t all = m->tasks + (has_stars ? wi_fan_lots(m->a) : 0);
    if (all > 0) tasks->parallel_for(tasks->context, all, meeting_task, m);
    for (uint32_t i = 0; i < m->scratch->ready_count; i++)
        if (m->scratch->workers[i].is_out_of_memory) return false;
    return true;
}

willow_result wi_find_listed_pairs(const wi_question *question, willow_scratch *scratch,
                                   const wi_leaf_pair *pairs, size_t count, willow_pairs *out)
{
    if (!wi_schedule_start(question, scratch)) return wi_fail_pairs(scratch);
    if (scratch->pairs.count == 0) return wi_answer_pairs(question, scratch, out);
    const wi_two_trees h = wi_trees_of(scratch, 0, 0);
    WI_ASSERT(scratch->pairs.count == 1 && h.a->boxes.nodes);
    meeting m = {.scratch = scratch, .a = h.a, .b = h.b, .pairs = pairs, .count = count};
    return meeting_run(question, &m) ? wi_answer_pairs(question, scratch, out)
                                     : wi_fail_pairs(scratch);
}
