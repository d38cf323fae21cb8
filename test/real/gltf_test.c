/* Files made by others, read here and by three.js: the same corners at twenty times. Node, npm and
 * what npm installs are needed; without them this is skipped. */
#include <math.h>
#include <stdlib.h>
#include "support/gltf_clip.h"
#include "support/gltf_node.h"
#include "support/real_data.h"
#include "support/test.h"

static const char *const files[] = {"AnimatedMorphCube.glb",
                                    "AnimatedMorphSphere.glb",
                                    "BoxAnimated.glb",
                                    "CesiumMan.glb",
                                    "Fox.glb",
                                    "InterpolationTest.glb",
                                    "MorphPrimitivesTest.glb",
                                    "MorphStressTest.glb",
                                    "RecursiveSkeletons.glb",
                                    "RiggedFigure.glb",
                                    "RiggedSimple.glb",
                                    "SimpleMorph.gltf",
                                    "SimpleSkin.gltf"};

/* Names of the generator: how many of each. */
static const struct {
    const char *name;
    int count;
} families[] = {{"Accessor_SparseType", 7}, {"Accessor_Sparse", 4},       {"Animation_NodeMisc", 9},
                {"Animation_Node", 6},      {"Animation_SamplerType", 3}, {"Animation_Skin", 12},
                {"Buffer_Interleaved", 5}};

enum { FILE_COUNT = 13 + 46, PATH = 600 };

static char (*list_files(void))[PATH]
{
    char(*paths)[PATH] = calloc(FILE_COUNT, sizeof *paths);
    char folder[REAL_DATA_PATH];
    int count = 0;
    real_data_path("gltf", folder);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)snprintf(paths[count++], PATH, "%.500s/%s", folder, files[i]);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        for (int k = 0; k < families[i].count; k++)
            (void)snprintf(paths[count++], PATH, "%.500s/generator/%s_%02d.gltf", folder,
                           families[i].name, k);
    assert_int_equal(count, FILE_COUNT);
    return paths;
}

/* ---- what three.js wrote ---- */

typedef struct answers {
    const char *at, *end;
} answers;

static void take(answers *a, void *out, size_t size)
{
    if ((size_t)(a->end - a->at) < size) fail_msg("the answers of three.js end too early");
    memcpy(out, a->at, size);
    a->at += size;
}

static uint32_t take_u32(answers *a)
{
    uint32_t number;
    take(a, &number, sizeof number);
    return number;
}

/* ---- comparing ---- */

typedef struct comparison {
    double worst, lower[3], upper[3];
    size_t corners;
} comparison;

static void compare_body(const clip *c, clip_frame **frames, uint32_t frame_count, uint32_t body,
                         answers *a, comparison *out)
{
    const clip_mesh *mesh = &c->bodies[body].mesh;
    float *xyz = malloc(3 * sizeof *xyz * mesh->vertex_count);
    assert_int_equal(take_u32(a), 3 * mesh->triangle_count);
    for (uint32_t f = 0; f < frame_count; f++) {
        clip_positions(c, frames[f], body, xyz);
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
            for (int k = 0; k < 3; k++) {
                double wanted;
                take(a, &wanted, sizeof wanted);
                out->worst =
                    fmax(out->worst, fabs(xyz[3 * mesh->indices[i] + (uint32_t)k] - wanted));
                out->lower[k] = fmin(out->lower[k], wanted);
                out->upper[k] = fmax(out->upper[k], wanted);
                out->corners++;
            }
    }
    free(xyz);
}

static clip_frame *read_frame(const clip *c, double time)
{
    io_error error;
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    if (!clip_frame_read(c, time, frame, &error)) fail_msg("%s", error.text);
    return frame;
}

static void check_name(const clip *c, uint32_t body, answers *a)
{
    char name[300] = "";
    const uint32_t length = take_u32(a);
    assert_true(length < sizeof name);
    take(a, name, length);
    /* A name that was there before has a number behind it. */
    if (strncmp(c->bodies[body].name, name, length) != 0)
        fail_msg("body %u is \"%s\" instead of \"%s\"", body, c->bodies[body].name, name);
}

static double compare_file(const char *path, answers *a)
{
    io_error error;
    const clip_options options = clip_options_default();
    comparison all = {.lower = {INFINITY, INFINITY, INFINITY},
                      .upper = {-INFINITY, -INFINITY, -INFINITY}};
    clip *c = gltf_clip_of_file(path, &options, &error);
    if (c == NULL) fail_msg("%s", error.text);
    const uint32_t frame_count = take_u32(a);
    if (take_u32(a) != c->body_count) fail_msg("%s: another number of bodies", path);
    clip_frame **frames = malloc(frame_count * sizeof *frames);
    for (uint32_t i = 0; i < frame_count; i++) {
        double time;
        take(a, &time, sizeof time);
        frames[i] = read_frame(c, time);
        if (frames[i]->time != time) fail_msg("%s: has no time %g", path, time);
    }
    for (uint32_t i = 0; i < c->body_count; i++) {
        check_name(c, i, a);
        compare_body(c, frames, frame_count, i, a, &all);
    }
    double size = 0;
    for (int k = 0; k < 3; k++) size = fmax(size, all.upper[k] - all.lower[k]);
    for (uint32_t i = 0; i < frame_count; i++) clip_frame_destroy(c, frames[i]);
    print_message("%s: %u bodies, %zu corners, worst %.1e of its size\n", strrchr(path, '/') + 1,
                  c->body_count, all.corners, all.worst / size);
    free(frames);
    clip_close(c);
    return all.worst / size;
}

static void corners_are_where_three_js_has_them(void **state)
{
    (void)state;
    size_t size;
    double worst = 0;
    char(*paths)[PATH] = list_files();
    const char *arguments[FILE_COUNT + 1] = {"three_positions.bin"};
    for (int i = 0; i < FILE_COUNT; i++) arguments[i + 1] = paths[i];
    gltf_node_run("positions.mjs", arguments, FILE_COUNT + 1);
    char *bytes = real_data_read("three_positions.bin", &size);
    answers a = {bytes, bytes + size};
    for (int i = 0; i < FILE_COUNT; i++) {
        const double error = compare_file(paths[i], &a);
        if (!(error <= 1e-5)) fail_msg("%s: %g of its size apart", paths[i], error);
        worst = fmax(worst, error);
    }
    print_message("%d files, worst %.1e\n", FILE_COUNT, worst);
    assert_true(a.at == a.end);
    assert_int_equal(remove("three_positions.bin"), 0);
    free(bytes);
    free(paths);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(corners_are_where_three_js_has_them),
};

TEST_GROUP_FUNCTION(gltf)
{
    if (!real_data_has("gltf")) return real_data_skip("gltf");
    if (!gltf_node_is_possible()) return TEST_GROUP_SKIPPED;
    return cmocka_run_group_tests_name("gltf", tests, NULL, NULL);
}
