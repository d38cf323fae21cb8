/* glTF files that the tests make: what is read as which motion, what is refused in words, and what
 * damage, want of memory and strange paths do. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/io_memory.h"
#include "support/gltf_cases.h"
#include "support/gltf_clip.h"
#include "support/test.h"
#ifdef WILLOW_HAS_MESHOPT
#    include <meshoptimizer.h>
#endif

/* ---- reading ---- */

static clip *open_bytes(const gltf_bytes *bytes, io_error *error)
{
    const clip_options options = clip_options_default();
    return gltf_clip_of_bytes(bytes->data, bytes->size, &options, error);
}

/* All positions at a few times, which must be numbers. False with a reason if a frame has none. */
static bool play(const clip *c, io_error *error)
{
    clip_frame *frame = clip_frame_create(c);
    if (frame == NULL) return io_fail_memory(error);
    bool is_read = true;
    const double first = clip_first_time(c), span = clip_last_time(c) - first;
    for (int i = 0; is_read && i <= 5; i++) {
        is_read = clip_frame_read(c, first + span * i / 5, frame, error);
        for (uint32_t b = 0; is_read && b < c->body_count; b++) {
            const size_t count = 3 * (size_t)frame->bodies[b].mesh->vertex_count;
            float *xyz = malloc((count + 1) * sizeof *xyz);
            clip_positions(c, frame, b, xyz);
            free(xyz);
        }
    }
    clip_frame_destroy(c, frame);
    return is_read;
}

static clip *open_case(const char *name)
{
    for (size_t i = 0; i < gltf_case_count; i++) {
        if (strcmp(gltf_cases[i].name, name) != 0) continue;
        io_error error;
        gltf_bytes bytes = gltf_case_make(gltf_cases[i].edits, 6);
        clip *c = open_bytes(&bytes, &error);
        free(bytes.data);
        if (c == NULL) fail_msg("%s: %s", name, error.text);
        return c;
    }
    fail_msg("no case %s", name);
    return NULL;
}

/* Whether a case does what its row says; says what it does where not. */
static bool check_case(const gltf_case *t, bool *is_read)
{
    io_error error = {""};
    gltf_bytes bytes = gltf_case_make(t->edits, 6);
    clip *c = open_bytes(&bytes, &error);
    const char *words = t->refused != NULL ? t->refused : "";
    const bool is_named = strncmp(error.text, "bytes.glb: ", 11) == 0;
    bool is_right = (c != NULL) == (t->refused == NULL);
    if (c == NULL) is_right = is_right && is_named && strstr(error.text, words) != NULL;
    if (c != NULL) is_right = play(c, &error) && is_right;
    if (!is_right) print_error("%s: \"%s\" instead of \"%s\"\n", t->name, error.text, words);
    *is_read = c != NULL;
    clip_close(c);
    free(bytes.data);
    return is_right;
}

static void cases_are_read_or_refused_in_words(void **state)
{
    size_t read = 0, wrong = 0;
    (void)state;
    for (size_t i = 0; i < gltf_case_count; i++) {
        bool is_read;
        wrong += !check_case(&gltf_cases[i], &is_read);
        read += is_read;
    }
    print_message("%zu read, %zu refused\n", read, gltf_case_count - read);
    assert_int_equal(wrong, 0);
    assert_true(read > 20 && gltf_case_count - read > 60);
}

/* The file with everything has two scenes and two animations, and each choice is noted first. */
enum { CHOICE_NOTES = 2 };

