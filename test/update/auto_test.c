/* AUTO: it becomes the method that the questions ask for, stays with it while they are the same,
 * and answers as BRUTE does whatever it stands for. */
#include <math.h>
#include <stdlib.h>
#include "support/chorus.h"
#include "support/kept.h"
#include "support/loose_sheet.h"
#include "support/test.h"
#include "support/tight_boxes.h"
#include "support/zoo_cases.h"
#include "update/auto/tree_quality.h"

/* ---- a field of loose triangles, and bars that it meets ---- */

typedef struct field {
    chorus c;
    loose_sheet sheet;
    bool borrows;
    uint32_t frame;
    uint64_t random;
    uint32_t changes[CHORUS_VOICES]; /* of what AUTO stands for */
    willow_method mode[CHORUS_VOICES];
} field;

/* Waves go over it. */
static float height_of(uint32_t cell, uint32_t frame)
{
    return 0.25F * (float)((cell % SHEET_SIDE + cell / SHEET_SIDE + frame) % 8) / 8.0F;
}

static void place_tri(field *f, uint32_t cell)
{
    const float z = height_of(cell, f->frame);
    loose_sheet_place(&f->sheet, cell, cell, (const float[3]){z, z + 0.0625F, z});
}

static willow_tree_def auto_tree(void) { return zoo_tree(WILLOW_METHOD_AUTO, 4, 2); }

static void open_field(field *f, bool borrows)
{
    memset(f, 0, sizeof *f);
    f->borrows = borrows;
    f->random = 1;
    chorus_open(&f->c, borrows ? "a borrowed field" : "a field", 0);
    loose_sheet_make(&f->sheet);
    for (uint32_t i = 0; i < SHEET_CELLS; i++) place_tri(f, i);
}

/* After the voices. */
static void add_field(field *f)
{
    loose_sheet_add(&f->c, &f->sheet, f->borrows);
    chorus_update(&f->c);
}

static void open_plain(field *f, bool borrows)
{
    open_field(f, borrows);
    chorus_add_brute(&f->c);
    chorus_add(&f->c, auto_tree(), WILLOW_KERNEL_AUTO, 1);
    add_field(f);
}

/* ---- moving ---- */

static void move_all(field *f)
{
    f->frame++;
    if (f->borrows) chorus_begin(&f->c, 0);
    for (uint32_t i = 0; i < SHEET_CELLS; i++) place_tri(f, i);
    if (!f->borrows) chorus_set(&f->c, 0, 0, 3 * SHEET_CELLS, f->sheet.at, WILLOW_OK);
}

/* Some triangles, one by one; they come back with the next wave. */
static void move_some(field *f, uint32_t count)
{
    if (f->borrows) chorus_begin(&f->c, 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell = (uint32_t)(test_random(&f->random) % SHEET_CELLS);
        for (int k = 0; k < 3; k++)
            f->sheet.at[3 * cell + (uint32_t)k][2] +=
                (float)test_random_between(&f->random, -0.5, 0.5);
        if (!f->borrows)
            chorus_set(&f->c, 0, 3 * cell, 3, f->sheet.at + 3 * (size_t)cell, WILLOW_OK);
    }
}

/* ---- asking ---- */

typedef enum asking { NOTHING, A_CORNER, MORE_THAN_HALF, EVERYTHING, ASKINGS } asking;

static const willow_box boxes[ASKINGS] = {{{0, 0, 0}, {0, 0, 0}},
                                          {{-1, -1, -9}, {5.8F, 5.8F, 9}},
                                          {{-1, -1, -9}, {SHEET_SIDE, 0.6F * SHEET_SIDE, 9}},
                                          {{-1, -1, -9}, {SHEET_SIDE, SHEET_SIDE, 9}}};

static size_t ask(field *f, asking what)
{
    return what == NOTHING ? 0 : chorus_compare_box(&f->c, &boxes[what]);
}

static void note_modes(field *f)
{
    for (uint32_t i = 0; i < f->c.voice_count; i++) {
        if (f->c.voices[i].tree.method != WILLOW_METHOD_AUTO) continue;
        const willow_method mode = chorus_mode(&f->c.voices[i], 0);
        f->changes[i] += f->c.updates > 2 && mode != f->mode[i];
        f->mode[i] = mode;
    }
}

/* So many frames in which everything moves and the same is asked. */
static void run(field *f, uint32_t frames, asking what)
{
    for (uint32_t frame = 0; frame < frames; frame++) {
        move_all(f);
        chorus_update(&f->c);
        note_modes(f);
        (void)ask(f, what);
    }
}

/* Looks are eight updates apart, and two of them must find nothing. */
enum { ONE_LOOK = 9, CALM = 26 };

