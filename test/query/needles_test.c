/* Long thin triangles side by side, which boxes along the axes bound badly: pairs are those that
 * BRUTE finds, whatever their direction, and leaves of needles along a diagonal are told apart
 * without a look at their triangles. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { SIDE = 20, NEEDLES = SIDE * SIDE, CROSSING = 20, TRIS = NEEDLES + CROSSING };

#define LENGTH 40.0

typedef struct needles {
    float at[3 * TRIS][3];
    uint32_t tris[3 * TRIS];
} needles;

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static void make_unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= length;
}

/* Needles on a grid across their direction, and a few that lie across them. */
static void make_needles(needles *n, const double direction[3], uint64_t *random)
{
    double along[3] = {direction[0], direction[1], direction[2]}, right[3], up[3];
    make_unit(along);
    cross(along, fabs(along[0]) < 0.5 ? (double[3]){1, 0, 0} : (double[3]){0, 1, 0}, right);
    make_unit(right);
    cross(along, right, up);
    for (uint32_t i = 0; i < TRIS; i++) {
        const bool is_crossing = i >= NEEDLES;
        const double *way = is_crossing ? right : along, *wide = is_crossing ? up : right;
        const double x = is_crossing ? -1.0 : i % SIDE, y = is_crossing ? i - NEEDLES : i / SIDE;
        const double slide = test_random_between(random, 0, is_crossing ? LENGTH : 3);
        for (int axis = 0; axis < 3; axis++) {
            const double foot = slide * along[axis] + x * right[axis] + y * up[axis];
            n->at[3 * i][axis] = (float)foot;
            n->at[3 * i + 1][axis] = (float)(foot + 0.3 * wide[axis]);
            n->at[3 * i + 2][axis] = (float)(foot + LENGTH * way[axis]);
        }
        for (uint32_t k = 0; k < 3; k++) n->tris[3 * i + k] = 3 * i + k;
    }
}

typedef struct answer {
    size_t count;
    uint64_t tests, sum;
} answer;

static answer ask(const needles *n, willow_method method, uint32_t leaf_triangles)
{
    willow_world_def world_def = willow_world_def_default();
    world_def.thread_count = 1;
    willow_world *world = fixture_world(&world_def);
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(n->at, 3 * TRIS, n->tris, TRIS);
    def.self = true;
    def.tree.method = method;
    def.tree.leaf_triangles = leaf_triangles;
    (void)fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0, NULL));
    willow_scratch *scratch = fixture_scratch(world);
    const willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    answer out = {.count = pairs.count, .tests = willow_scratch_stats(scratch).triangle_tests};
    for (size_t i = 0; i < pairs.count; i++)
        out.sum = 31 * out.sum + TRIS * pairs.items[i].tri_a + pairs.items[i].tri_b;
    fixture_close(world, scratch);
    return out;
}

static void needles_of_any_direction_meet_as_brute_finds_them(void **state)
{
    (void)state;
    static needles n;
    size_t found = 0;
    uint64_t random = 1;
    for (int round = 0; round < 24; round++) {
        double direction[3];
        for (int i = 0; i < 3; i++)
            direction[i] =
                round % 3 == 0 ? 1 - 2 * (round >> i & 1) : test_random_between(&random, -1, 1);
        make_needles(&n, direction, &random);
        const answer right = ask(&n, WILLOW_METHOD_BRUTE, 8);
        const answer tried = ask(&n, WILLOW_METHOD_BOTTOM_UP, round % 2 == 0 ? 8 : 32);
        assert_int_equal(tried.count, right.count);
        assert_true(tried.sum == right.sum);
        found += right.count;
    }
    print_message("%zu pairs\n", found);
    assert_true(found > 1000);
}

/* All boxes of needles overlap, so nearly all pairs of them would be tested. */
static void leaves_of_needles_along_a_diagonal_are_told_apart(void **state)
{
    (void)state;
    static needles n;
    uint64_t random = 2;
    for (int signs = 0; signs < 8; signs++) {
        const double direction[3] = {1 - 2 * (signs & 1), 1 - (signs & 2), 1 - (signs & 4) / 2};
        make_needles(&n, direction, &random);
        const answer found = ask(&n, WILLOW_METHOD_BOTTOM_UP, 8);
        assert_true(found.count > 0 && found.tests < (uint64_t)TRIS * TRIS / 2 / 3);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(needles_of_any_direction_meet_as_brute_finds_them),
    cmocka_unit_test(leaves_of_needles_along_a_diagonal_are_told_apart),
};

TEST_GROUP(needles, tests);
