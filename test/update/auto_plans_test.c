/* AUTO on a body with a flight plan: it follows the plan where that costs less than refitting, is
 * refitted where not, comes back when the motion calms down, and answers as BRUTE does throughout.
 */
#include <math.h>
#include <stdlib.h>
#include "support/chorus.h"
#include "support/kept.h"
#include "support/loose_sheet.h"
#include "support/test.h"
#include "support/zoo_cases.h"

enum { VERTICES = 3 * SHEET_CELLS, KEYS = 6 };

/* A sheet of loose triangles that follows plans, and bars that it meets, which stand still. */
typedef struct flight {
    chorus c;
    loose_sheet sheet;
    float velocities[VERTICES][3];
    float keys[KEYS][VERTICES][3];
    double key_times[KEYS];
    double time;
    uint64_t random;
    uint32_t setups, followed, changes; /* of the last voice */
    uint32_t updates;                   /* while it is asked seldom */
    bool is_asked_seldom;               /* every eighth time, which AUTO's looks at queries miss */
    willow_method mode;
} flight;

static willow_tree_def auto_tree(void) { return zoo_tree(WILLOW_METHOD_AUTO, 4, 2); }

static willow_tree_def auto_tree_with(willow_events events)
{
    willow_tree_def tree = auto_tree();
    tree.events = events;
    return tree;
}

/* What certificates cost is another account than what spans do. */
static willow_tree_def auto_tree_of_events(void) { return auto_tree_with(WILLOW_EVENTS_BATCH); }

static void open_flight(flight *f)
{
    memset(f, 0, sizeof *f);
    f->random = 7;
    chorus_open(&f->c, "a flight", 0);
    loose_sheet_make(&f->sheet);
    for (uint32_t i = 0; i < SHEET_CELLS; i++) {
        const float z = 0.25F * (float)((i % SHEET_SIDE + i / SHEET_SIDE) % 8) / 8.0F;
        loose_sheet_place(&f->sheet, i, i, (const float[3]){z, z + 0.0625F, z});
    }
}

/* After the voices. */
static void take_off(flight *f)
{
    loose_sheet_add(&f->c, &f->sheet, false);
    chorus_update_at(&f->c, f->time);
}

static void open_plain(flight *f, willow_tree_def tree)
{
    open_flight(f);
    chorus_add_brute(&f->c);
    chorus_add(&f->c, tree, WILLOW_KERNEL_AUTO, 1);
    take_off(f);
}

/* ---- motion ---- */

static void set_velocities(flight *f)
{
    chorus_set_velocities(&f->c, 0, 0, VERTICES, f->velocities);
}

/* All go on together, up and down with the sign, and the sheet grows by little. */
static void fly_calmly(flight *f, float sign)
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        f->velocities[i][0] = sign * 0.002F * f->sheet.at[i][0];
        f->velocities[i][1] = 0.0F;
        f->velocities[i][2] = sign * 0.25F;
    }
    set_velocities(f);
}

