/* kept_pairs.h - the pairs of a kept broad phase, and what else finds them (broad/slack.c) needs.
 */
#ifndef WI_BROAD_KEPT_PAIRS_H
#define WI_BROAD_KEPT_PAIRS_H

#include "broad/kept.h"

/* Ordered as pairs are. */
static inline uint64_t wi_pair_key(const wi_body_pair *pair)
{
    return (uint64_t)pair->a << 32 | pair->b;
}

/* Brings pairs and events up to date with the state of the acting kind. False if there is no
 * memory, as all of these. */
bool wi_kept_renew_pairs(wi_kept *kept, const wi_kept_change *change);

bool wi_kept_sort_pairs(wi_kept *kept, wi_body_pairs *pairs);

/* Marks these boxes, and no others, in kept->is_new. */
bool wi_kept_mark(wi_kept *kept, const uint32_t *numbers, size_t count);

/* The pairs in kept->next become those of this update. */
void wi_kept_take_next(wi_kept *kept);

#endif
