/* What OpenGL sees in cells (willow_gl.h): the same trees and answers as without it, on closed,
 * open and thin models, and nothing is seen where there is nothing. Skipped where there is no EGL.
 */
#define _POSIX_C_SOURCE 200809L
#include <EGL/egl.h>
#include <pthread.h>
#include <stdlib.h>
#include "support/cell_models.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow_gl.h"

#if defined(__SANITIZE_THREAD__)
enum { IS_TSAN = 1 };
#else
enum { IS_TSAN = 0 };
#endif

/* Drivers keep some memory until the program ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libEGL\nleak:libGL\nleak:libLLVM\nleak:_dri.so\nleak:libgallium\nleak:<unknown "
           "module>\n";
}

static cell_model model;

static willow_gl *make_gl(uint32_t pixels)
{
    willow_gl_def def = willow_gl_def_default();
    willow_gl *gl;
    def.pixels = pixels;
    assert_ok(willow_gl_create(&def, &gl, NULL, 0));
    return gl;
}

static willow_query_options with_occupancy(void)
{
    willow_query_options options = willow_query_options_default();
    options.use_occupancy = true;
    return options;
}

static void opengl_gives_the_same_trees_and_sees_nothing_that_is_not_there(void **state)
{
    (void)state;
    static const uint32_t pixels[] = {1, 16, 256};
    const willow_query_options options = with_occupancy();
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++)
        for (int cells = 0; cells < WILLOW_CELLS_COUNT; cells++) {
            cell_pair none;
            uint64_t missed_before = UINT64_MAX;
            cell_model_make(&model, (cell_shape)shape);
            cell_pair_open(&none, &model, (willow_cells)cells, NULL);
            const uint64_t pairs = cell_pair_ask(&none, &options);
            const uint64_t trees = cell_pair_hash_trees(&none);
            cell_pair_close(&none);
            for (int i = 0; i < 3; i++) {
                willow_gl *gl = make_gl(pixels[i]);
                const willow_occupancy backend = willow_gl_occupancy(gl);
                cell_pair with;
                cell_pair_open(&with, &model, (willow_cells)cells, &backend);
                assert_int_equal(cell_pair_ask(&with, &options), pairs);
                const willow_occupancy_stats seen = cell_pair_stats(&with);
                assert_int_equal(cell_pair_hash_trees(&with), trees);
                assert_int_equal(seen.wrong, 0);
                assert_int_equal(seen.refused, 0);
                assert_true(seen.questions > 10 && seen.seen > 0);
                assert_true(seen.missed < missed_before); /* more pixels see more */
                missed_before = seen.missed;
                const willow_gl_stats drawn = willow_gl_get_stats(gl);
                assert_true(drawn.questions >= seen.questions);
                assert_true(drawn.queries >= seen.seen + 3 * seen.empty);
                assert_true(drawn.queries <= 3 * 8 * drawn.questions);
                cell_pair_close(&with);
                willow_gl_destroy(gl);
            }
        }
}

/* ---- a question by hand ---- */

static float hand_corners[2][3][3];

static void read_hand(const willow_occupancy_question *question, uint32_t triangle,
                      float corners[3][3])
{
    (void)question;
    memcpy(corners, hand_corners[triangle], sizeof hand_corners[triangle]);
}

static uint32_t look_into(willow_gl *gl, const willow_box *cell, uint32_t triangles)
{
    const willow_occupancy backend = willow_gl_occupancy(gl);
    const willow_occupancy_question question = {
        .cells = cell, .cell_count = 1, .triangle_count = triangles, .corners = read_hand};
    uint32_t count = 0;
    assert_true(backend.count(backend.context, &question, &count));
    return count;
}

static void set_hand(int triangle, const float a[3], const float b[3], const float c[3])
{
    memcpy(hand_corners[triangle][0], a, 3 * sizeof(float));
    memcpy(hand_corners[triangle][1], b, 3 * sizeof(float));
    memcpy(hand_corners[triangle][2], c, 3 * sizeof(float));
}

static void a_triangle_is_seen_from_either_side_along_one_of_three_axes(void **state)
{
    (void)state;
    const willow_box cell = {{10.0F, 20.0F, 30.0F}, {11.0F, 21.0F, 31.0F}};
    willow_gl *gl = make_gl(16);
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            float at[3][3]; /* across the axis, through the middle */
            for (int corner = 0; corner < 3; corner++) {
                at[corner][axis] = 10.5F + 10.0F * (float)axis;
                at[corner][b] = 10.2F + 10.0F * (float)b + (corner == 1 ? 0.6F : 0.0F);
                at[corner][c] = 10.2F + 10.0F * (float)c + (corner == 2 ? 0.6F : 0.0F);
            }
            set_hand(0, at[0], at[1 + side], at[2 - side]);
            const uint64_t before = willow_gl_get_stats(gl).queries;
            assert_true(look_into(gl, &cell, 1) > 0);
            assert_int_equal(willow_gl_get_stats(gl).queries - before, axis + 1);
            for (int corner = 0; corner < 3; corner++) /* beside the cell, by little */
                hand_corners[0][corner][axis] = 11.00001F + 10.0F * (float)axis;
            assert_int_equal(look_into(gl, &cell, 1), 0);
        }
    willow_gl_destroy(gl);
}

