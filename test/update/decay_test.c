/* Trees whose triangles change places are built again, whole or in parts; those of bodies that move
 * smoothly are not. Whatever happens, answers are those of BRUTE, with any threads, kernel and
 * memory. */
#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "scenes/scenes.h"
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/loose_sheet.h"
#include "support/test.h"
#include "support/zoo_cases.h"

/* ---- a sheet of loose triangles that change places ---- */

typedef struct sheet {
    loose_sheet loose;
    uint32_t cell_of[SHEET_CELLS]; /* by triangle: where it is */
    uint32_t stirred; /* triangles whose cells have a column and a row below this may move */
    uint64_t random;
} sheet;

static void place_tri(sheet *s, uint32_t tri)
{
    loose_sheet_place(&s->loose, tri, s->cell_of[tri], (const float[3]){0.0F, 0.0625F, -0.0625F});
}

static void make_sheet(sheet *s, uint32_t stirred, uint64_t seed)
{
    *s = (sheet){.stirred = stirred, .random = seed};
    loose_sheet_make(&s->loose);
    for (uint32_t i = 0; i < SHEET_CELLS; i++) {
        s->cell_of[i] = i;
        place_tri(s, i);
    }
}

static bool is_stirred(const sheet *s, uint32_t tri)
{
    return s->cell_of[tri] % SHEET_SIDE < s->stirred && s->cell_of[tri] / SHEET_SIDE < s->stirred;
}

static uint32_t random_stirred(sheet *s)
{
    for (;;) {
        const uint32_t tri = (uint32_t)(test_random(&s->random) % SHEET_CELLS);
        if (is_stirred(s, tri)) return tri;
    }
}

/* Two of them change places. */
static void swap(sheet *s, uint32_t pair[2])
{
    pair[0] = random_stirred(s);
    pair[1] = random_stirred(s);
    const uint32_t cell = s->cell_of[pair[0]];
    s->cell_of[pair[0]] = s->cell_of[pair[1]];
    s->cell_of[pair[1]] = cell;
    place_tri(s, pair[0]);
    place_tri(s, pair[1]);
}

static void set_all(chorus *c, const sheet *s)
{
    chorus_set(c, 0, 0, 3 * SHEET_CELLS, s->loose.at, WILLOW_OK);
}

/* A part of the triangles that may, in pairs. Sets each on its own if `by_ranges`. */
static void stir(chorus *c, sheet *s, bool by_ranges)
{
    const uint32_t swaps = 1 + s->stirred * s->stirred / 9;
    for (uint32_t i = 0; i < swaps; i++) {
        uint32_t pair[2];
        swap(s, pair);
        for (int k = 0; k < 2 && by_ranges; k++)
            chorus_set(c, 0, 3 * pair[k], 3, s->loose.at + 3 * (size_t)pair[k], WILLOW_OK);
    }
    if (!by_ranges) set_all(c, s);
}

static const willow_box everywhere = {{-100, -100, -100}, {100, 100, 100}};

/* Pairs, and a question that opens all nodes. */
static size_t ask_all(chorus *c)
{
    const size_t pairs = chorus_compare(c);
    assert_int_equal(chorus_compare_box(c, &everywhere), SHEET_CELLS + SHEET_BARS);
    return pairs;
}

static const willow_method kept[] = {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_TOP_DOWN,
                                     WILLOW_METHOD_HYBRID, WILLOW_METHOD_AUTO};
enum { KEPT = sizeof kept / sizeof kept[0] };

/* Subtrees at the cut are as large as the corner, or wide ones over leaves large enough that those
 * above them grow when it all mixes: below that, nodes and what is in them grow alike. */
static willow_tree_def sheet_tree(const sheet *s, willow_method method, float ratio)
{
    willow_tree_def tree =
        s->stirred < SHEET_SIDE ? zoo_tree(method, 4, 2) : zoo_tree(method, 8, 4);
    tree.rebuild_ratio = ratio;
    return tree;
}

static void add_kept(chorus *c, const sheet *s, float ratio)
{
    for (int i = 0; i < KEPT; i++)
        chorus_add(c, sheet_tree(s, kept[i], ratio), WILLOW_KERNEL_AUTO, 1);
}

