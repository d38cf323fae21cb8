/* OBJ, PLY, STL and OFF: what is taken, what is refused and with which words, and that all of them
 * say the same of the same mesh. */
#include <math.h>
#include "io/io_memory.h"
#include "support/mesh_bytes.h"
#include "support/test.h"

static const uint64_t limit = UINT64_C(1) << 24;

typedef struct read_case {
    const char *text;
    const char *reason; /* part of the refusal, or NULL */
    uint32_t vertices, triangles;
    uint32_t last[3]; /* the last triangle */
} read_case;

#define TAKES(text, vertices, triangles, a, b, c)                                                  \
    {                                                                                              \
        text, NULL, vertices, triangles, { a, b, c }                                               \
    }
#define REFUSES(text, reason)                                                                      \
    {                                                                                              \
        text, reason, 0, 0, { 0 }                                                                  \
    }

static void check_taken(mesh_reader *reader, const read_case *c)
{
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file;
    io_error error;
    if (!test_mesh_read(m, reader, c->text, strlen(c->text), false, &file, &error))
        fail_msg("%s\n%s", error.text, c->text);
    if (c->triangles == 0) {
        assert_int_equal(file.part_count, 0);
    } else {
        assert_int_equal(file.part_count, 1);
        const clip_mesh *mesh = &file.parts[0].mesh;
        if (mesh->vertex_count != c->vertices || mesh->triangle_count != c->triangles)
            fail_msg("%u vertices, %u triangles of\n%s", mesh->vertex_count, mesh->triangle_count,
                     c->text);
        const uint32_t *last = mesh->indices + 3 * (size_t)(c->triangles - 1);
        if (memcmp(last, c->last, sizeof c->last) != 0)
            fail_msg("the last triangle is %u %u %u of\n%s", last[0], last[1], last[2], c->text);
    }
    mesh_file_free(m, &file);
    assert_int_equal(io_memory_used(m), 0);
    io_memory_destroy(m);
}

static void check_refused(mesh_reader *reader, const char *data, size_t size, const char *reason)
{
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file;
    io_error error = {""};
    if (test_mesh_read(m, reader, data, size, false, &file, &error))
        fail_msg("was taken:\n%.*s", (int)size, data);
    if (strstr(error.text, reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
    assert_int_equal(file.part_count, 0);
    assert_int_equal(io_memory_used(m), 0);
    io_memory_destroy(m);
}

static void check_cases(mesh_reader *reader, const read_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cases[i].reason == NULL)
            check_taken(reader, &cases[i]);
        else
            check_refused(reader, cases[i].text, strlen(cases[i].text), cases[i].reason);
    }
}

#define CHECK_CASES(reader, cases) check_cases(reader, cases, sizeof(cases) / sizeof *(cases))

/* ---- OBJ ---- */

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define FOUR THREE "v 1 1 0\n"

