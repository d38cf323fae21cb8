/* Deformations of the user's own: all methods answer as for the same positions; BLEND asks for no
 * more than queries need; the checker finds promises that are not kept; and how they end. */
#include <math.h>
#include "support/bend.h"
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_world.h"

/* ---- all methods ---- */

static willow_tree_def blend_tree(uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_BLEND;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

static void add_voices(chorus *c)
{
    static const uint32_t arities[] = {2, 4, 8}, leaves[] = {1, 3, 16};
    chorus_add_brute(c);
    chorus_add_methods(c);
    for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++)
        for (uint32_t i = 0; i < 3 && zoo_has_kernel(kernel); i++) {
            willow_tree_def tree = blend_tree(arities[i], leaves[i]);
            tree.volume = (willow_volume)(i % WILLOW_VOLUME_COUNT);
            chorus_add(c, tree, kernel, 1 + i % 2);
        }
}

typedef struct stage {
    chorus c;
    zoo_mesh meshes[2];
    bend bends[CHORUS_VOICES];
    willow_vec3 *positions;
} stage;

static void add_body(stage *s, uint32_t i, zoo_kind kind, uint32_t size, bool self)
{
    zoo_mesh *mesh = &s->meshes[i];
    zoo_mesh_create(mesh, kind, size, 7 + i);
    const willow_mesh_def def = {.positions = mesh->positions,
                                 .vertex_count = mesh->vertex_count,
                                 .indices = mesh->tris,
                                 .index_type = WILLOW_INDEX_U32,
                                 .triangle_count = mesh->triangle_count,
                                 .triangle_groups = mesh->groups,
                                 .weld_exact = mesh->weld};
    chorus_add_body(&s->c, &def, self);
}

/* The first voice is given positions, and all others functions. */
static stage *open_stage(zoo_kind kind, uint32_t size, bool self)
{
    stage *s = test_calloc(1, sizeof *s);
    chorus_open(&s->c, zoo_kind_name(kind), size);
    add_voices(&s->c);
    add_body(s, 0, kind, size, self);
    add_body(s, 1, ZOO_KIND_SPHERE, 80, false);
    s->positions = test_calloc(s->meshes[0].vertex_count + 1, sizeof *s->positions);
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        s->bends[i] = bend_straight();
        const willow_deformation def = bend_deformation(&s->bends[i]);
        assert_ok(
            willow_body_set_deformation(s->c.voices[i].world, s->c.voices[i].bodies[0], &def));
    }
    return s;
}

static void close_stage(stage *s)
{
    chorus_close(&s->c);
    for (uint32_t i = 0; i < 2; i++) zoo_mesh_destroy(&s->meshes[i]);
    test_free(s->positions);
    test_free(s);
}

static void set_first(stage *s, const bend *b)
{
    const zoo_mesh *mesh = &s->meshes[0];
    const chorus_voice *first = &s->c.voices[0];
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->positions[i];
        s->positions[i] = bend_apply(b, (willow_vec3){p[0], p[1], p[2]});
        if (i == b->bad_vertex) s->positions[i].y = 0.0F;
    }
    if (mesh->vertex_count == 0) return;
    assert_ok(willow_body_set_vertices(first->world, first->bodies[0], 0, mesh->vertex_count,
                                       s->positions, 0));
}

static void bend_all(stage *s, float shear, float curve)
{
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        const chorus_voice *voice = &s->c.voices[i];
        assert_ok(willow_body_touch_deformation(voice->world, voice->bodies[0]));
        s->bends[i].shear = shear;
        s->bends[i].curve = curve;
    }
    set_first(s, &s->bends[1]);
}

static void check_promises(const stage *s)
{
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        const chorus_voice *voice = &s->c.voices[i];
        willow_deformation_report report;
        assert_ok(willow_body_check_deformation(voice->world, voice->bodies[0], &report));
        assert_int_equal(report.fault, WILLOW_DEFORMATION_KEPT);
        assert_int_equal(report.node, UINT32_MAX);
        if (voice->tree.method == WILLOW_METHOD_BLEND && s->meshes[0].triangle_count > 100)
            assert_true(report.parts_checked > 0);
    }
}

