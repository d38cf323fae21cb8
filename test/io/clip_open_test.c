/* Clips of paths: files, folders, patterns, meshes with point caches, several at once; and what is
 * said of those that are none. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include "io/assimp.h"
#include "io/io_memory.h"
#include "io/ply.h"
#include "support/mesh_bytes.h"
#include "support/test.h"

static test_folder folder;

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(&folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(&folder);
    return 0;
}

static const char *at(const char *name) { return test_folder_path(&folder, name, 0); }

/* A triangle at this height; `is_other` has its corners in another order. */
static void write_frame(const char *name, float z, bool is_other)
{
    char text[200];
    (void)snprintf(text, sizeof text, "v 0 0 %g\nv 1 0 %g\nv 0 1 %g\nv 1 1 %g\nf 1 2 3\nf %s\n",
                   (double)z, (double)z, (double)z, (double)z, is_other ? "2 1 4" : "2 4 3");
    test_folder_write_text(&folder, name, text);
}

/* ---- refusals ---- */

static void check_refused_paths(const char *const *paths, uint32_t count, const char *reason)
{
    io_error error = {""};
    clip *c = clip_open(paths, count, NULL, &error);
    if (c != NULL) fail_msg("%s was taken", paths[0]);
    if (strstr(error.text, reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
    if (strchr(error.text, '\n') != NULL) fail_msg("\"%s\" is more than a line", error.text);
}

static void check_refused(const char *name, const char *reason)
{
    const char *path = at(name);
    check_refused_paths(&path, 1, reason);
}

static void what_cannot_be_opened_is_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes, *reason;
    } cases[] = {
        {"missing.obj", NULL, "missing.obj: no such file"},
        {"missing/x.obj", NULL, "x.obj: no such file"},
        {"missing%03d.obj", NULL, "missing%03d.obj: no file matches this pattern"},
        {"missing*.obj", NULL, "missing*.obj: no file matches this pattern"},
        {"missing.obj+missing.pc2", NULL, "missing.obj: no such file"},
        {"empty.obj", "", "empty.obj: is empty"},
        {"empty.glb", "", "empty.glb: is empty"},
        {"points.obj", "v 0 0 0\n", "points.obj: has no triangles"},
        {"points.ply",
         "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n",
         "points.ply: has no triangles"},
        {"none.stl", "solid x\nendsolid x\n", "none.stl: has no triangles"},
        {"none.off", "OFF\n0 0 0\n", "none.off: has no triangles"},
        {"bad.obj", "v 0 0 0\nv 1 0 nan\n", "bad.obj: line 2: a vertex needs"},
        {"film.mp4", "....ftypisom", "film.mp4: is not a kind of file that is read"},
        {"noending", "some words", "noending: is not a kind of file that is read"},
        {"clip.blend", "BLENDER-v300", "export_scene.gltf(filepath='clip.glb')"},
        {"packed.blend", "\x28\xB5\x2F\xFD", "packed.blend: files of Blender are not read"},
        {"clip.abc", "Ogawa\xFF", "bpy.ops.wm.alembic_import(filepath="},
        {"renamed.obj", "Ogawa\xFF", "renamed.obj: Alembic is not read"},
        {"clip.usd", "#usda 1.0\n", "bpy.ops.wm.usd_import(filepath="},
        {"clip.usdz", "PK\x03\x04", "clip.usdz: USD is not read"},
        {"cache.pc2", "POINTCACHE2",
         "cache.pc2: PC2 has positions and no triangles: name its mesh"},
        {"cache.mdd", "....", "cache.mdd: MDD has positions"},
        {"cache.npy", "\x93NUMPY", "cache.npy: NumPy has positions"},
        {"say'when.blend", "BLENDER", "blender -b 'FILE'"},
        {"clip.zip", "PK\x03\x04", "clip.zip: is compressed, or an archive; unpack it first"},
        {"clip.glb", "\x1F\x8B\x08", "clip.glb: is compressed"},
        {"clip.tar.xz", "\xFD\x37zXZ", "clip.tar.xz: is compressed"},
        {"fetched.glb", "version https://git-lfs.github.com/spec/v1\n", "'git lfs pull' fetches"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].bytes != NULL) test_folder_write_text(&folder, cases[i].name, cases[i].bytes);
        check_refused(cases[i].name, cases[i].reason);
    }
    check_refused_paths(NULL, 0, "no file is named");
    check_refused(".", "files: say which, as in");
}

