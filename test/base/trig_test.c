/* Sine and cosine: close to libm's, and the same bits with every compiler. */
#include <float.h>
#include <math.h>
#include "base/hash.h"
#include "base/trig.h"
#include "support/test.h"

static double worst_error(double reach, int count, uint64_t seed)
{
    double worst = 0;
    for (int i = 0; i < count; i++) {
        double x = test_random_between(&seed, -reach, reach);
        worst = fmax(worst, fabs(wi_sin(x) - sin(x)));
        worst = fmax(worst, fabs(wi_cos(x) - cos(x)));
    }
    return worst;
}

static void sine_and_cosine_are_close_to_libm(void **state)
{
    (void)state;
    double near = worst_error(1, 300000, 1), middle = worst_error(1e3, 300000, 2);
    double far = worst_error(1e5, 300000, 3), edge = worst_error(1e6, 300000, 4);
    print_message("worst error: %.2g to 1, %.2g to 1e3, %.2g to 1e5, %.2g to 1e6\n", near, middle,
                  far, edge);
    assert_true(near <= 4e-16 && middle <= 4e-16);
    assert_true(far <= 2e-15 && edge <= 2e-15);
}

/* Where the reduction cancels most, and where one branch hands over to the next. */
static void multiples_of_an_eighth_turn_are_close_to_libm(void **state)
{
    (void)state;
    for (int n = -2000; n <= 2000; n++) {
        double at = n * 0.78539816339744830962;
        double around[3] = {at, nextafter(at, INFINITY), nextafter(at, -INFINITY)};
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(wi_sin(around[i]) - sin(around[i])) <= 4e-16);
            assert_true(fabs(wi_cos(around[i]) - cos(around[i])) <= 4e-16);
        }
    }
}

static void small_angles_are_exact(void **state)
{
    (void)state;
    assert_true(wi_sin(0) == 0 && wi_cos(0) == 1);
    assert_true(wi_sin(1e-9) == 1e-9 && wi_sin(-1e-9) == -1e-9 && wi_cos(1e-9) == 1);
    assert_true(wi_sin(DBL_TRUE_MIN) == DBL_TRUE_MIN);
}

static void beyond_a_million_and_for_no_number_the_answer_is_nan(void **state)
{
    (void)state;
    double outside[] = {1.0000001e6, -1.0000001e6, 1e300, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 6; i++) assert_true(isnan(wi_sin(outside[i])) && isnan(wi_cos(outside[i])));
    assert_false(isnan(wi_sin(1e6)) || isnan(wi_cos(-1e6)));
}

static void bits_are_the_same_with_every_compiler(void **state)
{
    (void)state;
    uint64_t hash = WI_HASH_START, seed = 5;
    for (int i = 0; i < 100000; i++) {
        double x = test_random_between(&seed, -1e4, 1e4);
        double both[2] = {wi_sin(x), wi_cos(x)};
        uint64_t bits[2];
        memcpy(bits, both, sizeof bits);
        hash = wi_hash_u64(wi_hash_u64(hash, bits[0]), bits[1]);
    }
    assert_true(hash == UINT64_C(0xF755B7711301AD7C));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sine_and_cosine_are_close_to_libm),
    cmocka_unit_test(multiples_of_an_eighth_turn_are_close_to_libm),
    cmocka_unit_test(small_angles_are_exact),
    cmocka_unit_test(beyond_a_million_and_for_no_number_the_answer_is_nan),
    cmocka_unit_test(bits_are_the_same_with_every_compiler),
};

TEST_GROUP(trig, tests);
