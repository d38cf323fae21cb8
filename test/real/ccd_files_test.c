/* The readers of steps of simulations, which need no file of others: what they take, what they
 * refuse, and which boxes overlap, against all pairs of boxes. */
#include <stdlib.h>
#include "support/ccd_scene.h"
#include "support/ply.h"
#include "support/swept_boxes.h"
#include "support/test.h"

/* ---- PLY ---- */

#define FORMAT "ply\nformat binary_little_endian 1.0\n"
#define POSITIONS "property double x\nproperty double y\nproperty double z\n"
#define CORNERS "property list uchar int vertex_indices\n"

enum { PLY_BYTES = 1000 };

typedef struct ply_text {
    char bytes[PLY_BYTES];
    size_t size;
} ply_text;

static void add_bytes(ply_text *t, const void *bytes, size_t size)
{
    assert_true(t->size + size <= sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void add_little(ply_text *t, uint64_t bits, int count)
{
    for (int i = 0; i < count; i++) {
        const unsigned char byte = (unsigned char)(bits >> 8 * i);
        add_bytes(t, &byte, 1);
    }
}

static void add_double(ply_text *t, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add_little(t, bits, 8);
}

static ply_text make_head(const char *head)
{
    ply_text t = {.size = 0};
    add_bytes(&t, head, strlen(head));
    return t;
}

/* Three vertices at 0.5, 1.5 and so on, and one face with these corners. */
static void add_triangle(ply_text *t, uint32_t sides, uint32_t last)
{
    for (int i = 0; i < 9; i++) add_double(t, i + 0.5);
    add_little(t, sides, 1);
    add_little(t, 2, 4);
    add_little(t, 0, 4);
    add_little(t, last, 4);
}

static void check_ply_refused(const ply_text *t, const char *words)
{
    ply_mesh mesh;
    char reason[PLY_REASON] = "";
    assert_false(ply_read(t->bytes, t->size, &mesh, reason));
    if (strstr(reason, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", reason, words);
    assert_null(mesh.positions);
    assert_null(mesh.tris);
}

static void both_kinds_of_ply_headers_are_read(void **state)
{
    (void)state;
    static const char *const heads[] = {
        FORMAT "element vertex 3\n" POSITIONS "element face 1\n" CORNERS "end_header\n",
        "ply\r\nformat binary_little_endian 1.0\r\ncomment by hand\nelement vertex 3\n" POSITIONS
        "element face 1\nproperty list uint8 int32 vertex_indices\nend_header\n"};
    for (int i = 0; i < 2; i++) {
        ply_mesh mesh;
        char reason[PLY_REASON] = "";
        ply_text t = make_head(heads[i]);
        add_triangle(&t, 3, 1);
        if (!ply_read(t.bytes, t.size, &mesh, reason)) fail_msg("%s", reason);
        assert_int_equal(mesh.vertex_count, 3);
        assert_int_equal(mesh.triangle_count, 1);
        for (int k = 0; k < 9; k++) assert_true(mesh.positions[k / 3][k % 3] == k + 0.5);
        assert_memory_equal(mesh.tris[0], ((const uint32_t[3]){2, 0, 1}), sizeof mesh.tris[0]);
        ply_mesh_free(&mesh);
    }
}

static void ply_that_is_something_else_is_refused(void **state)
{
    (void)state;
    static const char whole[] =
        FORMAT "element vertex 3\n" POSITIONS "element face 1\n" CORNERS "end_header\n";
    static const char *const heads[][2] = {
        {"", "ends too early"},
        {"obj\n", "not what is read here: obj"},
        {"ply\nformat ascii 1.0\n", "format ascii"},
        {FORMAT "element vertex -1\n", "element vertex -1"},
        {FORMAT "element vertex 3x\n", "element vertex 3x"},
        {FORMAT "element vertex 3\nproperty float x\n", "property float x"},
        {FORMAT "element vertex 3\n" POSITIONS "element face 1\nproperty list uint int x\n",
         "uint"},
        {FORMAT "element vertex 3\n" POSITIONS "element face 1\n" CORNERS "end_header", "early"}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const ply_text t = make_head(heads[i][0]);
        check_ply_refused(&t, heads[i][1]);
    }
    ply_text bad = make_head(whole);
    check_ply_refused(&bad, "another size");
    add_triangle(&bad, 4, 1);
    check_ply_refused(&bad, "no triangle");
    bad.size--;
    check_ply_refused(&bad, "another size");
    bad = make_head(whole);
    add_triangle(&bad, 3, 3);
    check_ply_refused(&bad, "no vertex");
    bad = make_head(whole);
    add_triangle(&bad, 3, 1);
    memset(bad.bytes + sizeof whole - 1, 0xFF, 8);
    check_ply_refused(&bad, "no number");
}

/* ---- lists ---- */

static void lists_are_taken_or_refused(void **state)
{
    (void)state;
    static const char *const bad_pairs[] = {"",
                                            "[",
                                            "[[1,2]",
                                            "[[1,2],]",
                                            "[[1,2,3]]",
                                            "[[1]]",
                                            "[[1,-2]]",
                                            "[[1,2]] x",
                                            "[[1 2]]",
                                            "[1,2]",
                                            "[[1,2][3,4]]",
                                            "]",
                                            "[[1,99999999999]]"};
    static const char *const bad_booleans[] = {"",      "[true",        "[true,]",
                                               "[yes]", "[true false]", "[1]"};
    uint32_t pairs[3][2];
    bool booleans[3];
    size_t count;
    assert_true(ccd_scan_pairs("[[1,2],[30,4],\n [5 , 4294967295]]\n", pairs, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(pairs, ((const uint32_t[3][2]){{1, 2}, {30, 4}, {5, UINT32_MAX}}),
                        sizeof pairs);
    assert_true(ccd_scan_booleans("[true,false, true]", booleans, &count));
    assert_int_equal(count, 3);
    assert_true(booleans[0] && !booleans[1] && booleans[2]);
    assert_true(ccd_scan_pairs(" [ ] ", NULL, &count) && count == 0);
    assert_true(ccd_scan_booleans("[]", NULL, &count) && count == 0);
    for (size_t i = 0; i < sizeof bad_pairs / sizeof bad_pairs[0]; i++)
        if (ccd_scan_pairs(bad_pairs[i], NULL, &count)) fail_msg("taken: %s", bad_pairs[i]);
    for (size_t i = 0; i < sizeof bad_booleans / sizeof bad_booleans[0]; i++)
        if (ccd_scan_booleans(bad_booleans[i], NULL, &count))
            fail_msg("taken: %s", bad_booleans[i]);
}

static void edges_are_sorted_by_their_higher_vertex(void **state)
{
    (void)state;
    static const uint32_t faces[3][3] = {{4, 0, 2}, {0, 4, 3}, {2, 4, 0}};
    static const uint32_t expected[5][2] = {{0, 2}, {0, 3}, {0, 4}, {2, 4}, {3, 4}};
    uint32_t count;
    uint32_t(*edges)[2] = ccd_edges_of(faces, 3, &count);
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
    swept_visit_between(a, a_count, b, b_count, count_pair, &between);
    swept_visit_within(a, a_count, count_pair, &within);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_of_ply_headers_are_read),
        cmocka_unit_test(ply_that_is_something_else_is_refused),
        cmocka_unit_test(lists_are_taken_or_refused),
        cmocka_unit_test(edges_are_sorted_by_their_higher_vertex),
        cmocka_unit_test(boxes_that_overlap_are_visited_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
