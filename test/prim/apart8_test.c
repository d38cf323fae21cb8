/* What the filter of eight pairs of moving triangles calls apart is apart, exactly: so are all of
 * their vertices, edges and faces, at all times, and the two do not cross at the start. As in
 * features8_test.c. */
#include <float.h>
#include <math.h>
#include "base/kernel.h"
#include "prim/meet/apart8.h"
#include "support/moving_points.h"
#include "support/rational_tri.h"
#include "support/test.h"

extern wi_apart8 wi_apart8_scalar, wi_apart8_avx2;

typedef struct eight {
    wi_tri8 a[2], b[2];
} eight;

typedef struct tally {
    unsigned asked, apart, undecided;
    double nearness; /* how far they came, in parts of the way */
} tally;

static void put(eight *e, unsigned lane, const moving_points *p)
{
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            memcpy(e->a[end].corner[i][lane], p->at[end][i], sizeof p->at[end][i]);
            memcpy(e->b[end].corner[i][lane], p->at[end][3 + i], sizeof p->at[end][i]);
            e->a[end].corner[i][lane][3] = e->b[end].corner[i][lane][3] = NAN;
        }
}

/* By all kernels of this machine; all lanes at once, and by turns one alone. */
static unsigned ask(const eight *e, float reach, bool is_moving)
{
    static unsigned turn;
    const unsigned apart = wi_apart8_scalar(e->a, e->b, reach, is_moving, 0xFF);
    const unsigned lane = turn++ % WI_LANES;
    assert_int_equal(wi_apart8_scalar(e->a, e->b, reach, is_moving, 1U << lane),
                     apart & 1U << lane);
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        assert_int_equal(wi_apart8_avx2(e->a, e->b, reach, is_moving, 0xFF), apart);
        assert_int_equal(wi_apart8_avx2(e->a, e->b, reach, is_moving, 0x2D), apart & 0x2D);
    }
#endif
    return apart;
}

/* Points of one feature of each: `from` has the numbers of the four. */
static bool features_touch(const moving_points *p, const int from[4], bool are_edges, float reach,
                           bool is_moving, tally *sum)
{
    float at[2][4][3];
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++) memcpy(at[end][i], p->at[end][from[i]], sizeof at[end][i]);
    return moving_features_touch((const float(*)[4][3])at, are_edges, is_moving, reach,
                                 &sum->undecided);
}

static bool touch(const moving_points *p, float reach, bool is_moving, tally *sum)
{
    bool found = rational_tris_meet(p->at[0], p->at[0] + 3);
    for (int i = 0; i < 3 && !found; i++) {
        const int of_a[4] = {i, 3, 4, 5}, of_b[4] = {3 + i, 0, 1, 2};
        found = features_touch(p, of_a, false, reach, is_moving, sum) ||
                features_touch(p, of_b, false, reach, is_moving, sum);
        for (int k = 0; k < 3 && !found; k++) {
            const int edges[4] = {i, (i + 1) % 3, 3 + k, 3 + (k + 1) % 3};
            found = features_touch(p, edges, true, reach, is_moving, sum);
        }
    }
    return found;
}

static void expect_apart(int family, uint64_t seed, const moving_points *p, float reach,
                         bool is_moving, tally *sum)
{
    if (!touch(p, reach, is_moving, sum)) return;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 6; i++)
            print_error("%a %a %a\n", (double)p->at[end][i][0], (double)p->at[end][i][1],
                        (double)p->at[end][i][2]);
    fail_msg("%s, seed %llu: triangles %s apart by %a, and are not", moving_family_name(family),
             (unsigned long long)seed, is_moving ? "move" : "are", (double)reach);
}

/* Brings what is apart nearer while the filter calls it apart, then looks exactly. */
static void approach(int family, uint64_t seed, bool is_moving, tally *sum)
{
    enum { STEPS = 40 };
    uint64_t random = seed;
    moving_points from[WI_LANES];
    double far[WI_LANES], near[WI_LANES];
    eight e;
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        from[lane] = moving_points_make(family, 3, 6, &random);
        far[lane] = 0.0;
        near[lane] = 1.0;
        put(&e, lane, &from[lane]);
    }
    const float reach = moving_reach(from[0].size, &random);
    const unsigned apart = ask(&e, reach, is_moving);
    for (int step = 0; step < STEPS && apart != 0; step++) {
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            const moving_points p =
                moving_points_nearer(&from[lane], 0.5 * (near[lane] + far[lane]));
            put(&e, lane, &p);
        }
        const unsigned still = ask(&e, reach, is_moving);
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            *(still >> lane & 1 ? &far[lane] : &near[lane]) = 0.5 * (near[lane] + far[lane]);
    }
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        if (!(apart >> lane & 1)) continue;
        const moving_points p = moving_points_nearer(&from[lane], far[lane]);
        expect_apart(family, seed, &p, reach, is_moving, sum);
        sum->nearness += far[lane];
    }
    sum->asked += WI_LANES;
    sum->apart += (unsigned)__builtin_popcount(apart);
}

