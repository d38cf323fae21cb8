/* kept_selves.h - pairs within bodies, kept from query to query: a body that has not changed since
 * is not searched again. */
#ifndef WI_QUERY_KEPT_SELVES_H
#define WI_QUERY_KEPT_SELVES_H

#include "query/question.h"

/* All pairs within one body, by the rules that they were found by. */
typedef struct wi_kept_self {
    uint64_t placement;    /* of the body then, which no other state of any body has; 0: nothing */
    uint32_t number;       /* of the body, in its id */
    uint32_t mask_changes; /* of its group masks */
    bool skip_neighbours;
    WI_ARRAY(wi_pair_key) keys; /* sorted */
} wi_kept_self;

typedef struct wi_kept_selves {
    WI_ARRAY(wi_kept_self) bodies;
    uint32_t *places;   /* of bodies, from 1 on, by a hash of their numbers; 0: free */
    size_t place_count; /* a power of two, or 0 */
} wi_kept_selves;

void wi_kept_selves_free(wi_memory *memory, wi_kept_selves *kept);

/* What is known of the pairs of this pair of bodies: NULL if it is one of two bodies, or the body
 * has changed, or other rules held. */
const wi_kept_self *wi_kept_selves_find(const willow_scratch *scratch, uint32_t pair,
                                        const wi_walk_rules *rules);

/* Keeps what was found of all pairs of a body with itself that were searched, which is in
 * scratch->found: lots are sorted, and nothing is left out yet. Bodies for which there is no memory
 * are not kept, and will be searched again. */
void wi_kept_selves_keep(const wi_question *question, willow_scratch *scratch);

#endif
