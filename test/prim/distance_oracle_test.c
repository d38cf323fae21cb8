/* Distances of points, edges and triangles against exact ones: within WI_DISTANCE_ERROR of the
 * largest difference of coordinates, never less than the distance of boxes, 0 if and only if the
 * two meet, and between points that are on the two (C1). */
#include <float.h>
#include <math.h>
#include "prim/distance/distance.h"
#include "prim/meet/tri_tri.h"
#include "support/rational_distance.h"
#include "support/test.h"
#include "support/tri_cases.h"
#include "willow/prim.h"

enum { CASES_PER_FAMILY = 40, MAX_PRINTED = 10 };

typedef struct tally {
    size_t met, apart, wrong, cut;
    double worst; /* error in parts of the size */
} tally;

static double size_of(const float p[][3], int count)
{
    double size = 0.0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            for (int axis = 0; axis < 3; axis++)
                size = fmax(size, fabs((double)p[i][axis] - (double)p[k][axis]));
    return size;
}

static double largest_of(const float p[][3], int count)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * count; i++) largest = fmax(largest, fabs((double)p[i / 3][i % 3]));
    return largest;
}

static wi_box box_of(const float p[][3], int count)
{
    wi_box box = wi_box_empty();
    for (int i = 0; i < count; i++) wi_box_add_point(&box, p[i]);
    return box;
}

static void complain(tally *t, const char *name, uint64_t number, const char *what, double off)
{
    if (t->wrong++ < MAX_PRINTED)
        print_error("%s %llu: %s, %g\n", name, (unsigned long long)number, what, off);
}

/* What holds for all three: points[0 .. count_a) are of the one, the rest of the other. */
static void check(tally *t, const char *name, uint64_t number, const float points[][3], int count_a,
                  int count_b, const wi_closest_points *found, bool meet, rational_distance exact)
{
    const double size = size_of(points, count_a + count_b);
    const wi_box box_a = box_of(points, count_a), box_b = box_of(points + count_a, count_b);
    t->met += meet;
    t->apart += !meet;
    if ((found->distance == 0.0) != meet) complain(t, name, number, "meeting", found->distance);
    if (!(found->distance >= sqrt(wi_box_distance2(&box_a, &box_b))))
        complain(t, name, number, "nearer than its box", found->distance);
    if (meet) return;
    if (!(exact.error <= WI_DISTANCE_ERROR * size))
        complain(t, name, number, "distance", exact.error / size);
    t->worst = fmax(t->worst, exact.error / size);
    const double apart =
        hypot(hypot(found->on_a[0] - found->on_b[0], found->on_a[1] - found->on_b[1]),
              found->on_a[2] - found->on_b[2]);
    const double rounding = largest_of(points, count_a + count_b) * 0x1p-50;
    if (!(fabs(apart - found->distance) <= WI_DISTANCE_ERROR * size + rounding))
        complain(t, name, number, "points are elsewhere", apart - found->distance);
}

/* Both points are on their triangles, up to roundings. */
static void check_points(tally *t, const char *name, uint64_t number, const float a[3][3],
                         const float b[3][3], const wi_closest_points *found)
{
    float all[6][3];
    memcpy(all, a, 3 * sizeof all[0]);
    memcpy(all + 3, b, 3 * sizeof all[0]);
    const double largest = largest_of((const float(*)[3])all, 6);
    const double allowed = found->distance == 0.0 ? 4 * (largest * 0x1p-24 + 0x1p-149)
                                                  : WI_DISTANCE_ERROR * largest * 4;
    const double off_a = rational_point_tri(found->on_a, a, 0.0).exact;
    const double off_b = rational_point_tri(found->on_b, b, 0.0).exact;
    if (!(off_a <= allowed && off_b <= allowed))
        complain(t, name, number, "points off", fmax(off_a, off_b) / largest);
}

static bool tris_meet(const wi_tri *a, const wi_tri *b) { return wi_tris_meet(a, b); }

static wi_tri tri_at(const float x[3], const float y[3], const float z[3])
{
    wi_tri tri;
    memcpy(tri.corner[0], x, sizeof tri.corner[0]);
    memcpy(tri.corner[1], y, sizeof tri.corner[1]);
    memcpy(tri.corner[2], z, sizeof tri.corner[2]);
    return tri;
}

static void check_tris(tally *t, const char *name, uint64_t number, const float a[3][3],
                       const float b[3][3])
{
    const wi_tri ta = tri_at(a[0], a[1], a[2]), tb = tri_at(b[0], b[1], b[2]);
    const wi_closest_points found = wi_tri_tri_closest(&ta, &tb);
    float all[6][3];
    memcpy(all, a, 3 * sizeof all[0]);
    memcpy(all + 3, b, 3 * sizeof all[0]);
    check(t, name, number, (const float(*)[3])all, 3, 3, &found, tris_meet(&ta, &tb),
          rational_tri_tri(a, b, found.distance));
    check_points(t, name, number, a, b, &found);
    const double limits[] = {INFINITY, 1.5 * found.distance, found.distance, 0.999 * found.distance,
                             0.0};
    for (int i = 0; i < 5; i++) {
        const double within = wi_tri_tri_distance_within(&ta, &tb, limits[i]);
        if (within != found.distance && !(within == INFINITY && limits[i] < found.distance))
            complain(t, name, number, "within a limit", within);
        t->cut += within == INFINITY;
    }
    willow_vec3 ca[3], cb[3], on_a, on_b;
    memcpy(ca, a, sizeof ca);
    memcpy(cb, b, sizeof cb);
    assert_true(willow_tri_tri_distance(ca, cb, &on_a, &on_b) == found.distance);
    assert_true(on_a.x == (float)found.on_a[0] && on_b.z == (float)found.on_b[2]);
}

