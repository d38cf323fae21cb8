/* Clips that are written as GLB and read again show the same. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include "io/clip_build.h"
#include "io/gltf_decompose.h"
#include "io/gltf_write.h"
#include "support/clip_compare.h"
#include "support/gltf_cases.h"
#include "support/gltf_clip.h"
#include "support/test.h"

static const char written[] = "gltf_write_test.glb";

static clip *write_and_read(const clip *c, const double *times, uint32_t count)
{
    io_error error;
    const clip_options options = clip_options_default();
    if (!gltf_write(c, times, count, written, &error)) fail_msg("%s", error.text);
    clip *again = gltf_clip_of_file(written, &options, &error);
    if (again == NULL) fail_msg("%s", error.text);
    assert_int_equal(remove(written), 0);
    return again;
}

static void files_are_read_as_they_were_written(void **state)
{
    (void)state;
    size_t count = 0;
    double worst = 0;
    for (size_t i = 0; i < gltf_case_count; i++) {
        if (gltf_cases[i].refused != NULL) continue;
        io_error error;
        const clip_options options = clip_options_default();
        gltf_bytes bytes = gltf_case_make(gltf_cases[i].edits, 6);
        clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
        assert_non_null(c);
        clip *again = write_and_read(c, NULL, 0);
        worst = fmax(worst, clip_compare(c, again, c->keys, c->key_count, 0, 1e-5));
        assert_int_equal(c->material_count, again->material_count);
        clip_close(again);
        clip_close(c);
        free(bytes.data);
        count++;
    }
    print_message("%zu files, worst %.1e\n", count, worst);
}

static void times_may_be_others_than_the_keys(void **state)
{
    (void)state;
    io_error error;
    static const double times[] = {0.25, 0.5, 1.5, 1.75};
    const clip_options options = clip_options_default();
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
    clip *again = write_and_read(c, times, 4);
    clip_compare(c, again, times, 4, 0, 1e-5);
    assert_true(clip_first_time(again) == 0.25 && clip_last_time(again) == 1.75);
    assert_int_equal(again->bodies[0].motion, CLIP_SKIN);
    assert_int_equal(again->bodies[1].motion, CLIP_MORPH);
    assert_int_equal(again->bodies[2].motion, CLIP_SKIN);
    clip_close(again);
    again = write_and_read(c, times, 1);
    clip_compare(c, again, times, 1, 0, 1e-5);
    assert_false(gltf_write(c, (const double[]){1, 1}, 2, written, &error));
    assert_non_null(strstr(error.text, "time 1 is not later"));
    assert_false(gltf_write(c, NULL, 0, "no/such/folder/x.glb", &error));
    assert_string_equal(error.text,
                        "no/such/folder/x.glb: cannot be written: No such file or directory");
    clip_close(again);
    clip_close(c);
    free(bytes.data);
}

/* ---- frames ---- */

/* A strip of `count` triangles that waves; at odd times, where triangles change, one more. */
typedef struct waves {
    bool is_changing;
    clip_mesh other; /* the one with one more */
} waves;

enum { STRIP = 4 };

static bool make_strip(clip *c, uint32_t count, clip_mesh *mesh)
{
    *mesh = (clip_mesh){.vertex_count = count + 2, .triangle_count = count};
    mesh->positions = io_alloc(c->memory, 3 * ((uint64_t)count + 2), sizeof *mesh->positions);
    mesh->indices = io_alloc(c->memory, 3 * (uint64_t)count, sizeof *mesh->indices);
    if (mesh->positions == NULL || mesh->indices == NULL) return false;
    for (uint32_t v = 0; v < count + 2; v++) {
        mesh->positions[3 * v] = (float)v;
        mesh->positions[3 * v + 1] = (float)(v % 2);
    }
    for (uint32_t i = 0; i < 3 * count; i++) mesh->indices[i] = i / 3 + i % 3;
    return true;
}

