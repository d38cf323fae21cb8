/* step_lists.h - what separation lists know of the pairs of bodies of a question. */
#ifndef WI_QUERY_STEP_LISTS_H
#define WI_QUERY_STEP_LISTS_H

#include "pairs/separation.h"
#include "query/schedule.h"

typedef struct wi_step_lists {
    /* By pair of bodies: one that knows all of the step, or NULL; none of them in questions without
     * steps. */
    WI_ARRAY(const wi_separation *) by_pair;
    double until;                      /* the time at which the step ends */
    wi_sep_seeds seeds;                /* what these lists say has to be looked into */
    wi_sep_seeds sorted_seeds;         /* for sorting them */
    WI_ARRAY(wi_leaf_pair) leaf_pairs; /* of the list of a watch: the leaves that meet now */
} wi_step_lists;

void wi_step_lists_free(wi_memory *memory, wi_step_lists *lists);

/* Whether a list knows the step of a pair of bodies. */
bool wi_step_lists_know(const willow_scratch *scratch, uint32_t pair);

/* Adds items for what the list of a pair of bodies says has to be looked into. False if there is no
 * memory. */
bool wi_step_lists_seed(willow_scratch *scratch, uint32_t pair);

/* Puts the seeds of an item on a stack. False if there is no memory. */
bool wi_step_lists_push(const willow_scratch *scratch, wi_descent *down, const wi_query_item *item);

#endif
