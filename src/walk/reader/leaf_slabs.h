/* leaf_slabs.h - slabs of leaves along the diagonals of two axes, which tell leaves apart that
 * boxes do not. For kernels.
 *
 * Made for long thin triangles that lie side by side and not along an axis, such as hair: their
 * boxes overlap those of thousands of others, so that leaves with many pairs of boxes that meet are
 * looked at once more as wholes before their triangles are. With their boxes slabs are k-DOPs of 18
 * planes (tree/volumes.h has the diagonals). They are found when they are first asked for.
 *
 * Why it is certain: rounding does not change the order of numbers. If a point is in a triangle of
 * both leaves, the least sum (or difference) of two coordinates over the vertices of one is no more
 * than the greatest over those of the other; and so are these when they are rounded. */
#ifndef WI_WALK_READER_LEAF_SLABS_H
#define WI_WALK_READER_LEAF_SLABS_H

#include "tree/volumes.h"
#include "walk/reader/leaf_block.h"

/* One corner of eight triangles along a diagonal. */
static inline wi_wide wi_along_diagonal(int number, const wi_wide axes[3])
{
    static const int first[WI_DIAGONALS] = {0, 0, 0, 0, 1, 1};
    static const int second[WI_DIAGONALS] = {1, 1, 2, 2, 2, 2};
    const wi_wide a = axes[first[number]], b = axes[second[number]];
    return number % 2 == 0 ? wi_wide_add(a, b) : wi_wide_sub(a, b);
}

static inline void wi_block_make_slabs(wi_leaf_block *block)
{
    wi_wide lower[WI_DIAGONALS], upper[WI_DIAGONALS];
    for (int k = 0; k < WI_DIAGONALS; k++) {
        lower[k] = wi_wide_all(INFINITY);
        upper[k] = wi_wide_all(-INFINITY);
    }
    for (unsigned first = 0; first < block->tri_count; first += WI_LANES)
        for (int i = 0; i < 3; i++) {
            wi_wide axes[3];
            wi_block_gather_corners(block, first, i, axes);
            for (int k = 0; k < WI_DIAGONALS; k++) {
                const wi_wide at = wi_along_diagonal(k, axes);
                lower[k] = wi_wide_min(lower[k], at);
                upper[k] = wi_wide_max(upper[k], at);
            }
        }
    for (int k = 0; k < WI_LANES; k++) { /* lanes past the last are never apart */
        block->slab_lower[k] = k < WI_DIAGONALS ? wi_wide_least(lower[k]) : 0.0F;
        block->slab_upper[k] = k < WI_DIAGONALS ? wi_wide_greatest(upper[k]) : 0.0F;
    }
    block->has_slabs = true;
}

/* True only if no triangle of one meets one of the other. */
static inline bool wi_blocks_apart(wi_leaf_block *a, wi_leaf_block *b)
{
    if (!a->has_slabs) wi_block_make_slabs(a);
    if (!b->has_slabs) wi_block_make_slabs(b);
    return wi_mask_bits(wi_mask_or(
               wi_wide_less(wi_wide_load(a->slab_upper), wi_wide_load(b->slab_lower)),
               wi_wide_less(wi_wide_load(b->slab_upper), wi_wide_load(a->slab_lower)))) != 0;
}

#endif