static bool read_waves(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                       void **kept, io_error *error)
{
    const waves *w = data;
    clip_state *state = &frame->bodies[first_body];
    const bool is_other = w->is_changing && (int)frame->time % 2 == 1;
    if (*kept == NULL) *kept = io_alloc(c->memory, 3 * (STRIP + 3), sizeof(float));
    if (*kept == NULL) return io_fail_memory(error);
    state->mesh = is_other ? &w->other : &c->bodies[first_body].mesh;
    float *xyz = *kept;
    memcpy(xyz, state->mesh->positions, 3 * sizeof *xyz * state->mesh->vertex_count);
    for (uint32_t v = 0; v < state->mesh->vertex_count; v++)
        xyz[3 * v + 2] = (float)(0.1 * frame->time * v);
    state->positions = xyz;
    return true;
}

static void forget_waves(const clip *c, const void *data, void *kept)
{
    (void)data;
    io_free(c->memory, kept);
}

static void close_waves(const clip *c, void *data)
{
    waves *w = data;
    clip_mesh_free(c, &w->other);
    io_free(c->memory, w);
}

static clip *make_waves(bool is_changing, const double *keys, uint32_t key_count)
{
    static const clip_source source = {read_waves, forget_waves, close_waves};
    io_error error;
    const clip_options options = clip_options_default();
    clip *c = clip_create(&options);
    clip_body *body = clip_add_body(c, "flag");
    waves *w = io_alloc(c->memory, 1, sizeof *w);
    body->motion = CLIP_FRAMES;
    w->is_changing = is_changing;
    assert_true(make_strip(c, STRIP, &body->mesh) && make_strip(c, STRIP + 1, &w->other));
    assert_true(clip_add_keys(c, keys, key_count) && clip_add_part(c, 0, &source, w));
    assert_true(clip_finish(c, "waves", &error));
    return c;
}

static void frames_become_morph_targets(void **state)
{
    (void)state;
    static const double keys[] = {-1, 0, 1, 2, 5}, between[] = {-0.5, 1.25, 3.5};
    for (uint32_t count = 1; count <= 5; count += 4) {
        clip *c = make_waves(false, keys, count);
        clip *again = write_and_read(c, NULL, 0);
        assert_int_equal(again->bodies[0].motion, count == 1 ? CLIP_STILL : CLIP_MORPH);
        /* Times are not below zero in such files. */
        clip_compare(c, again, keys, count, 1, 1e-6);
        if (count > 1) clip_compare(c, again, between, 3, 1, 1e-6);
        clip_close(again);
        clip_close(c);
    }
}

/* Of several meshes one has its size at any time, and the others are a point. */
static void triangles_that_change_become_meshes_that_are_seen(void **state)
{
    (void)state;
    io_error error;
    static const double keys[] = {0, 1, 2};
    clip *c = make_waves(true, keys, 3);
    clip *again = write_and_read(c, NULL, 0);
    assert_int_equal(again->body_count, 3);
    assert_string_equal(again->bodies[1].name, "flag at 1");
    clip_frame *frame = clip_frame_create(again), *wanted = clip_frame_create(c);
    for (int t = 0; t < 3; t++) {
        assert_true(clip_frame_read(again, t + 0.5, frame, &error));
        assert_true(clip_frame_read(c, t, wanted, &error));
        for (uint32_t b = 0; b < 3; b++) {
            float xyz[3 * (STRIP + 3)], own[3 * (STRIP + 3)];
            const uint32_t count = again->bodies[b].mesh.vertex_count;
            assert_int_equal(count, STRIP + 2 + b % 2);
            clip_positions(again, frame, b, xyz);
            clip_positions(c, wanted, 0, own);
            for (uint32_t i = 0; i < 3 * count; i++) {
                const float place = (int)b == t ? own[i] : 0;
                assert_float_equal(xyz[i], place, 1e-6);
            }
        }
    }
    clip_frame_destroy(again, frame);
    clip_frame_destroy(c, wanted);
    clip_close(again);
    clip_close(c);
}

/* The parser's own. */
static size_t json_calls, json_failing;

static void *json_alloc(size_t size) { return ++json_calls == json_failing ? NULL : malloc(size); }

