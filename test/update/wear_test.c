/* Parts of edited trees that have worn are made afresh, and siblings exchange children: answers are
 * those of BRUTE all the same, with any threads, kernels and memory, and cost less; and AUTO packs
 * such a tree when that pays. */
#include <math.h>
#include "scenes/scenes.h"
#include "support/choices.h"
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/loose_sheet.h"
#include "support/test.h"
#include "support/zoo_world.h"

/* Triangles of a corner of the sheet change places, so boxes of what was near each other grow. */
typedef struct worn_sheet {
    loose_sheet loose;
    uint32_t cell_of[SHEET_CELLS], stirred;
    choices random;
    uint32_t gone; /* triangles from 0 on */
} worn_sheet;

static void place_in_cell(worn_sheet *s, uint32_t tri)
{
    loose_sheet_place(&s->loose, tri, s->cell_of[tri], (const float[3]){0.0F, 0.0625F, -0.0625F});
}

static void begin_sheet(worn_sheet *s, uint32_t stirred, uint64_t seed)
{
    *s = (worn_sheet){.stirred = stirred, .random = choices_of_seed(seed)};
    loose_sheet_make(&s->loose);
    for (uint32_t i = 0; i < SHEET_CELLS; i++) {
        s->cell_of[i] = i;
        place_in_cell(s, i);
    }
}

static uint32_t choose_stirred(worn_sheet *s)
{
    for (;;) {
        const uint32_t tri = choose(&s->random, SHEET_CELLS), cell = s->cell_of[tri];
        if (cell % SHEET_SIDE < s->stirred && cell / SHEET_SIDE < s->stirred) return tri;
    }
}

static void set_all(chorus *c, const worn_sheet *s)
{
    chorus_set(c, 0, 0, 3 * SHEET_CELLS, s->loose.at, WILLOW_OK);
}

static void mix(chorus *c, worn_sheet *s)
{
    for (uint32_t i = 0; i < s->stirred * s->stirred / 9 + 1; i++) {
        const uint32_t a = choose_stirred(s), b = choose_stirred(s), cell = s->cell_of[a];
        s->cell_of[a] = s->cell_of[b];
        s->cell_of[b] = cell;
        place_in_cell(s, a);
        place_in_cell(s, b);
    }
    set_all(c, s);
}

/* The next triangle goes, or gets another one's place and corners. */
static void edit_all(chorus *c, worn_sheet *s, bool replaces)
{
    const willow_tri tri = replaces ? SHEET_CELLS - 1 - choose(&s->random, 100) : s->gone++;
    const uint32_t other = SHEET_CELLS / 2 + choose(&s->random, 100);
    const uint32_t corners[3] = {3 * other, 3 * other + 1, 3 * tri};
    willow_edit edit = willow_edit_default();
    edit.remove_triangles = &tri;
    edit.remove_triangle_count = replaces ? 0 : 1;
    edit.replace_triangles = &tri;
    edit.replace_indices = corners;
    edit.replace_triangle_count = replaces ? 1 : 0;
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        assert_ok(willow_body_edit(voice->world, voice->bodies[0], &edit, NULL, NULL));
    }
}

static const willow_box everything = {{-100, -100, -100}, {100, 100, 100}};

static size_t ask_everything(chorus *c)
{
    const size_t pairs = chorus_compare(c);
    (void)chorus_compare_box(c, &everything);
    return pairs;
}

static willow_tree_def worn_tree(float ratio, bool keep_siblings, uint32_t leaf_triangles)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BALANCED, 8, leaf_triangles);
    tree.rebuild_ratio = ratio;
    tree.keep_siblings = keep_siblings;
    return tree;
}

/* BRUTE; with renewal, in two ways; without; and without exchange. */
static void open_chorus(chorus *c, const worn_sheet *s, uint32_t leaf_triangles)
{
    chorus_open(c, "a sheet that wears", s->stirred);
    chorus_add_brute(c);
    chorus_add(c, worn_tree(0.0F, false, leaf_triangles), WILLOW_KERNEL_AUTO, 1);
    chorus_add(c, worn_tree(0.0F, false, leaf_triangles), WILLOW_KERNEL_SCALAR, 2);
    chorus_add(c, worn_tree(INFINITY, false, leaf_triangles), WILLOW_KERNEL_AUTO, 1);
    chorus_add(c, worn_tree(0.0F, true, leaf_triangles), WILLOW_KERNEL_AUTO, 1);
    loose_sheet_add(c, &s->loose, false);
    chorus_update(c);
}

static uint64_t tests_of(const chorus_voice *voice)
{
    return voice->stats.volume_tests + voice->stats.triangle_tests;
}