static size_t play(zoo_kind kind, uint32_t size, bool self)
{
    static const float shears[] = {0.0F, 0.25F, -1.5F, 0.0F}, curves[] = {0.0F, 0.5F, 0.1F, -2.0F};
    stage *s = open_stage(kind, size, self);
    size_t pairs = 0;
    for (int i = 0; i < 12; i++) {
        const willow_pose pose = {{0.125F * (float)i, 0, 0}, {0.5F, 0.25F, 0, 1}};
        if (i == 6) chorus_pose(&s->c, 0, &pose);
        if (i != 9) bend_all(s, shears[i % 4], curves[i % 4]);
        chorus_update(&s->c);
        pairs += chorus_compare(&s->c);
        check_promises(s);
        if (i == 7)
            for (uint32_t k = 1; k < s->c.voice_count; k++) { /* another tree, the same functions */
                const willow_tree_def tree = blend_tree(8, 2), kept = s->c.voices[k].tree;
                chorus_set_tree(&s->c, &s->c.voices[k], 0, k % 2 == 0 ? &tree : &kept);
            }
    }
    close_stage(s);
    return pairs;
}

static void all_methods_answer_as_for_the_same_positions(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (int self = 0; self < 2; self++) {
        pairs += play(ZOO_KIND_SPHERE, 200, self);
        pairs += play(ZOO_KIND_CRUMPLED, 100, self);
        pairs += play(ZOO_KIND_SEAMS, 60, self);
        pairs += play(ZOO_KIND_GROUPS, 60, self);
        pairs += play(ZOO_KIND_LOOSE, 12, self);
        pairs += play(ZOO_KIND_SINGLE, 1, self);
        pairs += play(ZOO_KIND_IGNORED, 12, self);
        pairs += play(ZOO_KIND_EMPTY, 0, self);
    }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

static void a_promise_that_is_not_kept_does_no_harm(void **state)
{
    (void)state;
    stage *s = open_stage(ZOO_KIND_SPHERE, 200, false);
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        s->bends[i].has_no_boxes = true;
        s->bends[i].bad_vertex = 11;
    }
    bend_all(s, 0.5F, 0.25F);
    chorus_update(&s->c);
    assert_true(chorus_compare(&s->c) > 0); /* 0 for NaN, and all of space for no box */
    for (uint32_t i = 1; i < s->c.voice_count; i++) {
        s->bends[i].has_no_boxes = false;
        s->bends[i].shrink = 0.5F;
        s->bends[i].is_restless = true;
    }
    bend_all(s, 0.5F, 0.25F);
    for (uint32_t i = 1; i < s->c.voice_count; i++) { /* whatever they answer */
        willow_pairs found;
        const chorus_voice *voice = &s->c.voices[i];
        assert_ok(willow_world_update(voice->world, 1, NULL));
        assert_ok(willow_find_pairs(voice->world, voice->scratch, NULL, &found));
    }
    close_stage(s);
}

/* ---- one body ---- */

enum { SIDE = 16, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE };

typedef struct scene {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id sheet, other;
    willow_vec3 positions[VERTICES];
    uint32_t faces[TRIANGLES][3];
    bend b;
} scene;

static willow_body_id add_sheet(scene *s, willow_method method, float height, bool borrow)
{
    willow_body_def def = willow_body_def_default();
    for (uint32_t i = 0; i < VERTICES; i++)
        s->positions[i] = (willow_vec3){(float)(i % ROW), (float)(i / ROW), 0.0F};
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW, c = a + ROW + 1;
        s->faces[i][0] = a;
        s->faces[i][1] = i % 2 == 0 ? a + 1 : c;
        s->faces[i][2] = i % 2 == 0 ? c : a + ROW;
    }
    def.mesh = (willow_mesh_def){.positions = s->positions,
                                 .vertex_count = VERTICES,
                                 .indices = s->faces,
                                 .triangle_count = TRIANGLES,
                                 .borrow = borrow};
    def.tree = blend_tree(8, 4);
    def.tree.method = method;
    def.pose.translation.z = height;
    willow_body_id body = fixture_body(s->world, &def);
    return body;
}

static scene *open_scene(willow_method method)
{
    scene *s = test_calloc(1, sizeof *s);
    const willow_world_def def = willow_world_def_default();
    s->world = fixture_world(&def);
    s->scratch = fixture_scratch(s->world);
    s->sheet = add_sheet(s, method, 0.0F, false);
    s->other = add_sheet(s, WILLOW_METHOD_BOTTOM_UP, 100.5F, false);
    s->b = bend_straight();
    const willow_deformation deformation = bend_deformation(&s->b);
    assert_ok(willow_body_set_deformation(s->world, s->sheet, &deformation));
    return s;
}

