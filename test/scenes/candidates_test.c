/* Which boxes overlap, against all pairs of boxes; edges of faces; and which features may touch in
 * a step, against all pairs of them. */
#include <stdlib.h>
#include "scenes/candidates.h"
#include "scenes/swept_boxes.h"
#include "support/test.h"

static void edges_are_sorted_by_their_higher_vertex(void **state)
{
    (void)state;
    static const uint32_t faces[3][3] = {{4, 0, 2}, {0, 4, 3}, {2, 4, 0}};
    static const uint32_t expected[5][2] = {{0, 2}, {0, 3}, {0, 4}, {2, 4}, {3, 4}};
    uint32_t count;
    uint32_t(*edges)[2] = candidate_edges(faces, 3, &count);
    assert_int_equal(count, 5);
    assert_memory_equal(edges, expected, sizeof expected);
    free(edges);
}

/* ---- boxes ---- */

enum { BOXES = 120 };

/* How often a pair was visited. */
typedef struct tally {
    unsigned char seen[BOXES][BOXES];
} tally;

static void count_pair(void *context, uint32_t a, uint32_t b) { ((tally *)context)->seen[a][b]++; }

static bool overlap(const swept_box *a, const swept_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis]) return false;
    return true;
}

/* Coordinates are small whole numbers, so that many boxes begin together or touch. */
static void make_boxes(swept_box *boxes, uint32_t count, uint64_t *random, double room)
{
    for (uint32_t i = 0; i < count; i++) {
        double points[2][2][3];
        const uint32_t vertices[2] = {0, 1};
        for (int k = 0; k < 12; k++)
            points[k / 6][k / 3 % 2][k % 3] = (double)(int)test_random_between(random, 0, room);
        boxes[i] =
            swept_box_of((const double(*)[3])points[0], (const double(*)[3])points[1], vertices, 2);
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 4; k++)
                assert_true(boxes[i].lower[axis] <= points[k / 2][k % 2][axis] &&
                            boxes[i].upper[axis] >= points[k / 2][k % 2][axis]);
    }
}

static size_t check_boxes(uint64_t *random, double room)
{
    static tally between, within;
    swept_box a[BOXES], b[BOXES];
    const uint32_t a_count = (uint32_t)(test_random(random) % BOXES);
    const uint32_t b_count = (uint32_t)(test_random(random) % BOXES);
    size_t sum = 0;
    memset(&between, 0, sizeof between);
    memset(&within, 0, sizeof within);
    make_boxes(a, a_count, random, room);
    make_boxes(b, b_count, random, room);
    assert_true(swept_visit_between(a, a_count, b, b_count, count_pair, &between));
    assert_true(swept_visit_within(a, a_count, count_pair, &within));
    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t k = 0; k < b_count; k++) {
            assert_int_equal(between.seen[i][k], overlap(&a[i], &b[k]));
            sum += between.seen[i][k];
        }
        for (uint32_t k = 0; k < a_count; k++) {
            assert_int_equal(within.seen[i][k], i < k && overlap(&a[i], &a[k]));
            sum += within.seen[i][k];
        }
    }
    return sum;
}

static void boxes_that_overlap_are_visited_once(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t sum = 0;
    for (int i = 0; i < 40; i++) sum += check_boxes(&random, i % 2 == 0 ? 8 : 60);
    print_message("%zu overlaps\n", sum);
    assert_true(sum > 0);
}

/* ---- features ---- */

enum { POINTS = 24, FACES = 40, MOST = 3 * FACES };

typedef struct moving_mesh {
    double start[POINTS][3], end[POINTS][3];
    uint32_t faces[FACES][3];
    candidate_mesh mesh;
} moving_mesh;

static void make_mesh(moving_mesh *m, uint64_t *random)
{
    for (int i = 0; i < 3 * POINTS; i++) {
        m->start[i / 3][i % 3] = test_random_between(random, 0, 10);
        m->end[i / 3][i % 3] = m->start[i / 3][i % 3] + test_random_between(random, -1, 1);
    }
    for (int i = 0; i < FACES; i++) {
        const uint32_t first = (uint32_t)(test_random(random) % (POINTS - 2));
        for (uint32_t k = 0; k < 3; k++) m->faces[i][k] = first + k;
    }
    m->mesh = (candidate_mesh){.vertex_count = POINTS, .face_count = FACES, .faces = m->faces};
    m->mesh.edges = candidate_edges((const uint32_t(*)[3])m->faces, FACES, &m->mesh.edge_count);
    assert_non_null(m->mesh.edges);
}

