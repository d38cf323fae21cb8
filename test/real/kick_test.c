/* A figure that kicks, made by others: every method finds the same where it goes through itself,
 * and rational numbers find it too. The frames lie in an archive, which tar and xz unpack to a
 * temporary folder. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "io/clip.h"
#include "support/chorus.h"
#include "support/mesh_text.h"
#include "support/real_data.h"
#include "support/sweep_oracle.h"
#include "support/test.h"

static const char archive[] = "sequences/Kick.tar.xz";

/* Of the 121 frames these are read: 0 and every so many. */
#ifdef WILLOW_CHECKED
enum { FRAME_STEP = 60 };
#    define ADD_VOICES chorus_add_methods
#else
enum { FRAME_STEP = 20 };
#    define ADD_VOICES chorus_add_methods_in_every_way
#endif
enum { FRAMES = 120 / FRAME_STEP + 1, VERTICES = 12811, TRIANGLES = 25472 };

static text_mesh frames[FRAMES];

/* ---- the archive ---- */

extern char **environ;

/* Runs a program and waits; its exit code, or -1 if it is not there. What it prints is kept from
 * the report of the test. */
static int run(char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0), 0);
    int failure = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) return -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    /* Where a system finds out late that there is no such program, this is 127. */
    return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

static bool has_program(const char *name)
{
    return run((char *[]){(char *)name, (char *)"--version", NULL}) == 0;
}

static void frame_name(int frame, char name[32])
{
    snprintf(name, 32, "Kick/shell%d.obj", frame * FRAME_STEP);
}

static char folder[REAL_DATA_PATH]; /* a temporary one, where frames are unpacked */

static void frame_path(int frame, char path[REAL_DATA_PATH + 32])
{
    char name[32];
    frame_name(frame, name);
    snprintf(path, REAL_DATA_PATH + 32, "%s/%s", folder, name);
}

static bool make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/willow-kick-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(folder) != NULL;
}

/* Whatever was unpacked. */
static void remove_folder(void)
{
    char path[REAL_DATA_PATH + 32];
    for (int i = 0; i < FRAMES; i++) {
        frame_path(i, path);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/Kick", folder);
    rmdir(path);
    if (rmdir(folder) != 0) printf("%s could not be removed\n", folder);
}

/* tar -xJf ARCHIVE -C FOLDER Kick/shell0.obj ... */
static void unpack(void)
{
    static char path[REAL_DATA_PATH], names[FRAMES][32];
    char *arguments[5 + FRAMES + 1] = {(char *)"tar", (char *)"-xJf", path, (char *)"-C", folder};
    real_data_path(archive, path);
    for (int i = 0; i < FRAMES; i++) {
        frame_name(i, names[i]);
        arguments[5 + i] = names[i];
    }
    assert_int_equal(run(arguments), 0);
}

static int read_frames(void **state)
{
    (void)state;
    char path[REAL_DATA_PATH + 32];
    unpack();
    for (int i = 0; i < FRAMES; i++) {
        frame_path(i, path);
        mesh_file_read(path, &frames[i]);
    }
    return 0;
}

static int free_frames(void **state)
{
    (void)state;
    for (int i = 0; i < FRAMES; i++) text_mesh_free(&frames[i]);
    return 0;
}

/* ---- questions ---- */

static void add_figure(chorus *all)
{
    chorus_add_body(all,
                    &(willow_mesh_def){.positions = frames[0].positions,
                                       .vertex_count = frames[0].vertex_count,
                                       .indices = frames[0].tris,
                                       .triangle_count = frames[0].triangle_count},
                    true);
}

static void show_frame(chorus *all, int frame)
{
    chorus_set(all, 0, 0, frames[frame].vertex_count, frames[frame].positions, WILLOW_OK);
    chorus_update(all);
}

static void all_frames_have_the_same_triangles(void **state)
{
    (void)state;
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(frames[i].vertex_count, VERTICES);
        assert_int_equal(frames[i].triangle_count, TRIANGLES);
        assert_memory_equal(frames[i].tris, frames[0].tris, TRIANGLES * sizeof *frames[0].tris);
    }
    assert_memory_not_equal(frames[0].positions, frames[FRAMES - 1].positions,
                            VERTICES * sizeof *frames[0].positions);
}

/* The files as one clip: frames that were not unpacked are gaps, and all vertices are where the
 * reader of tests has them. */
