/* The set that hands out its lowest number, against a plain array of marks. */
#include <stdlib.h>
#include "base/containers/lowest.h"
#include "support/test.h"
#include "support/test_allocator.h"

typedef struct site {
    test_allocator allocator;
    wi_memory memory;
    wi_workspace workspace;
    wi_lowest set;
} site;

static void open_site(site *s, size_t limit)
{
    memset(s, 0, sizeof *s);
    willow_allocator functions = test_allocator_functions(&s->allocator);
    wi_memory_init(&s->memory, &functions);
    assert_true(wi_workspace_reserve(&s->memory, &s->workspace, wi_lowest_size(limit)));
    s->set = wi_lowest_take(&s->workspace, limit);
    assert_true(s->workspace.used == wi_lowest_size(limit));
    assert_true(wi_lowest_is_empty(&s->set));
}

static void close_site(site *s)
{
    wi_workspace_free(&s->memory, &s->workspace);
    assert_true(test_allocator_is_clean(&s->allocator));
}

/* Adds and removes by turns, numbers that are there already too. */
static void check_limit(uint32_t limit, uint64_t random)
{
    site s;
    uint8_t *is_in = calloc(limit, 1);
    uint32_t count = 0;
    open_site(&s, limit);
    for (int step = 0; step < 2000; step++) {
        if (test_random(&random) % 3 != 0) {
            const uint32_t number = (uint32_t)(test_random(&random) % limit);
            count += !is_in[number];
            is_in[number] = 1;
            wi_lowest_add(&s.set, number);
        } else if (count > 0) {
            uint32_t lowest = 0;
            while (!is_in[lowest]) lowest++;
            assert_int_equal(wi_lowest_remove(&s.set), lowest);
            is_in[lowest] = 0;
            count--;
        }
        assert_int_equal(wi_lowest_is_empty(&s.set), count == 0);
    }
    free(is_in);
    close_site(&s);
}

static void the_lowest_comes_first_whatever_the_limit(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 100000, 262145};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) check_limit(limits[i], i);
}

static void all_numbers_come_out_in_order_and_leave_it_empty(void **state)
{
    (void)state;
    enum { LIMIT = 70000 };
    site s;
    open_site(&s, LIMIT);
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < LIMIT; i++)
            wi_lowest_add(&s.set, (uint32_t)(i * UINT64_C(48271) % LIMIT));
        for (uint32_t i = 0; i < LIMIT; i++) assert_int_equal(wi_lowest_remove(&s.set), i);
        assert_true(wi_lowest_is_empty(&s.set));
    }
    close_site(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_lowest_comes_first_whatever_the_limit),
    cmocka_unit_test(all_numbers_come_out_in_order_and_leave_it_empty),
};

TEST_GROUP(lowest, tests);