static void expect_mode(const field *f, uint32_t voice, willow_method mode)
{
    if (f->mode[voice] != mode)
        chorus_expect(&f->c, &f->c.voices[voice], false, willow_method_name(f->mode[voice]));
}

/* ---- what it becomes ---- */

static void auto_begins_as_hybrid_and_says_so(void **state)
{
    (void)state;
    static field f;
    willow_body_stats stats;
    open_plain(&f, false);
    assert_ok(willow_body_get_stats(f.c.voices[1].world, f.c.voices[1].bodies[0], &stats));
    assert_int_equal(stats.method, WILLOW_METHOD_HYBRID);
    assert_ok(willow_body_get_stats(f.c.voices[0].world, f.c.voices[0].bodies[0], &stats));
    assert_int_equal(stats.method, WILLOW_METHOD_BRUTE);
    chorus_close(&f.c);
}

static void auto_follows_the_questions(void **state)
{
    (void)state;
    static field f;
    for (int borrows = 0; borrows < 2; borrows++) {
        willow_body_stats stats;
        open_plain(&f, borrows == 1);
        run(&f, ONE_LOOK, EVERYTHING);
        expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
        run(&f, 30, EVERYTHING);
        expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
        run(&f, ONE_LOOK, A_CORNER); /* they stop */
        expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
        run(&f, 30, A_CORNER);
        expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
        run(&f, ONE_LOOK, NOTHING); /* once is chance */
        expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
        run(&f, CALM - ONE_LOOK, NOTHING);
        expect_mode(&f, 1, WILLOW_METHOD_TOP_DOWN);
        run(&f, 30, NOTHING);
        expect_mode(&f, 1, WILLOW_METHOD_TOP_DOWN);
        run(&f, ONE_LOOK, A_CORNER); /* it is touched */
        expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
        run(&f, ONE_LOOK, EVERYTHING);
        expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
        run(&f, ONE_LOOK + CALM, NOTHING);
        assert_ok(willow_body_get_stats(f.c.voices[1].world, f.c.voices[1].bodies[0], &stats));
        assert_int_equal(stats.method, f.mode[1]);
        chorus_close(&f.c);
    }
}

static bool count_node(void *context, const willow_node *node)
{
    (void)node;
    ++*(size_t *)context;
    return true;
}

/* Looking at all nodes opens them, as a question does. */
static void auto_sees_who_visits_nodes(void **state)
{
    (void)state;
    static field f;
    size_t visits = 0;
    open_plain(&f, false);
    for (uint32_t frame = 0; frame < ONE_LOOK; frame++) {
        run(&f, 1, NOTHING);
        assert_ok(willow_body_visit_nodes(f.c.voices[1].world, f.c.voices[1].bodies[0], count_node,
                                          &visits));
    }
    expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
    assert_true(visits > 0);
    chorus_close(&f.c);
}

/* A subtree that is opened to its leaves is not the whole tree, though all others are closed above
 * the level that AUTO counts from. */
static void auto_does_not_take_a_part_for_the_whole(void **state)
{
    (void)state;
    static field f;
    willow_tree_def tree = auto_tree();
    tree.build = WILLOW_BUILD_MIDPOINT; /* squares in squares */
    open_field(&f, false);
    chorus_add_brute(&f.c);
    chorus_add(&f.c, tree, WILLOW_KERNEL_AUTO, 1);
    add_field(&f);
    const wi_tree *h = chorus_hierarchy(&f.c.voices[1], 0);
    const wi_box part =
        wi_node_box(&h->boxes.nodes[1], 0); /* it is fresh, and waves go up and down */
    const willow_box box = {{part.lower[0], part.lower[1], -9}, {part.upper[0], part.upper[1], 9}};
    assert_true(kept_patches(h)->level == 3 && h->boxes.nodes[1].child[0] == 2);
    run(&f, CALM, NOTHING);
    expect_mode(&f, 1, WILLOW_METHOD_TOP_DOWN);
    for (uint32_t frame = 0; frame < 4 * ONE_LOOK; frame++) {
        run(&f, 1, NOTHING);
        assert_true(chorus_compare_box(&f.c, &box) >= SHEET_CELLS / 16);
        assert_true(f.mode[1] != WILLOW_METHOD_BOTTOM_UP);
    }
    expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
    chorus_close(&f.c);
}

static void auto_does_not_swing(void **state)
{
    (void)state;
    static field f;
    static const uint32_t most[ASKINGS] = {1, 0, 0, 1};
    for (asking what = 0; what < ASKINGS; what++)
        for (int borrows = 0; borrows < 2; borrows++) {
            open_plain(&f, borrows == 1);
            run(&f, 200, what);
            print_message("%u changes, %s in the end\n", f.changes[1],
                          willow_method_name(f.mode[1]));
            assert_true(f.changes[1] <= most[what]);
            chorus_close(&f.c);
        }
}