/* Everybody somewhere else. They soon come back: nothing drifts far. */
static void fly_wildly(flight *f)
{
    for (uint32_t i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            f->velocities[i][axis] = (float)test_random_between(&f->random, -1.0, 1.0);
    set_velocities(f);
}

/* Keyframes at 0, 1, 2 and so on from `f->time`: the sheet with this much noise. */
static void fly_through_keys(flight *f, double noise)
{
    willow_flightplan plan = willow_flightplan_default();
    for (uint32_t key = 0; key < KEYS; key++) {
        f->key_times[key] = f->time + key;
        for (uint32_t i = 0; i < VERTICES; i++)
            for (int axis = 0; axis < 3; axis++)
                f->keys[key][i][axis] = f->sheet.at[i][axis] + 0.125F * (float)(key % 2) +
                                        (float)test_random_between(&f->random, -noise, noise);
    }
    plan.positions = f->keys;
    plan.times = f->key_times;
    plan.keyframe_count = KEYS;
    chorus_set_flightplan(&f->c, 0, &plan);
}

static void note(flight *f)
{
    const chorus_voice *voice = &f->c.voices[f->c.voice_count - 1];
    const willow_method mode = chorus_mode(voice, 0);
    f->changes += mode != f->mode;
    f->mode = mode;
    f->setups += (uint32_t)voice->report.setups;
    f->followed += mode == WILLOW_METHOD_KINETIC_AABB;
}

/* One update; returns how many pairs there are. */
static size_t go(flight *f, double step)
{
    f->time += step;
    chorus_update_at(&f->c, f->time);
    note(f);
    f->updates += f->is_asked_seldom;
    return f->is_asked_seldom && f->updates % 8 != 5 ? 0 : chorus_compare(&f->c);
}

static size_t go_wildly(flight *f, uint32_t updates)
{
    size_t pairs = 0;
    for (uint32_t i = 0; i < updates; i++) {
        fly_wildly(f);
        pairs += go(f, 0x1p-6);
    }
    return pairs;
}

static size_t go_calmly(flight *f, uint32_t updates)
{
    size_t pairs = 0;
    fly_calmly(f, 1.0F);
    for (uint32_t i = 0; i < updates; i++) pairs += go(f, 0x1p-6);
    return pairs;
}

static bool is_following(const flight *f) { return f->mode == WILLOW_METHOD_KINETIC_AABB; }

/* ---- what it becomes ---- */

/* So many calm updates are enough to come back after the first time that it did not pay. */
enum { SOON = 12 };

static void follow_calm_motion(willow_events events)
{
    static flight f;
    willow_body_stats stats;
    open_plain(&f, auto_tree_with(events));
    assert_true(go_calmly(&f, 40) > 0);
    const chorus_voice *voice = &f.c.voices[1];
    assert_int_equal(f.followed, 40);
    assert_int_equal(f.setups, 1);
    if (events != WILLOW_EVENTS_NONE) assert_true(voice->report.vertices_evaluated < VERTICES / 4);
    assert_true(kept_patches(chorus_hierarchy(voice, 0))->items == NULL);
    assert_ok(willow_body_get_stats(voice->world, voice->bodies[0], &stats));
    assert_int_equal(stats.method, WILLOW_METHOD_KINETIC_AABB);
    chorus_close(&f.c);
}

static void calm_motion_is_followed(void **state)
{
    (void)state;
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++)
        follow_calm_motion(events);
}

static void follow_calm_keyframes(willow_events events)
{
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree_with(events));
    f.is_asked_seldom = true;
    fly_through_keys(&f, 0.0);
    for (uint32_t i = 0; i < 32 * (KEYS - 1); i++) pairs += go(&f, 0x1p-5);
    assert_true(pairs > 0);
    assert_int_equal(f.followed, 32 * (KEYS - 1));
    assert_int_equal(f.setups, 1);
    chorus_close(&f.c);
}

static void calm_keyframes_are_followed(void **state)
{
    (void)state;
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++)
        follow_calm_keyframes(events);
}

/* Who changes all paths in every step pays for certificates once, and hardly ever again. */
static void wild_motion_is_refitted(void **state)
{
    (void)state;
    static flight f;
    willow_body_stats stats;
    open_plain(&f, auto_tree_of_events());
    assert_true(go_wildly(&f, 60) > 0);
    const chorus_voice *voice = &f.c.voices[1];
    assert_int_equal(f.followed, 1);
    assert_int_equal(f.setups, 1);
    assert_true(kept_kinetic(chorus_hierarchy(voice, 0))->items == NULL);
    assert_ok(willow_body_get_stats(voice->world, voice->bodies[0], &stats));
    assert_true(stats.method != WILLOW_METHOD_KINETIC_AABB && stats.method != WILLOW_METHOD_AUTO);
    chorus_close(&f.c);
}

static void motion_that_calms_down_is_followed_again(void **state)
{
    (void)state;
    static flight f;
    open_plain(&f, auto_tree_of_events());
    (void)go_wildly(&f, 40);
    assert_false(is_following(&f));
    (void)go_calmly(&f, SOON);
    assert_true(is_following(&f));
    (void)go_calmly(&f, 40);
    assert_true(is_following(&f));
    (void)go_wildly(&f, 40);
    assert_false(is_following(&f));
    assert_true(f.setups <= 4);
    chorus_close(&f.c);
}

