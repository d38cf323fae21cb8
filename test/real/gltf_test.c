/* glTF files, those made by others and those that tests make: three.js has the same corners at
 * twenty times, and gltf-validator accepts and refuses the same. Node, npm and what npm installs
 * are needed; without them this is skipped, and without the files of others half of it. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/gltf_write.h"
#include "support/clip_compare.h"
#include "support/gltf_cases.h"
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
    if (take_u32(a) != 3 * mesh->triangle_count)
        fail_msg("body %s has another number of triangles", c->bodies[body].name);
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
        frames[i] = clip_read_frame(c, time);
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

/* Fails if a corner of a file is farther from its place than 1e-5 of the file's size. */
static void compare_files(char (*paths)[PATH], size_t count)
{
    size_t size;
    double worst = 0;
    const char **arguments = malloc((count + 1) * sizeof *arguments);
    arguments[0] = "three_positions.bin";
    for (size_t i = 0; i < count; i++) arguments[i + 1] = paths[i];
    gltf_node_run("positions.mjs", arguments, count + 1);
    free(arguments);
    char *bytes = real_data_read("three_positions.bin", &size);
    answers a = {bytes, bytes + size};
    for (size_t i = 0; i < count; i++) {
        const double error = compare_file(paths[i], &a);
        if (!(error <= 1e-5)) fail_msg("%s: %g of its size apart", paths[i], error);
        worst = fmax(worst, error);
    }
    print_message("%zu files, worst %.1e\n", count, worst);
    assert_true(a.at == a.end);
    assert_int_equal(remove("three_positions.bin"), 0);
    free(bytes);
}

static void corners_are_where_three_js_has_them(void **state)
{
    (void)state;
    if (!real_data_has("gltf")) {
        (void)real_data_skip("gltf");
        return;
    }
    char(*paths)[PATH] = list_files();
    compare_files(paths, FILE_COUNT);
    free(paths);
}

/* ---- files of the tests ---- */

static const char case_folder[] = "gltf_case_files";

static char (*write_cases(void))[PATH]
{
    char(*paths)[PATH] = calloc(gltf_case_count, sizeof *paths);
    (void)mkdir(case_folder, 0700);
    for (size_t i = 0; i < gltf_case_count; i++) {
        gltf_bytes bytes = gltf_case_make(gltf_cases[i].edits, 6);
        (void)snprintf(paths[i], PATH, "%s/%s.glb", case_folder, gltf_cases[i].name);
        FILE *file = fopen(paths[i], "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
        assert_int_equal(fclose(file), 0);
        free(bytes.data);
    }
    return paths;
}

static void remove_cases(char (*paths)[PATH])
{
    for (size_t i = 0; i < gltf_case_count; i++) assert_int_equal(remove(paths[i]), 0);
    assert_int_equal(rmdir(case_folder), 0);
    free(paths);
}

/* Where three.js goes another way: it turns triangles of strips and fans, needs a scene, takes the
 * positions themselves for the offsets of a target that has none, and has what is hidden. */
static bool is_for_three_js(const gltf_case *t)
{
    static const char *const names[] = {"strip", "fan", "no_scenes", "target_without_positions",
                                        "hidden_for_good"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(t->name, names[i]) == 0) return false;
    return t->refused == NULL;
}

static void corners_of_our_files_are_where_three_js_has_them(void **state)
{
    (void)state;
    size_t count = 0;
    char(*paths)[PATH] = write_cases();
    char(*read)[PATH] = calloc(gltf_case_count, sizeof *read);
    for (size_t i = 0; i < gltf_case_count; i++)
        if (is_for_three_js(&gltf_cases[i])) memcpy(read[count++], paths[i], PATH);
    compare_files(read, count);
    free(read);
    remove_cases(paths);
}

/* ---- verdicts ---- */

/* The lines of gltf-validator about these files, one after the other, each with a zero behind it.
 */
static char *validate(char (*paths)[PATH], size_t count)
{
    size_t size;
    const char **arguments = malloc((count + 1) * sizeof *arguments);
    arguments[0] = "verdicts.txt";
    for (size_t i = 0; i < count; i++) arguments[i + 1] = paths[i];
    gltf_node_run("validate.mjs", arguments, count + 1);
    free(arguments);
    char *text = real_data_read("verdicts.txt", &size);
    assert_int_equal(remove("verdicts.txt"), 0);
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n') *at = '\0';
    return text;
}

/* Whether all codes of a line begin with this. */
static bool has_only(const char *codes, const char *begin)
{
    while (*codes != '\0') {
        if (strncmp(codes, begin, strlen(begin)) != 0) return false;
        codes += strcspn(codes, " ");
        codes += strspn(codes, " ");
    }
    return true;
}

static bool is_agreed(const gltf_case *t, const char *codes)
{
    const bool is_valid = *codes == '\0';
    if (t->validator == NULL) return is_valid == (t->refused == NULL);
    if (t->refused != NULL) return is_valid;
    return !is_valid && has_only(codes, t->validator);
}

static void the_validator_judges_our_files_the_same(void **state)
{
    (void)state;
    size_t wrong = 0;
    char(*paths)[PATH] = write_cases();
    char *verdicts = validate(paths, gltf_case_count);
    const char *line = verdicts;
    for (size_t i = 0; i < gltf_case_count; i++, line += strlen(line) + 1)
        if (!is_agreed(&gltf_cases[i], line)) {
            print_error("%s: \"%s\"\n", gltf_cases[i].name, line);
            wrong++;
        }
    free(verdicts);
    remove_cases(paths);
    assert_int_equal(wrong, 0);
}

static void the_validator_accepts_what_is_read(void **state)
{
    (void)state;
    if (!real_data_has("gltf")) {
        (void)real_data_skip("gltf");
        return;
    }
    char(*paths)[PATH] = list_files();
    char *verdicts = validate(paths, FILE_COUNT);
    const char *line = verdicts;
    for (int i = 0; i < FILE_COUNT; i++, line += strlen(line) + 1) {
        /* Joints without a common root are where they are all the same. */
        const bool is_rootless = strstr(paths[i], "Animation_Skin_06") != NULL;
        if (strcmp(line, is_rootless ? "SKIN_NO_COMMON_ROOT" : "") != 0)
            fail_msg("%s: %s", paths[i], line);
    }
    free(verdicts);
    free(paths);
}

/* ---- files that are written ---- */

/* At most twenty keys of a clip, evenly spaced. */
static uint32_t choose_times(const clip *c, double times[20])
{
    const uint32_t step = c->key_count / 20 + 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->key_count; i += step) times[count++] = c->keys[i];
    return count;
}

