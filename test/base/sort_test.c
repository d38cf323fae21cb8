/* The radix sort against the C library's, on keys of many shapes. */
#include <stdlib.h>
#include "base/containers/sort.h"
#include "support/test.h"

enum { GUARD = 8, MOST = 100000 };

static const uint64_t GUARD_KEY = UINT64_C(0xDEADBEEFDEADBEEF);

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts a copy both ways; nothing may be written beyond the ends of keys and spare. */
static void check_sort(const uint64_t *input, size_t count)
{
    size_t bytes = count * sizeof(uint64_t), room = (count + GUARD) * sizeof(uint64_t);
    uint64_t *keys = malloc(room), *spare = malloc(room), *expected = malloc(room);
    assert_true(keys != NULL && spare != NULL && expected != NULL);
    memcpy(keys, input, bytes);
    memcpy(expected, input, bytes);
    for (size_t i = count; i < count + GUARD; i++) keys[i] = spare[i] = GUARD_KEY;
    qsort(expected, count, sizeof *expected, compare);
    wi_sort_u64(keys, spare, count);
    assert_memory_equal(keys, expected, bytes);
    for (size_t i = count; i < count + GUARD; i++)
        assert_true(keys[i] == GUARD_KEY && spare[i] == GUARD_KEY);
    free(keys);
    free(spare);
    free(expected);
}

static void check_random(size_t count, uint64_t varying, uint64_t fixed, uint64_t seed)
{
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    assert_non_null(keys);
    for (size_t i = 0; i < count; i++) keys[i] = (test_random(&seed) & varying) | fixed;
    check_sort(keys, count);
    free(keys);
}

static void every_small_count_is_sorted(void **state)
{
    (void)state;
    for (size_t count = 0; count <= 600; count++) {
        check_random(count, UINT64_MAX, 0, count);
        check_random(count, UINT64_C(0x0000003F0000003F), 0, count);
    }
}

static void pairs_of_triangles_of_all_widths_are_sorted(void **state)
{
    (void)state;
    for (unsigned a = 0; a <= 32; a++) {
        for (unsigned b = 0; b <= 32; b += 3) {
            uint64_t high = ((UINT64_C(1) << a) - 1) << 32, low = (UINT64_C(1) << b) - 1;
            check_random(400, high | low, 0, a * 100 + b);
            check_random(1500, high | low, UINT64_C(0x8000000040000000), a * 100 + b);
        }
    }
}

static void large_counts_are_sorted(void **state)
{
    (void)state;
    check_random(MOST, UINT64_C(0x0001FFFF0001FFFF), 0, 1);
    check_random(MOST, UINT64_C(0x000FFFFF000FFFFF), 0, 2);
    check_random(MOST, UINT64_MAX, 0, 3);
}

static void bits_far_apart_and_full_of_holes_are_sorted(void **state)
{
    (void)state;
    uint64_t masks[] = {UINT64_C(1),
                        UINT64_C(1) << 63,
                        UINT64_C(0x8000000000000001),
                        UINT64_C(0x0000000180000000),
                        UINT64_C(0x5555555555555555),
                        UINT64_C(0x8000000180000001),
                        0};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        check_random(100, masks[i], 0, i);
        check_random(3000, masks[i], ~masks[i] & UINT64_C(0x1234567812345678), i);
    }
}

static void sorted_and_reversed_keys_are_sorted(void **state)
{
    (void)state;
    static uint64_t up[5000], down[5000];
    for (size_t i = 0; i < 5000; i++) {
        up[i] = (uint64_t)i << 30;
        down[i] = (uint64_t)(5000 - i) << 30;
    }
    size_t counts[] = {2, 64, 65, 512, 513, 5000};
    for (size_t i = 0; i < 6; i++) {
        check_sort(up, counts[i]);
        check_sort(down, counts[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_small_count_is_sorted),
    cmocka_unit_test(pairs_of_triangles_of_all_widths_are_sorted),
    cmocka_unit_test(large_counts_are_sorted),
    cmocka_unit_test(bits_far_apart_and_full_of_holes_are_sorted),
    cmocka_unit_test(sorted_and_reversed_keys_are_sorted),
};

TEST_GROUP(sort, tests);
