/* folds.c - the memory of what is known about folds. */
#include "walk/self/folds.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "walk/reader/tree_parts.h"

bool wi_folds_start(wi_memory *memory, wi_folds *folds, const wi_tree *h, wi_self_step step)
{
    WI_ASSERT(step.end == NULL || step.end->shape->leaf_count == h->shape->leaf_count);
    WI_ASSERT(step.reach >= 0.0F);
    const uint64_t end_placement = step.end ? step.end->boxes.placement : 0;
    const bool is_same_reach = folds->step.reach == step.reach;
    folds->step = step;
    if (folds->placement == h->boxes.placement && folds->end_placement == end_placement &&
        is_same_reach)
        return true;
    folds->placement = 0;
    folds->facings.count = folds->is_facing.count = folds->folds.count = 0; /* nothing to keep */
    if (!wi_array_reserve(memory, &folds->facings, h->shape->leaf_count) ||
        !wi_array_reserve(memory, &folds->is_facing, h->shape->node_count) ||
        !wi_array_reserve(memory, &folds->folds, wi_loops_of(h)->cluster_count))
        return false;
    memset(folds->is_facing.items, false, h->shape->node_count);
    memset(folds->folds.items, WI_FOLD_UNKNOWN, wi_loops_of(h)->cluster_count);
    folds->placement = h->boxes.placement;
    folds->end_placement = end_placement;
    return true;
}

void wi_folds_free(wi_memory *memory, wi_folds *folds)
{
    wi_array_free(memory, &folds->facings);
    wi_array_free(memory, &folds->is_facing);
    wi_array_free(memory, &folds->folds);
}

float wi_reach_along(const float vector[3], float reach)
{
    const double x = (double)vector[0], y = (double)vector[1], z = (double)vector[2];
    return (float)((double)reach * sqrt(x * x + y * y + z * z) * (1.0 + 0x1p-16));
}