/* Tests are at most this share of those of a tree that is never renewed. */
static void wear(uint32_t stirred, uint32_t leaf_triangles, uint32_t percent)
{
    enum { RENEWED = 1, OTHER_WAY, NEVER, KEPT_SIBLINGS };
    static worn_sheet s;
    uint64_t tests[5] = {0};
    size_t pairs = 0;
    chorus c;
    begin_sheet(&s, stirred, leaf_triangles);
    open_chorus(&c, &s, leaf_triangles);
    for (uint32_t frame = 0; frame < 96; frame++) {
        if (frame % 3 != 2) edit_all(&c, &s, frame % 3 == 1);
        if (frame % 24 < 4)
            mix(&c, &s);
        else if (frame % 4 != 3) /* else boxes are true while it is edited */
            set_all(&c, &s);
        chorus_update(&c);
        pairs += chorus_compare(&c);
        for (uint32_t i = 1; i < c.voice_count; i++) tests[i] += tests_of(&c.voices[i]);
        (void)ask_everything(&c);
        chorus_check_same(&c, RENEWED, 2);
    }
    print_message("%u stirred, %u in a leaf: %zu parts renewed; tests %llu, never %llu, without "
                  "exchange %llu\n",
                  stirred, leaf_triangles, c.voices[RENEWED].subtrees_built,
                  (unsigned long long)tests[RENEWED], (unsigned long long)tests[NEVER],
                  (unsigned long long)tests[KEPT_SIBLINGS]);
    assert_true(pairs > 0);
    assert_true(c.voices[RENEWED].subtrees_built > 0 && c.voices[KEPT_SIBLINGS].subtrees_built > 0);
    assert_true(c.voices[NEVER].subtrees_built == 0);
    assert_true(c.voices[NEVER].built == 0);
    assert_true(100 * tests[RENEWED] <= percent * tests[NEVER]);
    chorus_close(&c);
}

static void worn_parts_are_renewed_and_answers_stay(void **state)
{
    (void)state;
    wear(SHEET_SIDE, 4, 95);
    wear(SHEET_SIDE, 1, 95);
    wear(12, 4, 110);
    wear(12, 1, 110);
}

/* ---- without memory ---- */

/* The update in which the first part is renewed. */
static uint32_t play_until(chorus *c, worn_sheet *s, uint32_t last)
{
    chorus_voice *voice = &c->voices[1];
    edit_all(c, s, false);
    for (uint32_t frame = 0; frame < last; frame++) {
        mix(c, s);
        chorus_update(c);
        (void)ask_everything(c);
        if (voice->subtrees_built > 0) return frame;
    }
    return last;
}

static void open_two(chorus *c, worn_sheet *s)
{
    begin_sheet(s, 12, 5);
    chorus_open(c, "a sheet without memory", 5);
    chorus_add_brute(c);
    chorus_add(c, worn_tree(0.0F, false, 4), WILLOW_KERNEL_AUTO, 1);
    loose_sheet_add(c, &s->loose, false);
    chorus_update(c);
}

static void a_renewal_without_memory_spoils_nothing(void **state)
{
    (void)state;
    static worn_sheet s;
    chorus c;
    size_t failures = 0;
    open_two(&c, &s);
    const uint32_t renewal = play_until(&c, &s, 100);
    assert_true(renewal < 100);
    chorus_close(&c);
    for (bool has_failed = true; has_failed; failures += has_failed) {
        open_two(&c, &s);
        (void)play_until(&c, &s, renewal);
        chorus_voice *voice = &c.voices[1];
        mix(&c, &s);
        voice->allocator.fail_at = voice->allocator.calls + failures + 1;
        has_failed = !chorus_update_twice(&c, voice, c.updates);
        voice->allocator.fail_at = 0;
        chorus_update(&c);
        assert_true(ask_everything(&c) > 0);
        chorus_close(&c);
    }
    print_message("%zu failures\n", failures);
    assert_true(failures > 5);
}

/* ---- AUTO ---- */

/* Updates without an edit until the tree is packed. */
static uint32_t count_until_packed(uint32_t edits, bool asks, uint32_t threads)
{
    static worn_sheet s;
    chorus c;
    uint32_t quiet = 0;
    begin_sheet(&s, 0, 1);
    chorus_open(&c, "a sheet at rest", edits);
    chorus_add(&c, zoo_tree(WILLOW_METHOD_AUTO, 8, 2), WILLOW_KERNEL_AUTO, threads);
    loose_sheet_add(&c, &s.loose, false);
    chorus_update(&c);
    for (uint32_t i = 0; i < edits; i++) {
        edit_all(&c, &s, false);
        chorus_update(&c);
        assert_int_equal(chorus_mode(&c.voices[0], 0), WILLOW_METHOD_BALANCED);
    }
    while (chorus_mode(&c.voices[0], 0) == WILLOW_METHOD_BALANCED && quiet < 1000) {
        if (asks) (void)chorus_compare_box(&c, &everything);
        set_all(&c, &s);
        chorus_update(&c);
        quiet++;
    }
    chorus_close(&c);
    return quiet;
}

static void a_tree_is_packed_when_that_pays(void **state)
{
    (void)state;
    const uint32_t alone = count_until_packed(1, false, 1), asked = count_until_packed(1, true, 1);
    print_message("packed after %u quiet updates, %u with questions\n", alone, asked);
    assert_true(alone < 1000 && asked < alone && asked > 1);
    assert_int_equal(count_until_packed(100, false, 1), alone); /* edited on and on it stays */
    assert_int_equal(count_until_packed(1, true, 2), asked);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(worn_parts_are_renewed_and_answers_stay),
    cmocka_unit_test(a_renewal_without_memory_spoils_nothing),
    cmocka_unit_test(a_tree_is_packed_when_that_pays),
};

TEST_GROUP(wear, tests);
