/* Distances that were reasoned out by hand: crossing, touching, parallel, degenerate and of every
 * size. distance_oracle_test.c has the many. */
#include <float.h>
#include <math.h>
#include "support/test.h"
#include "willow/prim.h"

typedef struct kept {
    const char *what;
    float a[3][3], b[3][3];
    double distance; /* exact in double */
    float on_a[3], on_b[3];
    bool is_unique; /* no other points are as close */
} kept;

/* The triangle that most others are held against. */
#define T                                                                                          \
    {                                                                                              \
        {0, 0, 0}, {4, 0, 0}, { 0, 4, 0 }                                                          \
    }

/* clang-format off */
static const kept list[] = {
    {"corner over face", T, {{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}, 2, {1, 1, 0}, {1, 1, 2}, true},
    {"face over corner", {{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}, T, 2, {1, 1, 2}, {1, 1, 0}, true},
    {"corner beside an edge", T, {{2, -3, 0}, {2, -5, 1}, {2, -5, -1}}, 3, {2, 0, 0}, {2, -3, 0}, true},
    {"corner and corner", T, {{7, 0, 4}, {9, 0, 6}, {9, 0, 9}}, 5, {4, 0, 0}, {7, 0, 4}, true},
    {"edge over edge, at right angles", T, {{2, -5, 3}, {2, 1, 3}, {2, -2, 9}}, 3, {2, 0, 0}, {2, 0, 3}, false},
    {"edge through edge", T, {{2, 0, -1}, {2, 0, 1}, {2, -4, 0}}, 0, {2, 0, 0}, {2, 0, 0}, false},
    {"an edge through the face, far from all edges", {{-90, -90, 0}, {90, -90, 0}, {0, 90, 0}},
     {{0, 0, -50}, {0, 0, 50}, {1, 1, 50}}, 0, {0}, {0}, false},
    {"touching at a corner", T, {{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, 0, {0, 0, 0}, {0, 0, 0}, true},
    {"touching at an edge", T, {{2, 2, 0}, {3, 3, 1}, {3, 3, -1}}, 0, {2, 2, 0}, {2, 2, 0}, true},
    {"touching in the face", T, {{1, 1, 0}, {1, 1, 3}, {2, 1, 3}}, 0, {1, 1, 0}, {1, 1, 0}, true},
    {"a triangle and itself", T, T, 0, {0}, {0}, false},
    {"parallel planes", T, {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, 1, {0}, {0}, false},
    {"parallel edges in one plane", T, {{0, -2, 0}, {4, -2, 0}, {0, -4, 0}}, 2, {0}, {0}, false},
    {"one plane, one inside the other", {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
     0, {0}, {0}, false},
    {"two points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 5, 7}, {1, 5, 7}, {1, 5, 7}}, 5, {1, 2, 3}, {1, 5, 7}, true},
    {"a point twice", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, 0, {1, 2, 3}, {1, 2, 3}, true},
    {"a point and a face", {{1, 1, -7}, {1, 1, -7}, {1, 1, -7}}, T, 7, {1, 1, -7}, {1, 1, 0}, true},
    {"two segments", {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{1, -1, 2}, {1, 1, 2}, {1, 0, 2}}, 2, {1, 0, 0}, {1, 0, 2}, true},
    {"segments in a row", {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{3, 0, 0}, {9, 0, 0}, {4, 0, 0}}, 2, {1, 0, 0}, {3, 0, 0}, true},
    {"segments that overlap", {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {{3, 0, 0}, {9, 0, 0}, {4, 0, 0}}, 0, {0}, {0}, false},
};
/* clang-format on */

static void scaled(const float from[3][3], int exponent, willow_vec3 out[3])
{
    float to[3][3];
    for (int i = 0; i < 9; i++) to[i / 3][i % 3] = ldexpf(from[i / 3][i % 3], exponent);
    memcpy(out, to, 9 * sizeof(float));
}

static void assert_at(const char *what, const willow_vec3 *found, const float wanted[3],
                      int exponent)
{
    const float at[3] = {found->x, found->y, found->z};
    for (int i = 0; i < 3; i++) {
        const double off = fabs((double)at[i] - ldexp((double)wanted[i], exponent));
        if (off > ldexp(1e-6, exponent)) fail_msg("%s: off by %g on axis %d", what, off, i);
    }
}

/* Powers of two keep everything exact, down to denormals and up to the largest floats. */
static void the_kept_distances_are_right_at_every_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int exponent = -149; exponent <= 120; exponent++) {
            willow_vec3 a[3], b[3], on_a, on_b;
            scaled(list[i].a, exponent, a);
            scaled(list[i].b, exponent, b);
            const double distance = willow_tri_tri_distance(a, b, &on_a, &on_b);
            const double wanted = ldexp(list[i].distance, exponent);
            if (fabs(distance - wanted) > 1e-14 * wanted)
                fail_msg("%s, 2^%d: %g instead of %g", list[i].what, exponent, distance, wanted);
            assert_true(willow_tri_tri_distance(a, b, NULL, NULL) == distance);
            assert_int_equal(distance == 0.0, willow_tri_tri_meet(a, b));
            if (distance == 0.0) assert_memory_equal(&on_a, &on_b, sizeof on_a);
            if (!list[i].is_unique || exponent < -120) continue; /* there points are rounded */
            assert_at(list[i].what, &on_a, list[i].on_a, exponent);
            assert_at(list[i].what, &on_b, list[i].on_b, exponent);
        }
}

/* Which of the two is named first, and which corner, is a matter of roundings only. */
static void the_order_of_triangles_and_corners_does_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int turn = 0; turn < 9; turn++) {
            willow_vec3 a[3], b[3];
            for (int k = 0; k < 3; k++) {
                memcpy(&a[k], list[i].a[(k + turn) % 3], sizeof a[k]);
                memcpy(&b[k], list[i].b[(k + turn / 3) % 3], sizeof b[k]);
            }
            const double one = willow_tri_tri_distance(a, b, NULL, NULL);
            const double other = willow_tri_tri_distance(b, a, NULL, NULL);
            assert_true(fabs(one - list[i].distance) <= 1e-14 * one);
            assert_true(fabs(other - list[i].distance) <= 1e-14 * one);
        }
}

static void points_and_edges_have_distances_too(void **state)
{
    (void)state;
    const willow_vec3 tri[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const willow_vec3 above = {1, 1, 3}, beside = {7, -4, 0}, in_it = {1, 1, 0};
    willow_vec3 on;
    assert_true(willow_point_tri_distance(&above, tri, &on) == 3.0);
    assert_true(on.x == 1.0F && on.y == 1.0F && on.z == 0.0F);
    assert_true(willow_point_tri_distance(&beside, tri, &on) == 5.0);
    assert_true(on.x == 4.0F && on.y == 0.0F && on.z == 0.0F);
    assert_true(willow_point_tri_distance(&in_it, tri, &on) == 0.0);
    assert_memory_equal(&on, &in_it, sizeof on);

    const willow_vec3 along[2] = {{0, 0, 0}, {4, 0, 0}}, across[2] = {{1, -1, 2}, {1, 1, 2}};
    const willow_vec3 through[2] = {{1, -1, 0}, {1, 1, 0}}, dot[2] = {{6, 0, 0}, {6, 0, 0}};
    willow_vec3 on_a, on_b;
    assert_true(willow_edge_edge_distance(along, across, &on_a, &on_b) == 2.0);
    assert_true(on_a.x == 1.0F && on_a.z == 0.0F && on_b.z == 2.0F);
    assert_true(willow_edge_edge_distance(along, through, &on_a, &on_b) == 0.0);
    assert_true(on_a.x == 1.0F && on_a.y == 0.0F);
    assert_memory_equal(&on_a, &on_b, sizeof on_a);
    assert_true(willow_edge_edge_distance(along, dot, NULL, NULL) == 2.0);
    assert_true(willow_edge_edge_distance(dot, dot, NULL, NULL) == 0.0);
}

/* Nothing is 0 apart that does not meet: one unit in the last place is enough. */
static void a_hair_is_a_distance(void **state)
{
    (void)state;
    const willow_vec3 tri[3] = {{0.1F, 0.2F, 0.3F}, {4.1F, -0.7F, 0.9F}, {0.3F, 4.4F, -0.6F}};
    uint64_t random = 1;
    size_t apart = 0;
    for (int i = 0; i < 20000; i++) {
        const double s = test_random_between(&random, 0.0, 0.5);
        const double t = test_random_between(&random, 0.0, 0.5);
        willow_vec3 p, c[3];
        p.x = (float)(0.1 + s * 4.0 + t * 0.2);
        p.y = (float)(0.2 - s * 0.9 + t * 4.2);
        p.z = (float)(0.3 + s * 0.6 - t * 0.9);
        c[0] = c[1] = c[2] = p;
        const double distance = willow_point_tri_distance(&p, tri, NULL);
        const bool meet = willow_tri_tri_meet(c, tri);
        assert_int_equal(distance == 0.0, meet);
        assert_true(distance < 1e-5);
        apart += !meet;
    }
    assert_true(apart > 1000);
    const willow_vec3 up = {1.0F, 1.0F, 0x1p-149F};
    const willow_vec3 flat[3] = {{0, 0, 0}, {FLT_MAX, 0, 0}, {0, FLT_MAX, 0}};
    const double hair = willow_point_tri_distance(&up, flat, NULL);
    assert_true(hair > 0.0 && hair <= 1e-14 * (double)FLT_MAX);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_kept_distances_are_right_at_every_size),
    cmocka_unit_test(the_order_of_triangles_and_corners_does_not_matter),
    cmocka_unit_test(points_and_edges_have_distances_too),
    cmocka_unit_test(a_hair_is_a_distance),
};

TEST_GROUP(distance, tests);