static void obj_statements_are_taken_or_refused(void **state)
{
    (void)state;
    static const read_case cases[] = {
        TAKES("", 0, 0, 0, 0, 0),
        TAKES("# nothing\n\n", 0, 0, 0, 0, 0),
        TAKES(THREE, 0, 0, 0, 0, 0),
        TAKES(THREE "f 1 2 3\n", 3, 1, 0, 1, 2),
        TAKES(THREE "f 3 2 1", 3, 1, 2, 1, 0),
        TAKES("\xEF\xBB\xBF# mark\r\nv 0 0 0 \r\n\r\nv\t1 0 0\r\n v 0 1 0\r\nf 1 2 3 \r\n", 3, 1, 0,
              1, 2),
        TAKES("v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", 3, 1, 0, 1, 2),
        TAKES(THREE "vn 1 2 3\nvt 1 2\ns off\nf 1/7 2//8 3/9/9 # why\n", 3, 1, 0, 1, 2),
        TAKES(THREE "f -1 -2 -3\n", 3, 1, 2, 1, 0),
        TAKES("f 1 2 3\n" THREE, 3, 1, 0, 1, 2),
        TAKES(THREE "v 1 1 0 0.5 0.5 0.5\nf 1 2 4 3\n", 4, 2, 0, 3, 2),
        TAKES("v 0 0 \\\n 0\nv 1 0 0\nv 0 \\\r\n1 0\nf 1 \\\n2\\\n 3\n", 3, 1, 0, 1, 2),
        TAKES(THREE "l 1 2 \\\n 3\np 1\ncurv 0 1 1 2\nf 1 2 3\n", 3, 1, 0, 1, 2),
        TAKES(FOUR "v 0.2 0.2 0\nf 2 5 3 1\n", 5, 2, 4, 0, 1), /* a dent at the second corner */
        REFUSES(THREE "v 1 1\n", "file: line 4: a vertex needs three finite numbers"),
        REFUSES("v 1 1\nv 2 2 2\n", "line 1: a vertex needs"),
        REFUSES("v 1 1 1x\n", "line 1: a vertex needs three finite numbers, not '1x'"),
        REFUSES("\nv 1 nan 1\n", "line 2: a vertex needs"),
        REFUSES("v 1 -inf 1\n", "line 1: a vertex needs"),
        REFUSES("v 1 1 1e99\n", "line 1: a vertex needs"),
        REFUSES("v 1 1 0x10\n", "line 1: a vertex needs"),
        REFUSES(THREE "f 1 2\n", "line 4: a face needs three corners, and has 2"),
        REFUSES(THREE "f \n", "line 4: a face needs"),
        REFUSES(THREE "f 1 2 4\nf 1 2 3\n", "line 4: a corner names vertex 4 of 3"),
        REFUSES(THREE "f 0 1 2\n", "line 4: a corner names vertex 0"),
        REFUSES(THREE "f -4 1 2\n",
                "line 4: a corner names vertex -4, which does not exist: 3 come before it"),
        REFUSES(THREE "f 1 2 3.5\n", "line 4: a corner needs the number of a vertex, not '3.5'"),
        REFUSES(THREE "f 1 2 99999999999999999999\n", "line 4: a corner needs"),
        REFUSES(THREE "f 1 2 4294967297\n", "line 4: a corner names vertex 4294967297"),
        REFUSES(THREE "f a b c\n", "line 4: a corner needs"),
        REFUSES("solid x\nfacet\n", "line 1: 'solid' is not a statement of OBJ"),
        REFUSES("\x7F"
                "ELF\x02",
                "line 1: '?ELF?' is not a statement of OBJ"),
    };
    CHECK_CASES(obj_read, cases);
}

/* Reads a file that must be taken; the caller frees it. */
static mesh_file read_text(io_memory *m, mesh_reader *reader, const char *text)
{
    mesh_file file;
    io_error error;
    if (!test_mesh_read(m, reader, text, strlen(text), false, &file, &error))
        fail_msg("%s", error.text);
    return file;
}

static void objects_are_bodies_with_their_names(void **state)
{
    (void)state;
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file = read_text(m, obj_read,
                               "v 9 9 9\no Shirt\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                               "usemtl red\nf 2 3 5 4\no Body of work\nv 0 0 5\nv 1 0 5\nv 0 1 5\n"
                               "usemtl blue\nf -3 -2 -1\no Shirt\nusemtl red\nf 4 3 2\n");
    assert_int_equal(file.part_count, 2);
    assert_int_equal(file.vertex_count, 8);
    assert_string_equal(file.parts[0].name, "Shirt");
    assert_string_equal(file.parts[1].name, "Body of work");
    const clip_mesh *shirt = &file.parts[0].mesh, *body = &file.parts[1].mesh;
    assert_int_equal(shirt->vertex_count, 4);
    assert_int_equal(shirt->triangle_count, 3);
    assert_memory_equal(shirt->indices, ((const uint32_t[]){0, 1, 3, 0, 3, 2, 2, 1, 0}),
                        9 * sizeof(uint32_t));
    assert_memory_equal(shirt->faces, ((const uint32_t[]){0, 0, 1}), 3 * sizeof(uint32_t));
    assert_memory_equal(file.parts[0].sources, ((const uint32_t[]){1, 2, 3, 4}),
                        4 * sizeof(uint32_t));
    assert_int_equal(body->vertex_count, 3);
    assert_true(body->positions[2] == 5);
    assert_memory_equal(file.parts[1].sources, ((const uint32_t[]){5, 6, 7}), 3 * sizeof(uint32_t));
    assert_string_equal(file.materials.texts[shirt->materials[2]], "red");
    assert_string_equal(file.materials.texts[body->materials[0]], "blue");
    assert_null(file.note);
    mesh_file_free(m, &file);
    io_memory_destroy(m);
}