/* Noise in every keyframe: too much in steps as long as from one to the next, little in small ones.
 */
static void smaller_steps_are_followed_again(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree_of_events());
    for (uint32_t i = 0; i < 60; i++) {
        if (i % (KEYS - 1) == 0) fly_through_keys(&f, 0.5);
        pairs += go(&f, 0.97);
    }
    assert_false(is_following(&f));
    assert_int_equal(f.setups, 1);
    const uint32_t before = f.followed;
    for (uint32_t i = 0; i < 60; i++) {
        if (i == 0) fly_through_keys(&f, 0.5);
        pairs += go(&f, 0x1p-10);
    }
    assert_true(is_following(&f));
    assert_true(f.followed >= before + 60 - SOON);
    assert_true(pairs > 0);
    chorus_close(&f.c);
}

/* Each time that it is in vain, the next one is twice as far away. */
static void what_does_not_pay_is_tried_less_and_less(void **state)
{
    (void)state;
    static flight f;
    uint32_t tried[6] = {0}, count = 0;
    open_flight(&f);
    chorus_add(&f.c, auto_tree_of_events(), WILLOW_KERNEL_AUTO, 1);
    take_off(&f);
    for (uint32_t i = 0; i < 2500; i++) {
        const uint32_t before = f.setups;
        fly_wildly(&f);
        f.time += 0x1p-6;
        chorus_update_at(&f.c, f.time);
        note(&f);
        if (f.setups == before) continue;
        assert_true(count < 6);
        tried[count++] = i;
    }
    assert_true(count >= 3);
    for (uint32_t i = 2; i < count; i++)
        assert_true(tried[i] - tried[i - 1] >= 2 * (tried[i - 1] - tried[i - 2]) - 4);
    assert_int_equal(f.followed, f.setups);
    chorus_close(&f.c);
}

/* Time that goes back now and then costs a set-up, which is known before. */
static void time_that_goes_back_all_the_time_is_refitted(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree_of_events());
    fly_through_keys(&f, 0.0);
    for (uint32_t i = 0; i < 80; i++) pairs += go(&f, i % 2 == 0 ? 0.25 : -0.125);
    assert_true(pairs > 0);
    assert_false(is_following(&f));
    assert_true(f.setups <= 2); /* the credit is enough for one more */
    for (uint32_t i = 0; i < SOON; i++) pairs += go(&f, 0x1p-6);
    assert_true(is_following(&f));
    chorus_close(&f.c);
}

/* ---- without events ---- */

/* A new keyframe in every update, or in most: a refit bounds less. */
static void keyframes_in_most_updates_are_refitted(void **state)
{
    (void)state;
    static const double steps[] = {1.0, 0.5, 0.375};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        static flight f;
        size_t pairs = 0;
        open_plain(&f, auto_tree());
        fly_through_keys(&f, 0.0);
        double left = KEYS - 1;
        for (uint32_t k = 0; k < 120; k++, left -= steps[i]) {
            if (left < steps[i]) {
                fly_through_keys(&f, 0.0);
                left = KEYS - 1;
            }
            pairs += go(&f, steps[i]);
        }
        assert_true(pairs > 0);
        assert_false(is_following(&f));
        assert_true(f.followed >= 1 && f.followed < 60);
        assert_true(kept_kinetic(chorus_hierarchy(&f.c.voices[1], 0))->straight.from == NULL);
        chorus_close(&f.c);
    }
}

/* However wild they are: what lies between costs nothing. */
static void noisy_keyframes_are_followed_if_there_are_frames_between(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree());
    f.is_asked_seldom = true;
    for (uint32_t i = 0; i < 120; i++) {
        if (i % 40 == 0) fly_through_keys(&f, 0.5);
        pairs += go(&f, 0.125);
    }
    assert_true(pairs > 0);
    assert_int_equal(f.followed, 120);
    chorus_close(&f.c);
}

