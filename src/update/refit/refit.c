/* refit.c - the leaf passes of a refit, cut into tasks.
 *
 * Way in: wi_refit_take for new positions, wi_refit_leaves for those in place. The parts of
 * a pass are nodes: a task writes the boxes of their leaves and the places that these own. */
#include "update/refit/refit.h"

#include "base/check.h"
#include "update/parallel_pass.h"

/* A microsecond's work. */
enum { LEAVES_PER_TASK = 48 };

extern const wi_refit_kernels wi_refit_kernels_scalar, wi_refit_kernels_avx2;

const wi_refit_kernels *wi_refit_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, refit_kernels);
}

static bool run_nodes(const wi_parallel_pass *pass, uint32_t first, uint32_t last)
{
    const wi_refit_kernels *kernels = pass->kernels;
    WI_ASSERT(first <= last && last <= pass->h->shape->node_count);
    if (pass->source.positions)
        return kernels->leaves_from_source(pass->h, first, last, pass->source, pass->stored);
    kernels->leaves_from_places(pass->h, first, last);
    return true;
}

static bool refit_run_pass(const wi_parallel_pass *pass, const willow_tasks *tasks)
{
    return wi_parallel_pass_run(pass, tasks, pass->h->shape->node_count, pass->h->shape->leaf_count,
                                LEAVES_PER_TASK);
}

void wi_refit_leaves(const wi_refit_kernels *kernels, const willow_tasks *tasks, wi_tree *h)
{
    const wi_mesh *mesh = h->mesh;
    const wi_parallel_pass pass = {
        .h = h, .kernels = kernels, .source = wi_mesh_borrowed(mesh), .run = run_nodes};
    const bool is_finite = refit_run_pass(&pass, tasks);
    WI_ASSERT(is_finite); /* borrowed arrays are tested here only (C7) */
    (void)is_finite;
}

/* Vertices that no leaf has are stored too. */
static bool stage_loose(const wi_tree *h, wi_mesh *mesh, wi_source source)
{
    float sum = 0.0F;
    for (uint32_t i = 0; i < h->shape->loose_count; i++) {
        uint32_t vertex = h->shape->loose[i];
        WI_ASSERT(vertex < mesh->vertex_count && mesh->place[vertex] < mesh->vertex_count);
        const float *p = wi_source_at(source, vertex);
        mesh->staged[mesh->place[vertex]] = wi_point_of(p);
        sum += wi_finite_test(p);
    }
    return sum == 0.0F;
}

/* Merged vertices are not stored, but tested like all others (C7). */
static bool has_finite_merged(const wi_mesh *mesh, wi_source source)
{
    float sum = 0.0F;
    for (uint32_t vertex = 0; mesh->stand_in && vertex < mesh->vertex_count; vertex++) {
        if (mesh->stand_in[vertex] == vertex || !wi_mesh_has_vertex(mesh, vertex)) continue;
        const float *p = wi_source_at(source, vertex);
        sum += wi_finite_test(p);
    }
    return sum == 0.0F;
}

bool wi_refit_stage_rest(const wi_tree *h, wi_mesh *mesh, wi_source source)
{
    return stage_loose(h, mesh, source) && has_finite_merged(mesh, source);
}

bool wi_refit_take(willow_kernel kernel, const willow_tasks *tasks, wi_tree *h, wi_mesh *mesh,
                   wi_source source)
{
    const wi_refit_kernels *kernels = wi_refit_kernels_for(kernel);
    WI_ASSERT(source.positions && (mesh->staged || h->shape->loose_count == 0));
    const wi_parallel_pass pass = {
        .h = h, .kernels = kernels, .source = source, .stored = mesh->staged, .run = run_nodes};
    if (!wi_refit_stage_rest(h, mesh, source)) return false;
    const bool is_finite = refit_run_pass(&pass, tasks);
    if (!is_finite) wi_refit_leaves(kernels, tasks, h);
    return is_finite;
}
