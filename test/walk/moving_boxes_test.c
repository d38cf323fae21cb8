/* moving_boxes_test.c - which moving boxes meet, held against rational times: none that meets is
 * dropped, whatever its size, and on a coarse grid none that does not is kept. Both kernels say the
 * same. Also lengths in float, which are no less than they should be. */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include "base/kernel.h"
#include "support/moving_probe.h"
#include "support/test.h"

enum { LANES = WIDE_PROBE_LANES };

typedef struct scene {
    wi_box boxes[2][LANES], mover[2];
    float widen, horizon;
} scene;

static bool has_avx2(void)
{
    return WIDE_PROBE_HAS_AVX2 && wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2;
}

static unsigned ask(scene *s)
{
    const unsigned met = moving_probe_scalar(s->boxes, s->mover, s->widen, s->horizon, 0xFF);
#if WIDE_PROBE_HAS_AVX2
    if (has_avx2()) {
        assert_int_equal(moving_probe_avx2(s->boxes, s->mover, s->widen, s->horizon, 0xFF), met);
        assert_int_equal(moving_probe_avx2(s->boxes, s->mover, s->widen, s->horizon, 0x5A),
                         met & 0x5A);
    }
#endif
    return met;
}

/* ---- in rational numbers ---- */

/* Times at which the two still may meet. */
typedef struct span {
    mpq_t from, to;
} span;

static void difference(mpq_t out, float a, float b, float c)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(out, (double)a);
    mpq_set_d(other, (double)b);
    mpq_sub(out, out, other);
    mpq_set_d(other, (double)c);
    mpq_sub(out, out, other);
    mpq_clear(other);
}

/* Keeps the times at which a gap that goes from g0 to g1 is not positive. */
static bool cut(span *s, const mpq_t g0, const mpq_t g1)
{
    if (mpq_sgn(g0) > 0 && mpq_sgn(g1) > 0) return false;
    if (mpq_sgn(g0) <= 0 && mpq_sgn(g1) <= 0) return true;
    mpq_t time, way;
    mpq_inits(time, way, NULL);
    mpq_sub(way, g0, g1);
    mpq_div(time, g0, way);
    if (mpq_sgn(g0) > 0 && mpq_cmp(time, s->from) > 0) mpq_set(s->from, time);
    if (mpq_sgn(g1) > 0 && mpq_cmp(time, s->to) < 0) mpq_set(s->to, time);
    mpq_clears(time, way, NULL);
    return true;
}

static bool do_meet(const scene *s, int lane)
{
    const wi_box *a = s->mover, b[2] = {s->boxes[0][lane], s->boxes[1][lane]};
    bool meet = true;
    span times;
    mpq_t g[2];
    mpq_inits(times.from, times.to, g[0], g[1], NULL);
    mpq_set_d(times.to, (double)s->horizon);
    for (int axis = 0; axis < 3 && meet; axis++) {
        for (int end = 0; end < 2; end++)
            difference(g[end], b[end].lower[axis], a[end].upper[axis], s->widen);
        meet = cut(&times, g[0], g[1]);
        for (int end = 0; end < 2; end++)
            difference(g[end], a[end].lower[axis], b[end].upper[axis], s->widen);
        meet = meet && cut(&times, g[0], g[1]);
    }
    meet = meet && mpq_cmp(times.from, times.to) <= 0;
    mpq_clears(times.from, times.to, g[0], g[1], NULL);
    return meet;
}

/* ---- boxes ---- */

typedef float number(uint64_t *random);

static wi_box random_box(uint64_t *random, number *next)
{
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        const float a = next(random), b = next(random);
        box.lower[axis] = a < b ? a : b;
        box.upper[axis] = a < b ? b : a;
    }
    return box;
}

static void make_scene(scene *s, uint64_t *random, number *next)
{
    for (int end = 0; end < 2; end++) {
        s->mover[end] = random_box(random, next);
        for (int lane = 0; lane < LANES; lane++) s->boxes[end][lane] = random_box(random, next);
    }
    s->widen = 0.0F;
    s->horizon = test_random(random) % 2 == 0 ? 1.0F : (float)(test_random(random) % 16) / 16.0F;
}

static float on_grid(uint64_t *random) { return (float)(test_random(random) % 17) - 8.0F; }

static float of_any_size(uint64_t *random)
{
    const int exponent = (int)(test_random(random) % 278) - 150;
    const double size = ldexp(test_random_between(random, -2.0, 2.0), exponent);
    if (test_random(random) % 8 == 0) return test_random(random) % 2 == 0 ? FLT_MAX : -FLT_MAX;
    return (float)fmin(fmax(size, -(double)FLT_MAX), (double)FLT_MAX);
}

