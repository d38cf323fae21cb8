/* AUTO on bodies that morph: it blends while queries reach little of the body, refits where they
 * reach most of it, goes back when they do not any more, and answers as BRUTE does all the time. */
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "support/zoo_world.h"

enum { LIFTED, PUSHED, TARGETS };

/* A ball in a ball of nearly the same size, each of which reaches all of the other; or, pushed
 * aside, none of it. The first one morphs. */
typedef struct balls {
    chorus c;
    zoo_mesh mesh;
    float (*values[TARGETS])[3];
    float (*second)[3];
    uint32_t frame;
    willow_method mode;
    uint32_t changes, blended; /* of what AUTO stands for, and updates in which that was BLEND */
    size_t pairs;
} balls;

static willow_tree_def auto_tree(void) { return zoo_tree(WILLOW_METHOD_AUTO, 4, 2); }

static void open_balls(balls *b)
{
    memset(b, 0, sizeof *b);
    chorus_open(&b->c, "balls", 0);
    zoo_mesh_create(&b->mesh, ZOO_KIND_SPHERE, 160, 5);
    const uint32_t count = b->mesh.vertex_count;
    for (int t = 0; t < TARGETS; t++) b->values[t] = test_calloc(count, sizeof *b->values[t]);
    b->second = test_calloc(count, sizeof *b->second);
    for (uint32_t i = 0; i < count; i++) {
        b->values[LIFTED][i][2] = 0.0625F * (float)(i % 5);
        b->values[PUSHED][i][0] = 64.0F;
        for (int axis = 0; axis < 3; axis++)
            b->second[i][axis] = b->mesh.positions[i][axis] * (1.0F + 0.015625F * (float)(i % 3));
    }
}

static willow_mesh_def ball_def(const balls *b, const void *positions)
{
    return FIXTURE_MESH(positions, b->mesh.vertex_count, b->mesh.tris, b->mesh.triangle_count);
}

static willow_morph morph_of(const balls *b, willow_morph_target targets[TARGETS])
{
    willow_morph morph = willow_morph_default();
    for (int t = 0; t < TARGETS; t++) targets[t] = (willow_morph_target){.values = b->values[t]};
    morph.targets = targets;
    morph.target_count = TARGETS;
    return morph;
}

/* After the voices. */
static void add_balls(balls *b, bool self)
{
    willow_morph_target targets[TARGETS];
    const willow_mesh_def first = ball_def(b, b->mesh.positions), second = ball_def(b, b->second);
    const willow_morph morph = morph_of(b, targets);
    chorus_add_body(&b->c, &first, self);
    chorus_add_body(&b->c, &second, false);
    chorus_set_morph(&b->c, 0, &morph);
    chorus_update(&b->c);
}

static void open_plain(balls *b, bool self)
{
    open_balls(b);
    chorus_add_brute(&b->c);
    chorus_add(&b->c, auto_tree(), WILLOW_KERNEL_AUTO, 1);
    add_balls(b, self);
}

static void close_balls(balls *b)
{
    chorus_close(&b->c);
    for (int t = 0; t < TARGETS; t++) test_free(b->values[t]);
    test_free(b->second);
    zoo_mesh_destroy(&b->mesh);
}

static void note_mode(balls *b)
{
    const chorus_voice *last = &b->c.voices[b->c.voice_count - 1];
    const willow_method mode = chorus_mode(last, 0);
    b->changes += b->c.updates > 2 && mode != b->mode;
    b->blended += mode == WILLOW_METHOD_BLEND;
    b->mode = mode;
}

static void weigh(balls *b, bool apart, float weights[TARGETS])
{
    b->frame++;
    weights[LIFTED] = 0.125F * (float)(b->frame % 4);
    weights[PUSHED] = apart ? 1.0F : 0.0F;
}

static void run(balls *b, uint32_t frames, bool apart)
{
    for (uint32_t i = 0; i < frames; i++) {
        float weights[TARGETS];
        weigh(b, apart, weights);
        chorus_set_weights(&b->c, 0, weights, TARGETS);
        chorus_update(&b->c);
        note_mode(b);
        b->pairs += chorus_compare(&b->c);
    }
}

/* From the first question that reaches all to the update that refits; and back, which takes two
 * looks at refits, eight updates apart, and one update. */
enum { TO_REFIT = 12, TO_BLEND = 20 };

static void deep_interpenetration_is_refitted_and_bodies_apart_are_blended(void **state)
{
    (void)state;
    static balls b;
    open_plain(&b, false);
    run(&b, 12, true);
    assert_int_equal(b.mode, WILLOW_METHOD_BLEND);
    assert_int_equal(b.changes, 0);
    run(&b, TO_REFIT, false);
    assert_int_not_equal(b.mode, WILLOW_METHOD_BLEND);
    run(&b, 20, false);
    assert_int_not_equal(b.mode, WILLOW_METHOD_BLEND);
    run(&b, TO_BLEND, true);
    assert_int_equal(b.mode, WILLOW_METHOD_BLEND);
    assert_true(b.pairs > 0);
    assert_int_equal(b.c.voices[1].built, 0); /* neither way needs another tree */
    print_message("%zu pairs\n", b.pairs);
    close_balls(&b);
}

static void what_does_not_pay_is_tried_less_and_less(void **state)
{
    (void)state;
    static balls b;
    open_plain(&b, false);
    run(&b, 100, false);
    const uint32_t at_first = b.blended;
    run(&b, 300, false);
    assert_true(at_first >= 1 && at_first <= 3); /* the first update, and what it tries again */
    assert_true(b.blended > at_first && b.blended - at_first <= 3);
    close_balls(&b);
}

