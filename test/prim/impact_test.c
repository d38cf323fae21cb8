/* Contacts: points, weights and normals against formulas of their own, in long double. That points
 * are the closest and a normal is right is shown by the plane between them: no corner of the one is
 * nearer to the other along it than they are apart. */
#include <math.h>
#include <string.h>
#include "support/contact_hash.h"
#include "support/test.h"
#include "willow/prim.h"

typedef long double real;

enum { CASES = 4000, MOST = 3 };

/* Half a bit of float32, with room for sums of a few. */
static const real bit = 0x1p-22L;

/* A feature as double has it. */
typedef struct corners {
    double at[MOST][3];
    int count;
} corners;

static real largest_in(const corners *a, const corners *b)
{
    real largest = 0;
    for (int i = 0; i < MOST * 3; i++) {
        if (i / 3 < a->count) largest = fmaxl(largest, fabsl((real)a->at[i / 3][i % 3]));
        if (i / 3 < b->count) largest = fmaxl(largest, fabsl((real)b->at[i / 3][i % 3]));
    }
    return largest;
}

static void check_weights(const corners *c, const float weights[3], const willow_vec3 *point,
                          real largest)
{
    const float p[3] = {point->x, point->y, point->z};
    real sum = 0;
    for (int i = 0; i < 3; i++) {
        assert_true(weights[i] >= 0.0F && (i < c->count || weights[i] == 0.0F));
        sum += (real)weights[i];
    }
    assert_true(fabsl(sum - 1) <= bit);
    for (int axis = 0; axis < 3; axis++) {
        real at = 0;
        for (int i = 0; i < c->count; i++) at += (real)weights[i] * (real)c->at[i][axis];
        assert_true(fabsl(at - (real)p[axis]) <= 4 * bit * largest);
    }
}

static real along(const willow_vec3 *n, const double p[3])
{
    return (real)n->x * (real)p[0] + (real)n->y * (real)p[1] + (real)n->z * (real)p[2];
}

/* How far b is beyond a along the normal: the least over all corners. */
static real gap_along(const willow_vec3 *n, const corners *a, const corners *b)
{
    real farthest = -INFINITY, nearest = INFINITY;
    for (int i = 0; i < a->count; i++) farthest = fmaxl(farthest, along(n, a->at[i]));
    for (int i = 0; i < b->count; i++) nearest = fminl(nearest, along(n, b->at[i]));
    return nearest - farthest;
}

static real length_of(const willow_vec3 *n)
{
    return sqrtl((real)n->x * (real)n->x + (real)n->y * (real)n->y + (real)n->z * (real)n->z);
}

static void check_contact(const corners *a, const corners *b, const willow_contact *c)
{
    const real largest = largest_in(a, b);
    check_weights(a, c->weights_a, &c->point_a, largest);
    check_weights(b, c->weights_b, &c->point_b, largest);
    if (c->has_normal)
        assert_true(fabsl(length_of(&c->normal) - 1) <= bit);
    else
        assert_true(c->normal.x == 0.0F && c->normal.y == 0.0F && c->normal.z == 0.0F);
}

/* ---- standing still ---- */

static willow_vec3 random_vec(uint64_t *random, bool is_on_grid)
{
    float p[3];
    for (int axis = 0; axis < 3; axis++) {
        const double x = test_random_between(random, -1.0, 1.0);
        p[axis] = is_on_grid ? (float)floor(2.0 * x) : (float)x;
    }
    return (willow_vec3){p[0], p[1], p[2]};
}

static corners corners_of(const willow_vec3 *p, int count)
{
    corners c = {.count = count};
    for (int i = 0; i < count; i++) {
        c.at[i][0] = (double)p[i].x;
        c.at[i][1] = (double)p[i].y;
        c.at[i][2] = (double)p[i].z;
    }
    return c;
}

/* Kinds of pairs: a point and a triangle, two edges, two triangles. */
static double ask(int kind, const willow_vec3 *a, const willow_vec3 *b, willow_contact *c,
                  double *distance)
{
    willow_vec3 on_a = a[0], on_b;
    if (kind == 0) *distance = willow_point_tri_distance(a, b, &on_b);
    if (kind == 1) *distance = willow_edge_edge_distance(a, b, &on_a, &on_b);
    if (kind == 2) *distance = willow_tri_tri_distance(a, b, &on_a, &on_b);
    const double again = kind == 0   ? willow_point_tri_closest(a, b, c)
                         : kind == 1 ? willow_edge_edge_closest(a, b, c)
                                     : willow_tri_tri_closest(a, b, c);
    assert_memory_equal(&on_a, &c->point_a, sizeof on_a);
    assert_memory_equal(&on_b, &c->point_b, sizeof on_b);
    return again;
}

