/* lazy.c - the update of trees that are bounded down to their patches only.
 *
 * Way in: wi_lazy_take for new positions, wi_lazy_update for all else. A task is a run of patches:
 * it writes their boxes and the places that they own, so tasks touch nothing of each other's. */
#include "update/lazy.h"

#include "base/check.h"
#include "base/threads.h"

/* A microsecond's work. */
enum { PLACES_PER_TASK = 512 };

extern const wi_lazy_kernels wi_lazy_kernels_scalar, wi_lazy_kernels_avx2;

const wi_lazy_kernels *wi_lazy_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, lazy_kernels);
}

typedef struct pass {
    const wi_lazy_kernels *kernels;
    wi_hierarchy *h;
    wi_source source; /* positions NULL: from those in place */
    wi_point *stored;
    uint32_t task_count;
    _Atomic bool has_bad; /* a number that is not finite */
} pass;

static void run_task(void *arg, uint32_t task, uint32_t worker)
{
    pass *p = arg;
    const uint64_t patches = p->h->patches.count;
    const uint32_t first = (uint32_t)(patches * task / p->task_count);
    const uint32_t last = (uint32_t)(patches * (task + 1) / p->task_count);
    (void)worker;
    if (p->source.positions == NULL)
        p->kernels->bound(p->h, first, last);
    else if (!p->kernels->take(p->h, first, last, p->source, p->stored))
        p->has_bad = true;
}

static void run_pass(pass *p, const willow_tasks *tasks)
{
    p->task_count = wi_task_count(tasks, p->h->patches.place_count, PLACES_PER_TASK);
    if (p->task_count > p->h->patches.count) p->task_count = p->h->patches.count;
    tasks->parallel_for(tasks->context, p->task_count, run_task, p);
}

static void bound_patches(const wi_lazy_kernels *kernels, const willow_tasks *tasks,
                          wi_hierarchy *h)
{
    pass p = {.kernels = kernels, .h = h};
    run_pass(&p, tasks);
}

bool wi_lazy_take(willow_kernel kernel, const willow_tasks *tasks, wi_hierarchy *h, wi_mesh *mesh,
                  wi_source source)
{
    const wi_lazy_kernels *kernels = wi_lazy_kernels_for(kernel);
    pass p = {.kernels = kernels, .h = h, .source = source, .stored = mesh->staged};
    if (!wi_refit_stage_rest(h, mesh, source)) return false;
    run_pass(&p, tasks);
    if (p.has_bad) bound_patches(kernels, tasks, h);
    return !p.has_bad;
}

willow_result wi_lazy_update(wi_update *u, uint32_t level)
{
    const wi_lazy_kernels *kernels = wi_lazy_kernels_for(u->kernel);
    wi_hierarchy *h = u->h;
    if (u->needs_build) {
        willow_result result = wi_update_build(u);
        if (result != WILLOW_OK) return result;
        if (h->views && !wi_patches_make(u->memory, u->workspace, h, level))
            return WILLOW_OUT_OF_MEMORY;
    }
    h->revision = u->revision;
    if (h->views == NULL) return WILLOW_OK;
    if (u->did_build || !u->is_bounded) bound_patches(kernels, &u->tasks, h);
    kernels->merge_above(h, u->revision);
    h->valid_from = u->revision;
    h->refresh = kernels->refresh;
    u->nodes_updated = h->patches.above_count;
    WI_ASSERT_SLOW(wi_hierarchy_validate(h) == NULL);
    return WILLOW_OK;
}
