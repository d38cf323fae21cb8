/* once.c - kinds that are kept (broad/kept.h), made for one search of a world's question.
 *
 * Way in: the wi_broad_ops of each kind. The phase is made, asked for all pairs, and gone; pairs of
 * bodies that want each other stay in the workspace and are handed out from there. */
#include "broad/once.h"

#include "base/kernel.h"
#include "broad/kept.h"

static bool once_keep(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                      const wi_body_pairs *found, wi_broad_search *out)
{
    const size_t size = wi_workspace_size(found->count, sizeof(uint64_t));
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    uint64_t *keys = wi_workspace_take(workspace, found->count, sizeof *keys);
    uint32_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        const wi_body_pair *p = &found->items[i];
        if (wi_bodies_want_each_other(&crowd->bodies[p->a], &crowd->bodies[p->b]))
            keys[count++] = (uint64_t)p->a << 32 | p->b;
    }
    *out = (wi_broad_search){.keys = keys, .count = count};
    return true;
}

static bool once_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                       willow_broad broad, willow_kernel kernel, wi_broad_search *out)
{
    wi_kept kept;
    *out = (wi_broad_search){0};
    if (crowd->count < 2) return true;
    wi_kept_init(&kept, memory, broad, kernel, 3);
    const wi_kept_input input = {&crowd->bodies[0].box, sizeof crowd->bodies[0], crowd->count, NULL,
                                 0};
    const bool ok = wi_kept_update(&kept, &input) && kept.pairs.count < UINT32_MAX &&
                    once_keep(memory, workspace, crowd, &kept.pairs, out);
    wi_kept_free(&kept);
    return ok;
}

static bool once_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    for (; s->first < s->count && out->count < limit; s->first++) {
        const uint64_t key = s->keys[s->first];
        const wi_body_pair pair = {(uint32_t)(key >> 32), (uint32_t)key};
        if (!wi_array_push(memory, out, pair)) return false;
    }
    return true;
}

#define ONCE(name, broad, kernel)                                                                  \
    static bool name##_begin(wi_memory *memory, wi_workspace *workspace,                           \
                             const wi_broad_crowd *crowd, wi_broad_search *out)                    \
    {                                                                                              \
        return once_begin(memory, workspace, crowd, broad, kernel, out);                           \
    }                                                                                              \
    const wi_broad_ops wi_broad_##name = {name##_begin, once_more, .is_in_order = true}

ONCE(grid_once_scalar, WILLOW_BROAD_GRID, WILLOW_KERNEL_SCALAR);
ONCE(grid_once_avx2, WILLOW_BROAD_GRID, WILLOW_KERNEL_AVX2);
ONCE(sweep_once, WILLOW_BROAD_SWEEP_AND_PRUNE, WILLOW_KERNEL_SCALAR);
ONCE(compressed_once, WILLOW_BROAD_COMPRESSED_TREE, WILLOW_KERNEL_SCALAR);