static void check_point_tri(tally *t, const char *name, uint64_t number, const float p[3],
                            const float tri[3][3])
{
    const wi_tri point = tri_at(p, p, p), other = tri_at(tri[0], tri[1], tri[2]);
    const wi_closest_points found = wi_point_tri_closest(p, &other);
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    float all[4][3];
    memcpy(all, p, sizeof all[0]);
    memcpy(all + 1, tri, 3 * sizeof all[0]);
    check(t, name, number, (const float(*)[3])all, 1, 3, &found, tris_meet(&point, &other),
          rational_point_tri(at, tri, found.distance));
    check_points(t, name, number, (const float(*)[3])point.corner, tri, &found);
    for (int i = 0; i < 3; i++) {
        const double limit = (1.0 - 0.001 * i) * found.distance;
        const double within = wi_point_tri_distance_within(p, &other, limit);
        if (within != found.distance && !(within == INFINITY && i > 0))
            complain(t, name, number, "within a limit", within);
        t->cut += within == INFINITY;
    }
}

static void check_edges(tally *t, const char *name, uint64_t number, const float a[2][3],
                        const float b[2][3])
{
    const wi_tri ta = tri_at(a[0], a[1], a[1]), tb = tri_at(b[0], b[1], b[1]);
    const wi_closest_points found = wi_edge_edge_closest(a, b);
    float all[4][3];
    memcpy(all, a, 2 * sizeof all[0]);
    memcpy(all + 2, b, 2 * sizeof all[0]);
    check(t, name, number, (const float(*)[3])all, 2, 2, &found, tris_meet(&ta, &tb),
          rational_edge_edge(a, b, found.distance));
    check_points(t, name, number, (const float(*)[3])ta.corner, (const float(*)[3])tb.corner,
                 &found);
}

static void check_case(tally t[3], const char *name, uint64_t number, const float a[3][3],
                       const float b[3][3])
{
    check_tris(&t[0], name, number, a, b);
    check_tris(&t[0], name, number, b, a);
    check_point_tri(&t[1], name, number, a[number % 3], b);
    check_point_tri(&t[1], name, number, b[number % 3], a);
    check_edges(&t[2], name, number, a + number % 2, b);
    check_edges(&t[2], name, number, b + number % 2, a);
}

/* Among triangles and among the other two so many must have met, or nothing is said about it. */
static void conclude(const tally t[3], size_t least, size_t least_others)
{
    static const char *const names[3] = {"triangles", "point and triangle", "edges"};
    for (int i = 0; i < 3; i++) {
        print_message("%s: %zu meet, %zu apart, worst error %.2g of the size\n", names[i], t[i].met,
                      t[i].apart, t[i].worst);
        assert_int_equal(t[i].wrong, 0);
        assert_true(t[i].cut > 0 || i == 2);
        assert_true(t[i].met >= (i == 0 ? least : least_others) && t[i].apart >= least);
    }
}

static void distances_of_every_family_are_near_the_exact_ones(void **state)
{
    (void)state;
    tally t[3] = {{0}};
    for (tri_family family = 0; family < TRI_FAMILY_COUNT; family++)
        for (uint64_t number = 0; number < CASES_PER_FAMILY; number++) {
            tri_case c;
            tri_case_make(&c, family, number);
            check_case(t, tri_family_name(family), number, (const float(*)[3])c.a,
                       (const float(*)[3])c.b);
        }
    conclude(t, 100, 100);
}

/* Thin triangles and edges at small angles, near each other: where naive formulas lose half of
 * their digits. Heights and distances are any powers of ten; every second pair is skewed, so that
 * rounding to float makes other ones of them, and some overlap. */
static void thin_ones_lose_no_digits(void **state)
{
    (void)state;
    tally t[3] = {{0}};
    uint64_t random = 3;
    for (uint64_t number = 0; number < 500; number++) {
        float corner[6][3];
        const double thin = pow(10.0, test_random_between(&random, -12.0, 0.0));
        const double near = pow(10.0, test_random_between(&random, -14.0, 0.0));
        const double far = number % 4 == 0 ? 1000.0 : 0.0, skew = number % 2 == 0 ? 0.0 : 0.7;
        const double lift = number % 5 == 0 ? 0.2 : 1.0;
        for (int i = 0; i < 6; i++) {
            const double x = test_random_between(&random, -1.0, 1.0);
            const double y = thin * test_random_between(&random, -1.0, 1.0);
            const double z = near * (lift * (i / 3) + 0.3 * test_random_between(&random, -1, 1));
            corner[i][0] = (float)(far + x + skew * y);
            corner[i][1] = (float)(y - skew * x + skew * z);
            corner[i][2] = (float)(z + skew * x);
        }
        check_case(t, "thin", number, (const float(*)[3])corner, (const float(*)[3])corner + 3);
    }
    conclude(t, 20, 0);
}

/* Random ones of one size, anywhere between the smallest and the largest floats. */
static void every_size_is_as_good(void **state)
{
    (void)state;
    tally t[3] = {{0}};
    uint64_t random = 5;
    for (int exponent = -149; exponent <= 126; exponent += 5)
        for (uint64_t number = 0; number < 8; number++) {
            float corner[6][3];
            const double size = ldexp(1.0, exponent);
            for (int i = 0; i < 18; i++)
                corner[i / 3][i % 3] = (float)(size * test_random_between(&random, -1.9, 1.9));
            check_case(t, "size", number, (const float(*)[3])corner, (const float(*)[3])corner + 3);
        }
    conclude(t, 20, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_of_every_family_are_near_the_exact_ones),
    cmocka_unit_test(thin_ones_lose_no_digits),
    cmocka_unit_test(every_size_is_as_good),
};

TEST_GROUP(distance_oracle, tests);
