/* lowest.h - a set of numbers that hands out its lowest one.
 *
 * Bits in words, bits over those words that say which of them are not empty, and so on: adding and
 * taking are a step per factor of 64, where a heap has one per factor of two. Made for a border
 * that every triangle enters once and leaves once. */
#ifndef WI_BASE_CONTAINERS_LOWEST_H
#define WI_BASE_CONTAINERS_LOWEST_H

#include "base/check.h"
#include "base/workspace.h"

/* 64 to the sixth is more than any 32-bit number. */
enum { WI_LOWEST_LEVELS = 6 };

_Static_assert(6 * WI_LOWEST_LEVELS >= 32, "every 32-bit number has its words");

typedef struct wi_lowest {
    uint64_t *levels[WI_LOWEST_LEVELS]; /* the first has the numbers */
    unsigned level_count;
} wi_lowest;

/* The workspace that `wi_lowest_take` takes for numbers below `limit`, which is not 0. */
size_t wi_lowest_size(size_t limit);

/* An empty set for numbers below `limit`. */
wi_lowest wi_lowest_take(wi_workspace *workspace, size_t limit);

static inline bool wi_lowest_is_empty(const wi_lowest *set)
{
    WI_ASSERT(set->level_count > 0 && set->level_count <= WI_LOWEST_LEVELS);
    return set->levels[set->level_count - 1][0] == 0;
}

static inline void wi_lowest_add(wi_lowest *set, uint32_t number)
{
    for (unsigned level = 0; level < set->level_count; level++) {
        set->levels[level][number / 64] |= UINT64_C(1) << number % 64;
        number /= 64;
    }
    WI_ASSERT(number == 0); /* else it was not below the limit */
}

/* The set is not empty. */
static inline uint32_t wi_lowest_remove(wi_lowest *set)
{
    WI_ASSERT(!wi_lowest_is_empty(set));
    uint32_t number = 0;
    for (unsigned level = set->level_count; level-- > 0;)
        number = number * 64 + (uint32_t)__builtin_ctzll(set->levels[level][number]);
    uint32_t at = number;
    for (unsigned level = 0; level < set->level_count; level++) {
        set->levels[level][at / 64] &= ~(UINT64_C(1) << at % 64);
        if (set->levels[level][at / 64] != 0) break;
        at /= 64;
    }
    return number;
}

#endif
