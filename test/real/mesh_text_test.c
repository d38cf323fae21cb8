/* The reader of models, which needs no file of others: what it takes, and what it refuses and how.
 */
#include "support/mesh_text.h"
#include "support/test.h"

typedef struct text_case {
    mesh_format format;
    const char *text;
    const char *reason; /* the beginning of the refusal, or NULL */
    uint32_t vertices, triangles;
    uint32_t last[3]; /* the last triangle */
} text_case;

static const char ply_head[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                               "property float y\nproperty float z\nelement face 1\n"
                               "property list uchar int vertex_indices\nend_header\n";

static void check_taken(const text_case *c)
{
    text_mesh mesh;
    char reason[MESH_REASON];
    if (!mesh_text_read(c->format, c->text, &mesh, reason)) fail_msg("%s\n%s", reason, c->text);
    assert_int_equal(mesh.vertex_count, c->vertices);
    assert_int_equal(mesh.triangle_count, c->triangles);
    if (c->triangles > 0) assert_memory_equal(mesh.tris[c->triangles - 1], c->last, sizeof c->last);
    text_mesh_free(&mesh);
}

static void check_refused(const text_case *c)
{
    text_mesh mesh;
    char reason[MESH_REASON] = "";
    assert_false(mesh_text_read(c->format, c->text, &mesh, reason));
    if (strncmp(reason, c->reason, strlen(c->reason)) != 0)
        fail_msg("\"%s\" is not \"%s\"", reason, c->reason);
    assert_null(mesh.positions);
    assert_null(mesh.tris);
}

static void check_cases(const text_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cases[i].reason == NULL)
            check_taken(&cases[i]);
        else
            check_refused(&cases[i]);
    }
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void obj_lines_are_taken_or_refused(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {MESH_OBJ, "", NULL, 0, 0, {0}},
        {MESH_OBJ, THREE "f 1 2 3\n", NULL, 3, 1, {0, 1, 2}},
        {MESH_OBJ, THREE "f 3 2 1", NULL, 3, 1, {2, 1, 0}},
        {MESH_OBJ,
         "# head\r\nv 0 0 0 \r\n\r\nv\t1 0 0\r\n v 0 1 0\r\nf 1 2 3 \r\n",
         NULL,
         3,
         1,
         {0, 1, 2}},
        {MESH_OBJ, THREE "vn 1 2 3\nvt 1 2\no f\ns off\nf 1/7 2//8 3/9/9\n", NULL, 3, 1, {0, 1, 2}},
        {MESH_OBJ, THREE "f -1 -2 -3\n", NULL, 3, 1, {2, 1, 0}},
        {MESH_OBJ, THREE "v 1 1 0 0.5 0.5 0.5\nf 1 2 4 3\n", NULL, 4, 2, {0, 3, 2}},
        {MESH_OBJ, THREE "v 1 1\n", "line 4: a vertex needs", 0, 0, {0}},
        {MESH_OBJ, "v 1 1\nv 2 2 2\n", "line 1: a vertex needs", 0, 0, {0}},
        {MESH_OBJ, "v 1 1 1x\n", "line 1: a vertex needs", 0, 0, {0}},
        {MESH_OBJ, "v 1 nan 1\n", "line 1: a vertex needs", 0, 0, {0}},
        {MESH_OBJ, "v 1 1 1e99\n", "line 1: a vertex needs", 0, 0, {0}},
        {MESH_OBJ, THREE "f 1 2\n", "line 4: a face needs", 0, 0, {0}},
        {MESH_OBJ, THREE "f\n", "line 4: a face needs", 0, 0, {0}},
        {MESH_OBJ, THREE "f 1 2 4\n", "line 4: a corner that is no vertex", 0, 0, {0}},
        {MESH_OBJ, THREE "f 0 1 2\n", "line 4: a corner that is no vertex", 0, 0, {0}},
        {MESH_OBJ, THREE "f -4 1 2\n", "line 4: a corner that is no vertex", 0, 0, {0}},
        {MESH_OBJ, THREE "f 1 2 3.5\n", "line 4: a corner that is no vertex", 0, 0, {0}},
        TEST_ROW(MESH_OBJ, THREE "f 1 2 99999999999999999999\n",
                 "line 4: a corner that is no vertex", 0, 0, {0}),
        {MESH_OBJ, THREE "f a b c\n", "line 4: a corner that is no vertex", 0, 0, {0}},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

#define TABLE "0 0 0\n1 0 0\n0 1 0\n"

static void off_tables_are_taken_or_refused(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {MESH_OFF, "OFF\n3 1 0\n" TABLE "3 0 1 2\n", NULL, 3, 1, {0, 1, 2}},
        {MESH_OFF, "# model\nOFF\n\n3 1 0\r\n" TABLE "\n3 2 1 0 255 0 0", NULL, 3, 1, {2, 1, 0}},
        {MESH_OFF, "OFF\n3 1 0\n" TABLE "4 0 1 2 1\n", NULL, 3, 2, {0, 2, 1}},
        {MESH_OFF, "OFF\n0 0 0\n", NULL, 0, 0, {0}},
        {MESH_OFF, "", "line 1: the first word", 0, 0, {0}},
        {MESH_OFF, "COFF\n3 1 0\n", "line 1: the first word", 0, 0, {0}},
        {MESH_OFF, "OFF\n", "line 2: two counts", 0, 0, {0}},
        {MESH_OFF, "OFF\n3\n", "line 2: two counts", 0, 0, {0}},
        {MESH_OFF, "OFF\n3 -1 0\n", "line 2: two counts", 0, 0, {0}},
        TEST_ROW(MESH_OFF, "OFF\n4000000000 1 0\n" TABLE,
                 "line 6: the text ends before the last vertex", 0, 0, {0}),
        TEST_ROW(MESH_OFF, "OFF\n3 2 0\n" TABLE "3 0 1 2\n",
                 "line 7: the text ends before the last face", 0, 0, {0}),
        {MESH_OFF, "OFF\n3 1 0\n" TABLE "3 0 1\n", "line 6: a corner that is no vertex", 0, 0, {0}},
        TEST_ROW(MESH_OFF, "OFF\n3 1 0\n" TABLE "3 0 1 3\n", "line 6: a corner that is no vertex",
                 0, 0, {0}),
        {MESH_OFF, "OFF\n3 1 0\n" TABLE "2 0 1\n", "line 6: a face needs", 0, 0, {0}},
        {MESH_OFF, "OFF\n3 1 0\n" TABLE "three 0 1 2\n", "line 6: a face begins", 0, 0, {0}},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void ply_heads_are_taken_or_refused(void **state)
{
    (void)state;
    static const text_case cases[] = {
        TEST_ROW(MESH_PLY,
                 "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 0\nelement face 0\n"
                 "end_header\n",
                 NULL, 0, 0, {0}),
        {MESH_PLY, "plyx\n", "line 1: the first word", 0, 0, {0}},
        {MESH_PLY, "ply\nformat binary_little_endian 1.0\n", "line 2: the format", 0, 0, {0}},
        {MESH_PLY, "ply\nformat ascii 1.0\nelement face 1\n", "line 3: vertices, then", 0, 0, {0}},
        {MESH_PLY, "ply\nformat ascii 1.0\nelement vertex many\n", "line 3: how many", 0, 0, {0}},
        TEST_ROW(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float nx\n",
                 "line 4: a vertex must begin", 0, 0, {0}),
        TEST_ROW(MESH_PLY,
                 "ply\nformat ascii 1.0\nelement vertex 1\nelement face 1\nproperty int n\n",
                 "line 5: a face must begin", 0, 0, {0}),
        TEST_ROW(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\nend_header\n",
                 "line 4: vertices and", 0, 0, {0}),
        TEST_ROW(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n",
                 "line 4: the head does not end", 0, 0, {0}),
    };
    char whole[400];
    check_cases(cases, sizeof cases / sizeof cases[0]);
    snprintf(whole, sizeof whole, "%s%s", ply_head, TABLE "3 0 2 1 \n");
    check_taken(&(text_case){MESH_PLY, whole, NULL, 3, 1, {0, 2, 1}});
}

static void numbers_are_rounded_once_and_stay_in_their_line(void **state)
{
    (void)state;
    text_mesh mesh;
    char reason[MESH_REASON];
    assert_true(mesh_text_read(MESH_OBJ, "v 0.1 -1e-45 16777217\nv -0 .5 +2e3\n", &mesh, reason));
    const float expected[2][3] = {{0.1F, -0x1p-149F, 16777216.0F}, {-0.0F, 0.5F, 2000.0F}};
    assert_int_equal(mesh.vertex_count, 2);
    assert_memory_equal(mesh.positions, expected, sizeof expected);
    text_mesh_free(&mesh);
}

static void meshes_grow_beyond_their_first_room(void **state)
{
    (void)state;
    enum { VERTICES = 5000 };
    static char text[VERTICES * 40];
    size_t at = 0;
    text_mesh mesh;
    char reason[MESH_REASON];
    for (int i = 0; i < VERTICES; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "v %d 0 0\nf %d 1 -1\n", i, i + 1);
    assert_true(mesh_text_read(MESH_OBJ, text, &mesh, reason));
    assert_int_equal(mesh.vertex_count, VERTICES);
    assert_int_equal(mesh.triangle_count, VERTICES);
    for (uint32_t i = 0; i < VERTICES; i++) {
        assert_true(mesh.positions[i][0] == (float)i);
        assert_true(mesh.tris[i][0] == i && mesh.tris[i][1] == 0 && mesh.tris[i][2] == i);
    }
    text_mesh_free(&mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(obj_lines_are_taken_or_refused),
    cmocka_unit_test(off_tables_are_taken_or_refused),
    cmocka_unit_test(ply_heads_are_taken_or_refused),
    cmocka_unit_test(numbers_are_rounded_once_and_stay_in_their_line),
    cmocka_unit_test(meshes_grow_beyond_their_first_room),
};

TEST_GROUP(mesh_text, tests);