static void closest_points_have_weights_and_a_normal(void **state)
{
    (void)state;
    static const int counts[3][2] = {{1, 3}, {2, 2}, {3, 3}};
    uint64_t random = 7;
    size_t apart = 0, meeting = 0;
    for (int i = 0; i < CASES; i++) {
        const int kind = i % 3, count_a = counts[kind][0], count_b = counts[kind][1];
        const bool is_on_grid = i % 2 == 0;
        willow_vec3 a[3], b[3];
        for (int k = 0; k < 3; k++) a[k] = random_vec(&random, is_on_grid);
        for (int k = 0; k < 3; k++) b[k] = random_vec(&random, is_on_grid);
        const corners ca = corners_of(a, count_a), cb = corners_of(b, count_b);
        willow_contact c;
        double distance, again = ask(kind, a, b, &c, &distance);
        assert_memory_equal(&distance, &again, sizeof again);
        check_contact(&ca, &cb, &c);
        assert_int_equal(c.has_normal, distance > 0.0);
        if (distance > 0.0) assert_true(gap_along(&c.normal, &ca, &cb) >= (real)distance - 8 * bit);
        apart += distance > 0.0;
        meeting += distance == 0.0;
    }
    print_message("%zu apart, %zu meet\n", apart, meeting);
    assert_true(apart > CASES / 10 && meeting > CASES / 20);
}

/* ---- at impacts ---- */

typedef struct motion {
    double start[4][3], end[4][3];
    bool is_edges;
} motion;

static willow_toi when(const motion *m, double distance, double *toi)
{
    return m->is_edges ? willow_edge_edge_toi(m->start, m->end, distance, 0, 0, toi)
                       : willow_vertex_face_toi(m->start, m->end, distance, 0, 0, toi);
}

static willow_contact contact_at(const motion *m, double distance, double toi)
{
    willow_contact c;
    assert_true(m->is_edges ? willow_edge_edge_contact(m->start, m->end, distance, toi, &c)
                            : willow_vertex_face_contact(m->start, m->end, distance, toi, &c));
    return c;
}

/* The two features at a time. */
static void features_at(const motion *m, double t, corners *a, corners *b)
{
    const int first = m->is_edges ? 2 : 1;
    a->count = first;
    b->count = 4 - first;
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double at =
                (double)((1 - (real)t) * (real)m->start[i][axis] + (real)t * (real)m->end[i][axis]);
            *(i < first ? &a->at[i][axis] : &b->at[i - first][axis]) = at;
        }
}

static void sides_of(const corners *a, const corners *b, real u[3], real v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = a->count == 2 ? (real)a->at[1][axis] - (real)a->at[0][axis]
                                : (real)b->at[1][axis] - (real)b->at[0][axis];
        v[axis] = a->count == 2 ? (real)b->at[1][axis] - (real)b->at[0][axis]
                                : (real)b->at[2][axis] - (real)b->at[0][axis];
    }
}

/* The triple product of both sides and the way from a to b. */
static real volume_of(const corners *a, const corners *b, real n[3])
{
    real u[3], v[3], volume = 0;
    sides_of(a, b, u, v);
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        n[i] = u[k] * v[l] - u[l] * v[k];
        volume += n[i] * ((real)b->at[0][i] - (real)a->at[0][i]);
    }
    return volume;
}

/* At right angles to both sides, and out of the side on which a was at the start. */
static void check_touching(const motion *m, const corners *a, const corners *b,
                           const willow_contact *c)
{
    corners a0, b0;
    real n[3], n0[3], u[3], v[3];
    features_at(m, 0.0, &a0, &b0);
    const real side = volume_of(&a0, &b0, n0);
    (void)volume_of(a, b, n);
    sides_of(a, b, u, v);
    const real length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (fabsl(side) < 1e-15L || length < 1e-6L) return;
    assert_true(c->has_normal);
    const real sign = side > 0 ? 1 : -1;
    const float *x[3] = {&c->normal.x, &c->normal.y, &c->normal.z};
    for (int axis = 0; axis < 3; axis++)
        assert_true(fabsl((real)*x[axis] - sign * n[axis] / length) <= 1e-6L);
}