static void folders_without_meshes_are_refused(void **state)
{
    (void)state;
    check_refused("", "is a folder without .obj, .ply, .stl or .off files");
    test_folder_write_text(&folder, "note.txt", "x");
    check_refused("", "is a folder without .obj, .ply, .stl or .off files");
}

static void animations_and_scenes_are_chosen_only_where_there_are_any(void **state)
{
    (void)state;
    io_error error;
    clip_options asking[2] = {clip_options_default(), clip_options_default()};
    static const char *const reasons[] = {"one.obj: has no animations to choose from",
                                          "one.obj: has no scenes to choose from"};
    asking[0].animation = "walk";
    asking[1].scene = "0";
    write_frame("one.obj", 0, false);
    const char *path = at("one.obj");
    for (int i = 0; i < 2; i++) {
        assert_null(clip_open(&path, 1, &asking[i], &error));
        assert_non_null(strstr(error.text, reasons[i]));
    }
}

static void without_assimp_blender_converts(void **state)
{
    (void)state;
    if (assimp_is_possible()) return;
    test_folder_write_text(&folder, "clip.fbx", "Kaydara FBX Binary");
    check_refused("clip.fbx", "import_scene.fbx(filepath=");
    test_folder_write_text(&folder, "clip.DAE", "<COLLADA/>");
    check_refused("clip.DAE", "wm.collada_import(filepath=");
}

/* ---- one file, several files ---- */

