/* Poses: a posed vertex is the exact point rounded once, and poses that move nothing move nothing.
 */
#include <float.h>
#include <math.h>
#include "base/kernel.h"
#include "geom/pose.h"
#include "support/rational_pose.h"
#include "support/test.h"
#include "support/turn_probe.h"
#include "support/zoo_pose.h"

/* Any sign, from 2^-100 to 2^100; now and then 0, a denormal or the end of the floats. */
static float random_float(uint64_t *random)
{
    static const float specials[] = {0.0F, -0.0F, 0x1p-149F, 0x1.8p-127F, FLT_MAX, 0x1p127F};
    uint64_t choice = test_random(random);
    double size = ldexp(test_random_between(random, 1, 2), (int)(choice >> 8 & 255) % 201 - 100);
    float value = choice % 16 == 0 ? specials[choice / 16 % 6] : (float)size;
    return (choice >> 32 & 1) != 0 ? -value : value;
}

/* Of one magnitude, so that sums cancel. */
static float random_near_one(uint64_t *random) { return (float)test_random_between(random, -2, 2); }

static willow_pose random_pose(uint64_t *random, uint64_t turn)
{
    zoo_pose_kind kind = (zoo_pose_kind)(turn % (2 * ZOO_POSE_COUNT));
    if (kind < ZOO_POSE_COUNT) return zoo_pose_make(kind, turn / 7, turn);
    float (*make)(uint64_t *) = turn % 3 == 0 ? random_near_one : random_float;
    float v[7];
    for (int i = 0; i < 7; i++) v[i] = make(random);
    return (willow_pose){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6] != 0.0F ? v[6] : 1.0F}};
}

/* |number|, cut at the largest float. */
static double size_of(double number) { return fabs(number) < FLT_MAX ? fabs(number) : FLT_MAX; }

static void clamp(mpq_t number)
{
    mpq_t end;
    mpq_init(end);
    mpq_set_d(end, FLT_MAX);
    if (mpq_cmp(number, end) > 0) mpq_set(number, end);
    mpq_neg(end, end);
    if (mpq_cmp(number, end) < 0) mpq_set(number, end);
    mpq_clear(end);
}

/* |got - exact|, as a double that is right but for its last bits. */
static double distance(float got, const mpq_t exact)
{
    mpq_t difference;
    mpq_init(difference);
    mpq_set_d(difference, (double)got);
    mpq_sub(difference, difference, exact);
    double result = fabs(mpq_get_d(difference));
    mpq_clear(difference);
    return result;
}

/* Half a last place for the rounding to float, and the rounding of the double part: step 1 of
 * relation.c says 5 of 2^-50 of the reach at most. */
static double allowed(const mpq_t exact, const willow_pose *pose, const float p[3])
{
    double size = 0.0, far = 0.0;
    const float t[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
    for (int i = 0; i < 3; i++) {
        size = fmax(size, fabs((double)p[i]));
        far = fmax(far, fabs((double)t[i]));
    }
    double hair = 5 * 0x1p-50 * (1.7320508075688774 * size + far);
    return 1.0000001 * (0x1p-24 * size_of(mpq_get_d(exact)) + hair) + 0x1p-150;
}

static void a_posed_vertex_is_the_exact_point_rounded_once(void **state)
{
    (void)state;
    enum { CASES = 20000 };
    uint64_t random = 1;
    size_t turned = 0, ends = 0;
    mpq_t in[3], out[3];
    rational_vec_init(in);
    rational_vec_init(out);
    for (uint64_t turn = 0; turn < CASES; turn++) {
        willow_pose pose = random_pose(&random, turn);
        float (*make)(uint64_t *) = turn % 3 == 0 ? random_near_one : random_float;
        float p[3];
        for (int i = 0; i < 3; i++) p[i] = make(&random);
        rational_pose exact;
        willow_vec3 got;
        rational_pose_init(&exact, &pose);
        rational_vec_set(in, p);
        rational_pose_apply(&exact, in, out);
        willow_pose_apply(&pose, p, 0, 1, &got);
        const float at[3] = {got.x, got.y, got.z};
        for (int i = 0; i < 3; i++) {
            clamp(out[i]);
            double error = distance(at[i], out[i]);
            if (!(error <= allowed(out[i], &pose, p)))
                fail_msg("turn %llu, axis %d: %a is off by %a", (unsigned long long)turn, i,
                         (double)at[i], error);
            ends += fabsf(at[i]) == FLT_MAX;
        }
        turned += zoo_pose_moves(&pose);
        rational_pose_clear(&exact);
    }
    rational_vec_clear(in);
    rational_vec_clear(out);
    print_message("%zu of %d poses move, %zu coordinates at the end of the floats\n", turned, CASES,
                  ends);
    assert_true(turned > CASES / 2 && ends > 0);
}

/* Squares of floats are exact in double. Two sums, the quotient, one more sum and the product are
 * five roundings of at most 2, and the last difference is one more. */
static void a_matrix_is_the_rotation_but_for_last_places(void **state)
{
    (void)state;
    enum { CASES = 20000 };
    uint64_t random = 2;
    double worst = 0.0;
    mpq_t difference;
    mpq_init(difference);
    for (uint64_t turn = 0; turn < CASES; turn++) {
        willow_pose pose = random_pose(&random, turn);
        wi_pose ready = wi_pose_from(&pose);
        rational_pose exact;
        rational_pose_init(&exact, &pose);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++) {
                mpq_set_d(difference, ready.column[column][row]);
                mpq_sub(difference, difference, exact.rotation[row][column]);
                worst = fmax(worst, fabs(mpq_get_d(difference)));
            }
        rational_pose_clear(&exact);
    }
    mpq_clear(difference);
    print_message("entries are off by %g units of 2^-53 at most\n", worst * 0x1p53);
    assert_true(worst > 0.0 && worst <= 11 * 0x1p-53);
}

