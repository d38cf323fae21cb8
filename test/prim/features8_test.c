/* What the filter of eight moving features calls apart is apart, exactly, at all times: also where
 * it was brought as near as the filter lets it come. Both kernels say the same, lane by lane,
 * whatever is in the other lanes. */
#include <float.h>
#include <math.h>
#include "base/kernel.h"
#include "prim/moving/features8.h"
#include "support/moving_points.h"
#include "support/test.h"

extern wi_features_apart wi_features_apart_scalar, wi_features_apart_avx2;

typedef struct tally {
    unsigned asked, apart, undecided;
    double nearness; /* how far they came, in parts of the way */
} tally;

static void put(wi_feature8 *f, unsigned lane, const moving_points *p)
{
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++) {
            memcpy(f->point[end][i][lane], p->at[end][i], sizeof p->at[end][i]);
            f->point[end][i][lane][3] = NAN; /* has no meaning */
        }
}

/* By all kernels of this machine, all lanes at once and one by one. */
static unsigned look_at(const wi_feature8 *f, bool are_edges, float reach, wi_look look)
{
    const unsigned apart = wi_features_apart_scalar(f, are_edges, reach, look, 0xFF);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const unsigned alone = wi_features_apart_scalar(f, are_edges, reach, look, 1U << lane);
        if (alone != (apart & 1U << lane))
            fail_msg("lane %u: %u alone, %u among others", lane, alone, apart >> lane & 1);
    }
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        assert_int_equal(wi_features_apart_avx2(f, are_edges, reach, look, 0xFF), apart);
        assert_int_equal(wi_features_apart_avx2(f, are_edges, reach, look, 0x2D), apart & 0x2D);
    }
#endif
    return apart;
}

/* What any look calls apart. */
static unsigned ask(const wi_feature8 *f, bool are_edges, float reach, bool is_moving)
{
    if (!is_moving) return look_at(f, are_edges, reach, WI_LOOK_STILL);
    return look_at(f, are_edges, reach, WI_LOOK_WHOLE) |
           look_at(f, are_edges, reach, WI_LOOK_PARTS);
}

static void expect_apart(int family, uint64_t seed, const moving_points *p, bool are_edges,
                         float reach, bool is_moving, tally *sum)
{
    float at[2][4][3];
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++) memcpy(at[end][i], p->at[end][i], sizeof at[end][i]);
    if (!moving_features_touch((const float(*)[4][3])at, are_edges, is_moving, reach,
                               &sum->undecided))
        return;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++)
            print_error("%a %a %a\n", (double)at[end][i][0], (double)at[end][i][1],
                        (double)at[end][i][2]);
    fail_msg("%s, seed %llu: %s %s apart by %a, and are not", moving_family_name(family),
             (unsigned long long)seed, are_edges ? "edges" : "a vertex and a face",
             is_moving ? "move" : "are", (double)reach);
}

/* Brings what is apart nearer while the filter calls it apart, then looks exactly. */
static void approach(int family, uint64_t seed, bool are_edges, bool is_moving, tally *sum)
{
    enum { STEPS = 40 };
    uint64_t random = seed;
    moving_points from[WI_LANES], now[WI_LANES];
    double far[WI_LANES], near[WI_LANES];
    wi_feature8 f;
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        now[lane] = from[lane] = moving_points_make(family, are_edges ? 2 : 1, 4, &random);
        far[lane] = 0.0;
        near[lane] = 1.0;
        put(&f, lane, &from[lane]);
    }
    const float reach = moving_reach(from[0].size, &random);
    const unsigned apart = ask(&f, are_edges, reach, is_moving);
    for (int step = 0; step < STEPS && apart != 0; step++) {
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            now[lane] = moving_points_nearer(&from[lane], 0.5 * (near[lane] + far[lane]));
            put(&f, lane, &now[lane]);
        }
        const unsigned still = ask(&f, are_edges, reach, is_moving);
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            *(still >> lane & 1 ? &far[lane] : &near[lane]) = 0.5 * (near[lane] + far[lane]);
    }
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        if (!(apart >> lane & 1)) continue;
        const moving_points p = moving_points_nearer(&from[lane], far[lane]);
        expect_apart(family, seed, &p, are_edges, reach, is_moving, sum);
        sum->nearness += far[lane];
    }
    sum->asked += WI_LANES;
    sum->apart += (unsigned)__builtin_popcount(apart);
}

