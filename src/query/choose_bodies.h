/* choose_bodies.h - which pairs of the chosen bodies a query looks into. */
#ifndef WI_QUERY_CHOOSE_BODIES_H
#define WI_QUERY_CHOOSE_BODIES_H

#include "broad/broad.h"
#include "query/question.h"

/* Which bodies are asked about with themselves. */
typedef enum wi_choice_of_selves {
    WI_SELVES_AS_BODIES_ASK, /* those with `self` */
    WI_SELVES_ALL,
    WI_SELVES_NONE
} wi_choice_of_selves;

/* What choosing takes room for. */
typedef struct wi_choice {
    WI_ARRAY(wi_broad_body) bodies; /* the chosen ones as the broad phase sees them */
    wi_workspace workspace;         /* of the broad phase */
    WI_ARRAY(uint32_t) numbers;     /* of chosen bodies, by the index in their ids less one */
    wi_known_pairs known;           /* what is known of their pairs */
    const wi_broad_ops *ops;        /* which one it is */
    wi_broad_search search;         /* where it is, if pairs are chosen some at a time */
    wi_choice_of_selves selves;
    bool has_more; /* scratch->pairs are not all: wi_choose_more_pairs goes on */
} wi_choice;

void wi_choice_free(wi_memory *memory, wi_choice *choice);

/* Fills scratch->pairs: the pairs of chosen bodies that may meet, and those with `self` with
 * themselves, sorted. False if there is no memory. */
bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch);

/* The same some thousands at a time, for searches that may end before they have seen all: where
 * many bodies are in one spot there are as many pairs as bodies squared. The first ones, which are
 * all if that is all there are; and the next ones while `has_more` says so, which are sorted for
 * themselves, and bodies with themselves last. */
bool wi_choose_first_pairs(const wi_question *question, willow_scratch *scratch);
bool wi_choose_more_pairs(willow_scratch *scratch);

/* The same with chosen bodies against themselves only: all, or those with `self`. */
bool wi_choose_selves(willow_scratch *scratch, bool all);

#endif