/* Each update begins anew, which is known to cost more. Calm paths are followed again. */
static void wild_motion_is_refitted_without_events(void **state)
{
    (void)state;
    static flight f;
    open_plain(&f, auto_tree());
    assert_true(go_wildly(&f, 60) > 0);
    assert_false(is_following(&f));
    assert_true(f.followed >= 1 && f.followed <= 6);
    assert_true(kept_kinetic(chorus_hierarchy(&f.c.voices[1], 0))->straight.from == NULL);
    (void)go_calmly(&f, SOON);
    assert_true(is_following(&f));
    (void)go_calmly(&f, 40);
    assert_true(is_following(&f));
    chorus_close(&f.c);
}

/* A few paths in each update are less than a refit, many are more. */
static void few_changes_are_followed_without_events(void **state)
{
    (void)state;
    for (int are_many = 0; are_many < 2; are_many++) {
        static flight f;
        const uint32_t count = are_many ? VERTICES / 16 : 4;
        open_plain(&f, auto_tree());
        f.is_asked_seldom = true;
        (void)go_calmly(&f, 2);
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t first = i * 37 % (VERTICES - count);
            chorus_set_velocities(&f.c, 0, first, count, &f.velocities[first]);
            (void)go(&f, 0x1p-6);
        }
        assert_int_equal(is_following(&f), !are_many);
        chorus_close(&f.c);
    }
}

/* Where it costs next to nothing to follow, queries that reach most of a body still have to compute
 * what a refit stores; those that reach little do not matter. */
static void what_queries_reach_is_not_free(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree());
    fly_through_keys(&f, 0.0);
    for (uint32_t i = 0; i < 150; i++) pairs += go(&f, 0x1p-5);
    assert_true(pairs > 0);
    assert_false(is_following(&f));
    assert_true(f.followed > 8 && f.changes <= 3); /* to a refit, of one kind or the other */
    chorus_close(&f.c);

    open_plain(&f, auto_tree());
    fly_through_keys(&f, 0.0);
    for (uint32_t i = 0; i < 150; i++) { /* one query in a while is found, and soon forgotten */
        f.is_asked_seldom = i % 32 != 1;
        pairs += go(&f, 0x1p-5);
    }
    assert_int_equal(f.followed, 150);
    chorus_close(&f.c);
}

static void time_that_goes_back_is_refitted_without_events(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree());
    fly_through_keys(&f, 0.0);
    for (uint32_t i = 0; i < 80; i++) pairs += go(&f, i % 2 == 0 ? 0.25 : -0.125);
    assert_true(pairs > 0);
    assert_false(is_following(&f));
    for (uint32_t i = 0; i < SOON; i++) pairs += go(&f, 0x1p-6);
    assert_true(is_following(&f));
    chorus_close(&f.c);
}

/* Their refits cost nothing. */
static void small_bodies_are_refitted(void **state)
{
    (void)state;
    static flight f;
    static const float still[3 * SHEET_BARS][3];
    open_plain(&f, auto_tree());
    chorus_set_velocities(&f.c, 1, 0, 3 * SHEET_BARS, still);
    assert_true(go_calmly(&f, 3) > 0);
    assert_int_equal(chorus_mode(&f.c.voices[1], 1), WILLOW_METHOD_HYBRID);
    assert_int_equal(chorus_mode(&f.c.voices[1], 0), WILLOW_METHOD_KINETIC_AABB);
    chorus_close(&f.c);
}

/* ---- plans and methods come and go ---- */

/* Positions end a plan, in whatever mode; a plan begins again. */
static void plans_may_end_and_begin_in_every_mode(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_plain(&f, auto_tree());
    for (uint32_t round = 0; round < 8; round++) {
        if (round % 2 == 0)
            (void)go_calmly(&f, 5 + round);
        else
            (void)go_wildly(&f, 5 + round);
        if (round % 4 < 2) chorus_set(&f.c, 0, 0, VERTICES, f.sheet.at, WILLOW_OK);
        for (uint32_t i = 0; i < round; i++) {
            chorus_set(&f.c, 0, 3 * i, 3, f.sheet.at[3 * i + 3], WILLOW_OK);
            pairs += go(&f, 0x1p-6);
        }
    }
    assert_true(pairs > 0 && f.followed > 0 && f.changes > 4);
    chorus_close(&f.c);
}

