/* broad.c - the table of broad phases. */
#include "broad/broad.h"

#include "broad/all_pairs.h"
#include "broad/sweep_and_prune.h"

/* With fewer bodies comparing all of them is faster than sorting them. */
enum { FEW = 32 };

wi_broad_find *wi_broad_for(willow_broad broad, size_t body_count)
{
    static wi_broad_find *const table[WILLOW_BROAD_COUNT] = {
        [WILLOW_BROAD_ALL_PAIRS] = wi_broad_all_pairs,
        [WILLOW_BROAD_SWEEP_AND_PRUNE] = wi_broad_sweep_and_prune};
    if (broad == WILLOW_BROAD_AUTO)
        broad = body_count < FEW ? WILLOW_BROAD_ALL_PAIRS : WILLOW_BROAD_SWEEP_AND_PRUNE;
    WI_ASSERT((unsigned)broad < WILLOW_BROAD_COUNT && table[broad] != NULL);
    return table[broad];
}
