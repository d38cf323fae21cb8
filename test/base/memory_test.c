/* Blocks of a world: where they come from, how they are counted, how they fail. */
#include "base/memory.h"
#include "support/test.h"
#include "support/test_allocator.h"

static size_t bytes_of(wi_memory *memory) { return atomic_load(&memory->bytes); }

static void blocks_of_the_default_allocator_are_aligned_and_counted(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    size_t sizes[] = {1, 63, 64, 65, 1000, 1 << 20}, total = 0;
    void *blocks[6];
    for (int i = 0; i < 6; i++) {
        blocks[i] = wi_alloc(&memory, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % WI_ALIGNMENT, 0);
        memset(blocks[i], 1, sizes[i]);
        total += sizes[i];
        assert_int_equal(bytes_of(&memory), total);
    }
    for (int i = 0; i < 6; i++) wi_free(&memory, blocks[i], sizes[i]);
    assert_int_equal(bytes_of(&memory), 0);
}

static void a_size_of_zero_gives_null_and_asks_nobody(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    assert_null(wi_alloc(&memory, 0));
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory_init(&memory, &functions);
    assert_null(wi_alloc(&memory, 0));
    assert_null(wi_alloc_array(&memory, 0, 8));
    assert_null(wi_alloc_array(&memory, 8, 0));
    assert_int_equal(atomic_load(&allocator.calls), 0);
}

static void freeing_null_does_nothing(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    wi_free(&memory, NULL, 0);
    wi_free_array(&memory, NULL, 0, 8);
    assert_int_equal(bytes_of(&memory), 0);
}

static void a_product_that_overflows_gives_null(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    assert_null(wi_alloc_array(&memory, SIZE_MAX / 8 + 2, 8));
    assert_null(wi_alloc_array(&memory, SIZE_MAX, SIZE_MAX));
    assert_int_equal(bytes_of(&memory), 0);
}

static void a_size_that_cannot_be_rounded_up_gives_null(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    assert_null(wi_alloc(&memory, SIZE_MAX));
    assert_null(wi_alloc(&memory, SIZE_MAX - WI_ALIGNMENT + 2));
    assert_int_equal(bytes_of(&memory), 0);
}

static void the_allocator_is_told_the_size_on_free(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_memory_init(&memory, &functions);
    void *block = wi_alloc(&memory, 100);
    void *items = wi_alloc_array(&memory, 7, 12);
    assert_int_equal(bytes_of(&memory), 184);
    assert_int_equal(atomic_load(&allocator.bytes), 184);
    wi_free(&memory, block, 100);
    wi_free_array(&memory, items, 7, 12);
    assert_int_equal(bytes_of(&memory), 0);
    assert_true(test_allocator_is_clean(&allocator));
}

static void a_failed_allocation_is_not_counted(void **state)
{
    (void)state;
    test_allocator allocator = {.fail_at = 1};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_memory_init(&memory, &functions);
    assert_null(wi_alloc(&memory, 100));
    assert_int_equal(bytes_of(&memory), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_of_the_default_allocator_are_aligned_and_counted),
    cmocka_unit_test(a_size_of_zero_gives_null_and_asks_nobody),
    cmocka_unit_test(freeing_null_does_nothing),
    cmocka_unit_test(a_product_that_overflows_gives_null),
    cmocka_unit_test(a_size_that_cannot_be_rounded_up_gives_null),
    cmocka_unit_test(the_allocator_is_told_the_size_on_free),
    cmocka_unit_test(a_failed_allocation_is_not_counted),
};

TEST_GROUP(memory, tests);