static void what_it_cannot_look_at_is_zero_or_refused(void **state)
{
    (void)state;
    const willow_box flat = {{0, 0, 0}, {1.0F, 0, 1.0F}}, cube = {{0, 0, 0}, {1.0F, 1.0F, 1.0F}};
    const float near[3] = {0.2F, 0.5F, 0.5F}, far[3] = {1e30F, 0.5F, 0.6F};
    const float high[3] = {0.2F, 1e37F, 0.5F};
    willow_gl *gl = make_gl(64);
    const willow_occupancy backend = willow_gl_occupancy(gl);
    set_hand(0, near, far, high);
    assert_int_equal(look_into(gl, &cube, 1), 0); /* too large beside the cell */
    const willow_occupancy_question question = {
        .cells = &flat, .cell_count = 1, .triangle_count = 1, .corners = read_hand};
    uint32_t count = 0;
    assert_false(backend.count(backend.context, &question, &count));
    willow_gl_destroy(gl);
}

/* ---- contexts ---- */

static void *ask_once(void *arg)
{
    const willow_box cell = {{0, 0, 0}, {1.0F, 1.0F, 1.0F}};
    return look_into(arg, &cell, 1) > 0 ? arg : NULL;
}

static void threads_may_ask_one_after_the_other_and_keep_their_contexts(void **state)
{
    (void)state;
    const float a[3] = {0.1F, 0.1F, 0.5F}, b[3] = {0.9F, 0.1F, 0.5F}, c[3] = {0.1F, 0.9F, 0.5F};
    willow_gl *first = make_gl(16), *second = make_gl(32);
    const EGLenum api = eglQueryAPI();
    set_hand(0, a, b, c);
    assert_true(strlen(willow_gl_renderer(first)) > 0);
    for (int round = 0; round < 3; round++) {
        pthread_t thread;
        void *answer = NULL;
        assert_true(ask_once(first) == first);
        assert_int_equal(pthread_create(&thread, NULL, ask_once, first), 0);
        assert_int_equal(pthread_join(thread, &answer), 0);
        assert_true(answer == first);
        assert_true(ask_once(second) == second);
        assert_true(eglGetCurrentContext() == EGL_NO_CONTEXT);
        assert_int_equal(eglQueryAPI(), api);
    }
    willow_gl_destroy(first);
    assert_true(ask_once(second) == second);
    willow_gl_destroy(second);
    willow_gl_destroy(NULL);
}

static void bad_arguments_are_refused_with_words(void **state)
{
    (void)state;
    willow_gl_def def = willow_gl_def_default();
    char reason[100] = "";
    willow_gl *gl = NULL;
    assert_int_equal(willow_gl_create(NULL, NULL, NULL, 0), WILLOW_BAD_ARGUMENT);
    def.pixels = 0;
    assert_int_equal(willow_gl_create(&def, &gl, reason, sizeof reason), WILLOW_BAD_ARGUMENT);
    assert_true(gl == NULL && strlen(reason) > 0);
    def.pixels = 5000;
    assert_int_equal(willow_gl_create(&def, &gl, reason, sizeof reason), WILLOW_BAD_ARGUMENT);
    def = (willow_gl_def){.pixels = 16};
    assert_int_equal(willow_gl_create(&def, &gl, reason, sizeof reason), WILLOW_BAD_ARGUMENT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(opengl_gives_the_same_trees_and_sees_nothing_that_is_not_there),
    cmocka_unit_test(a_triangle_is_seen_from_either_side_along_one_of_three_axes),
    cmocka_unit_test(what_it_cannot_look_at_is_zero_or_refused),
    cmocka_unit_test(threads_may_ask_one_after_the_other_and_keep_their_contexts),
    cmocka_unit_test(bad_arguments_are_refused_with_words),
};

TEST_GROUP_FUNCTION(occlusion)
{
    char reason[100];
    willow_gl *gl;
    if (IS_TSAN) {
        printf("skipped: drivers are not built with TSan\n");
        return TEST_GROUP_SKIPPED;
    }
    if (willow_gl_create(NULL, &gl, reason, sizeof reason) != WILLOW_OK) {
        printf("skipped: there is no OpenGL here: %s\n", reason);
        return TEST_GROUP_SKIPPED;
    }
    willow_gl_destroy(gl);
    return cmocka_run_group_tests_name("occlusion", tests, NULL, NULL);
}
