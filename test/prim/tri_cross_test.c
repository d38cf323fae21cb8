/* Triangles that cross against those that only touch. The oracle knows no sides and no intervals:
 * triangles on a small grid that are not in one plane cross if and only if they still meet when
 * both are shrunk a little towards their centres, which rational numbers decide. On a grid of that
 * size two insides that meet do so by more than what is shrunk. */
#include "support/rational_tri.h"
#include "support/test.h"
#include "willow/prim.h"

#include <stdio.h>
#include <string.h>

enum { GRID = 4, SHRINK = 1 << 16, ROUNDS = 40000 };

typedef struct grid_tri {
    int corner[3][3];
} grid_tri;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static grid_tri random_tri(uint32_t *state)
{
    grid_tri t;
    for (int i = 0; i < 9; i++) t.corner[i / 3][i % 3] = (int)(next_random(state) % GRID);
    return t;
}

/* Three times SHRINK as large, so that all is whole, and then a SHRINK-th nearer to the centre. */
static void shrink(const grid_tri *t, float out[3][3])
{
    for (int k = 0; k < 3; k++) {
        const int sum = t->corner[0][k] + t->corner[1][k] + t->corner[2][k];
        for (int i = 0; i < 3; i++) {
            out[i][k] = (float)(3 * SHRINK * t->corner[i][k] + sum - 3 * t->corner[i][k]);
        }
    }
}

static long volume(const int a[3], const int b[3], const int c[3], const int d[3])
{
    long m[3][3];
    for (int k = 0; k < 3; k++) {
        m[0][k] = a[k] - d[k];
        m[1][k] = b[k] - d[k];
        m[2][k] = c[k] - d[k];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* All corners of b in the plane of a; or a has none. */
static bool is_in_plane(const grid_tri *a, const grid_tri *b)
{
    for (int i = 0; i < 3; i++)
        if (volume(a->corner[0], a->corner[1], a->corner[2], b->corner[i]) != 0) return false;
    return true;
}

static bool oracle_cross(const grid_tri *a, const grid_tri *b)
{
    float sa[3][3], sb[3][3];
    if (is_in_plane(a, b) || is_in_plane(b, a)) return false;
    shrink(a, sa);
    shrink(b, sb);
    return rational_tris_meet((const float(*)[3])sa, (const float(*)[3])sb);
}

static void to_points(const grid_tri *t, int first, willow_vec3 out[3])
{
    for (int i = 0; i < 3; i++) {
        const int *at = t->corner[(first + i) % 3];
        out[i] = (willow_vec3){(float)at[0], (float)at[1], (float)at[2]};
    }
}

/* Whatever the order of corners, and of triangles. */
static bool crosses_in_every_order(const grid_tri *a, const grid_tri *b)
{
    willow_vec3 pa[3], pb[3], back[3];
    to_points(a, 0, pa);
    to_points(b, 0, pb);
    const bool crosses = willow_tri_tri_cross(pa, pb);
    for (int i = 0; i < 9; i++) {
        to_points(a, i % 3, pa);
        to_points(b, i / 3, pb);
        for (int k = 0; k < 3; k++) back[k] = pb[2 - k];
        assert_int_equal(willow_tri_tri_cross(pa, pb), crosses);
        assert_int_equal(willow_tri_tri_cross(pb, pa), crosses);
        assert_int_equal(willow_tri_tri_cross(pa, back), crosses);
    }
    return crosses;
}

static void triangles_cross_where_rational_numbers_say_so(void **state)
{
    (void)state;
    uint32_t seed = 24;
    int crossing = 0, touching = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const grid_tri a = random_tri(&seed), b = random_tri(&seed);
        willow_vec3 pa[3], pb[3];
        to_points(&a, 0, pa);
        to_points(&b, 0, pb);
        const bool crosses =
            i % 16 == 0 ? crosses_in_every_order(&a, &b) : willow_tri_tri_cross(pa, pb);
        assert_int_equal(crosses, oracle_cross(&a, &b));
        crossing += crosses;
        touching += !crosses && willow_tri_tri_meet(pa, pb);
        assert_true(!crosses || willow_tri_tri_meet(pa, pb));
    }
    print_message("%d cross, %d only touch\n", crossing, touching);
    assert_true(crossing > ROUNDS / 50 && touching > ROUNDS / 50);
}

/* Edge on edge at both ends, no edge through an inside: the insides have a segment in common. */
static void insides_cross_though_edges_only_meet_edges(void **state)
{
    (void)state;
    const willow_vec3 a[3] = {{0, 0, 2}, {-2, 0, -2}, {2, 0, -2}};
    const willow_vec3 b[3] = {{0, 2, 0}, {-2, -2, 0}, {2, -2, 0}};
    const willow_vec3 high[3] = {{0, 4, 0}, {-2, 0, 0}, {2, 0, 0}};
    assert_true(willow_tri_tri_cross(a, b));
    assert_false(willow_tri_tri_cross(a, high)); /* an edge through it, nothing beyond */
    assert_true(willow_tri_tri_meet(a, high));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(triangles_cross_where_rational_numbers_say_so),
    cmocka_unit_test(insides_cross_though_edges_only_meet_edges),
};

TEST_GROUP(tri_cross, tests);
