/* What all readers rest on: memory with a limit, whole files, clips and frames, welding. */
#include <math.h>
#include <stdlib.h>
#include "io/bytes.h"
#include "io/clip_build.h"
#include "io/weld.h"
#include "support/test.h"

/* ---- memory ---- */

static void memory_is_refused_before_it_is_taken(void **state)
{
    (void)state;
    io_error error;
    io_memory *m = io_memory_create(1000, 0);
    assert_non_null(m);
    assert_null(io_alloc(m, UINT64_MAX, 12));
    assert_null(io_alloc(m, UINT64_MAX / 12, 12));
    assert_null(io_alloc(m, 1001, 1));
    assert_int_equal(io_memory_used(m), 0);
    assert_false(io_memory_fail(m, &error, "x.glb"));
    assert_string_equal(error.text, "x.glb: needs more memory than the limit of 0 MB");
    char *block = io_alloc(m, 500, 1);
    assert_non_null(block);
    assert_null(io_alloc(m, 500, 1));
    memset(block, 7, 500);
    assert_null(io_grow(m, block, 1001, 1));
    block = io_grow(m, block, 900, 1);
    assert_non_null(block);
    assert_true(block[499] == 7 && block[500] == 0 && block[899] == 0);
    assert_false(io_reserve(m, 500));
    io_free(m, block);
    assert_int_equal(io_memory_used(m), 0);
    assert_true(io_reserve(m, 1000));
    io_unreserve(m, 1000);
    io_free(m, NULL);
    io_memory_destroy(m);
}

static void the_allocation_that_shall_fail_fails(void **state)
{
    (void)state;
    io_error error;
    assert_null(io_memory_create(1000, 1));
    io_memory *m = io_memory_create(1000, 3);
    void *first = io_alloc(m, 1, 1);
    assert_non_null(first);
    assert_null(io_alloc(m, 1, 1));
    assert_false(io_memory_fail(m, &error, "x.glb"));
    assert_string_equal(error.text, "x.glb: out of memory");
    void *third = io_alloc(m, 0, 8);
    assert_non_null(third);
    assert_int_equal(io_memory_calls(m), 4);
    io_free(m, first);
    io_free(m, third);
    io_memory_destroy(m);
}

/* ---- files ---- */

static const char bytes_path[] = "clip_test_bytes.bin";

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen(bytes_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void check_unreadable(uint64_t limit, const char *path, const char *words)
{
    io_error error = {""};
    io_bytes bytes;
    io_memory *m = io_memory_create(limit, 0);
    assert_false(io_bytes_read(m, path, &bytes, &error));
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\", not \"%s\"", error.text, words);
    assert_null(bytes.data);
    assert_int_equal(io_memory_used(m), 0);
    io_memory_destroy(m);
}

static void files_are_read_whole_or_refused(void **state)
{
    (void)state;
    io_error error;
    io_bytes bytes;
    io_memory *m = io_memory_create(1 << 20, 0);
    write_file("\1\2\3\4\5\6\7\10", 8);
    assert_true(io_bytes_read(m, bytes_path, &bytes, &error));
    assert_int_equal(bytes.size, 8);
    assert_int_equal(bytes.data[8], 0);
    assert_true(io_little32(bytes.data) == 0x04030201 && io_big32(bytes.data) == 0x01020304);
    assert_true(io_little64(bytes.data) == UINT64_C(0x0807060504030201));
    assert_true(io_big64(bytes.data) == UINT64_C(0x0102030405060708));
    assert_true(io_little16(bytes.data) == 0x0201 && io_big16(bytes.data) == 0x0102);
    io_bytes_free(m, &bytes);
    io_memory_destroy(m);
    check_unreadable(20, bytes_path, "more memory than the limit");
    check_unreadable(1 << 20, "/dev/zero", "more memory than the limit");
    write_file("", 0);
    check_unreadable(1000, bytes_path, "clip_test_bytes.bin: is empty");
    assert_int_equal(remove(bytes_path), 0);
    check_unreadable(1000, bytes_path, "clip_test_bytes.bin: no such file");
    check_unreadable(1000, ".", ".: is a folder");
}