static void groups_are_bodies_unless_they_share_vertices(void **state)
{
    (void)state;
    static const char two[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                              "g default\ng top\nf 1 2 3\ng side\nf 4 5 6\ng rear\nf 5 6 7\n";
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file = read_text(m, obj_read, two);
    assert_int_equal(file.part_count, 2);
    assert_string_equal(file.parts[0].name, "top");
    assert_string_equal(file.parts[1].name, "side+rear");
    mesh_file_free(m, &file);
    /* All of one piece: the name of the file is the best one. */
    file = read_text(m, obj_read, THREE "g a\nf 1 2 3\ng b\nf 3 2 1\n");
    assert_int_equal(file.part_count, 1);
    assert_null(file.parts[0].name);
    mesh_file_free(m, &file);
    file = read_text(m, obj_read, THREE "g only\nf 1 2 3\n");
    assert_string_equal(file.parts[0].name, "only");
    mesh_file_free(m, &file);
    /* Objects stay apart, but people are told. */
    file = read_text(m, obj_read, THREE "o a\nf 1 2 3\no b\nf 3 2 1\n");
    assert_int_equal(file.part_count, 2);
    assert_non_null(strstr(file.note, "3 vertices in common"));
    mesh_file_free(m, &file);
    io_memory_destroy(m);
}

static void names_that_are_no_text_become_text(void **state)
{
    (void)state;
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file = read_text(m, obj_read, THREE "o \xC3\xA4\xFF\x01x\ty\xED\xA0\x80 \nf 1 2 3\n");
    assert_string_equal(file.parts[0].name, "\xC3\xA4??x y???");
    mesh_file_free(m, &file);
    io_memory_destroy(m);
}

static void triangles_without_common_vertices_are_welded(void **state)
{
    (void)state;
    static const char soup[] = THREE "v 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 5 4 6\n";
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file = read_text(m, obj_read, soup);
    assert_int_equal(file.parts[0].mesh.vertex_count, 4);
    assert_memory_equal(file.parts[0].mesh.indices, ((const uint32_t[]){0, 1, 2, 2, 1, 3}), 24);
    assert_non_null(strstr(file.note, "share no vertices"));
    mesh_file_free(m, &file);
    io_error error;
    assert_true(test_mesh_read(m, obj_read, soup, strlen(soup), true, &file, &error));
    assert_int_equal(file.parts[0].mesh.vertex_count, 6);
    mesh_file_free(m, &file);
    io_memory_destroy(m);
}

/* ---- OFF ---- */

#define TABLE "0 0 0\n1 0 0\n0 1 0\n"

static void off_tables_are_taken_or_refused(void **state)
{
    (void)state;
    static const read_case cases[] = {
        TAKES("OFF\n3 1 0\n" TABLE "3 0 1 2\n", 3, 1, 0, 1, 2),
        TAKES("OFF 3 1 0\n" TABLE "3 0 1 2", 3, 1, 0, 1, 2),
        TAKES("3 1 0\n" TABLE "3 0 1 2", 3, 1, 0, 1, 2),
        TAKES("# model\nOFF # why\n\n3 1 0\r\n" TABLE "# faces\n\n3 2 1 0 255 0 0", 3, 1, 2, 1, 0),
        TAKES("COFF\n3 1 0\n0 0 0 1 1 1 1\n1 0 0 255 255 255 9\n0 1 0 0 0 0 0\n3 0 1 2 0.5\n", 3, 1,
              0, 1, 2),
        TAKES("STCN"
              "OFF\n3 1 0\n0 0 0 1 1\n1 0 0\n0 1 0\n3 0 1 2\n",
              3, 1, 0, 1, 2),
        TAKES("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n", 3, 1, 0, 1, 2),
        TAKES("OFF\n4 1 0\n" TABLE "1 1 0\n4 0 1 3 2\n", 4, 2, 0, 3, 2),
        TAKES("OFF\n0 0 0\n", 0, 0, 0, 0, 0),
        REFUSES("", "line 1: the first word must be OFF"),
        REFUSES("POFF\n3 1 0\n", "line 1: the first word must be OFF, not 'POFF'"),
        REFUSES("4OFF\n3 1 0\n", "line 1: only vertices in three dimensions"),
        REFUSES("nOFF 5\n3 1 0\n", "line 1: only vertices in three dimensions"),
        REFUSES("OFF BINARY\n123", "line 1: binary OFF is not read"),
        REFUSES("OFF\n", "the number of vertices"),
        REFUSES("OFF\n3\n", "the number of faces"),
        REFUSES("OFF\n3 -1 0\n", "line 2: expected the number of faces, not '-1'"),
        REFUSES("OFF\n4000000000 1 0\n" TABLE,
                "line 3: the file is too short for 4000000000 vertices"),
        REFUSES("OFF\n3 2 0\n" TABLE "3 0 1 2\n    \n\n\n\n", "the number of corners"),
        REFUSES("OFF\n3 1 0\n" TABLE "3 0 1    \n", "a corner names vertex '' of 3"),
        REFUSES("OFF\n3 1 0\n" TABLE "3 0 1 3\n", "line 6: a corner names vertex '3' of 3"),
        REFUSES("OFF\n3 1 0\n" TABLE "3 0 1 -1\n", "line 6: a corner names vertex '-1' of 3"),
        REFUSES("OFF\n3 1 0\n" TABLE "2 0 1     \n",
                "line 6: a face needs three corners, and has 2"),
        REFUSES("OFF\n3 1 0\n" TABLE "99 0 1 2 \n", "line 6: the file is too short for 99 corners"),
        REFUSES("OFF\n3 1 0\n" TABLE "three 0 1 2\n", "line 6: expected the number of corners"),
        REFUSES("OFF\n3 1 0\n0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n", "line 4: a vertex needs three"),
    };
    CHECK_CASES(off_read, cases);
}

/* ---- STL ---- */

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 1\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet"  \
    "\n"

static void stl_texts_are_taken_or_refused(void **state)
{
    (void)state;
    static const read_case cases[] = {
        TAKES("solid\nendsolid\n", 0, 0, 0, 0, 0),
        TAKES("solid a b\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid a b\n", 3, 1, 0, 1, 2),
        TAKES(" SOLID\r\n" FACET("0 0 0", "1 0 0", "0 1 0")
                  FACET("1 0 0", "1 1 0", "0 1 0") "ENDSOLID",
              4, 2, 1, 3, 2),
        TAKES("solid\nfacet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 "
              "0\n"
              "vertex 0 1 0\nendloop\nendfacet\nendsolid\n",
              4, 2, 0, 2, 3),
        REFUSES("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
                "0\nendloop\nendfacet\n",
                "line 7: a facet needs three vertices, and has 2"),
        REFUSES("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
                "line 4: a vertex needs"),
        REFUSES("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a vertex needs"),
        REFUSES("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n",
                "a facet without endfacet"),
        REFUSES("solid\nfacet normal 0 0 1\nfrob\n", "line 3: 'frob' is not a word of STL"),
        REFUSES("liquid\n", "is not STL: neither 84 bytes nor a text that begins with solid"),
    };
    CHECK_CASES(stl_read, cases);
}

static void solids_of_a_text_are_bodies(void **state)
{
    (void)state;
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file = read_text(
        m, stl_read,
        "solid left\n" FACET("0 0 0", "1 0 0",
                             "0 1 0") "endsolid left\n"
                                      "solid\nendsolid\nsolid right part\n" FACET("0 0 1", "1 0 1",
                                                                                  "0 1 1")
                                          FACET("0 0 1", "0 1 1", "1 1 1") "endsolid right part\n");
    assert_int_equal(file.part_count, 2);
    assert_string_equal(file.parts[0].name, "left");
    assert_string_equal(file.parts[1].name, "right part");
    assert_int_equal(file.parts[1].mesh.vertex_count, 4);
    mesh_file_free(m, &file);
    file = read_text(m, stl_read, "solid name\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid\n");
    assert_null(file.parts[0].name);
    mesh_file_free(m, &file);
    io_memory_destroy(m);
}

/* Two triangles that share an edge, with any header. */
static test_bytes binary_stl(const char *header, uint32_t count)
{
    static const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 1, 0, 0, 1, 0}};
    test_bytes b = {0};
    char head[80] = {0};
    memcpy(head, header, strlen(header));
    test_bytes_add(&b, head, sizeof head);
    test_bytes_little(&b, count, 4);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) test_bytes_float(&b, NAN, false);
        for (int k = 0; k < 9; k++) test_bytes_float(&b, corners[i][k], false);
        test_bytes_little(&b, 0xFFFF, 2);
    }
    return b;
}