static void close_scene(scene *s)
{
    fixture_close(s->world, s->scratch);
    test_free(s);
}

static void update(scene *s) { assert_ok(willow_world_update(s->world, 0, NULL)); }

static size_t count_pairs(scene *s)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    return pairs.count;
}

static void touch(scene *s, float shear, float curve)
{
    assert_ok(willow_body_touch_deformation(s->world, s->sheet));
    s->b.shear = shear;
    s->b.curve = curve;
    s->b.positions = s->b.boxes = 0;
}

/* In checked builds an update validates the tree, and asks as well: that does not count. */
static void leave_out_checks(scene *s)
{
#if defined(WILLOW_CHECKED)
    s->b.positions = s->b.boxes = 0;
#else
    (void)s;
#endif
}

static void blend_asks_for_what_queries_reach_once(void **state)
{
    (void)state;
    scene *s = open_scene(WILLOW_METHOD_BLEND);
    update(s);
    leave_out_checks(s);
    assert_int_equal(count_pairs(s), 0);
    assert_int_equal(s->b.positions, 0);
    assert_true(s->b.boxes <= 8);
    touch(s, 0.0F, 0.45F); /* at x = 15 it is 101.25 high, at x = 14 88.2: few leaves meet */
    update(s);
    leave_out_checks(s);
    assert_int_equal(s->b.positions, 0);
    const size_t pairs = count_pairs(s);
    const unsigned calls = s->b.positions, boxes = s->b.boxes;
    assert_true(pairs > 0);
    assert_true(calls > 0 && calls < VERTICES / 2);
    assert_int_equal(count_pairs(s), pairs);
    assert_int_equal(s->b.positions, calls); /* not twice in a step */
    assert_int_equal(s->b.boxes, boxes);
    close_scene(s);
}

static void others_ask_for_all_vertices_and_no_box(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        if (method == WILLOW_METHOD_BLEND || method == WILLOW_METHOD_AUTO) continue;
        scene *s = open_scene(method);
        update(s);
        touch(s, 0.0F, 0.45F);
        update(s);
        assert_int_equal(s->b.positions, VERTICES);
        assert_true(count_pairs(s) > 0);
        assert_int_equal(s->b.positions, VERTICES);
        assert_int_equal(s->b.boxes, 0);
        close_scene(s);
    }
}

static void compute_without_bounds(willow_method method)
{
    scene *s = open_scene(method);
    update(s);
    willow_deformation def = bend_deformation(&s->b);
    def.bound = NULL;
    s->b.boxes = 0;
    s->b.curve = 0.45F;
    assert_ok(willow_body_set_deformation(s->world, s->sheet, &def));
    update(s);
    const size_t pairs = count_pairs(s);
    assert_true(pairs > 0);
    assert_int_equal(s->b.boxes, 0);
    def = bend_deformation(&s->b);
    assert_ok(willow_body_set_deformation(s->world, s->sheet, &def));
    update(s);
    assert_int_equal(count_pairs(s), pairs);
    assert_true(s->b.boxes > 0);
    close_scene(s);
}

static void without_bounds_blend_computes_all_vertices(void **state)
{
    (void)state;
    compute_without_bounds(WILLOW_METHOD_BLEND);
    compute_without_bounds(WILLOW_METHOD_AUTO);
}

/* ---- the checker ---- */

static willow_deformation_report check(const scene *s)
{
    willow_deformation_report report;
    assert_ok(willow_body_check_deformation(s->world, s->sheet, &report));
    return report;
}

