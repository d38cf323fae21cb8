/* Orientation in whole numbers is that of expansions, wherever it is decided: for points of a plane
 * or a line, exactly and by a last bit, of any size and far from the origin. */
#include <math.h>
#include "prim/signs/orient64.h"
#include "prim/signs/orient_whole.h"
#include "support/test.h"

enum { POINTS = 4 };

typedef enum point_kind {
    POINTS_GRID,   /* whole coordinates of a plane */
    POINTS_TILTED, /* of a turned plane, rounded */
    POINTS_BIT,    /* the same, by a last bit off it */
    POINTS_FAR,    /* far from the origin */
    POINTS_MIXED,  /* coordinates of very different sizes */
    POINTS_KINDS
} point_kind;

static double any(uint64_t *random) { return test_random_between(random, -1, 1); }

static void make_points(float at[POINTS][3], point_kind kind, uint64_t *random)
{
    const double scale = ldexp(1, (int)(test_random(random) % 200) - 100);
    for (int i = 0; i < POINTS; i++) {
        const double x = floor(9 * any(random)),
                     y = kind == POINTS_GRID ? floor(9 * any(random)) : 9 * any(random);
        const double p[3] = {x, 0.8 * y, kind == POINTS_GRID ? x + 0.8 * y : 0.6 * y + 0.25 * x};
        for (int axis = 0; axis < 3; axis++) {
            const double far = kind == POINTS_FAR ? 1e5 : 0;
            const double mixed = kind == POINTS_MIXED ? ldexp(1, -20 * axis * i) : 1;
            at[i][axis] = (float)(scale * mixed * (p[axis] + far));
            if (kind == POINTS_BIT && test_random(random) % 4 == 0)
                at[i][axis] = nextafterf(at[i][axis], INFINITY);
        }
    }
}

static double size_of(const float at[POINTS][3], int origin)
{
    double size = 0;
    for (int i = 0; i < POINTS; i++)
        for (int axis = 0; axis < 3; axis++)
            size = fmax(size, fabs((double)at[i][axis] - (double)at[origin][axis]));
    return size;
}

static void whole_numbers_say_what_expansions_do(void **state)
{
    (void)state;
    for (point_kind kind = 0; kind < POINTS_KINDS; kind++) {
        size_t decided = 0, zero = 0, planar = 0;
        uint64_t random = kind + 1;
        enum { CASES = 4000 };
        for (int n = 0; n < CASES; n++) {
            float at[POINTS][3];
            double wide[POINTS][3];
            int sign = 2;
            make_points(at, kind, &random);
            for (int i = 0; i < 3 * POINTS; i++) wide[i / 3][i % 3] = (double)at[i / 3][i % 3];
            const double size = size_of((const float(*)[3])at, 3);
            if (size == 0) continue;
            if (wi_orient3d_whole(at[0], at[1], at[2], at[3], size, &sign)) {
                assert_int_equal(sign, wi_orient3d_exact(wide[0], wide[1], wide[2], wide[3]));
                decided++;
                zero += sign == 0;
            }
            for (int axis = 0; axis < 3; axis++)
                if (wi_orient2d_whole(at[0], at[1], at[3], axis, size, &sign)) {
                    assert_int_equal(sign, wi_orient2d_exact(wide[0], wide[1], wide[3], axis));
                    planar++;
                }
        }
        print_message("kind %d: %zu decided, %zu of them 0; %zu in two dimensions\n", (int)kind,
                      decided, zero, planar);
        if (kind == POINTS_MIXED)
            assert_true(decided < CASES / 2 && planar < CASES);
        else
            assert_true(decided > CASES / 2 && planar > CASES);
        assert_true(kind != POINTS_GRID || zero > 100);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whole_numbers_say_what_expansions_do),
};

TEST_GROUP(orient_whole, tests);