static void names_keys_and_materials_are_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"Ball mesh", "Shirt", "Body"};
    clip *c = open_case("as_it_is");
    assert_int_equal(c->body_count, 3);
    for (int i = 0; i < 3; i++) assert_string_equal(c->bodies[i].name, names[i]);
    assert_true(c->key_count == 3 && c->keys[0] == 0 && c->keys[1] == 1 && c->keys[2] == 2);
    assert_false(c->is_sampled);
    assert_int_equal(c->material_count, 1);
    assert_string_equal(c->materials[0], "wool");
    assert_int_equal(c->bodies[1].mesh.materials[1], 0);
    assert_null(c->bodies[0].mesh.materials);
    assert_int_equal(c->note_count, CHOICE_NOTES);
    clip_close(c);
    c = open_case("two_primitives_and_materials");
    assert_string_equal(c->materials[0], "default material");
    assert_string_equal(c->materials[1], "material 1");
    assert_int_equal(c->bodies[0].mesh.triangle_count, 4);
    assert_int_equal(c->bodies[0].mesh.vertex_count, 8);
    clip_close(c);
    c = open_case("points_beside");
    assert_string_equal(c->notes[CHOICE_NOTES],
                        "bytes.glb: 1 primitive of points or lines left out");
    clip_close(c);
    c = open_case("weights_that_sum_to_two");
    assert_string_equal(c->notes[CHOICE_NOTES],
                        "bytes.glb: mesh 1: weights that do not sum to 1 are normalised");
    clip_close(c);
}

static void motions_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        clip_motion ball, shirt, body;
    } rows[] = {
        {"as_it_is", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"weights_of_the_mesh", CLIP_SKIN, CLIP_RIGID, CLIP_SKIN},
        {"weights_of_the_node", CLIP_SKIN, CLIP_RIGID, CLIP_SKIN},
        {"joints_without_a_skin", CLIP_SKIN, CLIP_MORPH, CLIP_RIGID},
        {"uneven_scale_above_a_turn", CLIP_SKIN, CLIP_SKIN, CLIP_SKIN},
        {"even_scale_above_a_turn", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"mirror_above_a_turn", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"mirror_of_one_axis_above_a_turn", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"mirror_below_a_turn", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"nothing_left_of_one_axis", CLIP_SKIN, CLIP_SKIN, CLIP_SKIN},
        {"turning_twice", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"matrix_above_a_turn", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"uneven_matrix_above_a_turn", CLIP_SKIN, CLIP_SKIN, CLIP_SKIN},
        {"only_shifted", CLIP_SKIN, CLIP_MORPH, CLIP_SKIN},
        {"scaled_and_morphed", CLIP_STILL, CLIP_SKIN, CLIP_SKIN},
        {"scale_that_stays", CLIP_STILL, CLIP_MORPH, CLIP_SKIN},
        {"no_animation", CLIP_STILL, CLIP_STILL, CLIP_SKIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clip *c = open_case(rows[i].name);
        if (c->bodies[0].motion != rows[i].ball || c->bodies[1].motion != rows[i].shirt ||
            c->bodies[2].motion != rows[i].body)
            fail_msg("%s: %d, %d, %d", rows[i].name, c->bodies[0].motion, c->bodies[1].motion,
                     c->bodies[2].motion);
        clip_close(c);
    }
}

/* By hand: the corner (1, 1, 0) with half a weight of -1 along z, scaled by 1, 2, 3, then by 2, and
 * shifted halfway to 1, 2, 3. */
static void positions_are_those_of_the_rules(void **state)
{
    (void)state;
    io_error error;
    float xyz[12];
    clip *c = open_case("only_shifted");
    clip_frame *frame = clip_frame_create(c);
    assert_true(clip_frame_read(c, 0.5, frame, &error));
    clip_positions(c, frame, 1, xyz);
    assert_true(xyz[9] == 2.5f && xyz[10] == 5 && xyz[11] == -1.5f);
    clip_positions(c, frame, 0, xyz); /* STEP: still the scale of the first key, and the rotation */
    assert_float_equal(xyz[3], 0.28, 1e-6);
    assert_float_equal(xyz[4], 0.96, 1e-6);
    assert_true(xyz[5] == 0.5f);
    clip_frame_destroy(c, frame);
    clip_close(c);
}