/* Either it fails, or nothing that failed was needed. */
static void want_of_json_is_noticed(void **state)
{
    (void)state;
    io_error error;
    const clip_options options = clip_options_default();
    size_t failed = 0;
    clip *c = make_waves(false, (const double[]){0, 1}, 2);
    json_set_alloc_funcs(json_alloc, free);
    bool is_done = false;
    for (size_t n = 1; !is_done; n++) {
        json_calls = 0;
        json_failing = n;
        const bool is_written = gltf_write(c, NULL, 0, written, &error);
        is_done = json_calls < n;
        json_failing = 0;
        clip *again = gltf_clip_of_file(written, &options, &error);
        if ((again != NULL) != is_written) fail_msg("allocation %zu: %s", n, error.text);
        if (is_written) clip_compare(c, again, c->keys, c->key_count, 0, 1e-6);
        if (is_written) assert_int_equal(remove(written), 0);
        clip_close(again);
        failed += !is_written;
    }
    json_set_alloc_funcs(malloc, free);
    print_message("%zu allocations\n", failed);
    assert_true(failed > 50);
    clip_close(c);
}

static void names_may_be_anything(void **state)
{
    (void)state;
    clip *c = make_waves(false, (const double[]){0, 1}, 2);
    memcpy(c->bodies[0].name, "fl\xE4g", 4); /* Latin-1 */
    clip *again = write_and_read(c, NULL, 0);
    assert_string_equal(again->bodies[0].name, "fl?g");
    clip_close(again);
    clip_close(c);
}

/* ---- matrices ---- */

static void turn_vector(const double q[4], double p[3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double v[3] = {p[0], p[1], p[2]};
    p[0] =
        (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - z * w) * v[1] + 2 * (x * z + y * w) * v[2];
    p[1] =
        2 * (x * y + z * w) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - x * w) * v[2];
    p[2] =
        2 * (x * z - y * w) * v[0] + 2 * (y * z + x * w) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static void matrices_are_two_rotations_and_a_scale(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double worst = 0;
    for (int n = 0; n < 2000; n++) {
        double m[12];
        gltf_transform parts;
        for (int i = 0; i < 12; i++) m[i] = (double)(test_random(&seed) % 2001) / 1000 - 1;
        for (int i = 0; n % 5 == 1 && i < 3; i++) m[4 * i + n % 3] = 0;        /* no column */
        for (int i = 0; n % 7 == 1 && i < 3; i++) m[4 * i + 1] = 2 * m[4 * i]; /* flat */
        for (int i = 0; n % 400 == 3 && i < 3; i++) m[4 * i] = m[4 * i + 1] = m[4 * i + 2] = 0;
        gltf_decompose(m, true, &parts);
        for (int k = 0; k < 3; k++) {
            double p[3] = {k == 0, k == 1, k == 2};
            turn_vector(parts.inner, p);
            for (int i = 0; i < 3; i++) p[i] *= parts.scale[i];
            turn_vector(parts.rotation, p);
            for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(p[i] - m[4 * i + k]));
        }
    }
    print_message("worst %.1e\n", worst);
    assert_true(worst < 1e-7);
}

static void every_allocation_of_writing_may_fail(void **state)
{
    (void)state;
    bool is_done = false;
    uint64_t n = 1, failed = 0;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    for (; !is_done; n++) {
        io_error error = {""};
        clip_options options = clip_options_default();
        options.failing_allocation = n;
        clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
        if (c == NULL) continue; /* of reading: the other test has it */
        is_done = gltf_write(c, NULL, 0, written, &error);
        if (is_done) assert_int_equal(remove(written), 0);
        if (!is_done && strstr(error.text, "out of memory") == NULL) fail_msg("%s", error.text);
        failed += !is_done;
        clip_close(c);
    }
    print_message("%u allocations\n", (unsigned)failed);
    assert_true(failed > 20);
    free(bytes.data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_are_read_as_they_were_written),
    cmocka_unit_test(times_may_be_others_than_the_keys),
    cmocka_unit_test(frames_become_morph_targets),
    cmocka_unit_test(triangles_that_change_become_meshes_that_are_seen),
    cmocka_unit_test(matrices_are_two_rotations_and_a_scale),
    cmocka_unit_test(every_allocation_of_writing_may_fail),
    cmocka_unit_test(want_of_json_is_noticed),
    cmocka_unit_test(names_may_be_anything),
};

TEST_GROUP(gltf_write, tests);
