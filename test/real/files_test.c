/* Files made by others, through the readers of the tool: the same meshes that the reader of tests
 * finds in them, and clips in which every vertex is where the file has it. How many megabytes are
 * read in a second is printed, and nobody asks. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>
#include "io/bytes.h"
#include "support/mesh_bytes.h"
#include "support/mesh_text.h"
#include "support/real_data.h"
#include "support/test.h"

static const struct model {
    const char *name;
    mesh_reader *reader;
} models[] = {
    {"meshes/cow.obj", obj_read},
    {"meshes/dragon.obj", obj_read},
    {"meshes/spot.obj", obj_read},
    {"meshes/stanford-bunny.obj", obj_read},
    {"meshes/armadillo.off", off_read},
    {"meshes/igl_bunny.off", off_read},
    {"meshes/triceratops.off", off_read},
    {"meshes/dolphins.ply", ply_read},
    {"fcl/env.obj", obj_read},
    {"fcl/rob.obj", obj_read},
    {"erleben/hole.obj", obj_read},
    {"erleben/cliff.obj", obj_read},
    {"erleben/internal_edges.obj", obj_read},
};
enum { MODELS = sizeof models / sizeof models[0] };

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say_speed(const char *name, uint64_t bytes, double begin)
{
    print_message("%s: %.1f MB at %.0f MB/s\n", name, (double)bytes / 1e6,
                  (double)bytes / 1e6 / (seconds() - begin));
}

/* ---- models ---- */

static void compare_model(const struct model *model)
{
    char path[REAL_DATA_PATH];
    text_mesh expected;
    mesh_file file;
    io_bytes bytes;
    io_error error;
    io_memory *m = io_memory_create(UINT64_C(1) << 30, 0);
    real_data_path(model->name, path);
    mesh_file_read(path, &expected);
    if (!io_bytes_read(m, path, &bytes, &error)) fail_msg("%s", error.text);
    const mesh_input input = {
        .memory = m, .path = path, .data = bytes.data, .size = bytes.size, .no_weld = true};
    const double begin = seconds();
    if (!model->reader(&input, &file, &error)) fail_msg("%s", error.text);
    say_speed(model->name, bytes.size, begin);
    assert_int_equal(file.part_count, 1);
    const clip_mesh *mesh = &file.parts[0].mesh;
    assert_int_equal(mesh->vertex_count, expected.vertex_count);
    assert_int_equal(mesh->triangle_count, expected.triangle_count);
    assert_memory_equal(mesh->positions, expected.positions,
                        expected.vertex_count * sizeof *expected.positions);
    /* Polygons are fans there, and are cut with care here. */
    if (mesh->faces == NULL)
        assert_memory_equal(mesh->indices, expected.tris,
                            expected.triangle_count * sizeof *expected.tris);
    mesh_file_free(m, &file);
    io_bytes_free(m, &bytes);
    assert_int_equal(io_memory_used(m), 0);
    io_memory_destroy(m);
    text_mesh_free(&expected);
}

static void models_are_what_the_reader_of_tests_finds(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++)
        if (real_data_has(models[i].name)) compare_model(&models[i]);
}

/* ---- a clip of a cloth, as .npy ---- */

/* The raw file with the header that NumPy would write. */
static test_bytes make_npy(const uint8_t *raw, size_t size, uint32_t frames, uint32_t vertices)
{
    test_bytes b = {0};
    char head[118];
    const int length = snprintf(head, sizeof head,
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u, 3), }",
                                frames, vertices);
    memset(head + length, ' ', sizeof head - (size_t)length);
    head[sizeof head - 1] = '\n';
    test_bytes_add(&b, "\x93NUMPY\x01", 8);
    test_bytes_little(&b, sizeof head, 2);
    test_bytes_add(&b, head, sizeof head);
    test_bytes_add(&b, raw, size);
    return b;
}

static test_bytes make_obj(const float *positions, uint32_t vertices, const uint32_t *corners,
                           uint32_t triangles)
{
    test_bytes b = {0};
    test_bytes_print(&b, "o Cloth\n");
    for (uint32_t i = 0; i < vertices; i++)
        test_bytes_print(&b, "v %.9g %.9g %.9g\n", (double)positions[3 * i],
                         (double)positions[3 * i + 1], (double)positions[3 * i + 2]);
    for (uint32_t i = 0; i < triangles; i++)
        test_bytes_print(&b, "f %u %u %u\n", corners[3 * i] + 1, corners[3 * i + 1] + 1,
                         corners[3 * i + 2] + 1);
    return b;
}

/* Every frame, backwards; the second time from memory of the system. */
static void compare_frames(const clip *c, const float *positions, uint32_t vertices)
{
    clip_frame *frame = clip_frame_create(c);
    io_error error;
    for (int round = 0; round < 2; round++) {
        const double begin = seconds();
        const size_t numbers = 3 * (size_t)vertices;
        for (uint32_t i = c->key_count; i-- > 0;) {
            if (!clip_frame_read(c, c->keys[i], frame, &error)) fail_msg("%s", error.text);
            if (round == 0)
                assert_memory_equal(frame->bodies[0].positions, positions + i * numbers,
                                    numbers * sizeof *positions);
        }
        if (round == 1) say_speed("samples of .npy", 4 * (uint64_t)numbers * c->key_count, begin);
    }
    clip_frame_destroy(c, frame);
}