/* Positions that are refused leave boxes as they were, though those that are stored are old. */
static void positions_are_refused_while_a_plan_is_followed(void **state)
{
    (void)state;
    static flight f;
    static const willow_method methods[] = {WILLOW_METHOD_AUTO, WILLOW_METHOD_KINETIC_AABB};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        float(*bad)[3] = malloc(sizeof f.sheet.at);
        size_t pairs = 0;
        open_plain(&f, zoo_tree(methods[m], 4, 2));
        for (uint32_t i = 0; i < 12; i++) {
            memcpy(bad, f.sheet.at, sizeof f.sheet.at);
            bad[i * 97][i % 3] = NAN;
            pairs += go_calmly(&f, 4);
            chorus_set(&f.c, 0, 0, VERTICES, bad, WILLOW_BAD_MESH);
            pairs += chorus_compare(&f.c);
        }
        assert_true(pairs > 0);
        chorus_close(&f.c);
        free(bad);
    }
}

static void auto_may_become_another_method_on_a_plan(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    for (int is_wild = 0; is_wild < 2; is_wild++)
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            willow_tree_def tree = auto_tree();
            open_plain(&f, tree);
            pairs += is_wild ? go_wildly(&f, 10) : go_calmly(&f, 10);
            tree.method = method;
            tree.margin = 0.02F;
            chorus_set_tree(&f.c, &f.c.voices[1], 0, &tree);
            pairs += go_calmly(&f, 10);
            tree = auto_tree();
            chorus_set_tree(&f.c, &f.c.voices[1], 0, &tree);
            pairs += go_calmly(&f, 10);
            assert_true(is_following(&f));
            chorus_close(&f.c);
        }
    assert_true(pairs > 0);
}

/* Nothing collides, but vertices move: chorus_update looks where they are. */
static void bodies_without_a_tree_follow_plans(void **state)
{
    (void)state;
    static flight f;
    static const uint16_t groups[SHEET_CELLS];
    static const willow_method methods[] = {WILLOW_METHOD_AUTO, WILLOW_METHOD_KINETIC_AABB};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        open_flight(&f);
        chorus_add_brute(&f.c);
        chorus_add(&f.c, zoo_tree(methods[m], 4, 2), WILLOW_KERNEL_AUTO, 1);
        const willow_mesh_def mesh = {.positions = f.sheet.at,
                                      .vertex_count = VERTICES,
                                      .indices = f.sheet.tris,
                                      .index_type = WILLOW_INDEX_U32,
                                      .triangle_count = SHEET_CELLS,
                                      .triangle_groups = groups};
        chorus_add_body(&f.c, &mesh, false);
        chorus_update_at(&f.c, f.time);
        assert_int_equal(go_calmly(&f, 4), 0);
        assert_int_equal(go_wildly(&f, 20), 0);
        assert_int_equal(go_calmly(&f, 4), 0);
        chorus_close(&f.c);
    }
}

/* ---- threads and kernels ---- */

static void decide_alike(willow_events events)
{
    static flight f;
    const willow_tree_def tree = auto_tree_with(events);
    static const uint32_t thread_counts[] = {1, 2, 4};
    size_t pairs = 0;
    const willow_kernel wide =
        zoo_has_kernel(WILLOW_KERNEL_AVX2) ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
    open_flight(&f);
    for (size_t i = 0; i < sizeof thread_counts / sizeof thread_counts[0]; i++) {
        chorus_add(&f.c, tree, WILLOW_KERNEL_SCALAR, thread_counts[i]);
        chorus_add(&f.c, tree, wide, thread_counts[i]);
    }
    take_off(&f);
    for (uint32_t i = 0; i < 90; i++) {
        const uint32_t chapter = i / 15;
        if (chapter % 3 == 1)
            fly_wildly(&f);
        else if (i % 15 == 0 && chapter == 5)
            fly_through_keys(&f, 0.05);
        else if (i % 15 == 0)
            fly_calmly(&f, chapter == 0 ? 1.0F : -1.0F);
        pairs += go(&f, 0x1p-6);
        chorus_check_same(&f.c, 0, f.c.voice_count);
    }
    assert_true(pairs > 0 && f.changes >= 4);
    chorus_close(&f.c);
}