static void what_is_called_apart_is_apart(void **state)
{
    (void)state;
    for (int family = 0; family < MOVING_FAMILIES; family++) {
        const uint64_t rounds = family == MOVING_TINY_OR_HUGE ? 240 : 40;
        tally sum = {0};
        for (uint64_t i = 0; i < rounds; i++)
            approach(family, 1000 * (uint64_t)family + i, i % 3 != 0, &sum);
        print_message("%s: %u of %u apart, %u too near to tell, brought nearer by %.3f\n",
                      moving_family_name(family), sum.apart, sum.asked, sum.undecided,
                      sum.nearness / sum.apart);
        assert_true(sum.apart > sum.asked / 16);
        assert_true(sum.undecided < sum.asked / 8);
    }
}

/* Much further away than they are large or move. */
static void what_is_far_away_is_called_apart(void **state)
{
    (void)state;
    uint64_t random = 7;
    unsigned missed = 0;
    for (unsigned i = 0; i < 1000; i++) {
        const double scale = ldexp(1.0, (int)(i % 24) - 12);
        eight e;
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            moving_points p = moving_points_make(lane % 2 == 0 ? 0 : 5, 3, 6, &random);
            for (int axis = 0; axis < 3; axis++) p.towards[axis] = (unsigned)axis == i % 3;
            p = moving_points_nearer(&p, i % 5 < 2 ? 16.0 : -16.0);
            for (int end = 0; end < 2; end++)
                for (int k = 0; k < 6; k++)
                    for (int axis = 0; axis < 3; axis++)
                        p.at[end][k][axis] = (float)((double)p.at[end][k][axis] * scale);
            put(&e, lane, &p);
        }
        const unsigned apart = ask(&e, i % 3 == 0 ? 0.0F : (float)scale, i % 4 < 2);
        missed += (unsigned)__builtin_popcount(~apart & 0xFF);
    }
    print_message("%u of 8000 missed\n", missed);
    assert_true(missed < 80);
}

static void flat_neighbours_that_move_together_are_called_apart(void **state)
{
    (void)state;
    static const float two[6][3] = {{0, 0, 0},         {1, 0, 0}, {0, 1, 0},
                                    {0.51F, 0.51F, 0}, {1, 1, 0}, {2, 0.5F, 0}};
    for (unsigned i = 0; i < 64; i++) {
        moving_points p = {.first = 3, .count = 6};
        const double angle = 0.1 * i, way = i % 2 == 0 ? 0.0 : 10.0;
        eight e;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 6; k++) {
                const double x = (double)two[k][0], y = (double)two[k][1];
                p.at[end][k][0] = (float)(cos(angle) * x - sin(angle) * y + end * way);
                p.at[end][k][1] = (float)(end * way);
                p.at[end][k][2] = (float)(sin(angle) * x + cos(angle) * y - end * way);
            }
        for (unsigned lane = 0; lane < WI_LANES; lane++) put(&e, lane, &p);
        assert_int_equal(ask(&e, 0.0F, true), 0xFF);
        assert_int_equal(ask(&e, 0.01F, true), 0xFF);
        assert_int_equal(ask(&e, 0.02F, true), 0);
    }
}

static void what_is_no_number_or_too_large_is_not_called_apart(void **state)
{
    (void)state;
    uint64_t random = 3;
    eight e;
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        moving_points p = moving_points_make(0, 3, 6, &random);
        p = moving_points_nearer(&p, -16.0);
        put(&e, lane, &p);
    }
    assert_int_equal(ask(&e, INFINITY, true), 0);
    assert_int_equal(ask(&e, FLT_MAX, true), 0);
    for (unsigned lane = 0; lane < WI_LANES; lane++)
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++) {
                e.a[i % 2].corner[i][lane][axis] = FLT_MAX;
                e.b[i % 2].corner[i][lane][axis] = -FLT_MAX;
            }
    assert_int_equal(ask(&e, 0.0F, true), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_called_apart_is_apart),
    cmocka_unit_test(what_is_far_away_is_called_apart),
    cmocka_unit_test(flat_neighbours_that_move_together_are_called_apart),
    cmocka_unit_test(what_is_no_number_or_too_large_is_not_called_apart),
};

TEST_GROUP(apart8, tests);
