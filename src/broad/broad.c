/* broad.c - the table of broad phases. */
#include "broad/broad.h"

#include "broad/all_pairs.h"

wi_broad_find *wi_broad_for(willow_broad broad)
{
    static wi_broad_find *const table[WILLOW_BROAD_COUNT] = {
        [WILLOW_BROAD_AUTO] = wi_broad_all_pairs, [WILLOW_BROAD_ALL_PAIRS] = wi_broad_all_pairs};
    return table[broad];
}
