/* sort.h - radix sort of 64-bit keys: stable by construction, no comparison, no recursion.
 *
 * Made for results: hundreds to millions of (triangle a, triangle b) keys whose upper bytes are
 * mostly equal; bits that are the same in all keys cost one look and no pass. */
#ifndef WI_BASE_CONTAINERS_SORT_H
#define WI_BASE_CONTAINERS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/check.h"

#define WI_SIGN_BIT UINT32_C(0x80000000)

/* A number for each float that is no NaN, ordered as the floats are; -0 and 0 have the same. */
static inline uint32_t wi_float_key(float value)
{
    uint32_t bits;
    value += 0.0F;
    WI_ASSERT(value == value);
    memcpy(&bits, &value, sizeof bits);
    return (bits & WI_SIGN_BIT) != 0 ? ~bits : bits | WI_SIGN_BIT;
}

/* The float with this number. */
static inline float wi_float_of_key(uint32_t key)
{
    uint32_t bits = (key & WI_SIGN_BIT) != 0 ? key & ~WI_SIGN_BIT : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline bool wi_is_sorted_u64(const uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (keys[i - 1] > keys[i]) return false;
    return true;
}

/* Sorts keys[0..count) upwards. `spare` has room for as many. */
void wi_sort_u64(uint64_t *keys, uint64_t *spare, size_t count);

#endif