static void random_motion(uint64_t *random, bool is_edges, motion *m)
{
    m->is_edges = is_edges;
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) {
            m->start[i][axis] = (double)(float)test_random_between(random, -1.0, 1.0);
            m->end[i][axis] = (double)(float)test_random_between(random, -1.0, 1.0);
        }
}

static void impacts_have_points_weights_and_a_normal(void **state)
{
    (void)state;
    uint64_t random = 11;
    size_t touching = 0, near = 0, normals = 0;
    for (int i = 0; i < CASES; i++) {
        const double distance = i % 4 < 2 ? 0.0 : 0.05;
        motion m;
        double toi;
        corners a, b;
        random_motion(&random, i % 2 == 1, &m);
        if (when(&m, distance, &toi) != WILLOW_TOI_IMPACT) continue;
        const willow_contact c = contact_at(&m, distance, toi);
        features_at(&m, toi, &a, &b);
        check_contact(&a, &b, &c);
        /* No farther than in the tolerance of the time, at speeds of at most 4 along each axis. */
        const double dx = (double)c.point_a.x - (double)c.point_b.x;
        const double dy = (double)c.point_a.y - (double)c.point_b.y;
        const double dz = (double)c.point_a.z - (double)c.point_b.z;
        assert_true(sqrt(dx * dx + dy * dy + dz * dz) <= distance + 2e-5);
        if (distance == 0.0) check_touching(&m, &a, &b, &c);
        if (distance > 0.0 && toi > 0.0)
            assert_true(c.has_normal && gap_along(&c.normal, &a, &b) >= (real)distance - 1e-6L);
        touching += distance == 0.0;
        near += distance > 0.0;
        normals += c.has_normal;
    }
    print_message("%zu that touch, %zu that come near, %zu with a normal\n", touching, near,
                  normals);
    assert_true(touching > 100 && near > 100 && normals > 200);
}

static void edges_that_change_places_turn_the_normal_around(void **state)
{
    (void)state;
    uint64_t random = 5;
    size_t found = 0;
    for (int i = 0; i < CASES; i++) {
        motion m, other;
        double toi;
        random_motion(&random, true, &m);
        if (when(&m, 0.0, &toi) != WILLOW_TOI_IMPACT) continue;
        other = m;
        memcpy(other.start[0], m.start[2], 2 * sizeof m.start[0]);
        memcpy(other.start[2], m.start[0], 2 * sizeof m.start[0]);
        memcpy(other.end[0], m.end[2], 2 * sizeof m.end[0]);
        memcpy(other.end[2], m.end[0], 2 * sizeof m.end[0]);
        const willow_contact one = contact_at(&m, 0.0, toi), two = contact_at(&other, 0.0, toi);
        assert_int_equal(one.has_normal, two.has_normal);
        assert_true(fabsf(one.normal.x + two.normal.x) <= 1e-6F &&
                    fabsf(one.normal.y + two.normal.y) <= 1e-6F &&
                    fabsf(one.normal.z + two.normal.z) <= 1e-6F);
        found++;
    }
    assert_true(found > 50);
}