static void stl_is_binary_whatever_it_begins_with(void **state)
{
    (void)state;
    static const char *const headers[] = {"", "solid", "solid of stone", "binary"};
    for (int i = 0; i < 4; i++)
        for (int trailing = 0; trailing < 2; trailing++) {
            test_bytes b = binary_stl(headers[i], 2);
            io_memory *m = io_memory_create(limit, 0);
            mesh_file file;
            io_error error;
            if (trailing) test_bytes_print(&b, "made by hand");
            if (!test_mesh_read(m, stl_read, b.data, b.size, false, &file, &error))
                fail_msg("%s", error.text);
            assert_int_equal(file.parts[0].mesh.vertex_count, 4);
            assert_int_equal(file.parts[0].mesh.triangle_count, 2);
            mesh_file_free(m, &file);
            io_memory_destroy(m);
            test_bytes_free(&b);
        }
}

static void damaged_binary_stl_is_refused(void **state)
{
    (void)state;
    test_bytes b = binary_stl("solid", 3);
    check_refused(stl_read, (char *)b.data, b.size,
                  "byte 80: 3 triangles take 234 bytes, and the file has 184");
    test_bytes_free(&b);
    b = binary_stl("x", 0xFFFFFFFF);
    check_refused(stl_read, (char *)b.data, b.size, "byte 80: 4294967295 triangles");
    test_bytes_free(&b);
    b = binary_stl("x", 2);
    memset(b.data + 84 + 50 + 12 + 8, 0xFF, 4);
    check_refused(stl_read, (char *)b.data, b.size,
                  "byte 134: a corner of triangle 1 is not a finite");
    test_bytes_free(&b);
}

