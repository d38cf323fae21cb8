/* What the def of a body said, changed later; what results say of bodies; and questions in which
 * there is nothing to ask. */
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"

/* A triangle above, one below, and one across the first: of one body all, or of two. */
static const float at[9][3] = {{0, 0, 0},        {2, 0, 0},       {0, 2, 0},
                               {0, 0, 0.5F},     {2, 0, 0.5F},    {0, 2, 0.5F},
                               {0.5F, 0.5F, -1}, {0.5F, 0.5F, 1}, {9, 9, 0}};
static const uint32_t tris[3][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id a, b; /* the lowest and the one across; the middle one */
} site;

static willow_body_def def_of(const void *indices, uint32_t count)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 9, indices, count);
    return def;
}

static void open_site(site *s, willow_method method)
{
    static const uint32_t outer[2][3] = {{0, 1, 2}, {6, 7, 8}};
    willow_body_def a = def_of(outer, 2), b = def_of(&tris[1], 1);
    a.tree.method = b.tree.method = method;
    a.user_data = 17;
    b.user_data = UINT64_MAX;
    s->world = fixture_world(NULL);
    s->scratch = fixture_scratch(s->world);
    s->a = fixture_body(s->world, &a);
    s->b = fixture_body(s->world, &b);
    assert_ok(willow_world_update(s->world, 0.0, NULL));
}

static willow_pairs pairs_of(site *s)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    return pairs;
}

/* Queries wait for the update, and then see what was set. */
static size_t count_after_update(site *s)
{
    willow_pairs pairs;
    assert_int_equal(willow_find_pairs(s->world, s->scratch, NULL, &pairs), WILLOW_STALE);
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    assert_true(willow_world_validate(s->world, NULL, 0));
    return pairs_of(s).count;
}

static void settings_are_seen_after_the_update(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        site s;
        willow_body_info info;
        willow_near near;
        open_site(&s, method);
        assert_int_equal(pairs_of(&s).count, 1);
        const uint64_t hash = willow_world_hash(s.world);
        assert_ok(willow_body_set_self(s.world, s.a, true));
        assert_int_equal(count_after_update(&s), 2);
        assert_ok(willow_body_set_mask_bits(s.world, s.b, 2));
        assert_int_equal(count_after_update(&s), 1);
        assert_ok(willow_body_set_category_bits(s.world, s.a, 2));
        assert_int_equal(count_after_update(&s), 2);
        assert_ok(willow_body_set_self(s.world, s.a, false));
        assert_int_equal(count_after_update(&s), 1);
        assert_ok(willow_body_set_thickness(s.world, s.a, 0.25F));
        assert_ok(willow_body_set_thickness(s.world, s.b, 0.5F));
        assert_int_equal(count_after_update(&s), 1);
        assert_ok(willow_find_near(s.world, s.scratch, NULL, &near));
        assert_int_equal(near.count, 2); /* all of a are within both layers of b */
        assert_ok(willow_body_set_thickness(s.world, s.b, 0.0F));
        assert_int_equal(count_after_update(&s), 1);
        assert_ok(willow_find_near(s.world, s.scratch, NULL, &near));
        assert_int_equal(near.count, 1);
        assert_ok(willow_body_get_info(s.world, s.a, &info));
        assert_true(info.category_bits == 2 && info.thickness == 0.25F && !info.self);
        assert_true(willow_world_hash(s.world) != hash);
        fixture_close(s.world, s.scratch);
    }
}

/* Of a surface that folds, with a trial step that stays: as a body that had `self` from the start,
 * with its lists. */