/* Between half and three quarters it stays what it is. */
static void auto_stays_what_it_is_in_between(void **state)
{
    (void)state;
    static field f;
    open_plain(&f, false);
    run(&f, 3 * ONE_LOOK, MORE_THAN_HALF);
    expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
    run(&f, ONE_LOOK, EVERYTHING);
    expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
    run(&f, 3 * ONE_LOOK, MORE_THAN_HALF);
    expect_mode(&f, 1, WILLOW_METHOD_BOTTOM_UP);
    chorus_close(&f.c);
}

/* A question that finds nothing below the level that AUTO counts from has touched the body, too:
 * bounding the root for it reads all vertices. */
static void auto_at_the_root_sees_who_opens_it(void **state)
{
    (void)state;
    static field f;
    const willow_box gap = {{5.8F, 11.8F, -9}, {5.95F, 11.95F, 9}};
    wi_tree_quality wear;
    open_plain(&f, false);
    run(&f, CALM, NOTHING);
    expect_mode(&f, 1, WILLOW_METHOD_TOP_DOWN);
    for (uint32_t frame = 0; f.mode[1] == WILLOW_METHOD_TOP_DOWN; frame++) {
        const wi_tree *h = chorus_hierarchy(&f.c.voices[1], 0);
        assert_true(frame < ONE_LOOK);
        assert_int_equal(chorus_compare_box(&f.c, &gap), 0);
        wear = wi_tree_quality_survey(h, wi_patches_level(h, WI_HALF_HEIGHT), 1.5, NULL);
        assert_true(wear.open == 0 && wear.open_above > 0);
        run(&f, 1, NOTHING);
    }
    expect_mode(&f, 1, WILLOW_METHOD_HYBRID);
    chorus_close(&f.c);
}

/* Where it is touched now and then, it goes up to the root less and less often. */
static void auto_that_was_wrong_about_calm_waits_longer(void **state)
{
    (void)state;
    static field f;
    uint32_t before = 0, firsts = 0;
    open_plain(&f, false);
    for (uint32_t round = 0; round < 8; round++) {
        run(&f, CALM, NOTHING);
        run(&f, ONE_LOOK, A_CORNER);
        if (round == 3) firsts = f.changes[1];
    }
    before = f.changes[1] - firsts;
    print_message("%u changes at first, %u later\n", firsts, before);
    assert_true(firsts > 0 && before < firsts);
    chorus_close(&f.c);
}

/* ---- in every mode ---- */

static const struct {
    willow_method mode;
    asking what;
} modes[] = {{WILLOW_METHOD_HYBRID, A_CORNER},
             {WILLOW_METHOD_BOTTOM_UP, EVERYTHING},
             {WILLOW_METHOD_TOP_DOWN, NOTHING}};
enum { MODES = sizeof modes / sizeof modes[0] };

/* Sets and refusals of all kinds, with questions in between or without. */
static size_t disturb(field *f, uint32_t step)
{
    float(*bad)[3] = malloc(sizeof f->sheet.at);
    size_t pairs = 0;
    memcpy(bad, f->sheet.at, sizeof f->sheet.at);
    bad[step * 7 % (3 * SHEET_CELLS)][step % 3] = NAN;
    if (step % 4 == 1 && !f->borrows)
        chorus_set(&f->c, 0, 0, 3 * SHEET_CELLS, bad, WILLOW_BAD_MESH);
    move_some(f, 1 + step % 5);
    if (step % 4 == 3 && !f->borrows)
        chorus_set(&f->c, 0, 0, 3 * SHEET_CELLS, bad, WILLOW_BAD_MESH);
    if (step % 6 == 5) move_all(f);
    if (step % 6 == 2 && !f->borrows)
        chorus_set(&f->c, 0, 0, 3 * SHEET_CELLS, f->sheet.at, WILLOW_OK);
    chorus_update(&f->c);
    note_modes(f);
    if (step % 3 != 2) pairs = chorus_compare(&f->c);
    if (step % 2 == 0) (void)ask(f, step % 4 == 0 ? A_CORNER : EVERYTHING);
    for (uint32_t i = 1; i < f->c.voice_count; i++) {
        const box_count count = count_boxes(chorus_hierarchy(&f->c.voices[i], 0));
        chorus_expect(&f->c, &f->c.voices[i], count.too_small == 0, "a box is too small");
        chorus_expect(&f->c, &f->c.voices[i], count.wider_below == 0, "a box is too large");
    }
    free(bad);
    return pairs;
}

