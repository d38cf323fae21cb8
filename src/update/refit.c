/* refit.c - the leaf passes of a refit, cut into tasks.
 *
 * Way in: wi_refit_take for new positions, wi_refit_leaves for those in place. A task is a run of
 * nodes: it writes the boxes of their leaves and the places that these own, so tasks touch nothing
 * of each other's. */
#include "update/refit.h"

#include "base/check.h"
#include "base/threads.h"

/* A microsecond's work. */
enum { LEAVES_PER_TASK = 48 };

extern const wi_refit_kernels wi_refit_kernels_scalar, wi_refit_kernels_avx2;

const wi_refit_kernels *wi_refit_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, refit_kernels);
}

typedef struct pass {
    const wi_refit_kernels *kernels;
    const wi_hierarchy *h;
    wi_source source; /* positions NULL: from the places */
    wi_point *stored;
    uint32_t task_count;
    _Atomic bool has_bad; /* a number that is not finite */
} pass;

static void run_task(void *arg, uint32_t task, uint32_t worker)
{
    pass *p = arg;
    const uint64_t nodes = p->h->node_count;
    const uint32_t first = (uint32_t)(nodes * task / p->task_count);
    const uint32_t last = (uint32_t)(nodes * (task + 1) / p->task_count);
    (void)worker;
    if (p->source.positions == NULL)
        p->kernels->leaves_from_places(p->h, first, last);
    else if (!p->kernels->leaves_from_source(p->h, first, last, p->source, p->stored))
        p->has_bad = true;
}

static void run_pass(pass *p, const willow_tasks *tasks)
{
    p->task_count = wi_task_count(tasks, p->h->leaf_count, LEAVES_PER_TASK);
    if (p->task_count > p->h->node_count) p->task_count = p->h->node_count;
    tasks->parallel_for(tasks->context, p->task_count, run_task, p);
}

void wi_refit_leaves(const wi_refit_kernels *kernels, const willow_tasks *tasks, wi_hierarchy *h)
{
    const wi_mesh *mesh = h->mesh;
    pass p = {.kernels = kernels, .h = h, .source = wi_mesh_borrowed(mesh)};
    run_pass(&p, tasks);
    WI_ASSERT(!p.has_bad); /* borrowed arrays are tested here only (C7) */
}

/* Vertices that no leaf has are stored too. */
static bool stage_loose(const wi_hierarchy *h, wi_mesh *mesh, wi_source source)
{
    float sum = 0.0F;
    for (uint32_t i = 0; i < h->loose_count; i++) {
        uint32_t vertex = h->loose[i];
        const float *p = wi_source_at(source, vertex);
        mesh->staged[mesh->place[vertex]] = (wi_point){{p[0], p[1], p[2], 0.0F}};
        sum += wi_finite_test(p);
    }
    return sum == 0.0F;
}

/* Merged vertices are not stored, but tested like all others (C7). */
static bool has_finite_merged(const wi_mesh *mesh, wi_source source)
{
    float sum = 0.0F;
    for (uint32_t vertex = 0; mesh->stand_in && vertex < mesh->vertex_count; vertex++) {
        if (mesh->stand_in[vertex] == vertex) continue;
        const float *p = wi_source_at(source, vertex);
        sum += wi_finite_test(p);
    }
    return sum == 0.0F;
}

bool wi_refit_stage_rest(const wi_hierarchy *h, wi_mesh *mesh, wi_source source)
{
    return stage_loose(h, mesh, source) && has_finite_merged(mesh, source);
}

bool wi_refit_take(willow_kernel kernel, const willow_tasks *tasks, wi_hierarchy *h, wi_mesh *mesh,
                   wi_source source)
{
    const wi_refit_kernels *kernels = wi_refit_kernels_for(kernel);
    pass p = {.kernels = kernels, .h = h, .source = source, .stored = mesh->staged};
    if (!wi_refit_stage_rest(h, mesh, source)) return false;
    run_pass(&p, tasks);
    if (p.has_bad) wi_refit_leaves(kernels, tasks, h);
    return !p.has_bad;
}