static void decisions_are_the_same_with_any_threads_and_kernels(void **state)
{
    (void)state;
    decide_alike(WILLOW_EVENTS_NONE);
    decide_alike(WILLOW_EVENTS_BATCH);
}

/* ---- memory ---- */

static bool set_twice(const chorus *c, chorus_voice *voice, const flight *f)
{
    const willow_result result =
        willow_body_set_velocities(voice->world, voice->bodies[0], 0, VERTICES, f->velocities, 0);
    if (result == WILLOW_OK) return true;
    chorus_expect(c, voice, result == WILLOW_OUT_OF_MEMORY, "another failure");
    chorus_expect(c, voice,
                  willow_body_set_velocities(voice->world, voice->bodies[0], 0, VERTICES,
                                             f->velocities, 0) == WILLOW_OK,
                  "it fails again");
    return false;
}

/* Calm, wild and calm again, where the n-th allocation fails; false if there are fewer. */
static bool run_with_failure(flight *f, willow_events events, size_t n, size_t *pairs)
{
    open_plain(f, auto_tree_with(events));
    chorus_voice *voice = &f->c.voices[1];
    bool has_failed = false;
    voice->allocator.fail_at = voice->allocator.calls + n;
    for (uint32_t i = 0; i < 24; i++) {
        const bool is_wild = i >= 4 && i < 8, is_calmed = i == 0 || i == 8;
        if (is_wild)
            for (uint32_t k = 0; k < VERTICES; k++)
                f->velocities[k][k % 3] = (float)test_random_between(&f->random, -1.0, 1.0);
        if (is_calmed)
            for (uint32_t k = 0; k < VERTICES; k++) f->velocities[k][2] = i == 0 ? 0.25F : -0.25F;
        f->time += 0x1p-6;
        for (uint32_t v = 0; v < 2; v++) {
            if (is_wild || is_calmed)
                has_failed = !set_twice(&f->c, &f->c.voices[v], f) || has_failed;
            has_failed = !chorus_update_twice(&f->c, &f->c.voices[v], f->time) || has_failed;
        }
        note(f);
        if (i % 4 == 3) *pairs += chorus_compare_in_peace(&f->c, voice);
    }
    chorus_close(&f->c);
    return has_failed;
}

static void it_goes_on_after_memory_was_short(void **state)
{
    (void)state;
    static flight f;
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++) {
        size_t n = 0, pairs = 0;
        do n++;
        while (run_with_failure(&f, events, n, &pairs));
        print_message("%zu allocations, %zu pairs\n", n - 1, pairs);
        assert_true(n > 10 && pairs > 0);
        assert_true(f.changes >= 3 && is_following(&f)); /* where all went well */
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(calm_motion_is_followed),
    cmocka_unit_test(calm_keyframes_are_followed),
    cmocka_unit_test(wild_motion_is_refitted),
    cmocka_unit_test(motion_that_calms_down_is_followed_again),
    cmocka_unit_test(smaller_steps_are_followed_again),
    cmocka_unit_test(what_does_not_pay_is_tried_less_and_less),
    cmocka_unit_test(time_that_goes_back_all_the_time_is_refitted),
    cmocka_unit_test(keyframes_in_most_updates_are_refitted),
    cmocka_unit_test(noisy_keyframes_are_followed_if_there_are_frames_between),
    cmocka_unit_test(wild_motion_is_refitted_without_events),
    cmocka_unit_test(few_changes_are_followed_without_events),
    cmocka_unit_test(what_queries_reach_is_not_free),
    cmocka_unit_test(time_that_goes_back_is_refitted_without_events),
    cmocka_unit_test(small_bodies_are_refitted),
    cmocka_unit_test(plans_may_end_and_begin_in_every_mode),
    cmocka_unit_test(positions_are_refused_while_a_plan_is_followed),
    cmocka_unit_test(auto_may_become_another_method_on_a_plan),
    cmocka_unit_test(bodies_without_a_tree_follow_plans),
    cmocka_unit_test(decisions_are_the_same_with_any_threads_and_kernels),
    cmocka_unit_test(it_goes_on_after_memory_was_short),
};

TEST_GROUP(auto_plans, tests);
