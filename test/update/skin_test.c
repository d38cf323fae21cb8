/* SKIN: what an update and a query cost, and that boxes contain vertices wherever joints are. */
#include <math.h>
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/skin_model.h"
#include "support/test.h"
#include "willow/willow.h"

enum { RIGHT, TRIED, SIDES };

typedef struct stage {
    zoo_mesh mesh;
    morph_model morph;
    skin_model skin;
    willow_world *worlds[SIDES];
    willow_scratch *scratches[SIDES];
    willow_body_id bodies[SIDES];
} stage;

static void open_stage(stage *s, zoo_kind kind, uint32_t size, uint32_t joints, uint32_t has_morph,
                       willow_method method, uint64_t seed)
{
    zoo_mesh_create(&s->mesh, kind, size, seed);
    morph_model_create(&s->morph, &s->mesh,
                       has_morph == 1 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE, 3, seed);
    skin_model_create(&s->skin, s->mesh.vertex_count, joints, seed);
    const willow_morph morph = morph_model_def(&s->morph);
    const willow_skin skin = skin_model_def(&s->skin);
    for (int side = 0; side < SIDES; side++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = zoo_mesh_def(&s->mesh);
        def.tree.method = side == RIGHT ? WILLOW_METHOD_BRUTE : method;
        def.tree.leaf_triangles = 4;
        def.self = true;
        s->worlds[side] = fixture_world(NULL);
        s->scratches[side] = fixture_scratch(s->worlds[side]);
        s->bodies[side] = fixture_body(s->worlds[side], &def);
        if (has_morph > 0)
            assert_ok(willow_body_set_morph_targets(s->worlds[side], s->bodies[side], &morph));
        assert_ok(willow_body_set_skin(s->worlds[side], s->bodies[side], &skin));
    }
}

static void close_stage(stage *s)
{
    for (int side = 0; side < SIDES; side++) fixture_close(s->worlds[side], s->scratches[side]);
    skin_model_destroy(&s->skin);
    morph_model_destroy(&s->morph);
    zoo_mesh_destroy(&s->mesh);
}

static void set_joints(stage *s)
{
    for (int side = 0; side < SIDES; side++)
        assert_ok(willow_body_set_joints(s->worlds[side], s->bodies[side], s->skin.joints,
                                         s->skin.joint_count));
}

static void set_weights(stage *s, uint64_t *random)
{
    morph_model_choose(&s->morph, MORPH_WEIGHTS_NEGATIVE, random);
    for (int side = 0; side < SIDES; side++)
        assert_ok(willow_body_set_morph_weights(s->worlds[side], s->bodies[side], s->morph.weights,
                                                s->morph.target_count));
}

/* All pairs within, and all impacts, as with BRUTE; all nodes that they opened are sound. */
static size_t compare(stage *s)
{
    const willow_query_options options = willow_query_options_default();
    willow_pairs pairs[SIDES];
    willow_impacts impacts[SIDES];
    char reason[200] = "";
    for (int side = 0; side < SIDES; side++) {
        assert_ok(
            willow_find_self_pairs(s->worlds[side], s->scratches[side], &options, &pairs[side]));
        if (!willow_world_validate(s->worlds[side], reason, sizeof reason)) fail_msg("%s", reason);
    }
    assert_true(willow_pairs_hash(&pairs[RIGHT]) == willow_pairs_hash(&pairs[TRIED]));
    size_t found = pairs[RIGHT].count;
    for (int side = 0; side < SIDES; side++) {
        assert_ok(
            willow_find_impacts(s->worlds[side], s->scratches[side], &options, &impacts[side]));
        if (!willow_world_validate(s->worlds[side], reason, sizeof reason)) fail_msg("%s", reason);
    }
    assert_int_equal(impacts[RIGHT].count, impacts[TRIED].count);
    for (size_t i = 0; i < impacts[RIGHT].count; i++)
        assert_true(impacts[RIGHT].items[i].time == impacts[TRIED].items[i].time);
    return found + impacts[RIGHT].count;
}

static void update(stage *s)
{
    for (int side = 0; side < SIDES; side++)
        assert_ok(willow_world_update(s->worlds[side], 0.0, NULL));
}

/* ---- joints of all kinds ---- */

static void gentle(skin_model *m, uint64_t *random) { skin_model_move(m, 0.25, random); }

static void wild(skin_model *m, uint64_t *random) { skin_model_move(m, 4.0, random); }

/* Some are flat, some mirror, some are far away, or large or small by many orders. */
static void odd(skin_model *m, uint64_t *random)
{
    static const double scales[] = {0.0, -1.0, 1e-20, 1e12, 1.0};
    skin_model_move(m, 1.0, random);
    for (uint32_t i = 0; i < m->joint_count; i++)
        for (int row = 0; row < 3; row++) {
            const double scale = scales[test_random(random) % 5];
            for (int k = 0; k < 3; k++) m->joints[i].row[row][k] *= scale;
            if (test_random(random) % 8 == 0) m->joints[i].row[row][3] += 1e6;
        }
}