/* BRUTE, and the methods that keep their trees; returns the number of pairs. */
static size_t run_sheet(chorus *c, sheet *s, float ratio, uint32_t frames, bool by_ranges)
{
    size_t pairs = 0;
    chorus_open(c, "a sheet", s->stirred);
    chorus_add_brute(c);
    add_kept(c, s, ratio);
    loose_sheet_add(c, &s->loose, false);
    chorus_update(c);
    for (uint32_t frame = 0; frame < frames; frame++) {
        pairs += ask_all(c);
        stir(c, s, by_ranges);
        chorus_update(c);
    }
    return pairs + ask_all(c);
}

static void a_stirred_body_is_built_again(void **state)
{
    (void)state;
    static sheet s;
    chorus c;
    make_sheet(&s, SHEET_SIDE, 1);
    assert_true(run_sheet(&c, &s, 0.0F, 40, false) > 0);
    for (uint32_t i = 1; i < c.voice_count; i++) {
        print_message("%s: %zu builds, %zu subtrees\n", willow_method_name(c.voices[i].tree.method),
                      c.voices[i].built, c.voices[i].subtrees_built);
        chorus_expect(&c, &c.voices[i], c.voices[i].built > 0, "it is not built again");
    }
    chorus_close(&c);
}

static void a_stirred_corner_is_built_again_alone(void **state)
{
    (void)state;
    static sheet s;
    for (int by_ranges = 0; by_ranges < 2; by_ranges++) {
        chorus c;
        make_sheet(&s, 6, 2);
        assert_true(run_sheet(&c, &s, 0.0F, 40, by_ranges == 1) > 0);
        for (uint32_t i = 1; i < c.voice_count; i++) {
            const chorus_voice *voice = &c.voices[i];
            willow_body_stats stats;
            print_message("%s: %zu subtrees\n", willow_method_name(voice->tree.method),
                          voice->subtrees_built);
            chorus_expect(&c, voice, voice->subtrees_built > 0, "no subtree is built again");
            chorus_expect(&c, voice, voice->built == 0, "the whole is built again");
            assert_ok(willow_body_get_stats(voice->world, voice->bodies[0], &stats));
            assert_int_equal(stats.builds, 1);
            assert_int_equal(stats.subtree_builds, voice->subtrees_built);
        }
        chorus_close(&c);
    }
}

static void with_an_infinite_ratio_nothing_is_built_again(void **state)
{
    (void)state;
    static sheet s;
    chorus c;
    make_sheet(&s, SHEET_SIDE, 3);
    assert_true(run_sheet(&c, &s, INFINITY, 30, false) > 0);
    for (uint32_t i = 1; i < c.voice_count; i++)
        chorus_expect(&c, &c.voices[i], c.voices[i].built == 0 && c.voices[i].subtrees_built == 0,
                      "something is built again");
    chorus_close(&c);
}

/* Hardly stirred, but for a ratio of 1 that is enough, and at rest nothing is. */
static void with_a_ratio_of_one_the_least_decay_counts_and_rest_does_not(void **state)
{
    (void)state;
    static sheet s;
    for (uint32_t swaps = 0; swaps <= SHEET_CELLS / 64; swaps += SHEET_CELLS / 64) {
        chorus c;
        uint32_t pair[2];
        make_sheet(&s, SHEET_SIDE, 4);
        chorus_open(&c, "a sheet", swaps);
        chorus_add_brute(&c);
        add_kept(&c, &s, 0.0F);
        add_kept(&c, &s, 1.0F);
        loose_sheet_add(&c, &s.loose, false);
        chorus_update(&c);
        for (uint32_t i = 0; i < swaps; i++) swap(&s, pair);
        for (uint32_t frame = 0; frame < 40; frame++) {
            (void)ask_all(&c);
            set_all(&c, &s);
            chorus_update(&c);
        }
        for (uint32_t i = 1; i < c.voice_count; i++) {
            const chorus_voice *voice = &c.voices[i];
            const size_t built = voice->built + voice->subtrees_built;
            const bool is_expected = swaps > 0 && voice->tree.rebuild_ratio == 1.0F;
            chorus_expect(&c, voice, (built > 0) == is_expected,
                          is_expected ? "nothing is built again" : "something is built again");
        }
        chorus_close(&c);
    }
}

