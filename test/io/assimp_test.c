/* Files that only Assimp reads: names, motion, and what is said of them. */
#include "io/assimp.h"

#include "support/mesh_bytes.h"
#include "support/test.h"

/* AC3D: a square, four triangles around a corner that are one polygon. */
static const char square[] =
    "AC3Db\nMATERIAL \"paint\" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 "
    "shi 0 trans 0\nOBJECT world\nkids 1\nOBJECT poly\nname \"Lid\"\nloc 0 "
    "0 2\nnumvert 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\nnumsurf 1\nSURF 0x20\nmat "
    "0\nrefs 4\n0 0 0\n1 0 0\n2 0 0\n3 0 0\nkids 0\n";

/* Collada: a triangle whose node goes from x = 0 to x = 4 in two seconds. */
static const char moving[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit meter=\"1\" name=\"meter\"/><up_axis>Y_UP</up_axis></asset>"
    "<library_geometries><geometry id=\"g\" name=\"g\"><mesh><source id=\"p\"><float_array "
    "id=\"pa\" "
    "count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#pa\" "
    "count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\">"
    "<input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input "
    "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>"
    "</library_geometries><library_animations><animation id=\"a\"><source id=\"t\"><float_array "
    "id=\"ta\" count=\"2\">0 2</float_array><technique_common><accessor source=\"#ta\" count=\"2\" "
    "stride=\"1\"><param name=\"TIME\" type=\"float\"/></accessor></technique_common></source>"
    "<source id=\"o\"><float_array id=\"oa\" count=\"6\">0 0 0 4 0 "
    "0</float_array><technique_common>"
    "<accessor source=\"#oa\" count=\"2\" stride=\"3\"><param name=\"X\" type=\"float\"/><param "
    "name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common>"
    "</source><source id=\"i\"><Name_array id=\"ia\" count=\"2\">LINEAR LINEAR</Name_array>"
    "<technique_common><accessor source=\"#ia\" count=\"2\" stride=\"1\"><param "
    "name=\"INTERPOLATION\" type=\"name\"/></accessor></technique_common></source><sampler "
    "id=\"s\"><input semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" source=\"#o\"/>"
    "<input semantic=\"INTERPOLATION\" source=\"#i\"/></sampler><channel source=\"#s\" "
    "target=\"Glider/move\"/></animation></library_animations><library_visual_scenes><visual_scene "
    "id=\"sc\"><node id=\"Glider\" name=\"Glider\"><translate sid=\"move\">0 0 0</translate>"
    "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene>"
    "<instance_visual_scene url=\"#sc\"/></scene></COLLADA>";

static void still_files_keep_names_faces_and_places(void **state)
{
    (void)state;
    test_folder folder;
    if (!assimp_is_possible()) skip();
    test_folder_make(&folder);
    test_folder_write_text(&folder, "square.ac", square);
    clip *c = test_clip_open(test_folder_path(&folder, "square.ac", 0));
    assert_int_equal(c->body_count, 1);
    const clip_body *body = &c->bodies[0];
    assert_string_equal(body->name, "Lid");
    assert_int_equal(body->motion, CLIP_STILL);
    assert_int_equal(body->mesh.vertex_count, 4);
    assert_int_equal(body->mesh.triangle_count, 2);
    assert_int_equal(body->mesh.faces[1], 0);
    assert_true(body->mesh.positions[2] == 2);
    assert_string_equal(c->materials[body->mesh.materials[0]], "paint");
    assert_non_null(strstr(c->notes[0], "read through Assimp"));
    clip_close(c);
    test_folder_remove(&folder);
}

static void nodes_that_move_take_their_meshes_along(void **state)
{
    (void)state;
    test_folder folder;
    io_error error;
    float xyz[9];
    if (!assimp_is_possible()) skip();
    test_folder_make(&folder);
    test_folder_write_text(&folder, "moving.dae", moving);
    clip *c = test_clip_open(test_folder_path(&folder, "moving.dae", 0));
    clip_frame *frame = clip_frame_create(c);
    assert_int_equal(c->body_count, 1);
    assert_string_equal(c->bodies[0].name, "Glider");
    assert_int_equal(c->bodies[0].motion, CLIP_SKIN);
    assert_true(clip_first_time(c) == 0 && clip_last_time(c) == 2);
    for (int i = 0; i <= 4; i++) {
        assert_true(clip_frame_read(c, 0.5 * i, frame, &error));
        clip_positions(c, frame, 0, xyz);
        assert_true(xyz[0] == (float)i && xyz[3] == (float)(i + 1) && xyz[7] == 1);
    }
    clip_frame_destroy(c, frame);
    clip_close(c);
    test_folder_remove(&folder);
}

static void what_assimp_refuses_is_refused_in_a_line(void **state)
{
    (void)state;
    test_folder folder;
    io_error error = {""};
    test_folder_make(&folder);
    test_folder_write_text(&folder, "bad.fbx", "no\nfbx");
    const char *path = test_folder_path(&folder, "bad.fbx", 0);
    assert_null(clip_open(&path, 1, NULL, &error));
    assert_null(strchr(error.text, '\n'));
    if (strstr(error.text,
               assimp_is_possible() ? "Assimp cannot read it" : "built without Assimp") == NULL)
        fail_msg("%s", error.text);
    test_folder_remove(&folder);
}

static void every_allocation_beside_assimp_may_fail(void **state)
{
    (void)state;
    test_folder folder;
    if (!assimp_is_possible()) skip();
    test_folder_make(&folder);
    test_folder_write_text(&folder, "moving.dae", moving);
    const char *path = test_folder_path(&folder, "moving.dae", 0);
    clip *c = NULL;
    int failures = 0;
    for (uint64_t failing = 1; c == NULL; failing++) {
        clip_options options = clip_options_default();
        io_error error = {""};
        options.failing_allocation = failing;
        c = clip_open(&path, 1, &options, &error);
        if (c == NULL && strstr(error.text, "out of memory") == NULL) fail_msg("%s", error.text);
        failures += c == NULL;
    }
    print_message("%d allocations failed\n", failures);
    assert_true(failures > 10);
    clip_close(c);
    test_folder_remove(&folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(still_files_keep_names_faces_and_places),
    cmocka_unit_test(nodes_that_move_take_their_meshes_along),
    cmocka_unit_test(what_assimp_refuses_is_refused_in_a_line),
    cmocka_unit_test(every_allocation_beside_assimp_may_fail),
};

TEST_GROUP(assimp, tests);