static void files_of_very_different_size_are_noted(void **state)
{
    (void)state;
    io_error error;
    test_folder_write_text(&folder, "mm.obj", "v 0 0 0\nv 900 0 0\nv 0 1000 0\nf 1 2 3\n");
    test_folder_write_text(&folder, "m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    test_folder_write_text(&folder, "near.obj", "v 0 0 0\nv 11 0 0\nv 0 1 0\nf 1 2 3\n");
    const char *paths[] = {test_folder_path(&folder, "near.obj", 0),
                           test_folder_path(&folder, "mm.obj", 1),
                           test_folder_path(&folder, "m.obj", 2)};
    clip *c = clip_open(paths, 3, NULL, &error);
    assert_non_null(c);
    assert_int_equal(c->note_count, 1);
    assert_non_null(strstr(c->notes[0], "mm.obj is 1000 times as large as "));
    clip_close(c);
    c = clip_open(paths, 2, NULL, &error);
    assert_non_null(c);
    assert_int_equal(c->note_count, 0);
    clip_close(c);
}

static void content_decides_before_the_name(void **state)
{
    (void)state;
    test_folder_write_text(&folder, "named.obj",
                           "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                           "float y\nproperty float z\nelement face 1\nproperty list uchar int "
                           "vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    clip *c = test_clip_open(at("named.obj"));
    assert_int_equal(c->body_count, 1);
    assert_string_equal(c->bodies[0].name, "named");
    clip_close(c);
}

static void files_are_bodies_against_each_other(void **state)
{
    (void)state;
    write_frame("cloth.obj", 0, false);
    test_folder_write_text(&folder, "two.obj",
                           "usemtl skin\no Body\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no cloth\nv 0 "
                           "0 5\nv 1 0 5\nv 0 1 5\nusemtl silk\nf 4 5 6\n");
    const char *paths[] = {test_folder_path(&folder, "cloth.obj", 0),
                           test_folder_path(&folder, "two.obj", 1),
                           test_folder_path(&folder, "cloth.obj", 0)};
    io_error error;
    clip *c = clip_open(paths, 3, NULL, &error);
    if (c == NULL) fail_msg("%s", error.text);
    static const char *const names[] = {"cloth", "Body", "cloth.2", "cloth.3"};
    assert_int_equal(c->body_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(c->bodies[i].motion, CLIP_STILL);
        if (i < 2) assert_string_equal(c->bodies[i].name, names[i]);
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(c->bodies[i].name, c->bodies[k].name);
    }
    assert_null(c->bodies[0].mesh.materials);
    assert_string_equal(c->materials[c->bodies[1].mesh.materials[0]], "skin");
    assert_string_equal(c->materials[c->bodies[2].mesh.materials[0]], "silk");
    assert_int_equal(c->key_count, 1);
    assert_false(c->is_sampled);
    clip_close(c);
}

static void numbered_files_that_are_bodies_are_noted(void **state)
{
    (void)state;
    const char *paths[12];
    char names[12][24];
    for (int i = 0; i < 12; i++) {
        (void)snprintf(names[i], sizeof names[i], "piece%d.obj", i);
        write_frame(names[i], (float)i, false);
        paths[i] = strdup(test_folder_path(&folder, names[i], 0));
    }
    io_error error;
    clip *c = clip_open(paths, 12, NULL, &error);
    if (c == NULL) fail_msg("%s", error.text);
    assert_int_equal(c->body_count, 12);
    assert_int_equal(c->note_count, 1);
    assert_non_null(strstr(c->notes[0], "put a pattern in quotes"));
    clip_close(c);
    for (int i = 0; i < 12; i++) free((char *)paths[i]);
}

/* ---- sequences ---- */

enum { FRAMES = 12 };

/* frame0.obj to frame11.obj at heights 0, 1 and so on; the fifth has other triangles. */
static void write_sequence(void)
{
    char name[30];
    for (int i = 0; i < FRAMES; i++) {
        (void)snprintf(name, sizeof name, "frame%d.obj", i);
        write_frame(name, (float)i, i == 5);
    }
}

static void check_sequence(const clip *c, double fps)
{
    clip_frame *frame = clip_frame_create(c);
    io_error error;
    float xyz[12];
    assert_int_equal(c->body_count, 1);
    assert_string_equal(c->bodies[0].name, "frame");
    assert_int_equal(c->bodies[0].motion, CLIP_FRAMES);
    assert_int_equal(c->key_count, FRAMES);
    assert_true(c->is_sampled);
    /* Backwards and forwards, and again at the same. */
    for (int step = 0; step < 3 * FRAMES; step++) {
        const int i = step * 7 / 3 % FRAMES;
        assert_true(c->keys[i] == i / fps);
        if (!clip_frame_read(c, c->keys[i], frame, &error)) fail_msg("%s", error.text);
        const clip_state *state = &frame->bodies[0];
        assert_true((state->mesh == &c->bodies[0].mesh) == (i != 5));
        assert_int_equal(state->mesh->indices[4], i == 5 ? 0 : 3);
        clip_positions(c, frame, 0, xyz);
        for (int v = 0; v < 4; v++) assert_true(xyz[3 * v + 2] == (float)i);
    }
    /* Between samples the last one holds. */
    assert_true(clip_frame_read(c, 2.5 / fps, frame, &error));
    assert_true(frame->bodies[0].positions[2] == 2);
    clip_frame_destroy(c, frame);
}

static void numbered_files_are_the_frames_of_a_sequence(void **state)
{
    (void)state;
    static const char *const patterns[] = {"frame%d.obj", "frame*.obj", "", "frame%i.obj",
                                           "*[0-9].obj"};
    write_sequence();
    test_folder_write_text(&folder, "readme.txt", "x");
    for (int i = 0; i < 5; i++) {
        clip *c = test_clip_open(at(patterns[i]));
        check_sequence(c, 24);
        assert_int_equal(c->note_count, 0);
        clip_close(c);
    }
    clip_options options = clip_options_default();
    options.fps = 50;
    io_error error;
    const char *path = at("frame%d.obj");
    clip *c = clip_open(&path, 1, &options, &error);
    if (c == NULL) fail_msg("%s", error.text);
    check_sequence(c, 50);
    clip_close(c);
}

static void patterns_take_only_what_they_would_print(void **state)
{
    (void)state;
    static const char *const names[] = {"s008.obj",  "s009.obj", "s010.obj", "s1000.obj", "s01.obj",
                                        "s0011.obj", "sx.obj",   "s012.ply", "as013.obj"};
    for (int i = 0; i < 9; i++) write_frame(names[i], (float)i, false);
    clip *c = test_clip_open(at("s%03d.obj"));
    assert_int_equal(c->key_count, 4);
    assert_true(c->keys[3] == 992.0 / 24);
    assert_int_equal(c->note_count, 1);
    assert_non_null(strstr(c->notes[0], "989 numbers are missing, the first after 10"));
    clip_close(c);
}

static void frames_that_do_not_fit_are_refused_when_they_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "f1.obj: line 4: a corner names vertex 4 of 3"},
        {"v 0 0 0\n", "f1.obj: has no triangles"},
        {"", "f1.obj: is empty"},
        {"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 4 5 6\n",
         "f1.obj: has 2 bodies, and the first frame has 1; all frames of a sequence need"},
    };
    write_frame("f0.obj", 0, false);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        test_folder_write_text(&folder, "f1.obj", bad[i].text);
        clip *c = test_clip_open(at("f%d.obj"));
        clip_frame *frame = clip_frame_create(c);
        io_error error = {""};
        assert_false(clip_frame_read(c, c->keys[1], frame, &error));
        if (strstr(error.text, bad[i].reason) == NULL) fail_msg("%s", error.text);
        /* The others can still be read. */
        assert_true(clip_frame_read(c, c->keys[0], frame, &error));
        clip_frame_destroy(c, frame);
        clip_close(c);
    }
}

