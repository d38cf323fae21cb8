/* test.h - cmocka with what it needs before it, groups of tests, and random numbers that are equal
 * everywhere.
 *
 * A file test/<room>/<name>_test.c ends with its group:
 *
 *     static const struct CMUnitTest tests[] = {
 *         cmocka_unit_test(split_keeps_every_triangle_exactly_once),
 *     };
 *
 *     TEST_GROUP(name, tests);
 *
 * The groups of a room are one program, test_<room> (group_main.c). */
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
#include "willow/base.h"

/* A call that must succeed. */
#define assert_ok(call) test_assert_ok(call, #call, __FILE__, __LINE__)
void test_assert_ok(willow_result result, const char *call, const char *file, int line);

/* Defines the group of a file; the name is the file's. */
#define TEST_GROUP(name, tests) TEST_GROUP_WITH(name, tests, NULL, NULL)

/* The same, with what cmocka calls before the first test and after the last one. */
#define TEST_GROUP_WITH(name, tests, setup, teardown)                                              \
    TEST_GROUP_FUNCTION(name)                                                                      \
    {                                                                                              \
        return cmocka_run_group_tests_name(#name, tests, setup, teardown);                         \
    }                                                                                              \
    int test_group_##name(void) /* for the semicolon */

/* A group whose tests, or some of them, have slow rows in their tables, too. */
#define TEST_GROUP_WITH_SLOW(name, tests, slow_tests)                                              \
    TEST_GROUP_FUNCTION(name)                                                                      \
    {                                                                                              \
        if (!test_is_slow()) return cmocka_run_group_tests_name(#name, tests, NULL, NULL);         \
        return cmocka_run_group_tests_name(#name, slow_tests, NULL, NULL);                         \
    }                                                                                              \
    int test_group_##name(void) /* for the semicolon */

/* The head of a group that runs its tests by itself. It returns the number of failures, or
 * TEST_GROUP_SKIPPED. */
#define TEST_GROUP_FUNCTION(name)                                                                  \
    int test_group_##name(void);                                                                   \
    int test_group_##name(void)

enum { TEST_GROUP_SKIPPED = 77 };

/* True if this run takes the slow rows of tables that have quick and slow ones: test_<room> --slow,
 * which is the ctest <room>/<name>_slow. */
bool test_is_slow(void);
void test_set_slow(bool is_slow);

/* The next number of a sequence that starts from any state (splitmix64). */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A row of a table that is too long for a line: braces, but laid out as a call is. */
#define TEST_ROW(...)                                                                              \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Which sanitizer this is built with. What they take long for and see often enough elsewhere,
 * because it differs by a kernel or a seed alone, is left out under them. */
#if defined(__SANITIZE_ADDRESS__)
enum { TEST_HAS_ASAN = 1, TEST_HAS_TSAN = 0 };
#elif defined(__SANITIZE_THREAD__)
enum { TEST_HAS_ASAN = 0, TEST_HAS_TSAN = 1 };
#else
enum { TEST_HAS_ASAN = 0, TEST_HAS_TSAN = 0 };
#endif

/* How many of so many cases are tried that differ by their seeds alone. With ASan, which takes
 * seven times as long, a fourth of them, if that is not too few to meet all that may happen: the
 * test counts what they come to, and fails if a kind of it is not there. */
static inline uint64_t test_seeds(uint64_t count)
{
    const uint64_t few = 12, share = (count + 3) / 4;
    if (!TEST_HAS_ASAN || count < few) return count;
    return share > few ? share : few;
}

/* From one worker to the next more that are tried. With TSan, which takes ten times as long, none
 * between one and four. */
enum { TEST_MORE_WORKERS = TEST_HAS_TSAN ? 3 : 1 };

/* Evenly from [low, high). */
static inline double test_random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(test_random(state) >> 11) * 0x1p-53);
}

#endif