/* From every mode, at every distance from the next look. */
static void partial_updates_are_right_in_every_mode(void **state)
{
    (void)state;
    static field f;
    size_t pairs = 0;
    for (int m = 0; m < MODES; m++)
        for (int borrows = 0; borrows < 2; borrows++)
            for (uint32_t more = 0; more < 8; more++) {
                open_plain(&f, borrows == 1);
                run(&f, CALM + more, modes[m].what);
                expect_mode(&f, 1, modes[m].mode);
                for (uint32_t step = 0; step < 6; step++) pairs += disturb(&f, step + more);
                chorus_close(&f.c);
            }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* Whatever it was, it may become any other method, and so may its margin. */
static void auto_may_become_another_method_in_every_mode(void **state)
{
    (void)state;
    static field f;
    size_t pairs = 0;
    for (int m = 0; m < MODES; m++)
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            willow_tree_def tree = auto_tree();
            open_plain(&f, false);
            run(&f, CALM, modes[m].what);
            expect_mode(&f, 1, modes[m].mode);
            tree.method = method;
            tree.margin = 0.02F;
            chorus_set_tree(&f.c, &f.c.voices[1], 0, &tree);
            for (uint32_t frame = 0; frame < 20; frame++) {
                move_all(&f);
                if (frame % 3 == 1) move_some(&f, 2);
                chorus_update(&f.c);
                pairs += chorus_compare(&f.c);
                (void)ask(&f, EVERYTHING);
                chorus_expect(&f.c, &f.c.voices[1],
                              count_boxes(chorus_hierarchy(&f.c.voices[1], 0)).too_small == 0,
                              "a box is too small");
            }
            tree = auto_tree();
            chorus_set_tree(&f.c, &f.c.voices[1], 0, &tree);
            run(&f, 20, EVERYTHING);
            chorus_close(&f.c);
        }
    assert_true(pairs > 0);
}

/* A margin is what lazy boxes have, so AUTO with one does not become BOTTOM_UP. */
static void auto_with_a_margin_stays_lazy(void **state)
{
    (void)state;
    static field f;
    willow_tree_def tree = auto_tree();
    tree.margin = 0.01F;
    open_field(&f, false);
    chorus_add_brute(&f.c);
    chorus_add(&f.c, tree, WILLOW_KERNEL_AUTO, 1);
    add_field(&f);
    for (uint32_t frame = 0; frame < 60; frame++) {
        run(&f, 1, EVERYTHING);
        assert_int_equal(f.mode[1], WILLOW_METHOD_HYBRID);
    }
    run(&f, CALM, NOTHING);
    expect_mode(&f, 1, WILLOW_METHOD_TOP_DOWN);
    chorus_close(&f.c);
}

/* ---- threads and kernels ---- */

static void auto_is_the_same_with_any_threads_and_kernels(void **state)
{
    (void)state;
    static field f;
    static const asking story[] = {EVERYTHING, A_CORNER, NOTHING, NOTHING, NOTHING,
                                   A_CORNER,   NOTHING,  NOTHING, NOTHING, EVERYTHING};
    size_t pairs = 0;
    uint32_t seen = 0;
    const willow_kernel wide =
        zoo_has_kernel(WILLOW_KERNEL_AVX2) ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
    open_field(&f, false);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        chorus_add(&f.c, auto_tree(), WILLOW_KERNEL_SCALAR, threads);
        chorus_add(&f.c, auto_tree(), wide, threads);
    }
    add_field(&f);
    for (size_t chapter = 0; chapter < sizeof story / sizeof story[0]; chapter++)
        for (uint32_t frame = 0; frame < ONE_LOOK; frame++) {
            if (frame == 3)
                move_some(&f, 4);
            else
                move_all(&f);
            chorus_update(&f.c);
            note_modes(&f);
            if (story[chapter] == EVERYTHING) pairs += chorus_compare(&f.c);
            (void)ask(&f, story[chapter]);
            chorus_check_same(&f.c, 0, f.c.voice_count);
            seen |= 1U << f.mode[0];
        }
    assert_true(pairs > 0);
    for (int m = 0; m < MODES; m++) assert_true((seen >> modes[m].mode & 1) != 0);
    chorus_close(&f.c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(auto_begins_as_hybrid_and_says_so),
    cmocka_unit_test(auto_follows_the_questions),
    cmocka_unit_test(auto_sees_who_visits_nodes),
    cmocka_unit_test(auto_does_not_take_a_part_for_the_whole),
    cmocka_unit_test(auto_does_not_swing),
    cmocka_unit_test(auto_stays_what_it_is_in_between),
    cmocka_unit_test(auto_at_the_root_sees_who_opens_it),
    cmocka_unit_test(auto_that_was_wrong_about_calm_waits_longer),
    cmocka_unit_test(partial_updates_are_right_in_every_mode),
    cmocka_unit_test(auto_may_become_another_method_in_every_mode),
    cmocka_unit_test(auto_with_a_margin_stays_lazy),
    cmocka_unit_test(auto_is_the_same_with_any_threads_and_kernels),
};

TEST_GROUP(auto, tests);
