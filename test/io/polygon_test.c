/* Triangles of polygons: together they are the polygon, whatever its shape. */
#include "io/polygon.h"

#include <math.h>
#include <stdlib.h>
#include "support/test.h"

static double area(const float *positions, const uint32_t corners[3])
{
    double p[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) p[i][k] = (double)positions[3 * (size_t)corners[i] + (size_t)k];
    /* In the plane of x and y. */
    return ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0])) /
           2;
}

/* Twice the area of the outline, by its corners. */
static double outline_area(const float *positions, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *a = positions + 3 * (size_t)i, *b = positions + 3 * (size_t)((i + 1) % count);
        sum += (double)a[0] * (double)b[1] - (double)a[1] * (double)b[0];
    }
    return sum / 2;
}

/* Cuts the polygon of all positions in their order. The caller frees the triangles. */
static uint32_t *cut(const float *positions, uint32_t count)
{
    io_memory *m = io_memory_create(UINT64_C(1) << 30, 0);
    polygon_room room = {0};
    uint32_t *corners = malloc(count * sizeof *corners);
    uint32_t *out = malloc(3 * (size_t)(count - 2) * sizeof *out);
    assert_true(m != NULL && corners != NULL && out != NULL);
    for (uint32_t i = 0; i < count; i++) corners[i] = i;
    assert_true(polygon_cut(m, &room, positions, corners, count, out));
    assert_int_equal(room.given_up, 0);
    polygon_room_free(m, &room);
    assert_int_equal(io_memory_used(m), 0);
    io_memory_destroy(m);
    free(corners);
    return out;
}

/* No triangle is turned around, and their areas are that of the outline: so they cover it once. */
static void check_cover(const char *name, const float *positions, uint32_t count)
{
    uint32_t *tris = cut(positions, count);
    const double whole = outline_area(positions, count);
    double sum = 0, turned = 0;
    for (uint32_t i = 0; i < count - 2; i++) {
        const double part = area(positions, tris + 3 * (size_t)i);
        sum += part;
        if (part * whole < 0) turned += fabs(part);
    }
    if (turned > 1e-9 * fabs(whole)) fail_msg("%s: an area of %g is turned around", name, turned);
    if (fabs(sum - whole) > 1e-6 * fabs(whole)) fail_msg("%s: area %g of %g", name, sum, whole);
    free(tris);
}

static void shapes_of_all_kinds_are_covered_once(void **state)
{
    (void)state;
    static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const float dart[] = {0, 0, 0, 4, 0, 0, 1, 1, 0, 0, 4, 0};
    static const float letter[] = {0, 0, 0, 3, 0, 0, 3, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0};
    /* A square with a square hole, joined by a bridge there and back. */
    static const float ring[] = {0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0, 0, 0, 0,
                                 3, 3, 0, 3, 6, 0, 6, 6, 0, 6, 3, 0, 3, 3, 0};
    static const float straight[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 3, 1, 0, 0, 1, 0};
    check_cover("square", square, 4);
    check_cover("dart", dart, 4);
    check_cover("letter", letter, 6);
    check_cover("ring", ring, 10);
    check_cover("straight corners", straight, 6);
}

static void the_first_corner_does_not_matter(void **state)
{
    (void)state;
    static const float letter[8][2] = {{0, 0}, {5, 0}, {5, 3}, {4, 3},
                                       {4, 1}, {1, 1}, {1, 3}, {0, 3}};
    for (uint32_t first = 0; first < 8; first++)
        for (int is_turned = 0; is_turned < 2; is_turned++) {
            float positions[24] = {0};
            for (uint32_t i = 0; i < 8; i++) {
                const uint32_t from = (first + (is_turned ? 8 - i : i)) % 8;
                positions[3 * i] = letter[from][0];
                positions[3 * i + 1] = letter[from][1];
            }
            check_cover("letter", positions, 8);
        }
}

/* Around a point, at any distance from it. */
static void random_stars_are_covered_once(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 300; round++) {
        const uint32_t count = 4 + (uint32_t)(test_random(&random) % 60);
        float positions[3 * 64];
        for (uint32_t i = 0; i < count; i++) {
            const double angle = 6.283185307 * i / count,
                         far = test_random_between(&random, 0.1, 1);
            positions[3 * i] = (float)(far * cos(angle));
            positions[3 * i + 1] = (float)(far * sin(angle));
            positions[3 * i + 2] = (float)test_random_between(&random, 0, 0.1);
        }
        check_cover("star", positions, count);
    }
}

/* A comb: every other tooth is a dent. */
static void large_combs_are_covered_once(void **state)
{
    (void)state;
    enum { CORNERS = 3002 };
    float *positions = calloc(CORNERS, 3 * sizeof *positions);
    assert_non_null(positions);
    positions[0] = (float)CORNERS;
    positions[1] = -1;
    positions[3 * (CORNERS - 1)] = -1;
    positions[3 * (CORNERS - 1) + 1] = -1;
    for (uint32_t i = 1; i < CORNERS - 1; i++) {
        positions[3 * i] = (float)(CORNERS - i);
        positions[3 * i + 1] = i % 2 == 0 ? 0 : 50;
    }
    check_cover("comb", positions, CORNERS);
    free(positions);
}

static void planes_of_all_directions_give_the_same_cut(void **state)
{
    (void)state;
    static const float dart[4][2] = {{4, 0}, {1, 1}, {0, 4}, {0, 0}};
    uint32_t *expected = NULL;
    for (int axis = 0; axis < 3; axis++)
        for (int is_behind = 0; is_behind < 2; is_behind++) {
            float positions[12];
            for (int i = 0; i < 4; i++) {
                positions[3 * i + axis] = 1e6F;
                positions[3 * i + (axis + 1) % 3] = dart[i][is_behind];
                positions[3 * i + (axis + 2) % 3] = dart[i][1 - is_behind];
            }
            uint32_t *tris = cut(positions, 4);
            if (expected == NULL)
                expected = tris;
            else
                assert_memory_equal(tris, expected, 6 * sizeof *tris);
            if (tris != expected) free(tris);
        }
    free(expected);
}

static void polygons_without_an_area_become_fans(void **state)
{
    (void)state;
    static const float point[15] = {0};
    static const float line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    static const float bow[] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0};
    static const float *const shapes[] = {point, line, bow};
    for (int i = 0; i < 3; i++) {
        uint32_t *tris = cut(shapes[i], 4);
        assert_memory_equal(tris, ((const uint32_t[]){0, 1, 2, 0, 2, 3}), 6 * sizeof *tris);
        free(tris);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes_of_all_kinds_are_covered_once),
    cmocka_unit_test(the_first_corner_does_not_matter),
    cmocka_unit_test(random_stars_are_covered_once),
    cmocka_unit_test(large_combs_are_covered_once),
    cmocka_unit_test(planes_of_all_directions_give_the_same_cut),
    cmocka_unit_test(polygons_without_an_area_become_fans),
};

TEST_GROUP(polygon, tests);