static void the_checker_finds_what_is_wrong(void **state)
{
    (void)state;
    scene *s = open_scene(WILLOW_METHOD_BLEND);
    touch(s, -0.75F, 0.3F);
    update(s);
    assert_int_equal(check(s).fault, WILLOW_DEFORMATION_KEPT);
    assert_int_equal(check(s).vertices_checked, VERTICES);
    assert_true(check(s).parts_checked > TRIANGLES / 4);
    s->b.shrink = 0.001F;
    willow_deformation_report report = check(s);
    assert_int_equal(report.fault, WILLOW_DEFORMATION_NOT_INSIDE);
    assert_true(report.node > 0 && report.vertex < VERTICES);
    assert_true(report.position.y > report.box.upper.y);
    s->b.has_no_boxes = true;
    assert_int_equal(check(s).fault, WILLOW_DEFORMATION_NOT_A_BOX);
    s->b.is_restless = true;
    report = check(s);
    assert_int_equal(report.fault, WILLOW_DEFORMATION_CHANGES);
    assert_int_equal(report.vertex, 0);
    assert_int_equal(report.node, UINT32_MAX);
    s->b.is_restless = false;
    s->b.bad_vertex = 17;
    report = check(s);
    assert_int_equal(report.fault, WILLOW_DEFORMATION_NOT_FINITE);
    assert_int_equal(report.vertex, 17);
    assert_int_equal(report.vertices_checked, 18);
    close_scene(s);
}

static void the_checker_finds_a_change_without_a_touch(void **state)
{
    (void)state;
    scene *s = open_scene(WILLOW_METHOD_HYBRID);
    update(s);
    assert_int_equal(check(s).fault, WILLOW_DEFORMATION_KEPT);
    assert_int_equal(check(s).parts_checked, 0);
    s->b.shear = 1.0F;
    assert_int_equal(check(s).fault, WILLOW_DEFORMATION_CHANGES);
    touch(s, 1.0F, 0.0F);
    update(s);
    assert_int_equal(check(s).fault, WILLOW_DEFORMATION_KEPT);
    close_scene(s);
}

/* ---- begin and end ---- */

static willow_vec3 vertex_at(const scene *s, uint32_t vertex)
{
    willow_vec3 p;
    assert_ok(willow_body_copy_vertices(s->world, s->sheet, vertex, 1, &p));
    return p;
}

static bool is_deformed(const scene *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->sheet, &info));
    return info.has_deformation;
}

typedef willow_result ending(scene *s);

static willow_result end_by_null(scene *s)
{
    return willow_body_set_deformation(s->world, s->sheet, NULL);
}

static willow_result end_by_a_vertex(scene *s)
{
    const willow_vec3 p = {1, 2, 3};
    return willow_body_set_vertices(s->world, s->sheet, 0, 1, &p, 0);
}

static willow_result end_by_a_velocity(scene *s)
{
    const willow_vec3 none = {0};
    return willow_body_set_velocities(s->world, s->sheet, 0, 1, &none, 0);
}

static willow_result end_by_a_morph(scene *s)
{
    static const willow_vec3 none[VERTICES];
    const willow_morph_target target = {.values = none};
    willow_morph morph = willow_morph_default();
    morph.targets = &target;
    morph.target_count = 1;
    return willow_body_set_morph_targets(s->world, s->sheet, &morph);
}

static void it_ends_where_vertices_are(void **state)
{
    static ending *const endings[] = {end_by_null, end_by_a_vertex, end_by_a_velocity,
                                      end_by_a_morph};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            scene *s = open_scene(method);
            touch(s, 0.5F, 0.45F);
            update(s);
            const size_t pairs = count_pairs(s);
            assert_true(is_deformed(s) && pairs > 0);
            const willow_vec3 before = vertex_at(s, VERTICES - 1);
            assert_ok(endings[i](s));
            assert_false(is_deformed(s));
            s->b.positions = s->b.boxes = 0;
            update(s);
            const willow_vec3 after = vertex_at(s, VERTICES - 1);
            assert_memory_equal(&before, &after, sizeof before);
            assert_int_equal(count_pairs(s), pairs);
            assert_int_equal(s->b.positions + s->b.boxes, 0);
            assert_int_equal(willow_body_touch_deformation(s->world, s->sheet),
                             WILLOW_BAD_ARGUMENT);
            close_scene(s);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_methods_answer_as_for_the_same_positions),
    cmocka_unit_test(a_promise_that_is_not_kept_does_no_harm),
    cmocka_unit_test(blend_asks_for_what_queries_reach_once),
    cmocka_unit_test(others_ask_for_all_vertices_and_no_box),
    cmocka_unit_test(without_bounds_blend_computes_all_vertices),
    cmocka_unit_test(the_checker_finds_what_is_wrong),
    cmocka_unit_test(the_checker_finds_a_change_without_a_touch),
    cmocka_unit_test(it_ends_where_vertices_are),
};

TEST_GROUP(deformation, tests);