/* Looks are far between, so that motion that no tree fits costs few builds. */
static void a_body_that_is_stirred_on_and_on_is_not_built_in_every_update(void **state)
{
    (void)state;
    enum { FRAMES = 100 };
    static sheet s;
    chorus c;
    make_sheet(&s, SHEET_SIDE, 5);
    (void)run_sheet(&c, &s, 1.0F, FRAMES, false);
    for (uint32_t i = 1; i < c.voice_count; i++) {
        chorus_expect(&c, &c.voices[i], c.voices[i].built >= 2, "it is not built again");
        chorus_expect(&c, &c.voices[i], c.voices[i].built <= 1 + FRAMES / 8,
                      "it is built again too soon");
    }
    chorus_close(&c);
}

static void a_borrowed_body_is_built_again(void **state)
{
    (void)state;
    static sheet s;
    chorus c;
    uint32_t pair[2];
    make_sheet(&s, SHEET_SIDE, 6);
    chorus_open(&c, "a borrowed sheet", 0);
    chorus_add_brute(&c);
    add_kept(&c, &s, 0.0F);
    loose_sheet_add(&c, &s.loose, true);
    chorus_update(&c);
    for (uint32_t frame = 0; frame < 30; frame++) {
        (void)ask_all(&c);
        chorus_begin(&c, 0);
        for (uint32_t i = 0; i < 64; i++) swap(&s, pair);
        chorus_update(&c);
    }
    for (uint32_t i = 1; i < c.voice_count; i++)
        chorus_expect(&c, &c.voices[i], c.voices[i].built > 0, "it is not built again");
    chorus_close(&c);
}

/* ---- scenes ---- */

typedef struct show {
    chorus c;
    scene *s;
    float *xyz[CHORUS_BODIES];
} show;

/* These are too large for BRUTE, so REBUILD is the first voice. */
static void open_show(show *s, const char *spec)
{
    willow_tree_def tree = willow_tree_def_default();
    *s = (show){.s = fixture_scene(spec)};
    chorus_open(&s->c, spec, 0);
    tree.method = WILLOW_METHOD_REBUILD;
    chorus_add(&s->c, tree, WILLOW_KERNEL_AUTO, 1);
}

static void move_show(show *s, uint32_t frame)
{
    for (uint32_t i = 0; i < s->s->body_count; i++) {
        scene_positions(s->s, frame, i, s->xyz[i]);
        chorus_set(&s->c, i, 0, s->s->bodies[i].vertex_count, s->xyz[i], WILLOW_OK);
    }
}

static void add_show(show *s)
{
    for (uint32_t i = 0; i < s->s->body_count; i++) {
        const scene_body *body = &s->s->bodies[i];
        s->xyz[i] = malloc(12 * (size_t)body->vertex_count);
        scene_positions(s->s, 0, i, s->xyz[i]);
        chorus_add_body(
            &s->c,
            &FIXTURE_MESH(s->xyz[i], body->vertex_count, body->indices, body->triangle_count),
            body->self);
    }
    chorus_update(&s->c);
}

static void close_show(show *s)
{
    chorus_close(&s->c);
    for (uint32_t i = 0; i < s->s->body_count; i++) free(s->xyz[i]);
    scene_destroy(s->s);
}

/* Runs all frames; returns what was built again by all voices but the first. */
static willow_update_report run_show(show *s)
{
    willow_update_report sum = {0};
    size_t pairs = 0;
    add_show(s);
    for (uint32_t frame = 1; frame < s->s->frame_count; frame++) {
        move_show(s, frame);
        chorus_update(&s->c);
        pairs += chorus_compare(&s->c);
    }
    assert_true(pairs > 0);
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        sum.bodies_built += s->c.voices[i].built;
        sum.subtrees_built += s->c.voices[i].subtrees_built;
    }
    print_message("%s: %zu builds, %zu subtrees\n", s->c.scene, sum.bodies_built,
                  sum.subtrees_built);
    return sum;
}