/* ---- PLY ---- */

#define PLY_XYZ "property float x\nproperty float y\nproperty float z\n"
#define PLY_LIST "property list uchar int vertex_indices\n"
#define PLY_HEAD                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 3\n" PLY_XYZ "element face 1\n" PLY_LIST "end_header\n"

static void ply_texts_are_taken_or_refused(void **state)
{
    (void)state;
    static const read_case cases[] = {
        TAKES(PLY_HEAD TABLE "3 0 1 2\n", 3, 1, 0, 1, 2),
        TAKES(PLY_HEAD "0 0 0 1 0 0 0 1 0 3 0 1 2", 3, 1, 0, 1, 2),
        TAKES(
            "ply\r\nformat ascii 1.0\r\ncomment of mine\r\nobj_info 7\r\nelement vertex 3\r\n"
            "property double z\r\nproperty uchar red\r\nproperty int16 y\r\nproperty float32 x\r\n"
            "element camera 1\r\nproperty list uint8 float64 view\r\nproperty int id\r\n"
            "element face 1\r\nproperty list uint8 float uv\r\nproperty list int uint "
            "vertex_index\r\n"
            "property short flags\r\nend_header\r\n0 255 0 0\r\n0 255 0 1\r\n0 255 1 0\r\n"
            "2 0.5 nan 7\r\n1 0.5 3 2 1 0 9\r\n",
            3, 1, 2, 1, 0),
        TAKES("ply\nformat ascii 1.0\nelement face 2\n" PLY_LIST "element vertex 4\n" PLY_XYZ
              "end_header\n3 0 1 2\n4 0 1 3 2\n" TABLE "1 1 0\n",
              4, 3, 0, 3, 2),
        TAKES("ply\nformat ascii 1.0\nelement vertex 4\n" PLY_XYZ
              "element tristrips 1\nproperty list "
              "int int vertex_indices\nend_header\n" TABLE "1 1 0\n8 0 1 2 3 -1 3 2 1\n",
              4, 3, 3, 2, 1),
        TAKES("ply\nformat ascii 1.0\nelement vertex 3\n" PLY_XYZ "element nothing 4000000000\n"
              "element face 1\n" PLY_LIST "end_header\n" TABLE "3 0 1 2\n",
              3, 1, 0, 1, 2),
        TAKES("ply\nformat ascii 1.0\nelement vertex 3\n" PLY_XYZ "end_header\n" TABLE, 0, 0, 0, 0,
              0),
        REFUSES("", "line 1: the first line must be ply"),
        REFUSES("plywood\n", "line 1: the first line must be ply"),
        REFUSES("ply\n", "line 2: the header ends without end_header"),
        REFUSES("ply\nelement vertex 3\n",
                "line 2: the second line must be the format, not 'element'"),
        REFUSES("ply\nformat binary 1.0\n", "line 2: the format is ascii,"),
        REFUSES("ply\nformat ascii 1.0\nfrob\n", "line 3: a line of the header begins with"),
        REFUSES("ply\nformat ascii 1.0\nproperty int x\n",
                "line 3: a property comes before the first element"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex -3\n",
                "line 3: an element has a name and a count"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 99999999999\n",
                "line 3: an element has a name"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 1\nproperty long x\n",
                "line 4: the type of a property"),
        REFUSES("ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\n",
                "line 4: counts and corners are integers"),
        REFUSES("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar float vertex_indices\n",
                "line 4: counts and corners are integers"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n",
                "line 4: vertices are declared twice"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n",
                "line 5: vertices need x, y and z"),
        REFUSES("ply\nformat ascii 1.0\nelement face 1\n" PLY_LIST "end_header\n",
                "line 5: the header names no vertices"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 1\n" PLY_XYZ
                "element face 1\nproperty int x\nend_header\n",
                "line 9: faces need one list vertex_indices"),
        REFUSES(PLY_HEAD TABLE, "line 13: expected an integer"),
        REFUSES(PLY_HEAD TABLE "3 0 1 \n", "line 14: expected an integer"),
        REFUSES(PLY_HEAD TABLE "3 0 1 3\n",
                "line 13: a corner before this place names a vertex that does not exist"),
        REFUSES(PLY_HEAD TABLE "3 0 1 -1\n", "line 13: a corner before this place"),
        REFUSES(PLY_HEAD TABLE "2 0 1 \n", "line 13: a face needs three corners"),
        REFUSES(PLY_HEAD TABLE "-2 0 1 \n", "line 13: the length of a list is negative"),
        REFUSES(PLY_HEAD TABLE "2000000000 0 1\n", "line 13: a list is longer than the rest"),
        REFUSES(PLY_HEAD "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n",
                "line 11: a vertex needs finite numbers"),
        REFUSES(PLY_HEAD "0 0 0\n1 0 1e40\n0 1 0\n3 0 1 2\n",
                "line 11: a vertex needs finite numbers"),
        REFUSES("ply\nformat ascii 1.0\nelement vertex 4000000000\n" PLY_XYZ "end_header\n" TABLE,
                "line 8: the file is too short for what its header says"),
    };
    CHECK_CASES(ply_read, cases);
}