static void what_is_called_apart_is_apart(void **state)
{
    (void)state;
    for (int family = 0; family < MOVING_FAMILIES; family++) {
        /* Products that vanish do harm in few of them. */
        const uint64_t rounds = family == MOVING_TINY_OR_HUGE ? 160 : 16;
        tally sum = {0};
        for (uint64_t i = 0; i < rounds; i++)
            approach(family, 1000 * (uint64_t)family + i, i % 2 == 1, i % 4 < 2, &sum);
        print_message("%s: %u of %u apart, %u too near to tell, brought nearer by %.3f\n",
                      moving_family_name(family), sum.apart, sum.asked, sum.undecided,
                      sum.nearness / sum.apart);
        assert_true(sum.apart > sum.asked / 8);
        assert_true(sum.undecided < sum.asked / 8);
    }
}

/* Much further away than they are large or move. */
static void what_is_far_away_is_called_apart(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (unsigned i = 0; i < 2000; i++) {
        const bool are_edges = i % 2 == 0, is_moving = i % 4 < 2;
        const double scale = ldexp(1.0, (int)(i % 40) - 20);
        const float reach = i % 3 == 0 ? 0.0F : (float)scale;
        wi_feature8 f;
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            moving_points p =
                moving_points_make(lane % 2 == 0 ? 0 : 5, are_edges ? 2 : 1, 4, &random);
            for (int axis = 0; axis < 3; axis++) p.towards[axis] = (unsigned)axis == i % 3;
            p = moving_points_nearer(&p, i % 5 < 2 ? 16.0 : -16.0);
            for (int end = 0; end < 2; end++)
                for (int k = 0; k < 4; k++)
                    for (int axis = 0; axis < 3; axis++)
                        p.at[end][k][axis] = (float)((double)p.at[end][k][axis] * scale);
            put(&f, lane, &p);
        }
        assert_int_equal(ask(&f, are_edges, reach, is_moving), 0xFF);
    }
}

/* A vertex beside a triangle, above its plane or across an edge, by a little; crossed edges. All
 * turned about, moving together, and once with the plane turning under the vertex. */
static void what_passes_by_is_called_apart(void **state)
{
    (void)state;
    static const float beside[][4][3] = {
        {{0.25F, 0.25F, 0.01F}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{0.25F, -0.01F, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{0.51F, 0.51F, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{-0.01F, 0.25F, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{-1, 0, 0.01F}, {1, 0, 0.01F}, {0, -1, 0}, {0, 1, 0}},
        {{-1, 0, 0}, {-0.01F, 0, 0}, {0, -1, 0}, {0, 1, 0}},
    };
    enum { SHAPES = sizeof beside / sizeof beside[0] };
    for (unsigned shape = 0; shape < SHAPES; shape++)
        for (unsigned i = 0; i < 64; i++) {
            wi_feature8 f;
            uint64_t random = i;
            const double angle = 0.1 * i, way = i % 2 == 0 ? 0.0 : 10.0;
            moving_points p = {.first = shape < 4 ? 1 : 2, .count = 4};
            for (int end = 0; end < 2; end++)
                for (int k = 0; k < 4; k++) {
                    const float *q = beside[shape][k];
                    const double x = (double)q[0], y = (double)q[1];
                    p.at[end][k][0] = (float)(cos(angle) * x - sin(angle) * y + end * way);
                    p.at[end][k][1] = (float)(sin(angle) * x + cos(angle) * y - end * way);
                    p.at[end][k][2] = q[2] + (float)end;
                }
            for (unsigned lane = 0; lane < WI_LANES; lane++) put(&f, lane, &p);
            (void)test_random(&random);
            assert_int_equal(ask(&f, shape >= 4, 0.0F, true), 0xFF);
            assert_int_equal(ask(&f, shape >= 4, 0.005F, true), 0xFF);
            assert_int_equal(ask(&f, shape >= 4, 0.02F, true), 0);
        }
}

static void what_is_no_number_or_too_large_is_not_called_apart(void **state)
{
    (void)state;
    for (int are_edges = 0; are_edges < 2; are_edges++) {
        wi_feature8 f;
        uint64_t random = 3;
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            moving_points p = moving_points_make(0, are_edges ? 2 : 1, 4, &random);
            p = moving_points_nearer(&p, -16.0);
            put(&f, lane, &p);
        }
        assert_int_equal(ask(&f, are_edges, INFINITY, true), 0);
        assert_int_equal(ask(&f, are_edges, FLT_MAX, true), 0);
        for (unsigned lane = 0; lane < WI_LANES; lane++) /* differences are infinite */
            for (int i = 0; i < 4; i++)
                for (int axis = 0; axis < 3; axis++)
                    f.point[i % 2][i][lane][axis] = i < 2 ? FLT_MAX : -FLT_MAX;
        assert_int_equal(ask(&f, are_edges, 0.0F, true), 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_called_apart_is_apart),
    cmocka_unit_test(what_is_far_away_is_called_apart),
    cmocka_unit_test(what_passes_by_is_called_apart),
    cmocka_unit_test(what_is_no_number_or_too_large_is_not_called_apart),
};

TEST_GROUP(features8, tests);