static void stir_is_built_again(void **state)
{
    (void)state;
    static const char *const specs[] = {"stir:triangles=800,frames=50",
                                        "stir:triangles=1000,frames=50,seed=2"};
    for (int i = 0; i < 2; i++) {
        show s;
        open_show(&s, specs[i]);
        for (int k = 0; k < KEPT; k++) {
            willow_tree_def tree = zoo_tree(kept[k], 8, 4);
            tree.rebuild_ratio = 1.4F; /* so small a body is not stirred far */
            chorus_add(&s.c, tree, WILLOW_KERNEL_AUTO, 1);
        }
        (void)run_show(&s);
        for (uint32_t k = 1; k < s.c.voice_count; k++)
            chorus_expect(&s.c, &s.c.voices[k],
                          s.c.voices[k].built + s.c.voices[k].subtrees_built > 0,
                          "nothing is built again");
        close_show(&s);
    }
}

static void smooth_scenes_are_never_built_again(void **state)
{
    (void)state;
    static const char *const specs[] = {"bumpy:triangles=320", "bumpy:triangles=1280,frames=100",
                                        "many:triangles=80", "tablecloth:triangles=1000"};
    for (int i = 0; i < 4; i++) {
        show s;
        open_show(&s, specs[i]);
        for (int k = 0; k < KEPT; k++)
            chorus_add(&s.c, zoo_tree(kept[k], 8, 0), WILLOW_KERNEL_AUTO, 1);
        const willow_update_report sum = run_show(&s);
        assert_int_equal(sum.bodies_built, 0);
        assert_int_equal(sum.subtrees_built, 0);
        close_show(&s);
    }
}

/* ---- threads and kernels ---- */

static void decay_is_the_same_with_any_threads_and_kernels(void **state)
{
    (void)state;
    const willow_kernel wide =
        zoo_has_kernel(WILLOW_KERNEL_AVX2) ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
    const struct {
        willow_kernel kernel;
        uint32_t threads;
    } ways[] = {
        {WILLOW_KERNEL_SCALAR, 1}, {wide, 1}, {wide, 2}, {WILLOW_KERNEL_SCALAR, 3}, {wide, 4}};
    enum { WAYS = sizeof ways / sizeof ways[0] };
    static sheet s;
    for (uint32_t stirred = 6; stirred <= SHEET_SIDE; stirred += SHEET_SIDE - 6) {
        chorus c;
        size_t built = 0;
        make_sheet(&s, stirred, 7);
        chorus_open(&c, "a sheet", stirred);
        for (int k = 0; k < KEPT; k++)
            for (int way = 0; way < WAYS; way++) {
                willow_tree_def tree = sheet_tree(&s, kept[k], 0.0F);
                tree.margin = k == 0 ? 0.01F : 0.0F;
                chorus_add(&c, tree, ways[way].kernel, ways[way].threads);
            }
        loose_sheet_add(&c, &s.loose, false);
        chorus_update(&c);
        for (uint32_t frame = 0; frame < 36; frame++) {
            stir(&c, &s, frame % 3 == 1);
            chorus_update(&c);
            assert_true(chorus_compare(&c) > 0);
            for (uint32_t k = 0; k < KEPT; k++) chorus_check_same(&c, k * WAYS, WAYS);
        }
        for (uint32_t i = 0; i < c.voice_count; i++)
            built += c.voices[i].built + c.voices[i].subtrees_built;
        assert_true(built > 0);
        chorus_close(&c);
    }
}

/* ---- without memory ---- */

/* Up to the update in which something is built again; `renewal` counts from the first. */
static uint32_t find_renewal(uint32_t stirred, willow_method method)
{
    static sheet s;
    chorus c;
    uint32_t renewal = 0;
    make_sheet(&s, stirred, 8);
    chorus_open(&c, "a sheet", stirred);
    chorus_voice *voice = chorus_add(&c, sheet_tree(&s, method, 0.0F), WILLOW_KERNEL_AUTO, 1);
    loose_sheet_add(&c, &s.loose, false);
    chorus_update(&c);
    while (voice->built + voice->subtrees_built == 0) {
        (void)ask_all(&c);
        stir(&c, &s, false);
        chorus_update(&c);
        assert_true(++renewal < 60);
    }
    chorus_close(&c);
    return renewal;
}

