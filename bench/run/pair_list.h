/* pair_list.h - results of queries as lists, so that they can be compared. */
#ifndef BENCH_RUN_PAIR_LIST_H
#define BENCH_RUN_PAIR_LIST_H

#include "bench/peers/peer.h"
#include "scenes/scenes.h"

/* Where the question is not for pairs there are no items: `count` says how many answers there were
 * and `digest` stands for all of them, bit by bit. */
typedef struct pair_list {
    peer_pair *items; /* sorted, each once, after pair_list_sort */
    size_t count, capacity;
    uint64_t digest;
    uint64_t rays, lost; /* of rays: how many were cast, and answers of a peer that differ */
} pair_list;

bool pair_list_append(pair_list *list, const peer_pair *items, size_t count);
void pair_list_sort(pair_list *list);

/* Leaves out pairs within one body that share a vertex. */
void pair_list_drop_neighbours(pair_list *list, const scene *s);

/* The number that willow_pairs_hash gives for the same pairs. *fine turns false for want of
 * memory. */
uint64_t pair_list_hash(const pair_list *list, bool *fine);

bool pair_list_equal(const pair_list *a, const pair_list *b);

/* Calls `report` for every pair that only one list has: `lost` if it is in `wanted` alone. */
typedef void pair_difference(void *context, bool lost, const peer_pair *pair);
void pair_list_compare(const pair_list *wanted, const pair_list *got, pair_difference *report,
                       void *context);

#endif
