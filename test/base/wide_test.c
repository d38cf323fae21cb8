/* Wide floats: the scalar twin and AVX2 give the same bits, and the scalar twin those of C. */
#include <math.h>
#include "support/test.h"
#include "support/wide_probe.h"

enum { LANES = WIDE_PROBE_LANES, ROUNDS = 200000 };

static const float specials[8] = {0.0F,      1.0F,      INFINITY,         NAN,
                                  0x1p-149F, 0x1p-126F, 0x1.fffffcp-127F, 0x1.fffffep127F};

/* A special value of either sign, a small integer (for ties) or any bits at all. */
static float random_float(uint64_t *random)
{
    uint64_t bits = test_random(random);
    uint32_t low = (uint32_t)bits;
    float value;
    switch (bits >> 62) {
    case 0: return low & 8 ? -specials[low % 8] : specials[low % 8];
    case 1: return (float)(low % 5) - 2.0F;
    default: memcpy(&value, &low, sizeof value); return value;
    }
}

static float finite_float(uint64_t *random)
{
    for (;;) {
        float value = random_float(random);
        if (isfinite(value)) return value;
    }
}

static wide_input random_lanes(uint64_t *random, float (*make)(uint64_t *))
{
    wide_input in;
    for (int i = 0; i < LANES; i++) {
        in.a[i] = make(random);
        in.b[i] = make(random);
        for (int axis = 0; axis < 4; axis++) in.vertices[i][axis] = make(random);
    }
    return in;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Which NaN an addition, a multiplication or a division gives is left open by IEEE 754. */
static bool is_same(float x, float y, bool makes_nans)
{
    return bits_of(x) == bits_of(y) || (makes_nans && isnan(x) && isnan(y));
}

static bool makes_nans(int operation) { return operation <= WIDE_PROBE_div; }

static wide_probe plain_answers(const wide_input *in)
{
    wide_probe out = {.least = INFINITY, .greatest = -INFINITY};
    for (int i = 0; i < LANES; i++) {
        float a = in->a[i], b = in->b[i];
        bool is_large = b >= 1.0F;
        const float values[WIDE_PROBE_VALUE_COUNT] = {
            [WIDE_PROBE_add] = a + b,
            [WIDE_PROBE_sub] = a - b,
            [WIDE_PROBE_mul] = a * b,
            [WIDE_PROBE_sqrt] = sqrtf(a),
            [WIDE_PROBE_div] = a / b,
            [WIDE_PROBE_min] = isless(a, b) ? a : b,
            [WIDE_PROBE_max] = isgreater(a, b) ? a : b,
            [WIDE_PROBE_abs] = copysignf(a, 1.0F),
            [WIDE_PROBE_negate] = signbit(a) ? copysignf(a, 1.0F) : copysignf(a, -1.0F),
            [WIDE_PROBE_load] = a,
            [WIDE_PROBE_all] = in->a[0],
            [WIDE_PROBE_x] = in->vertices[i][0],
            [WIDE_PROBE_y] = in->vertices[i][1],
            [WIDE_PROBE_z] = in->vertices[i][2],
            [WIDE_PROBE_select] = a < b ? a : b,
        };
        for (int k = 0; k < WIDE_PROBE_VALUE_COUNT; k++) out.values[k][i] = values[k];
        out.masks[WIDE_PROBE_less] |= (unsigned)(a < b) << i;
        out.masks[WIDE_PROBE_less_equal] |= (unsigned)(a <= b) << i;
        out.masks[WIDE_PROBE_mask_and] |= (unsigned)(a < b && is_large) << i;
        out.masks[WIDE_PROBE_mask_or] |= (unsigned)(a < b || is_large) << i;
        out.least = fminf(out.least, a);
        out.greatest = fmaxf(out.greatest, a);
    }
    return out;
}

static void assert_same_lanes(const wide_probe *x, const wide_probe *y)
{
    static const char *const names[] = {
#define PROBE_NAME(name) #name,
        WIDE_PROBE_VALUES(PROBE_NAME)
#undef PROBE_NAME
    };
    for (int k = 0; k < WIDE_PROBE_VALUE_COUNT; k++) {
        for (int i = 0; i < LANES; i++) {
            if (is_same(x->values[k][i], y->values[k][i], makes_nans(k))) continue;
            fail_msg("%s: lane %d is 0x%08x or 0x%08x", names[k], i, bits_of(x->values[k][i]),
                     bits_of(y->values[k][i]));
        }
    }
    for (int k = 0; k < WIDE_PROBE_MASK_COUNT; k++) assert_int_equal(x->masks[k], y->masks[k]);
}

static void the_scalar_twin_does_what_plain_c_does(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; round++) {
        wide_input in = random_lanes(&random, random_float);
        wide_probe scalar = wide_probe_scalar(&in), plain = plain_answers(&in);
        assert_same_lanes(&scalar, &plain);
    }
}

