/* Growable arrays: what they hold, how they grow, how they fail. */
#include "base/containers/array.h"
#include "support/test.h"
#include "support/test_allocator.h"

typedef WI_ARRAY(uint32_t) numbers;

static void assert_counts_up(const numbers *array, uint32_t count)
{
    assert_int_equal(array->count, count);
    assert_true(array->capacity >= count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(array->items[i], i);
}

static void push_keeps_every_item_in_order(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    numbers array = {0};
    for (uint32_t i = 0; i < 10000; i++) assert_true(wi_array_push(&memory, &array, i));
    assert_counts_up(&array, 10000);
    wi_array_free(&memory, &array);
    assert_null(array.items);
    assert_int_equal(array.count + array.capacity, 0);
    assert_int_equal(atomic_load(&memory.bytes), 0);
}

static void growing_by_half_keeps_the_number_of_moves_logarithmic(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_memory_init(&memory, &functions);
    numbers array = {0};
    for (uint32_t i = 0; i < 1000000; i++) {
        size_t before = array.capacity;
        assert_true(wi_array_push(&memory, &array, i));
        assert_true(array.capacity == before || array.capacity >= before + before / 2);
    }
    assert_true(atomic_load(&allocator.calls) < 35);
    wi_array_free(&memory, &array);
    assert_true(test_allocator_is_clean(&allocator));
}

static void items_of_any_size_survive_growth(void **state)
{
    (void)state;
    typedef struct wide_item {
        double a, b, c;
        char d;
    } wide_item;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    WI_ARRAY(wide_item) array = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(
            wi_array_push(&memory, &array, ((wide_item){i, 2 * i, 3 * i, (char)(i % 100)})));
    for (int i = 0; i < 1000; i++)
        assert_true(array.items[i].c == 3 * i && array.items[i].d == (char)(i % 100));
    wi_array_free(&memory, &array);
    assert_int_equal(atomic_load(&memory.bytes), 0);
}

static void after_reserve_push_allocates_nothing(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_memory_init(&memory, &functions);
    numbers array = {0};
    assert_true(wi_array_reserve(&memory, &array, 500));
    allocator.fails_from_now_on = true;
    for (uint32_t i = 0; i < 500; i++) assert_true(wi_array_push(&memory, &array, i));
    assert_true(wi_array_reserve(&memory, &array, 3));
    assert_counts_up(&array, 500);
    wi_array_free(&memory, &array);
    assert_true(test_allocator_is_clean(&allocator));
}

static void a_failed_push_leaves_the_array_as_it_was(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 1; n <= 15; n++) {
        test_allocator allocator = {.fail_at = n};
        willow_allocator functions = test_allocator_functions(&allocator);
        wi_memory memory;
        wi_memory_init(&memory, &functions);
        numbers array = {0};
        for (uint32_t i = 0; i < 1000; i++) {
            if (wi_array_push(&memory, &array, i)) continue;
            failures++;
            assert_counts_up(&array, i);
            assert_true(wi_array_push(&memory, &array, i));
        }
        assert_counts_up(&array, 1000);
        wi_array_free(&memory, &array);
        assert_true(test_allocator_is_clean(&allocator));
    }
    assert_true(failures >= 10);
}

static void a_size_beyond_memory_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    numbers array = {0};
    for (uint32_t i = 0; i < 10; i++) assert_true(wi_array_push(&memory, &array, i));
    size_t capacity = array.capacity;
    assert_false(wi_array_reserve(&memory, &array, SIZE_MAX));
    assert_false(wi_array_reserve(&memory, &array, SIZE_MAX / 4 + 2));
    assert_int_equal(array.capacity, capacity);
    assert_counts_up(&array, 10);
    wi_array_free(&memory, &array);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(push_keeps_every_item_in_order),
    cmocka_unit_test(growing_by_half_keeps_the_number_of_moves_logarithmic),
    cmocka_unit_test(items_of_any_size_survive_growth),
    cmocka_unit_test(after_reserve_push_allocates_nothing),
    cmocka_unit_test(a_failed_push_leaves_the_array_as_it_was),
    cmocka_unit_test(a_size_beyond_memory_is_refused_and_changes_nothing),
};

TEST_GROUP(array, tests);