static void check_stale(const chorus *c, const chorus_voice *voice)
{
    willow_pairs pairs;
    char reason[200] = "";
    chorus_expect(c, voice,
                  willow_find_pairs(voice->world, voice->scratch, NULL, &pairs) == WILLOW_STALE,
                  "a world that is not updated answers");
    if (!willow_world_validate(voice->world, reason, sizeof reason))
        chorus_expect(c, voice, false, reason);
}

/* The n-th allocation of that update fails, and all later ones if `on_and_on`. False if there are
 * not so many. */
static bool fail_renewal(uint32_t stirred, willow_method method, uint32_t renewal, size_t n,
                         bool on_and_on)
{
    static sheet s;
    chorus c;
    make_sheet(&s, stirred, 8);
    chorus_open(&c, "a sheet, and the n-th allocation", n);
    chorus_add_brute(&c);
    chorus_voice *voice = chorus_add(&c, sheet_tree(&s, method, 0.0F), WILLOW_KERNEL_AUTO, 1);
    loose_sheet_add(&c, &s.loose, false);
    chorus_update(&c);
    for (uint32_t i = 1; i < renewal; i++) {
        (void)ask_all(&c);
        stir(&c, &s, false);
        chorus_update(&c);
    }
    (void)ask_all(&c);
    stir(&c, &s, false);
    const uint64_t hash = willow_world_hash(voice->world);
    test_allocator *allocator = &voice->allocator;
    allocator->fail_at = atomic_load(&allocator->calls) + n;
    willow_result result = willow_world_update(voice->world, c.updates, NULL);
    const bool has_failed = atomic_load(&allocator->calls) >= allocator->fail_at;
    chorus_expect(&c, voice, result == (has_failed ? WILLOW_OUT_OF_MEMORY : WILLOW_OK),
                  "another result");
    if (has_failed) {
        check_stale(&c, voice);
        allocator->fails_from_now_on = on_and_on;
        result = on_and_on ? willow_world_update(voice->world, c.updates, NULL) : result;
        chorus_expect(&c, voice, result == WILLOW_OUT_OF_MEMORY, "it works without memory");
        check_stale(&c, voice);
        chorus_expect(&c, voice, willow_world_hash(voice->world) == hash, "another world");
    }
    allocator->fails_from_now_on = false;
    allocator->fail_at = 0;
    if (n % 3 == 1) stir(&c, &s, true); /* something else happens before it goes on */
    if (n % 3 == 2) stir(&c, &s, false);
    chorus_update(&c);
    assert_true(ask_all(&c) > 0);
    for (int i = 0; i < 3; i++) {
        stir(&c, &s, i == 1);
        chorus_update(&c);
        assert_true(ask_all(&c) > 0);
    }
    chorus_close(&c);
    return has_failed;
}

static void without_memory_a_renewal_waits_for_the_next_update(void **state)
{
    (void)state;
    size_t failures = 0;
    for (uint32_t stirred = 6; stirred <= SHEET_SIDE; stirred += SHEET_SIDE - 6)
        for (int k = 0; k < KEPT; k++) {
            const uint32_t renewal = find_renewal(stirred, kept[k]);
            size_t n = 1;
            while (fail_renewal(stirred, kept[k], renewal, n, n % 2 == 0)) n++;
            assert_true(n > 3);
            failures += n - 1;
        }
    print_message("%zu failures\n", failures);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_stirred_body_is_built_again),
    cmocka_unit_test(a_stirred_corner_is_built_again_alone),
    cmocka_unit_test(with_an_infinite_ratio_nothing_is_built_again),
    cmocka_unit_test(with_a_ratio_of_one_the_least_decay_counts_and_rest_does_not),
    cmocka_unit_test(a_body_that_is_stirred_on_and_on_is_not_built_in_every_update),
    cmocka_unit_test(a_borrowed_body_is_built_again),
    cmocka_unit_test(stir_is_built_again),
    cmocka_unit_test(smooth_scenes_are_never_built_again),
    cmocka_unit_test(decay_is_the_same_with_any_threads_and_kernels),
    cmocka_unit_test(without_memory_a_renewal_waits_for_the_next_update),
};

TEST_GROUP(decay, tests);