/* ---- clips ---- */

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static float *copy_floats(clip *c, const float *from, size_t count)
{
    float *to = io_alloc(c->memory, count, sizeof *to);
    assert_non_null(to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

static clip *make_clip(void)
{
    clip_options options = clip_options_default();
    clip *c = clip_create(&options);
    assert_non_null(c);
    return c;
}

static clip_body *add_triangle(clip *c, clip_motion motion)
{
    clip_body *body = clip_add_body(c, "body");
    assert_non_null(body);
    body->motion = motion;
    body->mesh = (clip_mesh){.vertex_count = 3, .triangle_count = 1};
    body->mesh.positions = copy_floats(c, corners, 9);
    body->mesh.indices = io_alloc(c->memory, 3, sizeof(uint32_t));
    assert_non_null(body->mesh.indices);
    for (uint32_t i = 0; i < 3; i++) body->mesh.indices[i] = i;
    return body;
}

static void add_morph(clip *c, clip_body *body)
{
    body->morph.target_count = 1;
    body->morph.offsets = io_alloc(c->memory, 1, sizeof(float *));
    assert_non_null(body->morph.offsets);
    body->morph.offsets[0] = copy_floats(c, (const float[9]){0, 0, 1, 0, 0, 2, 0, 0, 3}, 9);
}

/* Half of each of two joints for the second vertex, and one for the others. */
static void add_skin(clip *c, clip_body *body)
{
    static const uint32_t first[] = {0, 1, 3, 4}, joints[] = {0, 0, 1, 1};
    clip_skin *s = &body->skin;
    s->joint_count = 2;
    s->first = io_alloc(c->memory, 4, sizeof *s->first);
    s->joints = io_alloc(c->memory, 4, sizeof *s->joints);
    s->weights = copy_floats(c, (const float[4]){1, 0.25f, 0.25f, 1}, 4);
    s->inverse_bind = io_alloc(c->memory, 2, sizeof *s->inverse_bind);
    assert_true(s->first != NULL && s->joints != NULL && s->inverse_bind != NULL);
    memcpy(s->first, first, sizeof first);
    memcpy(s->joints, joints, sizeof joints);
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 3; k++) s->inverse_bind[j][5 * k] = 1;
}

/* All bodies go up by the time; a skin's second joint does so twice. */
static bool read_toy(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                     void **kept, io_error *error)
{
    if (frame->time == 7) return io_fail(error, "seven");
    if (*kept == NULL) *kept = io_alloc(c->memory, 1, *(const size_t *)data);
    for (uint32_t i = first_body; i < c->body_count; i++) {
        clip_state *s = &frame->bodies[i];
        s->pose.translation.z = (float)frame->time;
        if (s->weights != NULL) s->weights[0] = 0.5f;
        for (uint32_t j = 0; s->joints != NULL && j < 2; j++) {
            for (int k = 0; k < 3; k++) s->joints[j][5 * k] = 1;
            s->joints[j][11] = (j + 1) * frame->time;
        }
        s->positions = corners;
    }
    return true;
}

static void forget_toy(const clip *c, const void *data, void *kept)
{
    (void)data;
    io_free(c->memory, kept);
}

static void close_toy(const clip *c, void *data) { io_free(c->memory, data); }

static const clip_source toy = {.read = read_toy, .forget = forget_toy, .close = close_toy};

static void add_toy(clip *c)
{
    size_t *data = io_alloc(c->memory, 1, sizeof *data);
    io_error error;
    assert_non_null(data);
    *data = 100;
    assert_true(clip_add_part(c, 0, &toy, data));
    assert_true(clip_add_keys(c, (const double[]){3, 1, 8, 1, 3}, 5));
    if (!clip_finish(c, "toy", &error)) fail_msg("%s", error.text);
}

static void check_height(const clip *c, const clip_frame *frame, uint32_t body, const float z[3])
{
    float xyz[9];
    clip_positions(c, frame, body, xyz);
    for (int v = 0; v < 3; v++) {
        assert_true(xyz[3 * v] == corners[3 * v] && xyz[3 * v + 1] == corners[3 * v + 1]);
        assert_float_equal(xyz[3 * v + 2], z[v], 0);
    }
}

static void every_motion_has_its_formula(void **state)
{
    (void)state;
    io_error error = {""};
    clip *c = make_clip();
    for (int motion = CLIP_STILL; motion <= CLIP_FRAMES; motion++) {
        clip_body *body = add_triangle(c, (clip_motion)motion);
        if (motion == CLIP_MORPH || motion == CLIP_SKIN) add_morph(c, body);
        if (motion == CLIP_SKIN) add_skin(c, body);
    }
    add_toy(c);
    assert_true(c->key_count == 3 && c->keys[0] == 1 && c->keys[1] == 3 && c->keys[2] == 8);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    assert_true(clip_frame_read(c, 0, frame, &error));
    assert_true(frame->time == 1);
    assert_true(clip_frame_read(c, 2, frame, &error));
    check_height(c, frame, CLIP_STILL, (const float[3]){0, 0, 0});
    check_height(c, frame, CLIP_RIGID, (const float[3]){2, 2, 2});
    check_height(c, frame, CLIP_MORPH, (const float[3]){2.5f, 3, 3.5f});
    check_height(c, frame, CLIP_SKIN, (const float[3]){2.5f, 4, 5.5f});
    check_height(c, frame, CLIP_FRAMES, (const float[3]){0, 0, 0});
    assert_false(clip_frame_read(c, 7, frame, &error));
    assert_string_equal(error.text, "seven");
    clip_frame_destroy(c, frame);
    clip_close(c);
    clip_close(NULL);
}

static void poses_turn_and_need_no_length(void **state)
{
    (void)state;
    clip *c = make_clip();
    add_triangle(c, CLIP_RIGID);
    add_toy(c);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    frame->bodies[0].pose =
        (willow_pose){.translation = {1, 2, 3}, .rotation = {0, 0, 3, 3}}; /* a quarter about z */
    float xyz[9];
    clip_positions(c, frame, 0, xyz);
    static const float wanted[] = {1, 2, 3, 1, 3, 3, 0, 2, 3};
    for (int i = 0; i < 9; i++) assert_float_equal(xyz[i], wanted[i], 1e-6);
    clip_frame_destroy(c, frame);
    clip_close(c);
}

static void no_two_bodies_have_the_same_name(void **state)
{
    (void)state;
    clip *c = make_clip();
    static const char *const names[][2] = {{"a", "a"},     {"b", "b"},       {"a", "a.2"},
                                           {"a.3", "a.3"}, {"a", "a.4"},     {"a.3", "a.3.2"},
                                           {"", ""},       {"a.2", "a.2.2"}, {"", ".2"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(clip_add_body(c, names[i][0])->name, names[i][1]);
    for (int i = 0; i < 1000; i++) assert_non_null(clip_add_body(c, "many"));
    assert_string_equal(c->bodies[c->body_count - 1].name, "many.1000");
    uint16_t number;
    assert_true(clip_add_material(c, "wood", &number) && number == 0);
    assert_true(clip_add_material(c, "iron", &number) && number == 1);
    assert_true(clip_add_material(c, "wood", &number) && number == 0);
    assert_int_equal(c->material_count, 2);
    assert_true(clip_add_note(c, "%d of them", 3));
    assert_string_equal(c->notes[0], "3 of them");
    io_error error;
    assert_false(clip_finish(c, "names.glb", &error));
    assert_string_equal(error.text, "names.glb: has no triangles");
    clip_close(c);
}

/* ---- welding ---- */

/* Two triangles that share an edge by positions alone. */
static clip_body *add_seam(clip *c)
{
    clip_body *body = clip_add_body(c, "seam");
    static const float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, -0.0f, 0, 1, 0, 1, 1, 0};
    body->mesh = (clip_mesh){.vertex_count = 6, .triangle_count = 2};
    body->mesh.positions = copy_floats(c, xyz, 18);
    body->mesh.indices = io_alloc(c->memory, 6, sizeof(uint32_t));
    for (uint32_t i = 0; i < 6; i++) body->mesh.indices[i] = i;
    return body;
}

static void check_indices(const clip_body *body, uint32_t count, const uint32_t indices[6])
{
    assert_int_equal(body->mesh.vertex_count, count);
    assert_memory_equal(body->mesh.indices, indices, 6 * sizeof indices[0]);
}

static void seams_are_welded(void **state)
{
    (void)state;
    clip *c = make_clip();
    clip_body *body = add_seam(c);
    assert_true(weld_body(c->memory, body));
    check_indices(body, 4, (const uint32_t[6]){0, 1, 2, 1, 2, 3});
    assert_true(body->mesh.positions[9] == 1 && body->mesh.positions[10] == 1);
    clip_close(c);
}

static void vertices_that_can_come_apart_are_not_welded(void **state)
{
    (void)state;
    clip *c = make_clip();
    clip_body *body = add_seam(c);
    float offsets[18] = {0};
    offsets[3 * 3] = 1; /* the fourth vertex leaves the second */
    body->morph.target_count = 1;
    body->morph.offsets = io_alloc(c->memory, 1, sizeof(float *));
    body->morph.offsets[0] = copy_floats(c, offsets, 18);
    assert_true(weld_body(c->memory, body));
    check_indices(body, 5, (const uint32_t[6]){0, 1, 2, 3, 2, 4});
    assert_true(body->morph.offsets[0][9] == 1 && body->morph.offsets[0][12] == 0);

    static const uint32_t first[] = {0, 1, 2, 4, 5, 7, 8}, joints[] = {0, 1, 0, 1, 1, 0, 2, 1};
    static const float weights[] = {1, 1, 0.5f, 0.5f, 1, 0.5f, 0.5f, 1};
    body = add_seam(c);
    clip_skin *s = &body->skin;
    s->joint_count = 3;
    s->first = io_alloc(c->memory, 7, sizeof *s->first);
    s->joints = io_alloc(c->memory, 8, sizeof *s->joints);
    s->weights = copy_floats(c, weights, 8);
    memcpy(s->first, first, sizeof first);
    memcpy(s->joints, joints, sizeof joints);
    assert_true(weld_body(c->memory, body));
    check_indices(body, 5, (const uint32_t[6]){0, 1, 2, 1, 3, 4});
    assert_memory_equal(s->first, ((const uint32_t[]){0, 1, 2, 4, 6, 7}), 6 * sizeof *s->first);
    assert_memory_equal(s->joints, ((const uint32_t[]){0, 1, 0, 1, 0, 2, 1}), 7 * sizeof(uint32_t));
    clip_close(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_refused_before_it_is_taken),
    cmocka_unit_test(the_allocation_that_shall_fail_fails),
    cmocka_unit_test(files_are_read_whole_or_refused),
    cmocka_unit_test(every_motion_has_its_formula),
    cmocka_unit_test(poses_turn_and_need_no_length),
    cmocka_unit_test(no_two_bodies_have_the_same_name),
    cmocka_unit_test(seams_are_welded),
    cmocka_unit_test(vertices_that_can_come_apart_are_not_welded),
};

TEST_GROUP(clip, tests);
