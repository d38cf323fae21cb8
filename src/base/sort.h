/* sort.h - radix sort of 64-bit keys: stable by construction, no comparison, no recursion.
 *
 * Made for results: hundreds to millions of (triangle a, triangle b) keys whose upper bytes are
 * mostly equal; bits that are the same in all keys cost one look and no pass. */
#ifndef WI_BASE_SORT_H
#define WI_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[0..count) upwards. `spare` has room for as many. */
void wi_sort_u64(uint64_t *keys, uint64_t *spare, size_t count);

#endif
