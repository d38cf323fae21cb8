/* Contact of primitives in double, against exact distances: on a small grid, where most of what is
 * degenerate happens by itself, and a last bit away from it. */
#include "prim/moving/contact64.h"

#include <math.h>
#include "support/rational_toi.h"
#include "support/test.h"

enum { CASES = 6000 };

static bool touch_in_rationals(bool is_edges, const double at[4][3])
{
    rational_motion motion;
    mpq_t t, d2;
    rational_motion_init(&motion, is_edges, at, at);
    mpq_inits(t, d2, NULL);
    rational_distance2(&motion, t, d2);
    const bool touch = mpq_sgn(d2) == 0;
    mpq_clears(t, d2, NULL);
    rational_motion_clear(&motion);
    return touch;
}

static void fill(uint64_t *random, double at[4][3])
{
    const double scale = ldexp(1.0, (int)(test_random(random) % 500) - 250);
    const bool is_flat = test_random(random) % 2 == 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] =
                is_flat && k == 2 ? scale : scale * ((double)(test_random(random) % 5) - 2.0);
    double *x = &at[test_random(random) % 4][test_random(random) % 3];
    if (test_random(random) % 3 == 0 && *x != 0.0) *x = nextafter(*x, 0.0);
}

static void check(bool is_edges)
{
    uint64_t random = is_edges ? 1 : 2;
    size_t touching = 0;
    for (int i = 0; i < CASES; i++) {
        double at[4][3];
        fill(&random, at);
        const double(*p)[3] = (const double(*)[3])at;
        const bool touch = is_edges ? wi_edges_touch(p, p + 2) : wi_point_touches_tri(p[0], p + 1);
        if (touch != touch_in_rationals(is_edges, p)) fail_msg("case %d: touch is %d", i, touch);
        touching += touch;
    }
    print_message("%zu of %d touch\n", touching, CASES);
    assert_true(touching > 0 && touching < CASES);
}

static void a_point_touches_a_triangle_exactly_where_the_distance_is_zero(void **state)
{
    (void)state;
    check(false);
}

static void edges_touch_exactly_where_the_distance_is_zero(void **state)
{
    (void)state;
    check(true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_point_touches_a_triangle_exactly_where_the_distance_is_zero),
    cmocka_unit_test(edges_touch_exactly_where_the_distance_is_zero),
};

TEST_GROUP(contact64, tests);
