/* The reader of PLY files: what it takes, and what it refuses in words. */
#include <stdio.h>
#include <stdlib.h>
#include "io/ply.h"
#include "support/test.h"

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

static void files_are_read_as_their_bytes_are(void **state)
{
    (void)state;
    static const char path[] = "ply_test_file.ply";
    ply_text t =
        make_head(FORMAT "element vertex 3\n" POSITIONS "element face 1\n" CORNERS "end_header\n");
    add_triangle(&t, 3, 1);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(t.bytes, 1, t.size, file), t.size);
    fclose(file);
    ply_mesh mesh;
    char reason[PLY_REASON] = "";
    if (!ply_file_read(path, &mesh, reason)) fail_msg("%s", reason);
    assert_int_equal(mesh.vertex_count, 3);
    assert_true(mesh.positions[2][2] == 8.5);
    ply_mesh_free(&mesh);
    assert_int_equal(remove(path), 0);
    assert_false(ply_file_read(path, &mesh, reason));
    assert_string_equal(reason, "cannot be read");
    assert_null(mesh.positions);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_kinds_of_ply_headers_are_read),
    cmocka_unit_test(ply_that_is_something_else_is_refused),
    cmocka_unit_test(files_are_read_as_their_bytes_are),
};

TEST_GROUP(ply, tests);