static void a_cloth_of_numpy_is_where_its_file_has_it(void **state)
{
    (void)state;
    char path[REAL_DATA_PATH], both[1300];
    size_t size, corner_size;
    test_folder folder;
    if (!real_data_has("tablecloth/10k/positions.f32")) skip();
    real_data_path("tablecloth/10k/positions.f32", path);
    uint8_t *raw = (uint8_t *)real_data_read(path, &size);
    real_data_path("tablecloth/10k/triangles.i32", path);
    uint8_t *corners = (uint8_t *)real_data_read(path, &corner_size);
    const uint32_t triangles = (uint32_t)(corner_size / 12);
    uint32_t vertices = 0;
    for (size_t i = 0; i < 3 * (size_t)triangles; i++) {
        const uint32_t corner = io_little32(corners + 4 * i);
        if (corner >= vertices) vertices = corner + 1;
    }
    const uint32_t frames = (uint32_t)(size / 12 / vertices);
    assert_int_equal(frames, 120);
    test_folder_make(&folder);
    test_bytes npy = make_npy(raw, size, frames, vertices);
    test_bytes obj =
        make_obj((float *)(void *)raw, vertices, (uint32_t *)(void *)corners, triangles);
    test_folder_write(&folder, "cloth.npy", npy.data, npy.size);
    test_folder_write(&folder, "cloth.obj", obj.data, obj.size);
    (void)snprintf(both, sizeof both, "%s/cloth.obj+%s/cloth.npy", folder.path, folder.path);
    clip *c = test_clip_open(both);
    assert_string_equal(c->bodies[0].name, "Cloth");
    assert_int_equal(c->key_count, frames);
    assert_int_equal(c->bodies[0].mesh.triangle_count, triangles);
    compare_frames(c, (float *)(void *)raw, vertices);
    clip_close(c);
    test_folder_remove(&folder);
    test_bytes_free(&npy);
    test_bytes_free(&obj);
    free(raw);
    free(corners);
}

/* ---- a wall of pieces ---- */

static void pieces_of_a_wall_are_bodies(void **state)
{
    (void)state;
    enum { PIECES = 100 };
    static char paths[PIECES][REAL_DATA_PATH];
    const char *list[PIECES];
    io_error error;
    if (!real_data_has("fracture/rigid-ipc-wall/wall-piece-00000.obj")) skip();
    for (int i = 0; i < PIECES; i++) {
        char name[100];
        (void)snprintf(name, sizeof name, "fracture/rigid-ipc-wall/wall-piece-%05d.obj", i);
        real_data_path(name, paths[i]);
        list[i] = paths[i];
    }
    clip *c = clip_open(list, PIECES, NULL, &error);
    if (c == NULL) fail_msg("%s", error.text);
    assert_int_equal(c->body_count, PIECES);
    assert_string_equal(c->bodies[99].name, "wall-piece-00099");
    assert_non_null(strstr(c->notes[c->note_count - 1], "100 files with numbers"));
    clip_close(c);
}

/* ---- speed ---- */

/* What binary formats take: a grid of half a million triangles. */
static void binary_formats_are_read(void **state)
{
    (void)state;
    enum { SIDE = 500, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    test_bytes ply = {0}, stl = {0};
    static const char head[80];
    test_bytes_print(&ply,
                     "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\n"
                     "property float y\nproperty float z\nelement face %d\nproperty list uchar int "
                     "vertex_indices\nend_header\n",
                     VERTICES, TRIANGLES);
    test_bytes_add(&stl, head, sizeof head);
    test_bytes_little(&stl, TRIANGLES, 4);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float at[3] = {(float)(i % SIDE), (float)(i / SIDE), (float)(i % 7)};
        for (int k = 0; k < 3; k++) test_bytes_float(&ply, at[k], false);
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t cell = i / 2, first = cell / (SIDE - 1) * SIDE + cell % (SIDE - 1);
        const uint32_t corners[3] = {first + i % 2, first + (i % 2 ? SIDE + 1 : 1), first + SIDE};
        test_bytes_little(&ply, 3, 1);
        for (int k = 0; k < 3; k++) test_bytes_little(&ply, corners[k], 4);
        test_bytes_add(&stl, head, 12);
        for (int k = 0; k < 3; k++) {
            test_bytes_float(&stl, (float)(corners[k] % SIDE), false);
            test_bytes_float(&stl, (float)(corners[k] / SIDE), false);
            test_bytes_float(&stl, (float)(corners[k] % 7), false);
        }
        test_bytes_little(&stl, 0, 2);
    }
    for (int is_stl = 0; is_stl < 2; is_stl++) {
        io_memory *m = io_memory_create(UINT64_C(1) << 30, 0);
        test_bytes *b = is_stl ? &stl : &ply;
        const mesh_input input = {.memory = m, .path = "grid", .data = b->data, .size = b->size};
        mesh_file file;
        io_error error;
        const double begin = seconds();
        if (!(is_stl ? stl_read : ply_read)(&input, &file, &error)) fail_msg("%s", error.text);
        say_speed(is_stl ? "binary STL, welded" : "binary PLY", b->size, begin);
        assert_int_equal(file.parts[0].mesh.vertex_count, VERTICES);
        assert_int_equal(file.parts[0].mesh.triangle_count, TRIANGLES);
        mesh_file_free(m, &file);
        io_memory_destroy(m);
        test_bytes_free(b);
    }
}

static bool has_any(void)
{
    for (int i = 0; i < MODELS; i++)
        if (real_data_has(models[i].name)) return true;
    return false;
}

TEST_GROUP_FUNCTION(files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_what_the_reader_of_tests_finds),
        cmocka_unit_test(a_cloth_of_numpy_is_where_its_file_has_it),
        cmocka_unit_test(pieces_of_a_wall_are_bodies),
        cmocka_unit_test(binary_formats_are_read),
    };
    if (!has_any()) return real_data_skip("meshes");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