/* glTF hides what it scales to nothing; of a skin all joints must be. */
static void what_has_no_size_is_hidden(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double time;
        bool ball, shirt, body;
    } rows[] = {
        {"as_it_is", 1, false, false, false},
        {"nothing_left_of_one_axis", 1, false, false, false},
        {"hidden_in_the_middle", 0.9, false, false, false},
        {"hidden_in_the_middle", 1.5, true, false, false},
        {"hidden_in_the_middle", 2, false, false, false},
        {"hidden_skin", 1, false, true, true},
    };
    io_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clip *c = open_case(rows[i].name);
        clip_frame *frame = clip_frame_create(c);
        assert_true(clip_frame_read(c, rows[i].time, frame, &error));
        const bool is_right = frame->bodies[0].is_hidden == rows[i].ball &&
                              frame->bodies[1].is_hidden == rows[i].shirt &&
                              frame->bodies[2].is_hidden == rows[i].body;
        if (!is_right) fail_msg("%s at %g", rows[i].name, rows[i].time);
        clip_frame_destroy(c, frame);
        clip_close(c);
    }
    clip *c = open_case("hidden_for_good");
    assert_int_equal(c->body_count, 2);
    assert_string_equal(c->bodies[0].name, "Shirt");
    assert_string_equal(c->notes[CHOICE_NOTES],
                        "bytes.glb: 1 body left out that the file hides by a scale of 0");
    clip_close(c);
}

/* The skin of the case as it was bound, put where its hip is without animation: scaled by 2. */
static void skins_rest_where_the_file_has_them(void **state)
{
    (void)state;
    io_error error;
    float xyz[12];
    clip *c = open_case("as_it_is");
    clip_frame *frame = clip_frame_create(c);
    assert_true(clip_frame_read(c, 1, frame, &error));
    clip_skin_at_rest(c, frame, 2, xyz);
    for (int i = 0; i < 12; i++) assert_true(xyz[i] == 2 * c->bodies[2].mesh.positions[i]);
    /* One joint is where the frame has it, as poses are. */
    float moved[12];
    clip_skin_at_rest(c, frame, 0, xyz);
    clip_positions(c, frame, 0, moved);
    for (int i = 0; i < 12; i++) assert_float_equal(xyz[i], moved[i], 1e-6);
    clip_frame_destroy(c, frame);
    clip_close(c);
}

static void seams_are_welded_unless_they_shall_not(void **state)
{
    static const gltf_edit twice[] = {
        {"meshes/2/primitives/0/attributes", "{\"POSITION\":0}"},
        {"meshes/2/primitives/+", "{\"attributes\":{\"POSITION\":0,\"NORMAL\":5},\"indices\":1}"}};
    clip_options options = clip_options_default();
    io_error error;
    (void)state;
    gltf_bytes bytes = gltf_case_make(twice, 2);
    for (int i = 0; i < 2; i++) {
        options.no_weld = i == 1;
        clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
        assert_non_null(c);
        assert_int_equal(c->bodies[0].mesh.vertex_count, i == 1 ? 8 : 4);
        clip_close(c);
    }
    free(bytes.data);
    clip *c = open_case("two_primitives_of_the_same_vertices");
    assert_int_equal(c->bodies[0].mesh.vertex_count, 4);
    clip_close(c);
}

/* ---- what is asked for ---- */

static clip *open_asking(const char *animation, const char *scene, io_error *error)
{
    clip_options options = clip_options_default();
    options.animation = animation;
    options.scene = scene;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, error);
    free(bytes.data);
    return c;
}

