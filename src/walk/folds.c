/* folds.c - the memory of what is known about folds. */
#include "walk/folds.h"

#include <math.h>
#include <string.h>

bool wi_folds_start(wi_memory *memory, wi_folds *folds, const wi_hierarchy *h)
{
    if (folds->placement == h->placement && folds->folds.count == h->leaf_count) return true;
    folds->placement = 0;
    folds->facings.count = folds->folds.count = 0;
    if (!wi_array_reserve(memory, &folds->facings, h->leaf_count) ||
        !wi_array_reserve(memory, &folds->folds, h->leaf_count))
        return false;
    for (uint32_t leaf = 0; leaf < h->leaf_count; leaf++)
        folds->facings.items[leaf] = (wi_facing){{INFINITY}, {-INFINITY}};
    memset(folds->folds.items, WI_FOLD_UNKNOWN, h->leaf_count);
    folds->facings.count = folds->folds.count = h->leaf_count;
    folds->placement = h->placement;
    return true;
}

void wi_folds_free(wi_memory *memory, wi_folds *folds)
{
    wi_array_free(memory, &folds->facings);
    wi_array_free(memory, &folds->folds);
}