/* A square of two triangles, in any types and either order of bytes. */
static test_bytes binary_ply(bool is_big, bool is_double, const char *end, uint32_t last)
{
    test_bytes b = {0};
    void (*add)(test_bytes *, uint64_t, int) = is_big ? test_bytes_big : test_bytes_little;
    test_bytes_print(&b, "ply%sformat binary_%s_endian 1.0%s", end, is_big ? "big" : "little", end);
    test_bytes_print(&b, "element vertex 4%sproperty ushort flags%s", end, end);
    for (int axis = 0; axis < 3; axis++)
        test_bytes_print(&b, "property %s %c%s", is_double ? "double" : "float", 'x' + axis, end);
    test_bytes_print(&b, "element face 2%sproperty list uint8 %s vertex_indices%s", end,
                     is_double ? "short" : "uint", end);
    test_bytes_print(&b, "property list uchar char other%send_header%s", end, end);
    for (uint32_t i = 0; i < 4; i++) {
        add(&b, 0x0A0D, 2);
        for (int axis = 0; axis < 3; axis++) {
            const float number = axis < 2 ? (float)(i >> axis & 1) : 0.25F;
            if (is_double)
                test_bytes_double(&b, (double)number, is_big);
            else
                test_bytes_float(&b, number, is_big);
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t corners[3] = {i, 1 + 2 * i, i == 0 ? 2 : last};
        add(&b, 3, 1);
        for (int k = 0; k < 3; k++) add(&b, corners[k], is_double ? 2 : 4);
        add(&b, 2, 1);
        add(&b, 0x0102, 2);
    }
    return b;
}

static void binary_ply_is_read_in_both_orders_of_bytes(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 12; i++) {
        test_bytes b = binary_ply(i & 1, i & 2, ends[i / 4], 2);
        io_memory *m = io_memory_create(limit, 0);
        mesh_file file;
        io_error error;
        if (!test_mesh_read(m, ply_read, b.data, b.size, false, &file, &error))
            fail_msg("%s", error.text);
        const clip_mesh *mesh = &file.parts[0].mesh;
        assert_int_equal(mesh->vertex_count, 4);
        assert_memory_equal(mesh->indices, ((const uint32_t[]){0, 1, 2, 1, 3, 2}), 24);
        assert_memory_equal(mesh->positions,
                            ((const float[]){0, 0, .25F, 1, 0, .25F, 0, 1, .25F, 1, 1, .25F}), 48);
        mesh_file_free(m, &file);
        /* Wherever it ends, it is refused. */
        for (size_t size = 0; size < b.size; size++)
            if (test_mesh_read(m, ply_read, b.data, size, false, &file, &error))
                fail_msg("%zu of %zu bytes were taken", size, b.size);
        assert_int_equal(io_memory_used(m), 0);
        io_memory_destroy(m);
        test_bytes_free(&b);
    }
}

static void damaged_binary_ply_is_refused(void **state)
{
    (void)state;
    test_bytes b = binary_ply(false, false, "\n", 4);
    check_refused(ply_read, (char *)b.data, b.size,
                  "a corner before this place names a vertex that does not exist");
    test_bytes_free(&b);
    b = binary_ply(true, true, "\n", 0xFFFF);
    check_refused(ply_read, (char *)b.data, b.size,
                  "a corner before this place names a vertex that does not exist");
    test_bytes_free(&b);
    b = binary_ply(false, false, "\n", 2);
    memset(b.data + b.size - 2 * 16 - 14 + 2, 0xFF, 12);
    check_refused(ply_read, (char *)b.data, b.size,
                  "vertex 3: a coordinate is not a finite number");
    test_bytes_free(&b);
}

/* ---- all formats ---- */

enum { GRID = 9 };