static void bodies_of_a_sequence_are_found_by_name(void **state)
{
    (void)state;
    static const char a[] = "o A\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n";
    static const char b[] = "o B\nv 0 0 2\nv 1 0 2\nv 0 1 2\nf -3 -2 -1\n";
    test_bytes first = {0}, second = {0};
    test_bytes_print(&first, "usemtl m\n%s%s", a, b);
    test_bytes_print(&second, "%s%susemtl m\nf -1 -2 -3\n", b,
                     "o A\nv 0 0 3\nv 1 0 3\nv 0 1 3\nf 4 5 6\n");
    test_folder_write(&folder, "n1.obj", first.data, first.size);
    test_folder_write(&folder, "n2.obj", second.data, second.size);
    clip *c = test_clip_open(at("n%d.obj"));
    clip_frame *frame = clip_frame_create(c);
    io_error error;
    assert_int_equal(c->body_count, 2);
    assert_string_equal(c->bodies[0].name, "A");
    if (!clip_frame_read(c, c->keys[1], frame, &error)) fail_msg("%s", error.text);
    assert_true(frame->bodies[0].positions[2] == 3);
    assert_true(frame->bodies[1].positions[2] == 2);
    assert_int_equal(frame->bodies[0].mesh->triangle_count, 2);
    assert_true(frame->bodies[1].mesh == &c->bodies[1].mesh);
    clip_frame_destroy(c, frame);
    clip_close(c);
    test_bytes_free(&first);
    test_bytes_free(&second);
}

/* ---- point caches ---- */

enum { SAMPLES = 3 };

static const char base_text[] = "o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no B\nv 0 0 5\nv 1 0 5\nv "
                                "0 1 5\nf 4 5 6\n";

static float cache_number(int sample, int point, int axis)
{
    return (float)(100 * sample + 10 * point + axis) + 0.5F;
}

