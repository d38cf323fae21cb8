/* kept_choose.c - which broad phase AUTO stands for.
 *
 * Way in: wi_kept_choose, in every update. By the number of living boxes alone, so that it is the
 * same everywhere: measured with boxes of one size and of sizes over two powers of ten
 * (docs/broad.md), the axis wins up to about a thousand boxes and the grid from there on, whether
 * all boxes move or few. A number between two kinds does not make them take turns: who acts stays
 * until the number is a quarter past the border. */
#include "broad/kept.h"

enum { FEW = 48, SOME = 1024 };

static bool is_past(const wi_kept *kept, uint32_t border, willow_broad below)
{
    const bool was_below = kept->acting == below || kept->acting == WILLOW_BROAD_AUTO;
    return kept->living >= (was_below ? border + border / 4 : border - border / 4);
}

willow_broad wi_kept_choose(const wi_kept *kept)
{
    if (!is_past(kept, FEW, WILLOW_BROAD_ALL_PAIRS)) return WILLOW_BROAD_ALL_PAIRS;
    return is_past(kept, SOME, WILLOW_BROAD_ONE_AXIS) ? WILLOW_BROAD_GRID : WILLOW_BROAD_ONE_AXIS;
}
