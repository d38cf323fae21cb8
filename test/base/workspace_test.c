/* workspace_test.c - pieces of one block: apart, aligned, and lost only at the next reserve. */
#include "base/workspace.h"

#include "support/test.h"
#include "support/test_allocator.h"

static void pieces_are_apart_and_aligned(void **state)
{
    (void)state;
    wi_memory memory;
    wi_workspace workspace = {0};
    wi_memory_init(&memory, &(willow_allocator){0});
    size_t size = wi_workspace_size(3, 1) + wi_workspace_size(100, 8) + wi_workspace_size(0, 4);
    assert_true(wi_workspace_reserve(&memory, &workspace, size));
    char *small = wi_workspace_take(&workspace, 3, 1);
    char *large = wi_workspace_take(&workspace, 100, 8);
    char *none = wi_workspace_take(&workspace, 0, 4);
    assert_int_equal((uintptr_t)small % WI_ALIGNMENT, 0);
    assert_int_equal((uintptr_t)large % WI_ALIGNMENT, 0);
    assert_true(large >= small + 3 && none >= large + 800);
    assert_int_equal(workspace.used, size);
    wi_workspace_free(&memory, &workspace);
    assert_int_equal(memory.bytes, 0);
}

static void a_block_large_enough_is_kept(void **state)
{
    (void)state;
    wi_memory memory;
    wi_workspace workspace = {0};
    wi_memory_init(&memory, &(willow_allocator){0});
    assert_true(wi_workspace_reserve(&memory, &workspace, 1000));
    char *block = workspace.block;
    (void)wi_workspace_take(&workspace, 10, 10);
    assert_true(wi_workspace_reserve(&memory, &workspace, 500));
    assert_ptr_equal(workspace.block, block);
    assert_int_equal(workspace.used, 0);
    assert_true(wi_workspace_reserve(&memory, &workspace, 2000));
    assert_int_equal(memory.bytes, 2000);
    wi_workspace_free(&memory, &workspace);
}

static void a_failed_reserve_leaves_an_empty_workspace(void **state)
{
    (void)state;
    test_allocator allocator = {.fail_at = 2};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_workspace workspace = {0};
    wi_memory_init(&memory, &functions);
    assert_true(wi_workspace_reserve(&memory, &workspace, 100));
    assert_false(wi_workspace_reserve(&memory, &workspace, 200));
    assert_null(workspace.block);
    assert_int_equal(workspace.size, 0);
    wi_workspace_free(&memory, &workspace);
    assert_true(test_allocator_is_clean(&allocator));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pieces_are_apart_and_aligned),
    cmocka_unit_test(a_block_large_enough_is_kept),
    cmocka_unit_test(a_failed_reserve_leaves_an_empty_workspace),
};

TEST_GROUP(workspace, tests);
