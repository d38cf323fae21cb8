/* cannot_fold.h - which leaves of one body provably do not meet; for kernels. */
#ifndef WI_WALK_SELF_CANNOT_FOLD_H
#define WI_WALK_SELF_CANNOT_FOLD_H

#include "base/kernel.h"
#include "walk/pairs/walk.h"

extern wi_find_fold WI_KERNEL(find_fold);

static inline bool wi_cannot_fold(wi_walk *walk, const wi_tree *h, uint32_t cluster)
{
    if (h->loops.items[cluster].vertex_count == 0) return false;
    uint8_t *fold = &walk->folds.folds.items[cluster];
    if (*fold == WI_FOLD_UNKNOWN) *fold = (uint8_t)WI_KERNEL(find_fold)(&walk->folds, h, cluster);
    return *fold == WI_CANNOT_FOLD;
}

/* True if two leaves that are tied, or one and the same, provably do not meet: if the surface does
 * not fold around the node of either, which is the cheaper to ask, or around either. */
static inline bool wi_is_flat(wi_walk *walk, const wi_tree *h, uint32_t leaf_a, uint32_t leaf_b)
{
    if (!walk->knows_folds) return false;
    const uint32_t a = h->loops.nodes[leaf_a], b = h->loops.nodes[leaf_b];
    return wi_cannot_fold(walk, h, a) || (b != a && wi_cannot_fold(walk, h, b)) ||
           wi_cannot_fold(walk, h, leaf_a) || (leaf_b != leaf_a && wi_cannot_fold(walk, h, leaf_b));
}

#endif
