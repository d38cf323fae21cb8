/* broad.c - the table of broad phases. */
#include "broad/broad.h"

#include "base/containers/sort.h"
#include "base/kernel.h"
#include "broad/all_pairs.h"
#include "broad/known_pairs.h"
#include "broad/linear_bvh.h"
#include "broad/once.h"
#include "broad/one_axis.h"

/* With fewer bodies comparing all of them is faster than sorting them, and sorting them faster than
 * a tree that is there already, or that has to be built. */
enum { FEW = 32, SOME = 256, MANY = 1024 };

static willow_broad best_for(size_t body_count, bool has_tree)
{
    if (body_count < FEW) return WILLOW_BROAD_ALL_PAIRS;
    return body_count < (has_tree ? SOME : MANY) ? WILLOW_BROAD_ONE_AXIS : WILLOW_BROAD_LINEAR_BVH;
}

const wi_broad_ops *wi_broad_for(willow_broad broad, const wi_broad_crowd *crowd,
                                 willow_kernel kernel)
{
    const wi_broad_ops *const table[WILLOW_BROAD_COUNT] = {
        [WILLOW_BROAD_ALL_PAIRS] = &wi_broad_all_pairs,
        [WILLOW_BROAD_ONE_AXIS] = &wi_broad_one_axis,
        [WILLOW_BROAD_SWEEP_AND_PRUNE] = &wi_broad_sweep_once,
        [WILLOW_BROAD_LINEAR_BVH] = WI_KERNELS_FOR(kernel, broad_linear_bvh),
        [WILLOW_BROAD_GRID] = WI_KERNELS_FOR(kernel, broad_grid_once),
        [WILLOW_BROAD_COMPRESSED_TREE] = &wi_broad_compressed_once};
    if (crowd->known) return &wi_broad_known_pairs;
    if (broad == WILLOW_BROAD_AUTO) broad = best_for(crowd->count, crowd->tree != NULL);
    WI_ASSERT((unsigned)broad < WILLOW_BROAD_COUNT && table[broad] != NULL);
    return table[broad];
}

void wi_broad_sort(wi_body_pairs *pairs, uint64_t *keys, uint64_t *spare)
{
    for (size_t i = 0; i < pairs->count; i++)
        keys[i] = (uint64_t)pairs->items[i].a << 32 | pairs->items[i].b;
    wi_sort_u64(keys, spare, pairs->count);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->items[i] = (wi_body_pair){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
}

/* The search is over, so its workspace is free. */
static bool sort_all(wi_memory *memory, wi_workspace *workspace, wi_body_pairs *pairs)
{
    const size_t size = wi_workspace_size(pairs->count, sizeof(uint64_t));
    if (!wi_workspace_reserve(memory, workspace, 2 * size)) return false;
    uint64_t *keys = wi_workspace_take(workspace, pairs->count, sizeof *keys);
    wi_broad_sort(pairs, keys, wi_workspace_take(workspace, pairs->count, sizeof *keys));
    return true;
}

bool wi_broad_find(const wi_broad_ops *ops, wi_memory *memory, wi_workspace *workspace,
                   const wi_broad_crowd *crowd, wi_body_pairs *out)
{
    wi_broad_search search;
    WI_ASSERT(out->count == 0);
    const bool ok = ops->begin(memory, workspace, crowd, &search) &&
                    ops->more(memory, &search, SIZE_MAX, out) &&
                    (ops->is_in_order || sort_all(memory, workspace, out));
    WI_ASSERT_SLOW(!ok || wi_body_pairs_are_sorted(out, crowd->count));
    return ok;
}
