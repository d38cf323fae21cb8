/* choose_bodies.h - which pairs of the chosen bodies a query looks into. */
#ifndef WI_QUERY_CHOOSE_BODIES_H
#define WI_QUERY_CHOOSE_BODIES_H

#include "broad/broad.h"
#include "query/question.h"

/* What choosing takes room for. */
typedef struct wi_choice {
    WI_ARRAY(wi_broad_body) bodies; /* the chosen ones as the broad phase sees them */
    wi_workspace workspace;         /* of the broad phase */
} wi_choice;

void wi_choice_free(wi_memory *memory, wi_choice *choice);

/* Fills scratch->pairs: the pairs of chosen bodies that may meet, and those with `self` with
 * themselves, sorted. False if there is no memory. */
bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch);

/* The same with chosen bodies against themselves only: all, or those with `self`. */
bool wi_choose_selves(willow_scratch *scratch, bool all);

#endif
