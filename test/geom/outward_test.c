/* outward_test.c - doubles become floats that bound them, as closely as floats can. */
#include "geom/outward.h"

#include <math.h>

#include "support/test.h"

enum { CASES = 200000 };

/* With the next float as the libm has it. */
static void expect_closest(double x)
{
    const float below = wi_float_below(x), above = wi_float_above(x);
    if (!((double)below <= x && (double)nextafterf(below, INFINITY) > x))
        fail_msg("%a is not the greatest float that is not above %a", (double)below, x);
    if (!((double)above >= x && (double)nextafterf(above, -INFINITY) < x))
        fail_msg("%a is not the least float that is not below %a", (double)above, x);
}

static void bounds_are_the_closest_floats_on_their_side(void **state)
{
    (void)state;
    static const int lowest = -160, highest = 127;
    uint64_t random = 7;
    for (int i = 0; i < CASES; i++) {
        const int exponent = lowest + (int)(test_random(&random) % (uint64_t)(highest - lowest));
        expect_closest(ldexp(test_random_between(&random, -2.0, 2.0), exponent));
    }
}

static void floats_are_their_own_bounds(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int i = 0; i < CASES; i++) {
        const uint32_t bits = (uint32_t)test_random(&random);
        float f;
        memcpy(&f, &bits, sizeof f);
        if (!isfinite(f)) continue;
        assert_true(wi_float_below((double)f) == f && wi_float_above((double)f) == f);
    }
}

static void next_to_zero_it_is_the_least_float(void **state)
{
    (void)state;
    assert_true(wi_float_below(0.0) == 0.0F && wi_float_above(0.0) == 0.0F);
    assert_true(wi_float_below(-0.0) == 0.0F && wi_float_above(-0.0) == 0.0F);
    assert_true(wi_float_below(-DBL_TRUE_MIN) == -FLT_TRUE_MIN);
    assert_true(wi_float_above(-DBL_TRUE_MIN) == 0.0F);
    assert_true(wi_float_below(DBL_TRUE_MIN) == 0.0F);
    assert_true(wi_float_above(DBL_TRUE_MIN) == FLT_TRUE_MIN);
}

static void at_the_border_bounds_stop(void **state)
{
    (void)state;
    const double border = (double)FLT_MAX, beyond[] = {border, nextafter(border, INFINITY),
                                                       2.0 * border, DBL_MAX, (double)INFINITY};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        assert_true(wi_float_below(beyond[i]) == FLT_MAX);
        assert_true(wi_float_above(beyond[i]) == FLT_MAX);
        assert_true(wi_float_below(-beyond[i]) == -FLT_MAX);
        assert_true(wi_float_above(-beyond[i]) == -FLT_MAX);
    }
    expect_closest(nextafter(border, 0.0));
    expect_closest(nextafter(-border, 0.0));
}

/* A box of such bounds meets everything. Two definitions gave an empty one, and no number. */
static void what_is_no_number_gets_the_outermost_bounds(void **state)
{
    (void)state;
    const double none[] = {(double)NAN, -(double)NAN};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_true(wi_float_below(none[i]) == -FLT_MAX);
        assert_true(wi_float_above(none[i]) == FLT_MAX);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bounds_are_the_closest_floats_on_their_side),
    cmocka_unit_test(floats_are_their_own_bounds),
    cmocka_unit_test(next_to_zero_it_is_the_least_float),
    cmocka_unit_test(at_the_border_bounds_stop),
    cmocka_unit_test(what_is_no_number_gets_the_outermost_bounds),
};

TEST_GROUP(outward, tests);