static void add_sample(test_bytes *b, int sample, bool is_big, bool is_double)
{
    for (int point = 0; point < 6; point++)
        for (int axis = 0; axis < 3; axis++) {
            const float number = cache_number(sample, point, axis);
            if (is_double)
                test_bytes_double(b, (double)number, is_big);
            else
                test_bytes_float(b, number, is_big);
        }
}

static test_bytes make_pc2(uint32_t points, uint32_t samples)
{
    test_bytes b = {0};
    test_bytes_add(&b, "POINTCACHE2", 12);
    test_bytes_little(&b, 1, 4);
    test_bytes_little(&b, points, 4);
    test_bytes_float(&b, 10, false);
    test_bytes_float(&b, 0.5F, false);
    test_bytes_little(&b, samples, 4);
    for (int i = 0; i < SAMPLES; i++) add_sample(&b, i, false, false);
    return b;
}

static test_bytes make_mdd(uint32_t points, uint32_t samples, float step)
{
    test_bytes b = {0};
    test_bytes_big(&b, samples, 4);
    test_bytes_big(&b, points, 4);
    for (int i = 0; i < SAMPLES; i++) test_bytes_float(&b, step * (float)i, true);
    for (int i = 0; i < SAMPLES; i++) add_sample(&b, i, true, false);
    return b;
}

static test_bytes make_npy(int version, const char *type, bool is_fortran, const char *shape)
{
    test_bytes b = {0};
    char head[200];
    const bool is_big = type[0] == '>', is_double = type[2] == '8';
    const int length =
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }    \n",
                 type, is_fortran ? "True" : "False", shape);
    test_bytes_add(&b, "\x93NUMPY", 6);
    test_bytes_little(&b, (uint64_t)version, 2);
    test_bytes_little(&b, (uint64_t)length, version == 1 ? 2 : 4);
    test_bytes_add(&b, head, (size_t)length);
    for (int i = 0; i < SAMPLES && !is_fortran; i++) add_sample(&b, i, is_big, is_double);
    for (int i = 0; i < 18 && is_fortran; i++)
        for (int sample = 0; sample < SAMPLES; sample++) {
            const float number = cache_number(sample, i % 6, i / 6);
            if (is_double)
                test_bytes_double(&b, (double)number, is_big);
            else
                test_bytes_float(&b, number, is_big);
        }
    return b;
}

/* Opens base.obj with a cache of these bytes. */
static clip *open_cache(const char *name, test_bytes *b, io_error *error)
{
    test_folder_write_text(&folder, "base.obj", base_text);
    test_folder_write(&folder, name, b->data, b->size);
    test_bytes_free(b);
    char path[700];
    (void)snprintf(path, sizeof path, "%s/base.obj+%s/%s", folder.path, folder.path, name);
    const char *paths = path;
    return clip_open(&paths, 1, NULL, error);
}

static void check_cache(const char *name, test_bytes b, double first, double step)
{
    io_error error;
    clip *c = open_cache(name, &b, &error);
    if (c == NULL) fail_msg("%s", error.text);
    clip_frame *frame = clip_frame_create(c);
    assert_int_equal(c->body_count, 2);
    assert_int_equal(c->key_count, SAMPLES);
    assert_string_equal(c->bodies[1].name, "B");
    assert_true(c->bodies[1].mesh.positions[0] == cache_number(0, 3, 0));
    for (int i = SAMPLES; i-- > 0;) {
        assert_true(fabs(c->keys[i] - (first + step * i)) < 1e-7);
        if (!clip_frame_read(c, c->keys[i], frame, &error)) fail_msg("%s", error.text);
        for (int body = 0; body < 2; body++)
            for (int k = 0; k < 9; k++)
                assert_true(frame->bodies[body].positions[k] ==
                            cache_number(i, 3 * body + k / 3, k % 3));
    }
    clip_frame_destroy(c, frame);
    clip_close(c);
}