/* The fourth float has no meaning. */
static void four_rows_at_once_give_the_same_bits(void **state)
{
    uint64_t random = 5;
    (void)state;
    for (uint64_t turn = 0; turn < 200000; turn++) {
        willow_pose given = random_pose(&random, turn);
        if (!wi_pose_is_valid(&given)) continue;
        wi_pose pose = wi_pose_from(&given);
        float p[3], one[4], four[4];
        for (int i = 0; i < 3; i++) p[i] = random_float(&random);
        wi_pose_apply(&pose, p, one);
        pose_probe_scalar(&pose, p, four);
        assert_memory_equal(one, four, 3 * sizeof *one);
#if WIDE_PROBE_HAS_AVX2
        if (wi_kernel_choose(WILLOW_KERNEL_AUTO) != WILLOW_KERNEL_AVX2) continue;
        pose_probe_avx2(&pose, p, four);
        assert_memory_equal(one, four, 3 * sizeof *one);
#endif
    }
}

static void the_identity_keeps_every_bit(void **state)
{
    (void)state;
    const float given[] = {0.0F,  -0.0F,     1.0F,  -0x1p-149F, FLT_MAX, -FLT_MAX, -0.0F,  -0.0F,
                           -0.0F, 0x1p-126F, -1.5F, -0.0F,      3e38F,   0.0F,     -1e-40F};
    for (uint64_t seed = 0; seed < 20; seed++) {
        willow_pose pose = zoo_pose_make(ZOO_POSE_IDENTITY, 0, seed);
        wi_pose ready = wi_pose_from(&pose);
        willow_vec3 got[5];
        assert_true(wi_pose_is_valid(&pose));
        assert_true(wi_pose_is_identity(&ready));
        willow_pose_apply(&pose, given, 0, 5, got);
        assert_memory_equal(got, given, sizeof given);
    }
    willow_pose plain = willow_pose_identity();
    assert_false(zoo_pose_moves(&plain));
}

static void what_moves_a_vertex_is_not_the_identity(void **state)
{
    (void)state;
    const willow_pose poses[] = {
        {{0x1p-149F, 0, 0}, {0, 0, 0, 1}}, {{0, 0, -0x1p-149F}, {0, 0, 0, 1}},
        {{0, 1, 0}, {0, 0, 0, 1}},         {{0, 0, 0}, {0x1p-149F, 0, 0, 1}},
        {{0, 0, 0}, {0, 1e-20F, 0, 1}},    {{0, 0, 0}, {0, 0, -1e-9F, -1}},
        {{0, 0, 0}, {1, 0, 0, 0}},         {{0, 0, 0}, {1, 1, 1, 1}}};
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++) {
        wi_pose ready = wi_pose_from(&poses[i]);
        assert_false(wi_pose_is_identity(&ready));
    }
}

static void the_length_and_the_sign_of_a_rotation_do_not_matter(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int turn = 0; turn < 2000; turn++) {
        willow_pose pose = {.translation = {random_near_one(&random), 1e6F, 0}};
        willow_quat *q = &pose.rotation;
        float p[3];
        willow_vec3 got[2];
        q->x = random_near_one(&random);
        q->y = random_near_one(&random);
        q->z = random_near_one(&random);
        q->w = random_near_one(&random);
        for (int i = 0; i < 3; i++) p[i] = random_near_one(&random);
        willow_pose_apply(&pose, p, 0, 1, &got[0]);
        float factor = ldexpf(turn % 2 == 0 ? 1.0F : -1.0F, (int)(test_random(&random) % 160) - 80);
        *q = (willow_quat){q->x * factor, q->y * factor, q->z * factor, q->w * factor};
        willow_pose_apply(&pose, p, 0, 1, &got[1]);
        assert_memory_equal(&got[0], &got[1], sizeof got[0]);
    }
}