static void what_is_not_chosen_is_named_in_a_note(void **state)
{
    (void)state;
    io_error error;
    clip *c = open_asking(NULL, NULL, &error);
    assert_non_null(c);
    assert_int_equal(c->note_count, CHOICE_NOTES);
    assert_string_equal(c->notes[0], "bytes.glb: only scene 0 is read; --scene chooses another: 1 "
                                     "\"alone\"");
    assert_string_equal(c->notes[1], "bytes.glb: only animation 0 is read; --animation chooses "
                                     "another: 1 \"rest\"");
    clip_close(c);
    c = open_asking("walk", "stage", &error);
    assert_non_null(c);
    assert_int_equal(c->note_count, 0);
    clip_close(c);
}

static void scenes_and_animations_have_names_and_numbers(void **state)
{
    (void)state;
    io_error error;
    static const char *const rests[] = {"rest", "1"}, *const scenes[] = {"alone", "1"};
    for (int i = 0; i < 2; i++) {
        clip *c = open_asking(rests[i], NULL, &error);
        assert_non_null(c);
        assert_int_equal(c->bodies[0].motion, CLIP_STILL);
        clip_close(c);
    }
    clip *c = open_asking("rest", "0", &error);
    assert_non_null(c);
    clip_close(c);
    for (int i = 0; i < 2; i++) {
        c = open_asking(NULL, scenes[i], &error);
        assert_non_null(c);
        assert_int_equal(c->body_count, 1);
        assert_string_equal(c->bodies[0].name, "Ball");
        assert_int_equal(c->bodies[0].motion, CLIP_STILL);
        assert_true(c->key_count == 1 && c->bodies[0].mesh.positions[2] == 8);
        clip_close(c);
    }
    assert_null(open_asking("run", NULL, &error));
    assert_string_equal(error.text,
                        "bytes.glb: has no animation \"run\", but 0 \"walk\", 1 \"rest\"");
    assert_null(open_asking(NULL, "7", &error));
    assert_string_equal(error.text, "bytes.glb: has no scene \"7\", but 0 \"stage\", 1 \"alone\"");
}

/* ---- containers ---- */

static void damaged_containers_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t byte;
        const char *words;
    } rows[] = {{0, 'x', "JSON line 1"},
                {4, 1, "is GLB version 1"},
                {8, 1, "and its header says"},
                {12, 1, "not a multiple of 4"},
                {15, 200, "bytes, "},
                {16, 'B', "its first chunk is not JSON"},
                {20, '[', "JSON line 1, column"},
                {21, 'x', "JSON line 1, column"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        io_error error = {""};
        gltf_bytes bytes = gltf_case_make(NULL, 0);
        bytes.data[rows[i].at] = rows[i].byte;
        assert_null(open_bytes(&bytes, &error));
        if (strstr(error.text, rows[i].words) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.text, rows[i].words);
        free(bytes.data);
    }
}

static void files_that_are_cut_off_are_refused(void **state)
{
    (void)state;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    for (size_t size = 0; size < bytes.size; size++) {
        io_error error = {""};
        uint8_t *part = malloc(size + 1); /* so that reading behind it is seen */
        memcpy(part, bytes.data, size);
        if (size >= 12)
            for (int i = 0; i < 4; i++) part[8 + i] = (uint8_t)(size >> 8 * i);
        const clip_options options = clip_options_default();
        part = realloc(part, size > 0 ? size : 1);
        clip *c = gltf_clip_of_bytes(part, size, &options, &error);
        if (c != NULL) fail_msg("%zu of %zu bytes are read", size, bytes.size);
        assert_true(error.text[0] != '\0');
        free(part);
    }
    free(bytes.data);
}

static void no_changed_byte_does_harm(void **state)
{
    (void)state;
    size_t read = 0, refused = 0;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    for (size_t i = 0; i < bytes.size; i++) {
        static const uint8_t changes[] = {0xFF, 0x01, 0x10, 0x80};
        for (size_t k = 0; k < 4; k++) {
            io_error error = {""};
            bytes.data[i] ^= changes[k];
            clip *c = open_bytes(&bytes, &error);
            if (c != NULL) (void)play(c, &error);
            bytes.data[i] ^= changes[k];
            read += c != NULL;
            refused += c == NULL;
            clip_close(c);
        }
    }
    print_message("%zu read, %zu refused\n", read, refused);
    assert_true(read > 0 && refused > 0);
    free(bytes.data);
}

