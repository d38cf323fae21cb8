/* cannot_fold.h - which leaves of one body provably do not meet; for kernels. */
#ifndef WI_WALK_SELF_CANNOT_FOLD_H
#define WI_WALK_SELF_CANNOT_FOLD_H

#include "base/kernel.h"
#include "walk/reader/tree_parts.h"
#include "walk/self/folds.h"

extern wi_find_fold WI_KERNEL(find_fold);

static inline bool wi_cannot_fold(wi_folds *folds, const wi_tree *h, uint32_t cluster)
{
    WI_ASSERT(folds->placement == h->boxes.placement && cluster < wi_loops_of(h)->cluster_count);
    if (wi_loops_of(h)->items[cluster].vertex_count == 0) return false;
    uint8_t *fold = &folds->folds.items[cluster];
    if (*fold == WI_FOLD_UNKNOWN) *fold = (uint8_t)WI_KERNEL(find_fold)(folds, h, cluster);
    return *fold == WI_CANNOT_FOLD;
}

/* True if two leaves that are tied, or one and the same, provably do not meet: if the surface does
 * not fold around the node of either, which is the cheaper to ask, or around either. Never where
 * nothing is known (NULL). */
static inline bool wi_is_flat(wi_folds *folds, const wi_tree *h, uint32_t leaf_a, uint32_t leaf_b)
{
    if (folds == NULL) return false;
    WI_ASSERT(leaf_a < h->shape->leaf_count && leaf_b < h->shape->leaf_count);
    const uint32_t a = wi_loops_of(h)->nodes[leaf_a], b = wi_loops_of(h)->nodes[leaf_b];
    return wi_cannot_fold(folds, h, a) || (b != a && wi_cannot_fold(folds, h, b)) ||
           wi_cannot_fold(folds, h, leaf_a) ||
           (leaf_b != leaf_a && wi_cannot_fold(folds, h, leaf_b));
}

#endif
