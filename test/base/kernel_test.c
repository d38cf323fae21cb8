/* The choice of kernels, and their names. */
#include "base/kernel.h"
#include "support/test.h"

static void the_scalar_kernel_is_always_there(void **state)
{
    (void)state;
    assert_int_equal(wi_kernel_choose(WILLOW_KERNEL_SCALAR), WILLOW_KERNEL_SCALAR);
}

static void auto_chooses_avx2_exactly_where_avx2_can_be_had(void **state)
{
    (void)state;
    willow_kernel best = wi_kernel_choose(WILLOW_KERNEL_AUTO);
    willow_kernel avx2 = wi_kernel_choose(WILLOW_KERNEL_AVX2);
    assert_true(best == WILLOW_KERNEL_SCALAR || best == WILLOW_KERNEL_AVX2);
    assert_true(avx2 == WILLOW_KERNEL_AUTO || avx2 == WILLOW_KERNEL_AVX2);
    assert_int_equal(best == WILLOW_KERNEL_AVX2, avx2 == WILLOW_KERNEL_AVX2);
#if !defined(WILLOW_HAS_AVX2)
    assert_int_equal(best, WILLOW_KERNEL_SCALAR);
#endif
    print_message("kernel in use: %s\n", willow_kernel_name(best));
}

static void a_kernel_that_does_not_exist_is_not_chosen(void **state)
{
    (void)state;
    int other = 1000;
    assert_int_equal(wi_kernel_choose(WILLOW_KERNEL_COUNT), WILLOW_KERNEL_AUTO);
    assert_int_equal(wi_kernel_choose((willow_kernel)other), WILLOW_KERNEL_AUTO);
    assert_null(willow_kernel_name(WILLOW_KERNEL_COUNT));
    assert_null(willow_kernel_name((willow_kernel)other));
}

static void every_name_leads_back_to_its_kernel(void **state)
{
    (void)state;
    for (int i = 0; i < WILLOW_KERNEL_COUNT; i++) {
        willow_kernel found = WILLOW_KERNEL_COUNT;
        assert_true(willow_kernel_from_name(willow_kernel_name((willow_kernel)i), &found));
        assert_int_equal(found, i);
    }
}

static void an_unknown_name_changes_nothing(void **state)
{
    (void)state;
    willow_kernel found = WILLOW_KERNEL_SCALAR;
    assert_false(willow_kernel_from_name("", &found));
    assert_false(willow_kernel_from_name("AVX2", &found));
    assert_false(willow_kernel_from_name("avx", &found));
    assert_int_equal(found, WILLOW_KERNEL_SCALAR);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_scalar_kernel_is_always_there),
    cmocka_unit_test(auto_chooses_avx2_exactly_where_avx2_can_be_had),
    cmocka_unit_test(a_kernel_that_does_not_exist_is_not_chosen),
    cmocka_unit_test(every_name_leads_back_to_its_kernel),
    cmocka_unit_test(an_unknown_name_changes_nothing),
};

TEST_GROUP(kernel, tests);
