/* test.h - cmocka with what it needs before it, and random numbers that are equal everywhere. */
#ifndef WI_TEST_TEST_H
#define WI_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The next number of a sequence that starts from any state (splitmix64). */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* How many of so many cases are tried that differ by their seeds alone. With ASan, which takes
 * seven times as long, a fourth of them, if that is not too few to meet all that may happen: the
 * test counts what they come to, and fails if a kind of it is not there. */
static inline uint64_t test_seeds(uint64_t count)
{
#if defined(__SANITIZE_ADDRESS__)
    const uint64_t few = 12, share = (count + 3) / 4;
    return count < few ? count : share > few ? share : few;
#else
    return count;
#endif
}

/* From one worker to the next more that are tried. With TSan, which takes ten times as long, none
 * between one and four. */
#if defined(__SANITIZE_THREAD__)
enum { TEST_MORE_WORKERS = 3 };
#else
enum { TEST_MORE_WORKERS = 1 };
#endif

/* Evenly from [low, high). */
static inline double test_random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(test_random(state) >> 11) * 0x1p-53);
}

#endif