static void self_set_later_is_self(void **state)
{
    (void)state;
    scene *cloth = fixture_scene("selfcloth:triangles=512,frames=40");
    const scene_body *mesh = &cloth->bodies[0];
    float(*from)[3] = calloc(mesh->vertex_count, sizeof *from);
    float(*to)[3] = calloc(mesh->vertex_count, sizeof *to);
    assert_true(from != NULL && to != NULL);
    scene_positions(cloth, 30, 0, &from[0][0]);
    scene_positions(cloth, 31, 0, &to[0][0]);
    uint64_t hashes[2];
    size_t impacts[2], culled[2];
    for (int late = 0; late < 2; late++) {
        willow_body_def def = willow_body_def_default();
        willow_pairs pairs;
        willow_impacts found;
        willow_world *world = fixture_world(NULL);
        willow_scratch *scratch = fixture_scratch(world);
        def.mesh = FIXTURE_MESH(from, mesh->vertex_count, mesh->indices, mesh->triangle_count);
        def.self = late == 0;
        const willow_body_id id = fixture_body(world, &def);
        assert_ok(willow_body_set_target(world, id, 0, mesh->vertex_count, to, 0));
        assert_ok(willow_world_update(world, 0.0, NULL));
        if (late) {
            assert_ok(willow_body_set_self(world, id, true));
            assert_ok(willow_world_update(world, 0.0, NULL));
        }
        assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
        hashes[late] = willow_pairs_hash(&pairs);
        culled[late] = (size_t)willow_scratch_stats(scratch).leaf_pairs_culled;
        assert_ok(willow_find_impacts(world, scratch, NULL, &found));
        impacts[late] = found.count;
        fixture_close(world, scratch);
    }
    print_message("%zu pairs of leaves passed over, %zu impacts\n", culled[0], impacts[0]);
    assert_true(hashes[0] == hashes[1] && impacts[0] == impacts[1]);
    assert_true(culled[0] == culled[1] && culled[0] > 0);
    free(from);
    free(to);
    scene_destroy(cloth);
}

static void user_data_comes_back_in_runs_at_once(void **state)
{
    (void)state;
    site s;
    willow_near near;
    willow_impacts impacts;
    const willow_vec3 up = {0, 0, 3};
    open_site(&s, WILLOW_METHOD_AUTO);
    willow_pairs pairs = pairs_of(&s);
    assert_int_equal(pairs.run_count, 1);
    assert_true(pairs.runs[0].user_data_a == 17 && pairs.runs[0].user_data_b == UINT64_MAX);
    assert_ok(willow_body_set_user_data(s.world, s.b, 4));
    pairs = pairs_of(&s); /* no update */
    assert_true(pairs.runs[0].user_data_a == 17 && pairs.runs[0].user_data_b == 4);
    assert_ok(willow_find_near(s.world, s.scratch, NULL, &near));
    assert_true(near.runs[0].user_data_a == 17 && near.runs[0].user_data_b == 4);
    assert_ok(willow_body_set_target(s.world, s.a, 0, 1, &up, 0));
    assert_ok(willow_body_set_user_data(s.world, s.a, 5));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    assert_ok(willow_find_impacts(s.world, s.scratch, NULL, &impacts));
    assert_true(impacts.run_count == 1);
    assert_true(impacts.runs[0].user_data_a == 5 && impacts.runs[0].user_data_b == 4);
    willow_body_def late = def_of(tris, 1); /* not seen by any update yet */
    const willow_body_id id = fixture_body(s.world, &late);
    assert_ok(willow_body_set_user_data(s.world, id, 6));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    willow_body_info info;
    assert_ok(willow_body_get_info(s.world, id, &info));
    assert_true(info.user_data == 6);
    fixture_close(s.world, s.scratch);
}

static void ids_are_equal_if_all_of_them_is(void **state)
{
    (void)state;
    const willow_body_id id = {1, 2, 3}, others[3] = {{2, 2, 3}, {1, 3, 3}, {1, 2, 2}};
    assert_true(willow_body_id_equal(id, id));
    for (int i = 0; i < 3; i++) assert_false(willow_body_id_equal(id, others[i]));
    assert_true(willow_body_id_equal((willow_body_id){0}, (willow_body_id){0}));
}