static void point_caches_move_a_mesh(void **state)
{
    (void)state;
    static const char *const types[] = {"<f4", ">f4", "<f8", ">f8"};
    check_cache("c.pc2", make_pc2(6, SAMPLES), 10.0 / 24, 0.5 / 24);
    check_cache("c.mdd", make_mdd(6, SAMPLES, 0.25F), 0, 0.25);
    for (int i = 0; i < 16; i++)
        check_cache("c.npy", make_npy(1 + i / 8, types[i % 4], i & 4, "(3, 6, 3)"), 0, 1.0 / 24);
    /* A mesh with a plus in its name. */
    test_bytes b = make_pc2(6, SAMPLES);
    test_folder_write_text(&folder, "a+b.obj", base_text);
    test_folder_write(&folder, "c+d.pc2", b.data, b.size);
    test_bytes_free(&b);
    char path[700];
    (void)snprintf(path, sizeof path, "%s/a+b.obj+%s/c+d.pc2", folder.path, folder.path);
    clip *c = test_clip_open(path);
    assert_int_equal(c->key_count, SAMPLES);
    clip_close(c);
}

static void check_bad_cache(const char *name, test_bytes b, const char *reason)
{
    io_error error = {""};
    clip *c = open_cache(name, &b, &error);
    if (c != NULL) fail_msg("a cache was taken that should say %s", reason);
    if (strstr(error.text, reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
}

static test_bytes changed(test_bytes b, size_t at_byte, uint8_t value)
{
    assert_true(at_byte < b.size);
    b.data[at_byte] = value;
    return b;
}

static test_bytes cut(test_bytes b, size_t size)
{
    b.size = size;
    return b;
}

static void damaged_point_caches_are_refused(void **state)
{
    (void)state;
    check_bad_cache("c.pc2", make_pc2(7, 2), "c.pc2: has 7 points, and ");
    check_bad_cache("c.pc2", make_pc2(6, 4),
                    "c.pc2: is too short: 4 samples of 6 points take 320 bytes, not 248");
    check_bad_cache("c.pc2", make_pc2(0xFFFFFFFF, 0xFFFFFFFF), "is too short");
    check_bad_cache("c.pc2", make_pc2(0, 3), "has 3 samples of 0 points");
    check_bad_cache("c.pc2", make_pc2(6, 0), "has 0 samples of 6 points");
    check_bad_cache("c.pc2", cut(make_pc2(6, 3), 31), "byte 0: is not PC2");
    check_bad_cache("c.pc2", changed(make_pc2(6, 3), 12, 2), "byte 12: is version 2");
    check_bad_cache("c.pc2", changed(make_pc2(6, 3), 27, 0xFF), "byte 20: no frame");
    check_bad_cache("c.pc2", changed(changed(make_pc2(6, 3), 34, 0xFF), 35, 0xFF),
                    "c.pc2: sample 0: vertex 0 has a position that is not finite");
    check_bad_cache("c.mdd", make_mdd(5, SAMPLES, 1), "c.mdd: has 5 points");
    check_bad_cache("c.mdd", make_mdd(6, SAMPLES, 0), "byte 12: the time of sample 1 is not after");
    check_bad_cache("c.mdd", make_mdd(6, 0xFFFFFFFF, 1), "byte 0: is not MDD");
    check_bad_cache("c.mdd", cut(make_mdd(6, SAMPLES, 1), 7), "is not MDD");
    check_bad_cache("c.mdd", cut(make_mdd(6, SAMPLES, 1), 200), "is too short");
    check_bad_cache("c.npy", make_npy(1, "<i4", false, "(3, 6, 3)"),
                    "byte 20: positions must be float32");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "(3, 6, 4)"), "the shape must be (samples");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "(1, 3, 6, 3)"),
                    "the shape must be (samples");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "(18,)"), "the shape must be (samples");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "3"), "the shape must be a tuple");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "(4294967295, 4294967295, 3)"),
                    "is too short");
    check_bad_cache("c.npy", make_npy(1, "<f4", false, "(9, 6, 3)"), "is too short");
    check_bad_cache("c.npy", changed(make_npy(1, "<f4", false, "(3, 6, 3)"), 6, 9),
                    "byte 6: the version is not known");
    check_bad_cache("c.npy", changed(make_npy(1, "<f4", false, "(3, 6, 3)"), 9, 9),
                    "the header of");
    check_bad_cache("c.npy", changed(make_npy(1, "<f4", false, "(3, 6, 3)"), 12, 'x'),
                    "expected 'descr'");
    test_bytes text = {0};
    test_bytes_print(&text, "%s", base_text);
    check_bad_cache("c.obj", text, "c.obj: point caches are PC2, MDD or .npy, and this is OBJ");
    /* A sample that is damaged is refused when it is read. */
    io_error error = {""};
    test_bytes b = changed(changed(make_pc2(6, 3), 32 + 72 + 2, 0x80), 32 + 72 + 3, 0x7F);
    clip *c = open_cache("c.pc2", &b, &error);
    assert_non_null(c);
    clip_frame *frame = clip_frame_create(c);
    assert_false(clip_frame_read(c, c->keys[1], frame, &error));
    assert_non_null(
        strstr(error.text, "c.pc2: sample 1: vertex 0 has a position that is not finite"));
    assert_true(clip_frame_read(c, c->keys[2], frame, &error));
    clip_frame_destroy(c, frame);
    clip_close(c);
}

