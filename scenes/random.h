/* random.h - numbers that are a function of where they are used: any order gives the same ones. */
#ifndef SCENES_RANDOM_H
#define SCENES_RANDOM_H

#include "base/hash.h"

/* A key from which numbers are drawn; make further keys of it for parts. */
static inline uint64_t random_key(uint64_t key, uint64_t part) { return wi_hash_u64(key, part); }

/* In [0, 1), a multiple of 2^-24: exact as float. */
static inline double random_unit(uint64_t key, uint64_t number)
{
    return (double)(wi_hash_u64(key, number) >> 40) * (1.0 / 16777216.0);
}

static inline double random_between(uint64_t key, uint64_t number, double low, double high)
{
    return low + (high - low) * random_unit(key, number);
}

#endif