typedef struct feature_tally {
    unsigned char seen[MOST][MOST];
} feature_tally;

static void count_features(void *context, uint32_t a, uint32_t b)
{
    ((feature_tally *)context)->seen[a][b]++;
}

/* Whether two sets of points share none and are within reach of each other on every axis. */
static bool may_touch(const moving_mesh *m, const uint32_t *a, int a_count, const uint32_t *b,
                      int b_count, double reach)
{
    const swept_box x = swept_box_of((const double(*)[3])m->start, (const double(*)[3])m->end, a,
                                     a_count),
                    y = swept_box_of((const double(*)[3])m->start, (const double(*)[3])m->end, b,
                                     b_count);
    for (int i = 0; i < a_count * b_count; i++)
        if (a[i / b_count] == b[i % b_count]) return false;
    for (int axis = 0; axis < 3; axis++)
        if (x.lower[axis] > y.upper[axis] + reach || y.lower[axis] > x.upper[axis] + reach)
            return false;
    return true;
}

static size_t check_features(const moving_mesh *m, double reach)
{
    static feature_tally found;
    const double(*start)[3] = (const double(*)[3])m->start, (*end)[3] = (const double(*)[3])m->end;
    size_t sum = 0;
    memset(&found, 0, sizeof found);
    assert_true(candidates_visit(&m->mesh, start, end, reach, CANDIDATE_VERTEX_FACE, count_features,
                                 &found));
    for (uint32_t i = 0; i < POINTS; i++)
        for (uint32_t k = 0; k < FACES; k++) {
            assert_int_equal(found.seen[i][k], may_touch(m, &i, 1, m->faces[k], 3, reach));
            sum += found.seen[i][k];
        }
    memset(&found, 0, sizeof found);
    assert_true(
        candidates_visit(&m->mesh, start, end, reach, CANDIDATE_EDGE_EDGE, count_features, &found));
    for (uint32_t i = 0; i < m->mesh.edge_count; i++)
        for (uint32_t k = 0; k < m->mesh.edge_count; k++) {
            const bool wanted =
                i < k && may_touch(m, m->mesh.edges[i], 2, m->mesh.edges[k], 2, reach);
            assert_int_equal(found.seen[i][k], wanted);
            sum += found.seen[i][k];
        }
    return sum;
}

static void features_that_may_touch_are_visited_once(void **state)
{
    (void)state;
    uint64_t random = 7;
    size_t sum = 0;
    for (int i = 0; i < 20; i++) {
        moving_mesh m;
        make_mesh(&m, &random);
        sum += check_features(&m, i % 2 == 0 ? 0 : 0.75);
        free(m.mesh.edges);
    }
    print_message("%zu candidates\n", sum);
    assert_true(sum > 0);
}

static void points_of_a_pair_are_in_order(void **state)
{
    (void)state;
    uint64_t random = 9;
    moving_mesh m;
    double points[4][3];
    make_mesh(&m, &random);
    candidate_points(&m.mesh, (const double(*)[3])m.start, CANDIDATE_VERTEX_FACE, 5, 2, points);
    assert_memory_equal(points[0], m.start[5], sizeof points[0]);
    for (int k = 0; k < 3; k++)
        assert_memory_equal(points[k + 1], m.start[m.faces[2][k]], sizeof points[0]);
    candidate_points(&m.mesh, (const double(*)[3])m.end, CANDIDATE_EDGE_EDGE, 1, 3, points);
    for (int k = 0; k < 4; k++)
        assert_memory_equal(points[k], m.end[m.mesh.edges[k < 2 ? 1 : 3][k % 2]], sizeof points[0]);
    free(m.mesh.edges);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(edges_are_sorted_by_their_higher_vertex),
    cmocka_unit_test(boxes_that_overlap_are_visited_once),
    cmocka_unit_test(features_that_may_touch_are_visited_once),
    cmocka_unit_test(points_of_a_pair_are_in_order),
};

TEST_GROUP(candidates, tests);