static void pairs_within_a_body_are_counted_not_guessed(void **state)
{
    (void)state;
    static balls b;
    willow_query_stats before;
    open_plain(&b, true);
    run(&b, 1, true);
    before = b.c.voices[1].stats;
    assert_int_equal(b.mode, WILLOW_METHOD_BLEND);
    assert_true(before.vertices_blended > 0);
    run(&b, TO_REFIT, true); /* every leaf is reached by its neighbours, wherever the other is */
    assert_int_not_equal(b.mode, WILLOW_METHOD_BLEND);
    close_balls(&b);
}

static void under_a_pose_leaves_are_summed_up_once_in_either_way(void **state)
{
    (void)state;
    static balls b;
    willow_pose pose = willow_pose_identity();
    open_plain(&b, false);
    run(&b, TO_REFIT, false);
    assert_int_not_equal(b.mode, WILLOW_METHOD_BLEND);
    pose.rotation.z = 0.25F;
    chorus_pose(&b.c, 0, &pose);
    run(&b, 1, false);
    const wi_tree *h = chorus_hierarchy(&b.c.voices[1], 0);
    const uint64_t blended = b.c.voices[1].stats.vertices_blended;
    assert_int_not_equal(b.mode, WILLOW_METHOD_BLEND);
    assert_true(blended > 0 && blended <= h->shape->leaf_vertex_count);
    run(&b, 12, false);
    close_balls(&b);
}

static void morphs_may_end_and_begin_in_either_way(void **state)
{
    (void)state;
    static balls b;
    willow_morph_target targets[TARGETS];
    for (int deep = 0; deep < 2; deep++) {
        open_plain(&b, false);
        const willow_morph morph = morph_of(&b, targets);
        run(&b, TO_REFIT, deep == 0);
        chorus_set(&b.c, 0, 0, b.mesh.vertex_count, b.second, WILLOW_OK);
        chorus_update(&b.c);
        b.pairs += chorus_compare(&b.c);
        assert_int_not_equal(chorus_mode(&b.c.voices[1], 0), WILLOW_METHOD_BLEND);
        chorus_set_morph(&b.c, 0, &morph);
        run(&b, 1, true);
        assert_int_equal(b.mode, WILLOW_METHOD_BLEND); /* it is another one */
        run(&b, TO_REFIT, false);
        chorus_set_morph(&b.c, 0, &morph);
        run(&b, 1, false);
        assert_int_equal(b.mode, WILLOW_METHOD_BLEND);
        chorus_set(&b.c, 0, 0, 1, b.second, WILLOW_OK);
        chorus_update(&b.c);
        b.pairs += chorus_compare(&b.c);
        assert_true(b.pairs > 0);
        close_balls(&b);
    }
}

static void decisions_are_the_same_with_any_threads_and_kernels(void **state)
{
    (void)state;
    static balls b;
    static const uint32_t thread_counts[] = {1, 2, 4};
    const willow_kernel wide =
        zoo_has_kernel(WILLOW_KERNEL_AVX2) ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
    open_balls(&b);
    for (size_t i = 0; i < sizeof thread_counts / sizeof thread_counts[0]; i++) {
        chorus_add(&b.c, auto_tree(), WILLOW_KERNEL_SCALAR, thread_counts[i]);
        chorus_add(&b.c, auto_tree(), wide, thread_counts[i]);
    }
    add_balls(&b, false);
    for (uint32_t i = 0; i < 60; i++) {
        run(&b, 1, i >= 20 && i < 45);
        chorus_check_same(&b.c, 0, b.c.voice_count);
    }
    assert_true(b.pairs > 0 && b.changes >= 3);
    close_balls(&b);
}

/* ---- memory ---- */

/* Into each other and apart, where the n-th allocation fails; false if there are fewer. */
static bool run_with_failure(balls *b, size_t n)
{
    open_plain(b, false);
    chorus_voice *voice = &b->c.voices[1];
    bool has_failed = false;
    voice->allocator.fail_at = voice->allocator.calls + n;
    for (uint32_t i = 0; i < TO_REFIT + TO_BLEND; i++) {
        float weights[TARGETS];
        weigh(b, i >= TO_REFIT, weights);
        chorus_set_weights(&b->c, 0, weights, TARGETS);
        for (uint32_t v = 0; v < 2; v++)
            has_failed = !chorus_update_twice(&b->c, &b->c.voices[v], b->frame) || has_failed;
        b->c.updates++;
        note_mode(b);
        b->pairs += chorus_compare_in_peace(&b->c, voice);
    }
    assert_true(b->pairs > 0);
    if (!has_failed) assert_true(b->changes >= 2);
    close_balls(b);
    return has_failed;
}

static void it_goes_on_after_memory_was_short(void **state)
{
    (void)state;
    static balls b;
    size_t n = 0;
    do n++;
    while (run_with_failure(&b, n));
    print_message("%zu allocations\n", n - 1);
    assert_true(n > 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(deep_interpenetration_is_refitted_and_bodies_apart_are_blended),
    cmocka_unit_test(what_does_not_pay_is_tried_less_and_less),
    cmocka_unit_test(pairs_within_a_body_are_counted_not_guessed),
    cmocka_unit_test(under_a_pose_leaves_are_summed_up_once_in_either_way),
    cmocka_unit_test(morphs_may_end_and_begin_in_either_way),
    cmocka_unit_test(decisions_are_the_same_with_any_threads_and_kernels),
    cmocka_unit_test(it_goes_on_after_memory_was_short),
};

TEST_GROUP(auto_blend, tests);
