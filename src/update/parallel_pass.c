/* parallel_pass.c - parts in even runs, one for each task. */
#include "update/parallel_pass.h"

#include "base/check.h"
#include "base/threads.h"

typedef struct loop {
    const wi_parallel_pass *pass;
    uint32_t part_count, task_count;
    _Atomic bool has_bad; /* a number that is not finite */
} loop;

static void run_task(void *arg, uint32_t task, uint32_t worker)
{
    loop *l = arg;
    const uint64_t parts = l->part_count;
    const uint32_t first = (uint32_t)(parts * task / l->task_count);
    const uint32_t last = (uint32_t)(parts * (task + 1) / l->task_count);
    WI_ASSERT(task < l->task_count && first <= last && last <= l->part_count);
    (void)worker;
    if (!l->pass->run(l->pass, first, last)) l->has_bad = true;
}

bool wi_parallel_pass_run(const wi_parallel_pass *pass, const willow_tasks *tasks,
                          uint32_t part_count, uint32_t work, uint32_t work_per_task)
{
    const uint32_t wanted = wi_task_count(tasks, work, work_per_task);
    WI_ASSERT(pass->h && pass->run && work_per_task > 0);
    loop l = {.pass = pass,
              .part_count = part_count,
              .task_count = wanted < part_count ? wanted : part_count};
    tasks->parallel_for(tasks->context, l.task_count, run_task, &l);
    return !l.has_bad;
}