/* ---- buffers elsewhere ---- */

static void write_bytes(const char *path, const gltf_bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    assert_int_equal(fclose(file), 0);
}

static void check_uri(const char *uri, const char *refused)
{
    const clip_options options = clip_options_default();
    io_error error = {""};
    gltf_bytes bin, text = gltf_case_make_text(uri, &bin);
    write_bytes("gltf_test_folder/clip.gltf", &text);
    write_bytes("gltf_test_folder/data of it.bin", &bin);
    clip *c = gltf_clip_of_file("gltf_test_folder/clip.gltf", &options, &error);
    if (c == NULL && refused == NULL) fail_msg("%s", error.text);
    if (c != NULL && refused != NULL) fail_msg("%s is read", uri);
    if (refused != NULL && strstr(error.text, refused) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, refused);
    clip_close(c);
    free(text.data);
    free(bin.data);
}

static void buffers_are_found_beside_the_file_alone(void **state)
{
    (void)state;
    static const char outside[] = "is not a file in the folder of this file or below it";
    (void)mkdir("gltf_test_folder", 0700);
    check_uri("data%20of%20it.bin", NULL);
    check_uri("data of it.bin", NULL);
    check_uri("./a/../data%20of%20it.bin", "no such file"); /* there is no folder a */
    check_uri("nothing.bin", "buffer 0: gltf_test_folder/nothing.bin: no such file");
    check_uri("../gltf_test_folder/data of it.bin", outside);
    check_uri("a/../../data of it.bin", outside);
    check_uri("%2e%2e/gltf_test_folder/data of it.bin", outside);
    check_uri("/etc/passwd", outside);
    check_uri("%2Fetc/passwd", outside);
    check_uri("file:///etc/passwd", outside);
    check_uri("http://example.org/a.bin", outside);
    check_uri("..\\data of it.bin", outside);
    check_uri("data%00.bin", outside);
    check_uri("data%2.bin", outside);
    check_uri("", outside);
    check_uri(".", "is a folder");
    check_uri("clip.gltf", ": accessor "); /* long enough, and no numbers that make sense */
    check_uri("data:application/octet-stream,abc", "its text is not base64");
    check_uri("data:;base64,ab!d", "wrong character");
    check_uri("data:;base64,abcde", "cut off");
    check_uri("data:;base64,abcd", "buffer 0: has 3 bytes");
    assert_int_equal(remove("gltf_test_folder/clip.gltf"), 0);
    assert_int_equal(remove("gltf_test_folder/data of it.bin"), 0);
    assert_int_equal(rmdir("gltf_test_folder"), 0);
}

static void buffers_may_be_texts(void **state)
{
    (void)state;
    io_error error;
    gltf_bytes text = gltf_case_make_text(NULL, NULL);
    clip *c = open_bytes(&text, &error);
    if (c == NULL) fail_msg("%s", error.text);
    assert_int_equal(c->body_count, 3);
    clip_close(c);
    free(text.data);
}