static void one_sample_may_have_no_dimension_for_it(void **state)
{
    (void)state;
    io_error error;
    test_bytes b = make_npy(1, "<f4", false, "(6, 3)");
    clip *c = open_cache("c.npy", &b, &error);
    if (c == NULL) fail_msg("%s", error.text);
    assert_int_equal(c->key_count, 1);
    clip_close(c);
}

/* ---- in double ---- */

static void ply_in_double_keeps_all_bits(void **state)
{
    (void)state;
    for (int is_text = 0; is_text < 2; is_text++) {
        test_bytes b = {0};
        test_bytes_print(&b, "ply\nformat %s 1.0\nelement vertex 3\n",
                         is_text ? "ascii" : "binary_little_endian");
        for (int axis = 0; axis < 3; axis++)
            test_bytes_print(&b, "property double %c\n", 'x' + axis);
        test_bytes_print(&b,
                         "element face 1\nproperty list uchar int vertex_indices\nend_header\n");
        for (int i = 1; i <= 9; i++) {
            if (is_text)
                test_bytes_print(&b, "%.17g\n", 1.0 / i);
            else
                test_bytes_double(&b, 1.0 / i, false);
        }
        if (is_text) test_bytes_print(&b, "3 2 0 1\n");
        for (int i = 0; i < 4 && !is_text; i++)
            test_bytes_little(&b, (const uint64_t[]){3, 2, 0, 1}[i], i == 0 ? 1 : 4);
        test_folder_write(&folder, "d.ply", b.data, b.size);
        test_bytes_free(&b);
        ply_mesh mesh;
        io_error error;
        if (!ply_file_read(at("d.ply"), &mesh, &error)) fail_msg("%s", error.text);
        assert_int_equal(mesh.vertex_count, 3);
        assert_int_equal(mesh.triangle_count, 1);
        assert_memory_equal(mesh.tris[0], ((const uint32_t[3]){2, 0, 1}), sizeof mesh.tris[0]);
        for (int i = 0; i < 9; i++) assert_true(mesh.positions[i / 3][i % 3] == 1.0 / (i + 1));
        ply_mesh_free(&mesh);
        assert_false(ply_file_read(at("none.ply"), &mesh, &error));
        assert_null(mesh.positions);
    }
}

/* ---- memory ---- */

