/* kept_choose.c - which broad phase AUTO stands for.
 *
 * Way in: wi_kept_choose, in every update. By counts alone, so that it is the same everywhere: of
 * living boxes, and of those that changed. Measured with boxes of one size and of sizes over two
 * powers of ten (docs/broad.md): the axis wins up to about a thousand boxes; then the grid, which
 * is filled afresh in every step; and the tree where for some time only a few boxes changed, since
 * it takes their bounds in one sweep and finds their pairs one by one.
 *
 * What lies between two kinds does not make them take turns: who acts stays until a number is a
 * quarter past the border, and the tree has to be earned by CALM updates in a row, which pay for
 * building it. */
#include "broad/kept.h"

enum { FEW = 48, SOME = 1024, CALM = 8 };

static bool is_past(const wi_kept *kept, uint32_t border, willow_broad below)
{
    const bool was_below = kept->acting == below || kept->acting == WILLOW_BROAD_AUTO;
    return kept->living >= (was_below ? border + border / 4 : border - border / 4);
}

willow_broad wi_kept_choose(const wi_kept *kept)
{
    if (!is_past(kept, FEW, WILLOW_BROAD_ALL_PAIRS)) return WILLOW_BROAD_ALL_PAIRS;
    const bool is_tree = kept->acting == WILLOW_BROAD_LINEAR_BVH;
    if (kept->calm >= CALM || (is_tree && kept->calm > 0)) return WILLOW_BROAD_LINEAR_BVH;
    return is_past(kept, SOME, WILLOW_BROAD_ONE_AXIS) ? WILLOW_BROAD_GRID : WILLOW_BROAD_ONE_AXIS;
}