static void files_without_anything_are_refused(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"{\"asset\":{\"version\":\"2.0\"}}", "bytes.glb: has no triangles"},
        {"{}", "bytes.glb: is not glTF: asset.version is missing"},
        {"[]", "bytes.glb: its JSON is not an object"},
        {"", "bytes.glb: JSON line"},
        {"solid cube", "bytes.glb: JSON line 1"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const clip_options options = clip_options_default();
        io_error error;
        assert_null(gltf_clip_of_bytes(texts[i][0], strlen(texts[i][0]), &options, &error));
        if (strncmp(error.text, texts[i][1], strlen(texts[i][1])) != 0)
            fail_msg("\"%s\" instead of \"%s\"", error.text, texts[i][1]);
    }
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    clip_options options = clip_options_default();
    bool is_done = false;
    uint64_t n = 1;
    for (; !is_done; n++) {
        io_error error = {""};
        options.failing_allocation = n;
        clip *c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
        const bool is_played = c != NULL && play(c, &error);
        is_done = is_played && io_memory_calls(c->memory) < n;
        if (!is_played && strstr(error.text, "out of memory") == NULL)
            fail_msg("allocation %u: %s", (unsigned)n, error.text);
        if (is_played && !is_done) fail_msg("allocation %u fails, and nobody minds", (unsigned)n);
        clip_close(c);
    }
    print_message("%u allocations\n", (unsigned)n - 2);
    assert_true(n > 60);
    free(bytes.data);
}

/* The parser's own. */
static size_t parser_calls, parser_failing;

static void *parser_alloc(size_t size)
{
    return ++parser_calls == parser_failing ? NULL : malloc(size);
}

static void every_allocation_of_the_parser_may_fail(void **state)
{
    (void)state;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    size_t refused = 0;
    json_set_alloc_funcs(parser_alloc, free);
    parser_calls = parser_failing = 0;
    io_error error = {""};
    clip_close(open_bytes(&bytes, &error));
    const size_t total = parser_calls;
    for (size_t n = 1; n <= total; n++) {
        parser_calls = 0;
        parser_failing = n;
        clip *c = open_bytes(&bytes, &error);
        refused += c == NULL;
        if (c == NULL && error.text[0] == '\0') fail_msg("no reason for %zu", n);
        clip_close(c);
    }
    json_set_alloc_funcs(malloc, free);
    print_message("%zu of %zu refused\n", refused, total);
    assert_true(refused > 100);
    free(bytes.data);
}

static void the_limit_of_memory_holds(void **state)
{
    (void)state;
    gltf_bytes bytes = gltf_case_make(NULL, 0);
    clip_options options = clip_options_default();
    clip *c = NULL;
    for (options.memory_limit = 500; c == NULL; options.memory_limit += 500) {
        io_error error = {""};
        c = gltf_clip_of_bytes(bytes.data, bytes.size, &options, &error);
        if (c == NULL && strstr(error.text, "memory") == NULL) fail_msg("%s", error.text);
        if (c != NULL) assert_true(io_memory_used(c->memory) <= options.memory_limit);
    }
    print_message("read with %u bytes\n", (unsigned)options.memory_limit);
    clip_close(c);
    free(bytes.data);
    /* Four billion zeros are refused before they are there. */
    static const gltf_edit zeros[] = {{"accessors/12/bufferView", "-"},
                                      {"accessors/12/count", "1400000000"}};
    io_error error = {""};
    bytes = gltf_case_make(zeros, 2);
    assert_null(open_bytes(&bytes, &error));
    assert_string_equal(error.text,
                        "bytes.glb: accessor 12: has 1400000000 elements, and bytes for 2 of them");
    free(bytes.data);
}

/* ---- compression ---- */

#ifdef WILLOW_HAS_MESHOPT

static gltf_bytes pack_positions(void)
{
    static const float moved[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.25f};
    gltf_bytes packed = {.size = meshopt_encodeVertexBufferBound(4, 12)};
    packed.data = malloc(packed.size);
    meshopt_encodeVertexVersion(0);
    packed.size = meshopt_encodeVertexBuffer(packed.data, packed.size, moved, 4, 12);
    assert_true(packed.size > 0);
    return packed;
}

static void compressed_views_are_read(void **state)
{
    (void)state;
    static const char *const extensions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    gltf_bytes packed = pack_positions();
    for (int i = 0; i < 2; i++) {
        io_error error;
        const gltf_packing how = {extensions[i], "ATTRIBUTES", "NONE", 0, 4, 12};
        gltf_bytes bytes = gltf_case_make_packed(&how, &packed);
        clip *c = open_bytes(&bytes, &error);
        if (c == NULL) fail_msg("%s", error.text);
        assert_true(c->bodies[2].mesh.positions[11] == 0.25f);
        clip_close(c);
        free(bytes.data);
    }
    free(packed.data);
}

