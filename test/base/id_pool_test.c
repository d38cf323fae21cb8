/* Numbers with generations, against a plain list of marks. */
#include "base/containers/id_pool.h"
#include "support/test.h"
#include "support/test_allocator.h"

static uint32_t reserve_and_take(wi_memory *memory, wi_id_pool *pool)
{
    assert_true(wi_id_pool_reserve(memory, pool, 1));
    return wi_id_pool_take(pool);
}

static void the_lowest_free_number_comes_first(void **state)
{
    (void)state;
    enum { MOST = 300 };
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    wi_id_pool pool = {0};
    bool is_used[MOST] = {false};
    uint64_t random = 1;
    for (int step = 0; step < 20000; step++) {
        uint32_t id = (uint32_t)(test_random(&random) % MOST);
        if (is_used[id]) {
            wi_id_pool_give(&pool, id);
            is_used[id] = false;
        } else {
            uint32_t lowest = 0;
            while (is_used[lowest]) lowest++;
            assert_int_equal(reserve_and_take(&memory, &pool), lowest);
            is_used[lowest] = true;
        }
        assert_null(wi_id_pool_validate(&pool));
    }
    for (uint32_t id = 0; id < pool.generations.count; id++)
        assert_int_equal(wi_id_pool_has(&pool, id, wi_id_pool_generation(&pool, id)), is_used[id]);
    wi_id_pool_free(&memory, &pool);
    assert_int_equal(atomic_load(&memory.bytes), 0);
}

static void an_old_generation_is_not_the_new_one(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    wi_id_pool pool = {0};
    uint32_t id = reserve_and_take(&memory, &pool);
    uint16_t old = wi_id_pool_generation(&pool, id);
    assert_true(wi_id_pool_has(&pool, id, old));
    wi_id_pool_give(&pool, id);
    assert_false(wi_id_pool_has(&pool, id, old));
    assert_false(wi_id_pool_has(&pool, id, wi_id_pool_generation(&pool, id)));
    assert_int_equal(reserve_and_take(&memory, &pool), id);
    assert_false(wi_id_pool_has(&pool, id, old));
    assert_true(wi_id_pool_has(&pool, id, wi_id_pool_generation(&pool, id)));
    assert_false(wi_id_pool_has(&pool, id + 1, old));
    assert_false(wi_id_pool_has(&pool, UINT32_MAX, old));
    wi_id_pool_free(&memory, &pool);
}

static void a_number_is_retired_before_its_generation_comes_round(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    wi_id_pool pool = {0};
    for (uint32_t i = 0; i < 32768; i++) {
        assert_int_equal(reserve_and_take(&memory, &pool), 0);
        assert_int_equal(wi_id_pool_generation(&pool, 0), 2 * i + 1);
        wi_id_pool_give(&pool, 0);
    }
    for (uint32_t generation = 0; generation <= UINT16_MAX; generation++)
        assert_false(wi_id_pool_has(&pool, 0, (uint16_t)generation));
    assert_int_equal(reserve_and_take(&memory, &pool), 1);
    assert_null(wi_id_pool_validate(&pool));
    wi_id_pool_give(&pool, 1);
    assert_int_equal(reserve_and_take(&memory, &pool), 1);
    wi_id_pool_free(&memory, &pool);
}

static void giving_back_never_needs_memory(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_memory_init(&memory, &functions);
    wi_id_pool pool = {0};
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(reserve_and_take(&memory, &pool), i);
    allocator.fails_from_now_on = true;
    for (uint32_t i = 0; i < 1000; i++) wi_id_pool_give(&pool, (i * 7) % 1000);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(reserve_and_take(&memory, &pool), i);
    wi_id_pool_free(&memory, &pool);
    assert_true(test_allocator_is_clean(&allocator));
}

static void a_failed_reserve_leaves_the_pool_as_it_was(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 1; n <= 20; n++) {
        test_allocator allocator = {.fail_at = n};
        willow_allocator functions = test_allocator_functions(&allocator);
        wi_memory memory;
        wi_memory_init(&memory, &functions);
        wi_id_pool pool = {0};
        for (uint32_t i = 0; i < 300; i++) {
            if (!wi_id_pool_reserve(&memory, &pool, 1)) {
                failures++;
                assert_int_equal(pool.generations.count, i);
                assert_int_equal(pool.free.count, 0);
                assert_null(wi_id_pool_validate(&pool));
            }
            assert_int_equal(reserve_and_take(&memory, &pool), i);
        }
        wi_id_pool_free(&memory, &pool);
        assert_true(test_allocator_is_clean(&allocator));
    }
    assert_true(failures >= 15);
}

static void validate_names_what_is_broken(void **state)
{
    (void)state;
    wi_memory memory;
    wi_memory_init(&memory, &(willow_allocator){0});
    wi_id_pool pool = {0};
    for (uint32_t i = 0; i < 4; i++) reserve_and_take(&memory, &pool);
    wi_id_pool_give(&pool, 1);
    wi_id_pool_give(&pool, 2);
    wi_id_pool_give(&pool, 3);
    assert_null(wi_id_pool_validate(&pool));

    uint32_t *heap = pool.free.items;
    heap[2] = heap[1]; /* twice on different branches, and 3 is missing */
    assert_string_equal(wi_id_pool_validate(&pool),
                        "id pool: the heap is not the set of free numbers");
    heap[2] = 3;
    heap[0] = 2;
    heap[1] = 1;
    assert_string_equal(wi_id_pool_validate(&pool), "id pool: the heap has no order");
    heap[0] = 1;
    heap[1] = 2;
    heap[2] = 4;
    assert_string_equal(wi_id_pool_validate(&pool), "id pool: a free number was never handed out");
    heap[2] = 3;
    size_t capacity = pool.free.capacity;
    pool.free.capacity = 3;
    assert_string_equal(wi_id_pool_validate(&pool), "id pool: giving back needs memory");
    pool.free.capacity = capacity;
    assert_null(wi_id_pool_validate(&pool));
    wi_id_pool_free(&memory, &pool);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_lowest_free_number_comes_first),
    cmocka_unit_test(an_old_generation_is_not_the_new_one),
    cmocka_unit_test(a_number_is_retired_before_its_generation_comes_round),
    cmocka_unit_test(giving_back_never_needs_memory),
    cmocka_unit_test(a_failed_reserve_leaves_the_pool_as_it_was),
    cmocka_unit_test(validate_names_what_is_broken),
};

TEST_GROUP(id_pool, tests);
