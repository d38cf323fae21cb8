/* schedule.h - walking the pairs of bodies of a question, by one worker or by many. */
#ifndef WI_QUERY_SCHEDULE_H
#define WI_QUERY_SCHEDULE_H

#include "query/question.h"

/* What is walked: the unit that workers share out. */
typedef enum wi_query_item_kind {
    WI_QUERY_NODES, /* a pair of nodes of a pair of bodies, or a lot of fans */
    WI_QUERY_SEEDS, /* seeds of its list */
    WI_QUERY_BRUTE  /* a pair of bodies of which one has no tree: all triangles */
} wi_query_item_kind;

typedef struct wi_query_item {
    wi_query_item_kind kind;
    uint32_t pair;                 /* of scratch->pairs */
    wi_walk_item nodes;            /* if that is what it is about */
    size_t first_seed, seed_count; /* of scratch->lists.seeds, if it is about these */
} wi_query_item;

typedef WI_ARRAY(wi_query_item) wi_query_items;

/* Which of a worker's walks the question is for. */
typedef enum wi_schedule_walks {
    WI_WALKS_OVER_PAIRS, /* those that find keys */
    WI_WALKS_OVER_STEPS  /* those that find contacts */
} wi_schedule_walks;

typedef struct wi_schedule {
    wi_schedule_walks walks;   /* that the workers use */
    wi_query_items items;      /* of the question */
    wi_query_items next_items; /* while items are opened: what these become */
    size_t first_item;         /* of those that are being shared out */
    double until;              /* impacts later than this are of no interest */
} wi_schedule;

void wi_schedule_free(wi_memory *memory, wi_schedule *schedule);

/* The bodies of a pair, by its number in scratch->pairs. */
const wi_query_body *wi_body_a(const willow_scratch *scratch, uint32_t pair);
const wi_query_body *wi_body_b(const willow_scratch *scratch, uint32_t pair);

/* Their trees, for one worker. */
wi_two_trees wi_trees_of(willow_scratch *scratch, uint32_t worker, uint32_t pair);

/* An empty run of their results, which begins at number `first`. */
willow_pair_run wi_run_of(const willow_scratch *scratch, uint32_t pair, size_t first);

/* Makes the workers ready and forgets what they found before. False if there is no memory. */
bool wi_schedule_start(const wi_question *question, willow_scratch *scratch);

/* All pairs of bodies at once. Under a limit one after the other, and none once there are enough,
 * with any number of workers, so that counts do not depend on it (C10). A filter may refuse what
 * was found, so with one all are searched. False if there is no memory. */
bool wi_schedule_run(const wi_question *question, willow_scratch *scratch);

/* The same by hand: as many items as wanted of pairs of bodies in [first, last), if there are so
 * many, in scratch->schedule.items; and walking some of these. */
bool wi_schedule_prepare(willow_scratch *scratch, size_t first, size_t last, size_t wanted);
bool wi_schedule_run_lot(const wi_question *question, willow_scratch *scratch, size_t first,
                         size_t count);

/* How much the workers have found. */
size_t wi_schedule_count(const willow_scratch *scratch);

#endif
