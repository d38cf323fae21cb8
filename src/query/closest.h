/* closest.h - the room of a search by distance. */
#ifndef WI_QUERY_CLOSEST_H
#define WI_QUERY_CLOSEST_H

#include "tree/small/instance.h"
#include "walk/nearest/nearest.h"

/* What an item of a search by distance came to, and which of its worker's `left` it left. */
typedef struct wi_nearest_outcome {
    wi_nearest_best best;
    uint32_t worker;
    size_t first, count; /* of the worker's `left` */
} wi_nearest_outcome;

/* Trees that are put together for a search, which goes back and forth among its bodies. */
typedef struct wi_search_rooms {
    WI_ARRAY(wi_instance *) rooms;
    WI_ARRAY(const wi_tree *) trees; /* by the number of a body, in a search between two sets */
    size_t used;                     /* of the rooms */
} wi_search_rooms;

typedef struct wi_search {
    wi_nearest front;                      /* from which workers take items */
    wi_nearest_items batch;                /* the items taken */
    WI_ARRAY(wi_nearest_outcome) outcomes; /* by item of the batch */
    wi_search_rooms rooms;
} wi_search;

void wi_search_free(wi_memory *memory, wi_search *search);

/* The tree of a body, which is there until `used` is 0 again: the end of the search. NULL if there
 * is no memory. */
const wi_tree *wi_search_tree(willow_scratch *scratch, const wi_query_body *body);

#endif