static void where_there_is_no_side_there_is_no_normal(void **state)
{
    (void)state;
    static const motion cases[] = {/* parallel edges, one above the other */
                                   {{{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {1, 0, 0}},
                                    {{0, 0, -1}, {1, 0, -1}, {0, 0, 0}, {1, 0, 0}},
                                    true},
                                   /* a vertex that comes along in the plane of the face */
                                   {{{3, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                    {{0, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                    false},
                                   /* a vertex on the face from the start on */
                                   {{{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                    {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                    false},
                                   /* a face without area */
                                   {{{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                    {{0.5, 0, -1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                    false}};
    for (int i = 0; i < 4; i++) {
        double toi;
        assert_int_equal(when(&cases[i], 0.0, &toi), WILLOW_TOI_IMPACT);
        const willow_contact c = contact_at(&cases[i], 0.0, toi);
        assert_true(!c.has_normal && c.normal.x == 0.0F && c.normal.y == 0.0F &&
                    c.normal.z == 0.0F);
    }
    double toi; /* with a distance between them the first has one */
    assert_int_equal(when(&cases[0], 0.125, &toi), WILLOW_TOI_IMPACT);
    const willow_contact c = contact_at(&cases[0], 0.125, toi);
    assert_true(c.has_normal && c.normal.z == -1.0F);
}

/* Sizes from 1e-80 to 1e80 change no direction. */
static void the_size_of_a_contact_does_not_matter(void **state)
{
    (void)state;
    static const double sizes[] = {0x1p-280, 0x1p-100, 0x1p100, 0x1p280};
    uint64_t random = 3;
    for (int i = 0; i < 200; i++) {
        motion m;
        random_motion(&random, i % 2 == 1, &m);
        const willow_contact c = contact_at(&m, 0.0, 0.5);
        for (int k = 0; k < 4; k++) {
            motion scaled = m;
            for (int n = 0; n < 12; n++) {
                scaled.start[n / 3][n % 3] *= sizes[k];
                scaled.end[n / 3][n % 3] *= sizes[k];
            }
            const willow_contact s = contact_at(&scaled, 0.0, 0.5);
            assert_memory_equal(&s.normal, &c.normal, sizeof c.normal);
            assert_memory_equal(s.weights_a, c.weights_a, sizeof c.weights_a);
            assert_memory_equal(s.weights_b, c.weights_b, sizeof c.weights_b);
        }
    }
}

/* Far from the origin, where coordinates are rounded by more than the two are apart, against the
 * same near the origin. */
static void far_away_a_normal_is_right_or_there_is_none(void **state)
{
    (void)state;
    static const double places[] = {0x1p20, 0x1p24, 0x1p30, 0x1p36, 0x1p40};
    uint64_t random = 13;
    size_t with[5] = {0}, without[5] = {0};
    for (int i = 0; i < CASES * 5; i++) {
        const int place = i / 12 % 5;
        const double distance = i % 4 < 2 ? 0.0 : i % 3 == 0 ? 0x1p-14 : 0x1p-24;
        motion m, far;
        double toi;
        random_motion(&random, i % 2 == 1, &m);
        for (int n = 0; n < 12; n++) { /* on a grid that is left as it is there */
            m.start[n / 3][n % 3] = floor(m.start[n / 3][n % 3] * 0x1p11) * 0x1p-11;
            m.end[n / 3][n % 3] = floor(m.end[n / 3][n % 3] * 0x1p11) * 0x1p-11;
        }
        far = m;
        for (int n = 0; n < 12; n++) {
            far.start[n / 3][n % 3] += places[place];
            far.end[n / 3][n % 3] += places[place];
        }
        if (when(&far, distance, &toi) != WILLOW_TOI_IMPACT || toi == 0.0) continue;
        const willow_contact c = contact_at(&far, distance, toi);
        with[place] += c.has_normal;
        without[place] += !c.has_normal;
        if (!c.has_normal) continue;
        const willow_contact near = contact_at(&m, distance, toi);
        assert_true(near.has_normal);
        const real same = (real)c.normal.x * (real)near.normal.x +
                          (real)c.normal.y * (real)near.normal.y +
                          (real)c.normal.z * (real)near.normal.z;
        assert_true(same > 0.999L);
    }
    for (int i = 0; i < 5; i++)
        print_message("at %g: %zu with a normal, %zu without\n", places[i], with[i], without[i]);
    assert_true(with[0] > 100 && with[0] > 50 * without[0] && with[4] > 100 && without[4] > 10);
}

/* Whatever the compiler and its options. */
static void contacts_are_the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t random = 23, hash = 0;
    for (int i = 0; i < CASES; i++) {
        motion m;
        willow_vec3 p[6];
        willow_contact c;
        random_motion(&random, i % 2 == 1, &m);
        for (int k = 0; k < 6; k++) p[k] = random_vec(&random, i % 3 == 0);
        const double time = test_random_between(&random, 0.0, 1.0);
        c = contact_at(&m, i % 4 < 2 ? 0.0 : 0.05, time);
        hash = hash_contact(hash, &c);
        (void)willow_tri_tri_closest(p, p + 3, &c);
        hash = hash_contact(hash, &c);
        (void)willow_edge_edge_closest(p, p + 2, &c);
        hash = hash_contact(hash, &c);
        (void)willow_point_tri_closest(p, p + 1, &c);
        hash = hash_contact(hash, &c);
    }
    assert_true(hash == UINT64_C(0x0575C7D1B6128800));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(contacts_are_the_same_bits_everywhere),
    cmocka_unit_test(closest_points_have_weights_and_a_normal),
    cmocka_unit_test(impacts_have_points_weights_and_a_normal),
    cmocka_unit_test(edges_that_change_places_turn_the_normal_around),
    cmocka_unit_test(where_there_is_no_side_there_is_no_normal),
    cmocka_unit_test(the_size_of_a_contact_does_not_matter),
    cmocka_unit_test(far_away_a_normal_is_right_or_there_is_none),
};

TEST_GROUP(impact, tests);