/* Opens, makes a frame, reads the last sample; false with the reason, and nothing is left. */
static bool try_clip(const char *path, uint64_t memory_limit, uint64_t failing, uint64_t *calls,
                     io_error *error)
{
    clip_options options = clip_options_default();
    options.memory_limit = memory_limit;
    options.failing_allocation = failing;
    clip *c = clip_open(&path, 1, &options, error);
    if (c == NULL) return false;
    clip_frame *frame = clip_frame_create(c);
    if (frame == NULL) (void)io_fail_memory(error);
    const bool is_read = frame != NULL && clip_frame_read(c, clip_last_time(c), frame, error);
    *calls = io_memory_calls(c->memory);
    clip_frame_destroy(c, frame);
    clip_close(c);
    return is_read;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"base.obj", "frame%d.obj", "", "frame*.obj"};
    int failures = 0;
    io_error error;
    write_sequence();
    test_folder_write_text(&folder, "frame11.obj",
                           "usemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n");
    for (int kind = 0; kind < 8; kind++) {
        char path[700];
        if (kind < 4) {
            (void)snprintf(path, sizeof path, "%s/%s", folder.path, names[kind]);
            if (kind == 0) (void)snprintf(path, sizeof path, "%s/frame11.obj", folder.path);
        } else {
            static const char *const caches[] = {"c.pc2", "c.mdd", "c.npy", "f.npy"};
            test_bytes b = kind == 4   ? make_pc2(6, 3)
                           : kind == 5 ? make_mdd(6, 3, 1)
                                       : make_npy(1, "<f8", kind == 7, "(3, 6, 3)");
            clip *c = open_cache(caches[kind - 4], &b, &error);
            assert_non_null(c);
            clip_close(c);
            (void)snprintf(path, sizeof path, "%s/base.obj+%s/%s", folder.path, folder.path,
                           caches[kind - 4]);
        }
        if (kind == 2) test_folder_write_text(&folder, "zzz.txt", "x");
        for (uint64_t failing = 1;; failing++) {
            uint64_t calls = 0;
            error.text[0] = '\0';
            const bool is_fine = try_clip(path, UINT64_C(1) << 30, failing, &calls, &error);
            if (is_fine && calls >= failing) fail_msg("%s: allocation %d", path, (int)failing);
            if (is_fine) break;
            if (strstr(error.text, "out of memory") == NULL) fail_msg("%s", error.text);
            failures++;
        }
    }
    print_message("%d allocations failed\n", failures);
    assert_true(failures > 200);
}

static void a_limit_of_memory_is_held(void **state)
{
    (void)state;
    io_error error;
    uint64_t calls;
    write_sequence();
    const char *path = at("frame%d.obj");
    assert_false(try_clip(path, 3000, 0, &calls, &error));
    assert_non_null(strstr(error.text, "needs more memory than the limit"));
    assert_true(try_clip(path, 100000, 0, &calls, &error));
}

static const struct CMUnitTest tests[] = {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    IN_FOLDER(what_cannot_be_opened_is_refused_in_words),
    IN_FOLDER(folders_without_meshes_are_refused),
    IN_FOLDER(animations_and_scenes_are_chosen_only_where_there_are_any),
    IN_FOLDER(without_assimp_blender_converts),
    IN_FOLDER(files_of_very_different_size_are_noted),
    IN_FOLDER(content_decides_before_the_name),
    IN_FOLDER(files_are_bodies_against_each_other),
    IN_FOLDER(numbered_files_that_are_bodies_are_noted),
    IN_FOLDER(numbered_files_are_the_frames_of_a_sequence),
    IN_FOLDER(patterns_take_only_what_they_would_print),
    IN_FOLDER(frames_that_do_not_fit_are_refused_when_they_are_read),
    IN_FOLDER(bodies_of_a_sequence_are_found_by_name),
    IN_FOLDER(point_caches_move_a_mesh),
    IN_FOLDER(damaged_point_caches_are_refused),
    IN_FOLDER(one_sample_may_have_no_dimension_for_it),
    IN_FOLDER(ply_in_double_keeps_all_bits),
    IN_FOLDER(every_allocation_may_fail),
    IN_FOLDER(a_limit_of_memory_is_held),
};

TEST_GROUP(clip_open, tests);