static void frames_are_a_sequence(void **state)
{
    (void)state;
    char pattern[REAL_DATA_PATH + 32];
    io_error error;
    (void)snprintf(pattern, sizeof pattern, "%s/Kick/shell%%d.obj", folder);
    const char *path = pattern;
    clip *c = clip_open(&path, 1, NULL, &error);
    if (c == NULL) fail_msg("%s", error.text);
    clip_frame *frame = clip_frame_create(c);
    assert_int_equal(c->key_count, FRAMES);
    assert_string_equal(c->bodies[0].name, "shell");
    for (int i = 0; i < FRAMES; i++) {
        assert_true(c->keys[i] == i * FRAME_STEP / 24.0);
        if (!clip_frame_read(c, c->keys[i], frame, &error)) fail_msg("%s", error.text);
        assert_true(frame->bodies[0].mesh == &c->bodies[0].mesh);
        assert_memory_equal(c->bodies[0].mesh.indices, frames[i].tris,
                            TRIANGLES * sizeof *frames[0].tris);
        assert_memory_equal(frame->bodies[0].positions, frames[i].positions,
                            VERTICES * sizeof *frames[0].positions);
    }
    clip_frame_destroy(c, frame);
    clip_close(c);
}

static void every_method_finds_the_same_in_every_frame(void **state)
{
    (void)state;
    static chorus all;
    size_t skipping = 0, whole = 0;
    chorus_open(&all, "Kick", 0);
    ADD_VOICES(&all);
    add_figure(&all);
    for (int frame = 0; frame < FRAMES; frame++) {
        show_frame(&all, frame);
        /* The first of a frame is the one that computes boxes. */
        const bool skip_first = frame % 2 == 0;
        size_t one = chorus_ask(&all, skip_first).count,
               other = chorus_ask(&all, !skip_first).count;
        skipping += skip_first ? one : other;
        whole += skip_first ? other : one;
    }
    print_message("%u voices, %d frames: %zu pairs found, %zu of them neighbours\n",
                  all.voice_count, FRAMES, whole, whole - skipping);
    assert_true(skipping > 0 && whole >= skipping);
    chorus_close(&all);
}

static void rational_numbers_find_the_same(void **state)
{
    (void)state;
    static chorus all;
    const int frame = FRAMES / 2;
    const text_mesh *figure = &frames[frame];
    sweep_pairs expected = sweep_find((const float(*)[3])figure->positions,
                                      (const uint32_t(*)[3])figure->tris, figure->triangle_count);
    chorus_open(&all, "Kick", 0);
    chorus_add(&all, willow_tree_def_default(), WILLOW_KERNEL_AUTO, 1);
    add_figure(&all);
    show_frame(&all, frame);
    for (int skip = 0; skip < 2; skip++) {
        const willow_pairs pairs = chorus_ask(&all, skip != 0);
        sweep_check(&expected, skip != 0, pairs.items, pairs.count);
    }
    print_message("frame %d: %zu boxes meet, %zu pairs found, %zu of them neighbours\n",
                  frame * FRAME_STEP, expected.decided_count, expected.count,
                  expected.neighbour_count);
    assert_true(expected.count > 0);
    sweep_free(&expected);
    chorus_close(&all);
}

/* The reader of the tool has the same bits, so that what it plays is what is set here. */
static void the_tool_reads_the_same(void **state)
{
    (void)state;
    char pattern[REAL_DATA_PATH + 32];
    const char *paths[] = {pattern};
    io_error error;
    const clip_options options = clip_options_default();
    snprintf(pattern, sizeof pattern, "%s/Kick/shell%%d.obj", folder);
    clip *c = clip_open(paths, 1, &options, &error);
    assert_non_null(c);
    assert_int_equal(c->body_count, 1);
    assert_int_equal(c->key_count, FRAMES);
    assert_memory_equal(c->bodies[0].mesh.indices, frames[0].tris,
                        TRIANGLES * sizeof *frames[0].tris);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    for (int i = 0; i < FRAMES; i++) {
        assert_true(clip_frame_read(c, c->keys[i], frame, &error));
        assert_memory_equal(frame->bodies[0].positions, frames[i].positions,
                            VERTICES * sizeof *frames[i].positions);
    }
    clip_frame_destroy(c, frame);
    clip_close(c);
}

TEST_GROUP_FUNCTION(kick)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_frames_have_the_same_triangles),
        cmocka_unit_test(frames_are_a_sequence),
        cmocka_unit_test(every_method_finds_the_same_in_every_frame),
        cmocka_unit_test(rational_numbers_find_the_same),
        cmocka_unit_test(the_tool_reads_the_same),
    };
    if (!real_data_has(archive)) return real_data_skip(archive);
    if (!has_program("tar") || !has_program("xz")) {
        printf("skipped: %s is unpacked by tar and xz, and they are not both here\n", archive);
        return TEST_GROUP_SKIPPED;
    }
    if (!make_folder()) {
        printf("%s could not be made\n", folder);
        return 1;
    }
    int failures = cmocka_run_group_tests(tests, read_frames, free_frames);
    remove_folder();
    return failures;
}