static float huge(uint64_t *random)
{
    return (float)test_random_between(random, -(double)FLT_MAX, (double)FLT_MAX);
}

/* Next to nothing or as far as can be: times are denormal. */
static float next_to_nothing_or_far(uint64_t *random)
{
    const int exponent = test_random(random) % 2 == 0 ? -80 : 64;
    return (float)ldexp((double)on_grid(random), exponent + (int)(test_random(random) % 4));
}

/* ---- tests ---- */

static void boxes_on_a_grid_meet_exactly_when_they_do(void **state)
{
    (void)state;
    size_t meeting = 0, crossing = 0;
    uint64_t random = 1;
    for (int round = 0; round < 3000; round++) {
        scene s;
        make_scene(&s, &random, on_grid);
        s.widen = (float)(test_random(&random) % 3) * 0.25F;
        const unsigned met = ask(&s);
        for (int lane = 0; lane < LANES; lane++) {
            const bool expected = do_meet(&s, lane);
            if (expected != (met >> lane & 1))
                fail_msg("round %d, lane %d: %d, should be %d", round, lane, met >> lane & 1,
                         expected);
            meeting += expected;
            crossing += !expected && s.horizon == 1.0F;
        }
    }
    print_message("%zu meet, %zu do not\n", meeting, crossing);
    assert_true(meeting > 1000 && crossing > 1000);
}

/* A million from the origin, where floats are a sixteenth apart. */
static float far_away(uint64_t *random) { return 1e6F + (float)(test_random(random) % 64) / 16.0F; }

/* Widened by far less than the last bit of their sides, or by anything else: none that meets by a
 * little less is dropped, and none that is farther apart all the time is kept. */
static void boxes_far_away_are_widened_by_as_much_as_others(void **state)
{
    (void)state;
    size_t meeting = 0, kept = 0, dropped = 0;
    uint64_t random = 7;
    for (int round = 0; round < 6000; round++) {
        scene s;
        make_scene(&s, &random, far_away);
        const float widen = (float)ldexp(test_random_between(&random, 0.5, 1.0), -round % 12);
        s.widen = widen;
        const unsigned met = ask(&s);
        for (int lane = 0; lane < LANES; lane++) {
            s.widen = widen * (1.0F - 0x1p-23F);
            const bool expected = do_meet(&s, lane);
            s.widen = widen * (1.0F + 0x1p-18F);
            const bool is_kept = met >> lane & 1;
            if (expected && !is_kept) fail_msg("round %d, lane %d dropped", round, lane);
            if (is_kept && s.horizon == 1.0F && !do_meet(&s, lane)) kept++;
            meeting += expected;
            dropped += !is_kept;
        }
    }
    print_message("%zu meet, %zu were dropped, %zu nearly meet\n", meeting, dropped, kept);
    assert_true(meeting > 1000 && dropped > 1000 && kept == 0);
}

static void check_none_dropped(number *next, int rounds)
{
    size_t meeting = 0, kept = 0, asked = 0;
    uint64_t random = 2;
    for (int round = 0; round < rounds; round++) {
        scene s;
        make_scene(&s, &random, next);
        const unsigned met = ask(&s);
        for (int lane = 0; lane < LANES; lane++) {
            const bool expected = do_meet(&s, lane);
            if (expected && !(met >> lane & 1)) fail_msg("round %d, lane %d dropped", round, lane);
            meeting += expected;
            kept += met >> lane & 1;
            asked++;
        }
    }
    print_message("%zu of %zu meet, %zu were kept\n", meeting, asked, kept);
    assert_true(meeting > 100 && kept < asked);
}

static void boxes_of_any_size_that_meet_are_kept(void **state)
{
    (void)state;
    check_none_dropped(of_any_size, 3000);
}

static void boxes_whose_sides_overflow_are_kept(void **state)
{
    (void)state;
    check_none_dropped(huge, 3000);
}

static void boxes_that_meet_for_next_to_no_time_are_kept(void **state)
{
    (void)state;
    check_none_dropped(next_to_nothing_or_far, 6000);
}

/* A box that comes in along x and goes out along y; a gap closes at first / (first + last), and the
 * other opens at the same expression. Scaled by any numbers, which changes no time. */
static void pass_by(scene *s, int lane, const double closing[2], const double opening[2])
{
    const double far = 1e38;
    const double gaps[2][2] = {{closing[0], -opening[0]}, {-closing[1], opening[1]}};
    for (int end = 0; end < 2; end++) {
        wi_box *box = &s->boxes[end][lane];
        *box = (wi_box){{(float)gaps[end][0], (float)gaps[end][1], 0.0F},
                        {(float)far, (float)far, 0.0F}};
        assert_true((double)box->lower[0] == gaps[end][0]);
        assert_true((double)box->lower[1] == gaps[end][1]);
    }
}