/* Everything leaves the range of floats, which the end of it stays at. */
static void vast(skin_model *m, uint64_t *random)
{
    skin_model_move(m, 1.0, random);
    for (uint32_t i = 0; i < m->joint_count; i++)
        m->joints[i].row[test_random(random) % 3][test_random(random) % 4] = 3e38;
}

static void (*const moves[])(skin_model *m, uint64_t *random) = {gentle, wild, odd, vast};

static size_t play(zoo_kind kind, uint32_t joints, uint32_t has_morph, willow_method method,
                   uint64_t seed)
{
    stage s;
    size_t found = 0;
    uint64_t random = seed;
    open_stage(&s, kind, 60, joints, has_morph, method, seed);
    for (uint32_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        moves[i](&s.skin, &random);
        set_joints(&s);
        if (has_morph > 0) set_weights(&s, &random);
        if (i < 2) { /* an end of a step nearby */
            gentle(&s.skin, &random);
            for (int side = 0; side < SIDES; side++)
                assert_ok(willow_body_set_target_joints(s.worlds[side], s.bodies[side],
                                                        s.skin.joints, s.skin.joint_count));
        }
        update(&s);
        found += compare(&s);
    }
    close_stage(&s);
    return found;
}

static void boxes_contain_vertices_wherever_joints_are(void **state)
{
    static const zoo_kind kinds[] = {ZOO_KIND_SOUP, ZOO_KIND_GRID, ZOO_KIND_CRUMPLED,
                                     ZOO_KIND_EXTREME, ZOO_KIND_SEAMS};
    static const uint32_t joint_counts[] = {1, 3, 30};
    size_t found = 0;
    uint64_t seed = 1;
    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (size_t joints = 0; joints < 3; joints++)
            for (uint32_t has_morph = 0; has_morph < 3; has_morph++)
                for (int is_auto = 0; is_auto < 2; is_auto++)
                    found += play(kinds[kind], joint_counts[joints], has_morph,
                                  is_auto ? WILLOW_METHOD_AUTO : WILLOW_METHOD_SKIN, seed++);
    print_message("%zu pairs and impacts\n", found);
    assert_true(found > 0);
}

/* ---- what it costs ---- */

static void only_leaves_that_a_ray_reaches_are_computed(void **state)
{
    stage s;
    uint64_t random = 5;
    (void)state;
    open_stage(&s, ZOO_KIND_SPHERE, 2000, 12, 0, WILLOW_METHOD_SKIN, 5);
    assert_ok(willow_world_update(s.worlds[TRIED], 0.0, NULL));
    skin_model_move(&s.skin, 0.03125, &random);
    assert_ok(willow_body_set_joints(s.worlds[TRIED], s.bodies[TRIED], s.skin.joints,
                                     s.skin.joint_count));
    willow_update_report report;
    assert_ok(willow_world_update(s.worlds[TRIED], 0.0, &report));
    assert_int_equal(report.nodes_updated, 1);
    assert_int_equal(report.vertices_evaluated, 0);
    assert_int_equal(report.bodies_built, 0);
    const willow_ray ray = {
        .origin = {-8, 0.125F, 0.0625F}, .direction = {1, 0, 0}, .t_max = INFINITY};
    willow_casts casts;
    assert_ok(willow_cast_rays(s.worlds[TRIED], s.scratches[TRIED], &ray, 1, NULL, &casts));
    assert_int_equal(casts.states[0], WILLOW_RAY_HIT);
    const willow_query_stats stats = willow_scratch_stats(s.scratches[TRIED]);
    print_message("%u of %u vertices\n", (unsigned)stats.vertices_blended, s.mesh.vertex_count);
    assert_true(stats.vertices_blended > 0 && 4 * stats.vertices_blended < s.mesh.vertex_count);
    close_stage(&s);
}

static void one_joint_moves_tight_boxes(void **state)
{
    stage s;
    willow_body_info before, after;
    (void)state;
    open_stage(&s, ZOO_KIND_SPHERE, 500, 1, 0, WILLOW_METHOD_SKIN, 7);
    update(&s);
    assert_ok(willow_body_get_info(s.worlds[TRIED], s.bodies[TRIED], &before));
    for (int row = 0; row < 3; row++) s.skin.joints[0].row[row][3] += 2.0;
    set_joints(&s);
    update(&s);
    assert_ok(willow_body_get_info(s.worlds[TRIED], s.bodies[TRIED], &after));
    assert_true(fabsf(after.box.upper.x - after.box.lower.x -
                      (before.box.upper.x - before.box.lower.x)) < 1e-5F);
    assert_true(fabsf(after.box.upper.y - before.box.upper.y - 2.0F) < 1e-5F);
    close_stage(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_contain_vertices_wherever_joints_are),
    cmocka_unit_test(only_leaves_that_a_ray_reaches_are_computed),
    cmocka_unit_test(one_joint_moves_tight_boxes),
};

TEST_GROUP(skin, tests);