static void the_least_and_the_greatest_lane_are_found(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < ROUNDS; round++) {
        wide_input in = random_lanes(&random, finite_float);
        wide_probe scalar = wide_probe_scalar(&in), plain = plain_answers(&in);
        assert_true(scalar.least == plain.least && scalar.greatest == plain.greatest);
    }
}

/* ---- whole numbers ---- */

enum { BITS_ROUNDS = 20000 };

/* Ties are as frequent as all else. */
static wide_bits_input random_bits(uint64_t *random)
{
    wide_bits_input in = {.key_count = (uint32_t)(test_random(random) % (WIDE_PROBE_KEYS + 1))};
    for (int i = 0; i < LANES; i++) {
        const uint64_t bits = test_random(random);
        in.a[i] = (int32_t)(uint32_t)bits;
        in.b[i] = bits >> 63 ? in.a[i] : (int32_t)(uint32_t)(bits >> 32);
        in.values[i] = (float)in.b[i] * 0x1p-10F;
        in.lanes[i] = (uint8_t)(test_random(random) % LANES);
    }
    for (uint32_t i = 0; i < in.key_count; i++)
        in.keys[i] = (int16_t)(test_random(random) % 100 - 50);
    return in;
}

static wide_bits_probe plain_bits(const wide_bits_input *in)
{
    wide_bits_probe out = {.more = 0};
    for (int i = 0; i < LANES; i++) {
        out.load[i] = in->a[i];
        out.all[i] = in->a[0];
        out.truncate[i] = (int32_t)truncf(in->values[i]);
        out.permute[i] = in->a[in->lanes[i]];
        out.more |= in->a[i] > in->b[i] ? 1U << i : 0U;
    }
    for (uint32_t i = 0; i < in->key_count; i++)
        for (uint32_t k = 0; k < in->key_count; k++)
            if (in->keys[k] < in->keys[i]) out.ranks[i]++;
    return out;
}

static void check_bits(wide_bits_probe (*probe)(const wide_bits_input *), uint64_t random)
{
    for (int round = 0; round < BITS_ROUNDS; round++) {
        const wide_bits_input in = random_bits(&random);
        const wide_bits_probe x = probe(&in), y = plain_bits(&in);
        assert_memory_equal(x.load, y.load, sizeof x.load);
        assert_memory_equal(x.all, y.all, sizeof x.all);
        assert_memory_equal(x.truncate, y.truncate, sizeof x.truncate);
        assert_memory_equal(x.permute, y.permute, sizeof x.permute);
        assert_memory_equal(x.ranks, y.ranks, sizeof x.ranks);
        assert_int_equal(x.more, y.more);
    }
}

static void whole_numbers_of_the_scalar_twin_are_those_of_plain_c(void **state)
{
    (void)state;
    check_bits(wide_bits_probe_scalar, 5);
}

#if WIDE_PROBE_HAS_AVX2

static void skip_without_avx2(void)
{
    if (__builtin_cpu_supports("avx2")) return;
    print_message("SKIPPED: this machine has no AVX2\n");
    skip();
}

static void avx2_and_the_scalar_twin_give_the_same_bits(void **state)
{
    (void)state;
    skip_without_avx2();
    uint64_t random = 3;
    for (int round = 0; round < ROUNDS; round++) {
        wide_input in = random_lanes(&random, random_float);
        wide_probe scalar = wide_probe_scalar(&in);
        wide_probe avx2 = wide_probe_avx2(&in);
        assert_same_lanes(&scalar, &avx2);
    }
    print_message("compared %d rounds of %d lanes\n", ROUNDS, LANES);
}

static void avx2_and_the_scalar_twin_find_the_same_least_and_greatest(void **state)
{
    (void)state;
    skip_without_avx2();
    uint64_t random = 4;
    for (int round = 0; round < ROUNDS; round++) {
        wide_input in = random_lanes(&random, random_float);
        wide_probe scalar = wide_probe_scalar(&in);
        wide_probe avx2 = wide_probe_avx2(&in);
        assert_true(is_same(scalar.least, avx2.least, false));
        assert_true(is_same(scalar.greatest, avx2.greatest, false));
    }
}

static void whole_numbers_of_avx2_are_those_of_plain_c(void **state)
{
    (void)state;
    skip_without_avx2();
    check_bits(wide_bits_probe_avx2, 5);
}

#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_scalar_twin_does_what_plain_c_does),
    cmocka_unit_test(the_least_and_the_greatest_lane_are_found),
    cmocka_unit_test(whole_numbers_of_the_scalar_twin_are_those_of_plain_c),
#if WIDE_PROBE_HAS_AVX2
    cmocka_unit_test(avx2_and_the_scalar_twin_give_the_same_bits),
    cmocka_unit_test(avx2_and_the_scalar_twin_find_the_same_least_and_greatest),
    cmocka_unit_test(whole_numbers_of_avx2_are_those_of_plain_c),
#endif
};

TEST_GROUP(wide, tests);