/* One is gone when the other comes: at the very time they meet, a little earlier they do not. Times
 * are any, or so small that they are denormal. */
static void boxes_that_meet_for_an_instant_are_kept(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 20000; round++) {
        scene at_once = {.horizon = 1.0F}, earlier = {.horizon = 1.0F};
        for (int lane = 0; lane < LANES; lane++) {
            const double first = 1.0 + (double)(test_random(&random) % 2047);
            const double last = first + (double)(test_random(&random) % 2048);
            const double k = ldexp(1.0 + (double)(test_random(&random) % 4095), -70);
            const double l = ldexp(1.0 + (double)(test_random(&random) % 4095), -70);
            const double speed = ldexp(1.0, round % 2 == 0 ? 0 : 114 + lane * 2);
            const double closing[2] = {k * first, k * last * speed};
            const double opening[2] = {l * first, l * last * speed};
            const double before[2] = {0x1p-70 * first * 4095.0, 0x1p-70 * last * speed * 4096.0};
            pass_by(&at_once, lane, closing, opening);
            pass_by(&earlier, lane, closing, before);
        }
        assert_int_equal(ask(&at_once), 0xFF);
        if (round % 2 == 0) assert_int_equal(ask(&earlier), 0);
    }
}

static void empty_boxes_meet_nothing(void **state)
{
    (void)state;
    scene s = {.horizon = 1.0F};
    for (int end = 0; end < 2; end++) {
        for (int axis = 0; axis < 3; axis++) {
            s.mover[end].lower[axis] = -FLT_MAX;
            s.mover[end].upper[axis] = FLT_MAX;
        }
        for (int lane = 0; lane < LANES; lane++)
            s.boxes[end][lane] = lane % 2 == 0 ? wi_box_empty() : s.mover[end];
    }
    assert_int_equal(ask(&s), 0xAA);
    s.mover[0] = s.mover[1] = (wi_box){{0, 0, 0}, {1, 1, 1}};
    s.widen = 1e30F;
    assert_int_equal(ask(&s), 0xAA);
}

/* ---- lengths ---- */

static void check_length(const float v[4], float length)
{
    mpq_t square, x;
    double greatest = 0.0;
    for (int i = 0; i < 3; i++) greatest = fmax(greatest, fabs((double)v[i]));
    if (greatest == 0.0 || length == INFINITY || isnan(length)) {
        assert_true(greatest == 0.0 || greatest > 1e38 || isnan(length));
        assert_true(!isnan(length) || greatest == 0.0);
        return;
    }
    mpq_inits(square, x, NULL);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(x, (double)v[i]);
        mpq_mul(x, x, x);
        mpq_add(square, square, x);
    }
    mpq_set_d(x, (double)length);
    mpq_mul(x, x, x);
    assert_true(mpq_cmp(x, square) >= 0);
    /* Among the smallest numbers the last bits are all that there is. */
    mpq_set_d(x, (double)length * (1.0 - 0x1p-19) - 0x1p-147);
    if (mpq_sgn(x) > 0) {
        mpq_mul(x, x, x);
        assert_true(mpq_cmp(x, square) <= 0);
    }
    mpq_clears(square, x, NULL);
}

static void lengths_are_never_less_than_they_should_be(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 5000; round++) {
        alignas(32) float v[LANES][4] = {{0}};
        float lengths[LANES], again[LANES];
        for (int i = 0; i < LANES; i++)
            for (int axis = 0; axis < 3; axis++)
                v[i][axis] = round % 2 == 0 ? of_any_size(&random) : on_grid(&random);
        length_probe_scalar((const float(*)[4])v, lengths);
        memcpy(again, lengths, sizeof again);
#if WIDE_PROBE_HAS_AVX2
        if (has_avx2()) length_probe_avx2((const float(*)[4])v, again);
#endif
        for (int i = 0; i < LANES; i++) {
            assert_true(lengths[i] == again[i] || (isnan(lengths[i]) && isnan(again[i])));
            check_length(v[i], lengths[i]);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_on_a_grid_meet_exactly_when_they_do),
    cmocka_unit_test(boxes_far_away_are_widened_by_as_much_as_others),
    cmocka_unit_test(boxes_of_any_size_that_meet_are_kept),
    cmocka_unit_test(boxes_whose_sides_overflow_are_kept),
    cmocka_unit_test(boxes_that_meet_for_next_to_no_time_are_kept),
    cmocka_unit_test(boxes_that_meet_for_an_instant_are_kept),
    cmocka_unit_test(empty_boxes_meet_nothing),
    cmocka_unit_test(lengths_are_never_less_than_they_should_be),
};

TEST_GROUP(moving_boxes, tests);