static float grid_number(uint32_t vertex, int axis)
{
    if (axis < 2) return (float)(axis == 0 ? vertex % GRID : vertex / GRID) / 7;
    return (float)(vertex * vertex % 13) / 11;
}

static void grid_triangle(uint32_t number, uint32_t out[3])
{
    const uint32_t cell = number / 2, first = cell / (GRID - 1) * GRID + cell % (GRID - 1);
    const uint32_t corners[2][3] = {{first, first + 1, first + GRID},
                                    {first + 1, first + GRID + 1, first + GRID}};
    memcpy(out, corners[number % 2], sizeof corners[0]);
}

enum { GRID_VERTICES = GRID * GRID, GRID_TRIANGLES = 2 * (GRID - 1) * (GRID - 1) };

static void print_point(test_bytes *b, const char *before, uint32_t vertex)
{
    test_bytes_print(b, "%s%.9g %.9g %.9g\n", before, (double)grid_number(vertex, 0),
                     (double)grid_number(vertex, 1), (double)grid_number(vertex, 2));
}

static test_bytes write_obj(void)
{
    test_bytes b = {0};
    for (uint32_t i = 0; i < GRID_VERTICES; i++) print_point(&b, "v ", i);
    for (uint32_t i = 0; i < GRID_TRIANGLES; i++) {
        uint32_t t[3];
        grid_triangle(i, t);
        test_bytes_print(&b, "f %u/1 %u/1 %u/1\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    return b;
}

static test_bytes write_tables(const char *head)
{
    test_bytes b = {0};
    test_bytes_print(&b, "%s", head);
    for (uint32_t i = 0; i < GRID_VERTICES; i++) print_point(&b, "", i);
    for (uint32_t i = 0; i < GRID_TRIANGLES; i++) {
        uint32_t t[3];
        grid_triangle(i, t);
        test_bytes_print(&b, "3 %u %u %u\n", t[0], t[1], t[2]);
    }
    return b;
}

static test_bytes write_stl(bool is_text)
{
    test_bytes b = {0};
    static const char head[80] = "solid";
    if (is_text)
        test_bytes_print(&b, "solid grid\n");
    else
        test_bytes_add(&b, head, sizeof head);
    if (!is_text) test_bytes_little(&b, GRID_TRIANGLES, 4);
    for (uint32_t i = 0; i < GRID_TRIANGLES; i++) {
        uint32_t t[3];
        grid_triangle(i, t);
        if (is_text) test_bytes_print(&b, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3 && !is_text; k++) test_bytes_float(&b, 0, false);
        for (int k = 0; k < 3; k++) {
            if (is_text) print_point(&b, "vertex ", t[k]);
            for (int axis = 0; axis < 3 && !is_text; axis++)
                test_bytes_float(&b, grid_number(t[k], axis), false);
        }
        if (is_text)
            test_bytes_print(&b, "endloop\nendfacet\n");
        else
            test_bytes_little(&b, 0, 2);
    }
    if (is_text) test_bytes_print(&b, "endsolid grid\n");
    return b;
}

static void check_grid(const char *format, mesh_reader *reader, test_bytes b)
{
    io_memory *m = io_memory_create(limit, 0);
    mesh_file file;
    io_error error;
    if (!test_mesh_read(m, reader, b.data, b.size, false, &file, &error))
        fail_msg("%s: %s", format, error.text);
    const clip_mesh *mesh = &file.parts[0].mesh;
    assert_int_equal(mesh->triangle_count, GRID_TRIANGLES);
    assert_int_equal(mesh->vertex_count, GRID_VERTICES);
    for (uint32_t i = 0; i < GRID_TRIANGLES; i++) {
        uint32_t t[3];
        grid_triangle(i, t);
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++) {
                const uint32_t vertex = mesh->indices[3 * i + (uint32_t)k];
                const float got = mesh->positions[3 * vertex + (uint32_t)axis];
                if (got != grid_number(t[k], axis)) fail_msg("%s: triangle %u", format, i);
            }
    }
    mesh_file_free(m, &file);
    io_memory_destroy(m);
    test_bytes_free(&b);
}

static void all_formats_have_the_same_triangles(void **state)
{
    (void)state;
    char ply[300], off[60];
    (void)snprintf(ply, sizeof ply,
                   "ply\nformat ascii 1.0\nelement vertex %d\n" PLY_XYZ "element face %d\n" PLY_LIST
                   "end_header\n",
                   GRID_VERTICES, GRID_TRIANGLES);
    (void)snprintf(off, sizeof off, "OFF\n%d %d 0\n", GRID_VERTICES, GRID_TRIANGLES);
    check_grid("OBJ", obj_read, write_obj());
    check_grid("PLY", ply_read, write_tables(ply));
    check_grid("OFF", off_read, write_tables(off));
    check_grid("STL, text", stl_read, write_stl(true));
    check_grid("STL, binary", stl_read, write_stl(false));
}

/* ---- memory ---- */

static const char memory_obj[] =
    "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv .1 .1 0\nusemtl m\nf 1 2 4 3\nf 1 2 5 3\no b\n"
    "v 0 0 1\nv 1 0 1\nv 0 1 1\nf 6 7 8\nfrob\n";
static const char memory_groups[] =
    FOUR "v 0 0 1\nv 1 0 1\nv 0 1 1\ng x\nf 1 2 3\ng y\nf 2 4 3\ng z\nf 5 6 7\n";
static const char memory_soup[] = THREE "v 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 5 4 6\n";
static const char memory_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float nx\n" PLY_XYZ
    "element face 2\n" PLY_LIST "end_header\n0 0 0 0\n0 1 0 0\n0 0 1 0\n"
    "0 1 1 0\n3 0 1 2\n4 0 1 3 2\n";
static const char memory_stl[] = "solid a\n" FACET(
    "0 0 0", "1 0 0", "0 1 0") "endsolid\nsolid b\n" FACET("0 0 1", "1 0 1", "0 1 1") "endsolid\n";
static const char memory_off[] = "OFF\n4 1 0\n" TABLE "1 1 0\n4 0 1 3 2\n";

static const struct memory_case {
    mesh_reader *reader;
    const char *text;
} memory_cases[] = {{obj_read, memory_obj}, {obj_read, memory_groups}, {obj_read, memory_soup},
                    {ply_read, memory_ply}, {stl_read, memory_stl},    {off_read, memory_off}};
enum { MEMORY_CASES = sizeof memory_cases / sizeof memory_cases[0] };

static void every_allocation_of_a_reader_may_fail(void **state)
{
    (void)state;
    uint64_t failures = 0;
    for (int i = 0; i < MEMORY_CASES; i++)
        for (uint64_t failing = 2;; failing++) {
            const struct memory_case *c = &memory_cases[i];
            io_memory *m = io_memory_create(limit, failing);
            mesh_file file;
            io_error error = {""};
            const bool is_read =
                test_mesh_read(m, c->reader, c->text, strlen(c->text), false, &file, &error);
            const bool is_over = io_memory_calls(m) < failing;
            if (!is_over && is_read)
                fail_msg("case %d: allocation %d is not needed", i, (int)failing);
            if (!is_read && strstr(error.text, "out of memory") == NULL) fail_msg("%s", error.text);
            mesh_file_free(m, &file);
            assert_int_equal(io_memory_used(m), 0);
            io_memory_destroy(m);
            if (is_over) break;
            failures++;
        }
    print_message("%d allocations failed\n", (int)failures);
    assert_true(failures > 60);
}

static void the_limit_of_memory_is_held(void **state)
{
    (void)state;
    for (int i = 0; i < MEMORY_CASES; i++) {
        const struct memory_case *c = &memory_cases[i];
        io_memory *m = io_memory_create(300, 0);
        mesh_file file;
        io_error error = {""};
        assert_false(test_mesh_read(m, c->reader, c->text, strlen(c->text), false, &file, &error));
        if (strstr(error.text, "more memory than the limit") == NULL) fail_msg("%s", error.text);
        assert_int_equal(io_memory_used(m), 0);
        io_memory_destroy(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(obj_statements_are_taken_or_refused),
    cmocka_unit_test(objects_are_bodies_with_their_names),
    cmocka_unit_test(groups_are_bodies_unless_they_share_vertices),
    cmocka_unit_test(names_that_are_no_text_become_text),
    cmocka_unit_test(triangles_without_common_vertices_are_welded),
    cmocka_unit_test(off_tables_are_taken_or_refused),
    cmocka_unit_test(stl_texts_are_taken_or_refused),
    cmocka_unit_test(solids_of_a_text_are_bodies),
    cmocka_unit_test(stl_is_binary_whatever_it_begins_with),
    cmocka_unit_test(damaged_binary_stl_is_refused),
    cmocka_unit_test(ply_texts_are_taken_or_refused),
    cmocka_unit_test(binary_ply_is_read_in_both_orders_of_bytes),
    cmocka_unit_test(damaged_binary_ply_is_refused),
    cmocka_unit_test(all_formats_have_the_same_triangles),
    cmocka_unit_test(every_allocation_of_a_reader_may_fail),
    cmocka_unit_test(the_limit_of_memory_is_held),
};

TEST_GROUP(mesh_readers, tests);
