/* ranks.h - a set of numbers below a limit, and which in order each of them is: how a list that has
 * something for few of many is found in. An eighth of a byte per number, and half as much again for
 * the ranks. */
#ifndef WI_BASE_CONTAINERS_RANKS_H
#define WI_BASE_CONTAINERS_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "base/memory.h"

typedef struct wi_ranks {
    uint64_t *bits;   /* a bit for each number; NULL: there is no set */
    uint32_t *before; /* by word of bits: how many of the set are in those before it */
    uint32_t limit;
} wi_ranks;

static inline uint32_t wi_ranks_words(uint32_t limit) { return limit / 64 + (limit % 64 != 0); }

/* An empty set. False if there is no memory; there is then no set. */
bool wi_ranks_make(wi_memory *memory, uint32_t limit, wi_ranks *ranks);
void wi_ranks_free(wi_memory *memory, wi_ranks *ranks);
size_t wi_ranks_bytes(const wi_ranks *ranks);

/* After bits have changed: returns how many there are. */
uint32_t wi_ranks_count(wi_ranks *ranks);

static inline void wi_ranks_add(wi_ranks *ranks, uint32_t number)
{
    WI_ASSERT(number < ranks->limit);
    ranks->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void wi_ranks_remove(wi_ranks *ranks, uint32_t number)
{
    WI_ASSERT(number < ranks->limit);
    ranks->bits[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static inline bool wi_ranks_has(const wi_ranks *ranks, uint32_t number)
{
    WI_ASSERT(number < ranks->limit);
    return (ranks->bits[number / 64] >> number % 64 & 1) != 0;
}

/* How many of the set are lower than `number`; of a member of the set, which one it is. */
static inline uint32_t wi_ranks_of(const wi_ranks *ranks, uint32_t number)
{
    WI_ASSERT(number <= ranks->limit);
    const uint64_t lower = ranks->bits[number / 64] & ((UINT64_C(1) << number % 64) - 1);
    return ranks->before[number / 64] + (uint32_t)__builtin_popcountll(lower);
}

#endif
