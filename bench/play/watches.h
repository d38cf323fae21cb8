/* watches.h - a watch for every two bodies that may meet, asked together as one question. */
#ifndef BENCH_PLAY_WATCHES_H
#define BENCH_PLAY_WATCHES_H

#include <stdbool.h>
#include "willow/willow.h"

typedef struct watch_set {
    willow_watch **watches; /* NULL: none */
    uint32_t count, capacity;

    /* What all of them found, put together. */
    willow_pair_run *runs;
    willow_tri_pair *items;
    size_t run_count, item_count, run_capacity, item_capacity;
} watch_set;

/* Adds a watch; in the order of the answers that they give. */
willow_result watch_set_add(watch_set *w, willow_world *world, willow_watch_kind kind,
                            willow_body_id a, willow_body_id b);

/* Destroys the watches, before their bodies are; and all else. */
void watch_set_clear(watch_set *w);
void watch_set_destroy(watch_set *w);

/* Asks all watches, or those of bodies with themselves. */
willow_result watch_set_find_pairs(watch_set *w, willow_scratch *scratch,
                                   const willow_query_options *query, bool selves_only,
                                   willow_pairs *out);

/* The first that any watch finds. */
willow_result watch_set_find_first_pair(watch_set *w, willow_scratch *scratch,
                                        const willow_query_options *query, willow_first_pair *out);

#endif