/* Reads a file, writes what is in it, and compares the two; the worst distance, in sizes. */
static double rewrite(const char *from, const char *to)
{
    io_error error;
    double times[20];
    const clip_options options = clip_options_default();
    clip *c = gltf_clip_of_file(from, &options, &error);
    if (c == NULL) fail_msg("%s", error.text);
    const uint32_t count = choose_times(c, times);
    if (!gltf_write(c, times, count, to, &error)) fail_msg("%s", error.text);
    clip *again = gltf_clip_of_file(to, &options, &error);
    if (again == NULL) fail_msg("%s", error.text);
    const double worst = clip_compare(c, again, times, count, 0, 1e-5);
    clip_close(again);
    clip_close(c);
    return worst;
}

/* All files of others or of ours that are read: written, and judged by both. */
static void judge_rewritten(char (*paths)[PATH], size_t count)
{
    double worst = 0;
    char(*copies)[PATH] = calloc(count, sizeof *copies);
    (void)mkdir(case_folder, 0700);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(copies[i], PATH, "%s/copy_%zu.glb", case_folder, i);
        worst = fmax(worst, rewrite(paths[i], copies[i]));
    }
    char *verdicts = validate(copies, count);
    const char *line = verdicts;
    for (size_t i = 0; i < count; i++, line += strlen(line) + 1)
        if (*line != '\0') fail_msg("%s, written again: %s", paths[i], line);
    compare_files(copies, count);
    print_message("written again: worst %.1e\n", worst);
    for (size_t i = 0; i < count; i++) assert_int_equal(remove(copies[i]), 0);
    free(verdicts);
    free(copies);
}

static void written_files_are_valid_and_show_the_same(void **state)
{
    (void)state;
    size_t count = 0;
    char(*paths)[PATH] = write_cases();
    char(*read)[PATH] = calloc(gltf_case_count, sizeof *read);
    for (size_t i = 0; i < gltf_case_count; i++)
        if (gltf_cases[i].refused == NULL) memcpy(read[count++], paths[i], PATH);
    judge_rewritten(read, count);
    free(read);
    remove_cases(paths);
    if (!real_data_has("gltf")) return;
    paths = list_files();
    judge_rewritten(paths, FILE_COUNT);
    assert_int_equal(rmdir(case_folder), 0);
    free(paths);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(corners_are_where_three_js_has_them),
    cmocka_unit_test(corners_of_our_files_are_where_three_js_has_them),
    cmocka_unit_test(the_validator_judges_our_files_the_same),
    cmocka_unit_test(the_validator_accepts_what_is_read),
    cmocka_unit_test(written_files_are_valid_and_show_the_same),
};

TEST_GROUP_FUNCTION(gltf)
{
    if (!gltf_node_is_possible()) return TEST_GROUP_SKIPPED;
    return cmocka_run_group_tests_name("gltf", tests, NULL, NULL);
}