static void where_nothing_is_asked_the_result_says_so(void **state)
{
    (void)state;
    site s;
    willow_pairs pairs;
    willow_first_pair pair;
    willow_near near;
    willow_impacts impacts;
    willow_first_impact first;
    willow_query_options one = willow_query_options_default();
    open_site(&s, WILLOW_METHOD_AUTO);
    one.bodies = &s.a;
    one.body_count = 1;
    assert_ok(willow_find_self_pairs(s.world, s.scratch, NULL, &pairs));
    assert_true(pairs.nothing_asked && pairs.complete && pairs.count == 0);
    assert_ok(willow_find_self_pairs(s.world, s.scratch, &one, &pairs));
    assert_true(!pairs.nothing_asked && pairs.count == 1);
    assert_ok(willow_find_pairs(s.world, s.scratch, NULL, &pairs));
    assert_true(!pairs.nothing_asked && pairs.count == 1);
    assert_ok(willow_find_pairs(s.world, s.scratch, &one, &pairs));
    assert_true(pairs.nothing_asked && pairs.count == 0);
    assert_ok(willow_find_first_pair(s.world, s.scratch, &one, &pair));
    assert_true(pair.nothing_asked && !pair.found);
    assert_ok(willow_find_near(s.world, s.scratch, &one, &near));
    assert_true(near.nothing_asked && near.count == 0);
    for (int moves = 0; moves < 2; moves++) {
        assert_ok(willow_find_impacts(s.world, s.scratch, NULL, &impacts));
        assert_true(impacts.nothing_asked == !moves && impacts.complete);
        assert_true((impacts.count > 0) == moves);
        assert_ok(willow_time_of_impact(s.world, s.scratch, NULL, &first));
        assert_true(first.nothing_asked == !moves && first.found == moves);
        assert_ok(willow_find_impacts(s.world, s.scratch, &one, &impacts));
        assert_true(impacts.nothing_asked);
        const willow_vec3 away = {0, 0, 3};
        assert_ok(willow_body_set_target(s.world, s.a, 0, 1, &away, 0));
        assert_ok(willow_world_update(s.world, 0.0, NULL));
    }
    fixture_close(s.world, s.scratch);
}

static void rest_shapes_must_be_kept_where_they_are_asked_about(void **state)
{
    (void)state;
    site s;
    willow_near near;
    willow_impacts impacts;
    willow_first_impact first;
    willow_query_options options = willow_query_options_default();
    open_site(&s, WILLOW_METHOD_AUTO);
    options.skip_close_at_rest = true;
    assert_ok(willow_find_near(s.world, s.scratch, &options, &near)); /* of no inside */
    assert_ok(willow_body_set_self(s.world, s.b, true));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    const char words[] = "body 2 was made without keep_rest, which skip_close_at_rest needs";
    assert_int_equal(willow_find_near(s.world, s.scratch, &options, &near), WILLOW_BAD_ARGUMENT);
    assert_string_equal(willow_scratch_message(s.scratch), words);
    assert_int_equal(willow_find_impacts(s.world, s.scratch, &options, &impacts),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_time_of_impact(s.world, s.scratch, &options, &first),
                     WILLOW_BAD_ARGUMENT);
    options.bodies = &s.a;
    options.body_count = 1;
    assert_ok(willow_find_near(s.world, s.scratch, &options, &near));
    fixture_close(s.world, s.scratch);
}

/* Member by member: what is between them may be anything. */
static void expect_equal_trees(const willow_tree_def *a, const willow_tree_def *b)
{
    assert_true(a->struct_size == b->struct_size && a->method == b->method && a->build == b->build);
    assert_true(a->arity == b->arity && a->leaf_triangles == b->leaf_triangles &&
                a->hybrid_level == b->hybrid_level);
    assert_true(a->margin == b->margin && a->rebuild_ratio == b->rebuild_ratio);
    assert_true(a->events == b->events && a->search_keyframes == b->search_keyframes &&
                a->exact_events == b->exact_events);
    assert_true(a->reference == b->reference && a->reference_target == b->reference_target &&
                a->blend_both == b->blend_both);
    assert_true(a->in_between == b->in_between && a->volume == b->volume);
}

/* 0 stands for the default in every number. */
static void zeros_are_the_defaults(void **state)
{
    (void)state;
    const willow_tree_def tree = {.struct_size = sizeof tree};
    const willow_world_def world_def = {.struct_size = sizeof world_def};
    willow_world *world = fixture_world(&world_def);
    willow_body_def def = def_of(tris, 3);
    willow_body_info infos[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1) def.tree = tree;
        if (i == 0) def.tree.arity = 8, def.tree.leaf_triangles = 16;
        assert_ok(willow_body_get_info(world, fixture_body(world, &def), &infos[i]));
    }
    expect_equal_trees(&infos[0].tree, &infos[1].tree);
    assert_true(infos[0].tree.arity == 8 && infos[0].tree.leaf_triangles == 16);
    fixture_close(world, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_are_seen_after_the_update),
    cmocka_unit_test(self_set_later_is_self),
    cmocka_unit_test(user_data_comes_back_in_runs_at_once),
    cmocka_unit_test(ids_are_equal_if_all_of_them_is),
    cmocka_unit_test(where_nothing_is_asked_the_result_says_so),
    cmocka_unit_test(rest_shapes_must_be_kept_where_they_are_asked_about),
    cmocka_unit_test(zeros_are_the_defaults),
};

TEST_GROUP(settings, tests);