static void damaged_compression_is_refused(void **state)
{
    (void)state;
    static const gltf_packing rows[] = {
        {"EXT_meshopt_compression", "ATTRIBUTES", "NONE", 0, 4, 10},
        {"EXT_meshopt_compression", "ATTRIBUTES", "MAGIC", 0, 4, 12},
        {"EXT_meshopt_compression", "ATTRIBUTES", "QUATERNION", 0, 4, 12},
        {"EXT_meshopt_compression", "MAGIC", "NONE", 0, 4, 12},
        {"EXT_meshopt_compression", "TRIANGLES", "NONE", 1, 6, 2},
        {"EXT_meshopt_compression", "INDICES", "NONE", 1, 6, 2},
        {"EXT_meshopt_compression", "ATTRIBUTES", "NONE", 0, 4, 0}};
    gltf_bytes packed = pack_positions();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        io_error error = {""};
        gltf_bytes bytes = gltf_case_make_packed(&rows[i], &packed);
        if (open_bytes(&bytes, &error) != NULL) fail_msg("row %zu is read", i);
        assert_non_null(strstr(error.text, "buffer view "));
        free(bytes.data);
    }
    for (size_t i = 0; i < packed.size; i++) {
        io_error error = {""};
        packed.data[i] ^= 0x55;
        const gltf_packing how = {"EXT_meshopt_compression", "ATTRIBUTES", "NONE", 0, 4, 12};
        gltf_bytes bytes = gltf_case_make_packed(&how, &packed);
        clip_close(open_bytes(&bytes, &error));
        packed.data[i] ^= 0x55;
        free(bytes.data);
    }
    free(packed.data);
}

#else

static void compressed_views_are_read(void **state)
{
    (void)state;
    io_error error;
    gltf_bytes packed = {.data = calloc(1, 16), .size = 16};
    const gltf_packing how = {"EXT_meshopt_compression", "ATTRIBUTES", "NONE", 0, 4, 12};
    gltf_bytes bytes = gltf_case_make_packed(&how, &packed);
    assert_null(open_bytes(&bytes, &error));
    assert_non_null(strstr(error.text, "libmeshoptimizer-dev"));
    free(bytes.data);
    free(packed.data);
}

static void damaged_compression_is_refused(void **state) { (void)state; }

#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cases_are_read_or_refused_in_words),
    cmocka_unit_test(names_keys_and_materials_are_kept),
    cmocka_unit_test(motions_are_understood),
    cmocka_unit_test(positions_are_those_of_the_rules),
    cmocka_unit_test(what_has_no_size_is_hidden),
    cmocka_unit_test(skins_rest_where_the_file_has_them),
    cmocka_unit_test(seams_are_welded_unless_they_shall_not),
    cmocka_unit_test(scenes_and_animations_have_names_and_numbers),
    cmocka_unit_test(what_is_not_chosen_is_named_in_a_note),
    cmocka_unit_test(damaged_containers_are_refused),
    cmocka_unit_test(files_that_are_cut_off_are_refused),
    cmocka_unit_test(no_changed_byte_does_harm),
    cmocka_unit_test(buffers_are_found_beside_the_file_alone),
    cmocka_unit_test(buffers_may_be_texts),
    cmocka_unit_test(files_without_anything_are_refused),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(every_allocation_of_the_parser_may_fail),
    cmocka_unit_test(the_limit_of_memory_holds),
    cmocka_unit_test(compressed_views_are_read),
    cmocka_unit_test(damaged_compression_is_refused),
};

TEST_GROUP(gltf, tests);