/* x to y, y to z, z to x, and the turn by 90 degrees about z that takes x to y. */
static void quarter_turns_are_exact(void **state)
{
    (void)state;
    const float p[3] = {0.1F, -7.25F, 1e-30F};
    const willow_pose circle = {{0, 0, 0}, {1, 1, 1, 1}}, about_z = {{0, 0, 0}, {0, 0, 1, 1}};
    const willow_pose half = {{0, 0, 0}, {0, 5, 0, 0}};
    willow_vec3 got;
    willow_pose_apply(&circle, p, 0, 1, &got);
    assert_true(got.x == p[2] && got.y == p[0] && got.z == p[1]);
    willow_pose_apply(&about_z, p, 0, 1, &got);
    assert_true(got.x == -p[1] && got.y == p[0] && got.z == p[2]);
    willow_pose_apply(&half, p, 0, 1, &got);
    assert_true(got.x == -p[0] && got.y == p[1] && got.z == -p[2]);
}

static void positions_may_have_gaps_and_be_replaced(void **state)
{
    (void)state;
    enum { COUNT = 7, WIDTH = 5 };
    const willow_pose pose = {{1, 2, 3}, {0.5F, -0.25F, 1, 2}};
    float packed[COUNT][3], gaps[COUNT][WIDTH];
    willow_vec3 plain[COUNT], from_gaps[COUNT], in_place[COUNT];
    uint64_t random = 4;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < WIDTH; k++) gaps[i][k] = NAN;
        for (int k = 0; k < 3; k++) gaps[i][k] = packed[i][k] = random_near_one(&random);
    }
    memcpy(in_place, packed, sizeof in_place);
    willow_pose_apply(&pose, packed, 0, COUNT, plain);
    willow_pose_apply(&pose, gaps, sizeof gaps[0], COUNT, from_gaps);
    willow_pose_apply(&pose, in_place, sizeof in_place[0], COUNT, in_place);
    assert_memory_equal(plain, from_gaps, sizeof plain);
    assert_memory_equal(plain, in_place, sizeof plain);
    willow_pose_apply(&pose, NULL, 0, 0, plain);
    assert_memory_equal(plain, in_place, sizeof plain);
}

static void what_is_beyond_the_floats_stays_at_their_end(void **state)
{
    (void)state;
    const float p[2][3] = {{FLT_MAX, -FLT_MAX, 1}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    const willow_pose pose = {{FLT_MAX, -FLT_MAX, FLT_MAX}, {0, 0, 0, 1}};
    const willow_pose turned = {{0, 0, 0}, {0, 0, 0.38268343F, 0.92387953F}};
    willow_vec3 got[2];
    willow_pose_apply(&pose, p, 0, 1, got);
    assert_true(got[0].x == FLT_MAX && got[0].y == -FLT_MAX && got[0].z == FLT_MAX);
    willow_pose_apply(&turned, p, 0, 2, got);
    assert_true(got[0].x == FLT_MAX && fabsf(got[0].y) < 1e32F && got[0].z == 1);
    assert_true(fabsf(got[1].x) < 1e32F && got[1].y == FLT_MAX && got[1].z == FLT_MAX);
}

static void poses_without_meaning_are_not_valid(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int place = 0; place < 7; place++)
        for (int i = 0; i < 3; i++) {
            willow_pose pose = willow_pose_identity();
            memcpy((char *)&pose + (size_t)place * sizeof(float), &bad[i], sizeof(float));
            assert_false(wi_pose_is_valid(&pose));
        }
    const willow_pose zero = {{1, 2, 3}, {0, -0.0F, 0, 0}};
    assert_false(wi_pose_is_valid(&zero));
    const willow_pose least = {{1, 2, 3}, {0, -0x1p-149F, 0, 0}};
    const willow_pose most = {{FLT_MAX, -FLT_MAX, FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}};
    assert_true(wi_pose_is_valid(&least));
    assert_true(wi_pose_is_valid(&most));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_posed_vertex_is_the_exact_point_rounded_once),
    cmocka_unit_test(a_matrix_is_the_rotation_but_for_last_places),
    cmocka_unit_test(four_rows_at_once_give_the_same_bits),
    cmocka_unit_test(the_identity_keeps_every_bit),
    cmocka_unit_test(what_moves_a_vertex_is_not_the_identity),
    cmocka_unit_test(the_length_and_the_sign_of_a_rotation_do_not_matter),
    cmocka_unit_test(quarter_turns_are_exact),
    cmocka_unit_test(positions_may_have_gaps_and_be_replaced),
    cmocka_unit_test(what_is_beyond_the_floats_stays_at_their_end),
    cmocka_unit_test(poses_without_meaning_are_not_valid),
};

TEST_GROUP(pose, tests);
