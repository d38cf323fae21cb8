/* What edits promise, one by one: refusals with words, numbers, and where new vertices are. */
#include <math.h>
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { VERTICES = 5, TRIANGLES = 4 };

/* A roof: four triangles around vertex 4, which is above the others. */
static const float roof[VERTICES][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 1}};
static const uint32_t sides[TRIANGLES][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body;
    float borrowed[2 * VERTICES][3];
} site;

static willow_body_def roof_def(void)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(roof, VERTICES, sides, TRIANGLES);
    def.tree.leaf_triangles = 1;
    return def;
}

static site open_site(const willow_body_def *def)
{
    site s = {.world = fixture_world(NULL)};
    s.scratch = fixture_scratch(s.world);
    s.body = fixture_body(s.world, def);
    assert_ok(willow_world_update(s.world, 0, NULL));
    return s;
}

static willow_vec3 vertex_of(const site *s, uint32_t vertex)
{
    willow_vec3 at;
    assert_ok(willow_body_copy_vertices(s->world, s->body, vertex, 1, &at));
    return at;
}

static willow_body_info info_of(const site *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info;
}

static void assert_at(willow_vec3 at, double x, double y, double z)
{
    if (at.x != (float)x || at.y != (float)y || at.z != (float)z)
        fail_msg("at (%g, %g, %g), not at (%g, %g, %g)", (double)at.x, (double)at.y, (double)at.z,
                 x, y, z);
}

/* Half-way between two. */
static willow_new_vertex between(uint32_t a, uint32_t b)
{
    return (willow_new_vertex){.parent_count = 2, .parents = {a, b}, .weights = {0.5F, 0.5F}};
}

/* ---- refusals ---- */

static void bad_edits_are_refused_with_words_and_change_nothing(void **state)
{
    static const uint32_t first_two[2] = {0, 1}, twice[2] = {1, 1}, beyond[1] = {7}, apex[1] = {4};
    static const uint32_t removed[1] = {3}, corners[3] = {0, 1, 2}, far_corners[3] = {0, 9, 1},
                          new_corners[3] = {0, 1, WILLOW_NEW_VERTEX + 1},
                          old_corners[3] = {0, 1, 5};
    static const uint16_t group[1] = {5};
    static const float positions[3 * VERTICES];
    const willow_new_vertex many = {.parent_count = 4},
                            nobody = {.parent_count = 1, .parents = {9}},
                            gone = {.parent_count = 1, .parents = {5}, .weights = {1}},
                            light = {.parent_count = 2, .parents = {0, 1}, .weights = {0.5F, 0}},
                            odd = {.parent_count = 1, .weights = {NAN}},
                            nowhere = {.position = {0, INFINITY, 0}};
    const void *unaligned = (const char *)first_two + 1;
    static const uint64_t masks[3] = {0, 2, 4};
    static const uint16_t ones[TRIANGLES] = {1, 1, 2, 2};
#define EDIT(...) ((willow_edit){.struct_size = sizeof(willow_edit), __VA_ARGS__})
    const struct {
        willow_edit edit;
        willow_result result;
        const char *words;
    } rows[] = {
        {{.struct_size = 8}, WILLOW_BAD_ARGUMENT, "willow_edit_default"},
        {EDIT(.remove_triangle_count = 2), WILLOW_BAD_ARGUMENT,
         "2 triangles to remove, which are NULL"},
        {EDIT(.remove_triangles = unaligned, .remove_triangle_count = 1), WILLOW_BAD_ARGUMENT,
         "not aligned to 4 bytes"},
        {EDIT(.remove_triangles = beyond, .remove_triangle_count = 1), WILLOW_BAD_ARGUMENT,
         "triangle 7 is to be removed; the mesh has 4"},
        {EDIT(.remove_triangles = twice, .remove_triangle_count = 2), WILLOW_BAD_ARGUMENT,
         "triangle 1 is to be removed, and named before"},
        {EDIT(.remove_triangles = removed, .remove_triangle_count = 1), WILLOW_BAD_ARGUMENT,
         "triangle 3 is to be removed, and was removed"},
        {EDIT(.remove_triangles = first_two, .remove_triangle_count = 1,
              .replace_triangles = first_two, .replace_indices = corners,
              .replace_triangle_count = 1),
         WILLOW_BAD_ARGUMENT, "triangle 0 is to be replaced, and named before"},
        {EDIT(.replace_triangles = first_two, .replace_triangle_count = 1), WILLOW_BAD_ARGUMENT,
         "indices to replace"},
        {EDIT(.replace_triangles = first_two, .replace_indices = far_corners,
              .replace_triangle_count = 1),
         WILLOW_BAD_MESH, "triangle 0 names vertex 9; the mesh has 6"},
        {EDIT(.add_indices = far_corners, .add_triangle_count = 1), WILLOW_BAD_MESH,
         "new triangle 0 names vertex 9"},
        {EDIT(.add_indices = new_corners, .add_triangle_count = 1), WILLOW_BAD_MESH,
         "new triangle 0 names new vertex 1 of 0"},
        {EDIT(.add_indices = old_corners, .add_triangle_count = 1), WILLOW_BAD_MESH,
         "new triangle 0 names vertex 5, which was removed"},
        {EDIT(.add_indices = corners, .add_groups = group, .add_triangle_count = 1),
         WILLOW_BAD_MESH, "new triangle 0 is in group 5"},
        {EDIT(.label_triangles = removed, .labels = removed, .label_count = 1), WILLOW_BAD_ARGUMENT,
         "triangle 3 is to be labelled, and was removed"},
        {EDIT(.label_triangles = beyond, .labels = beyond, .label_count = 1), WILLOW_BAD_ARGUMENT,
         "triangle 7 is to be labelled; the mesh has 4"},
        {EDIT(.label_triangles = beyond, .label_count = 1), WILLOW_BAD_ARGUMENT,
         "1 labels, which are NULL"},
        {EDIT(.remove_triangles = first_two, .remove_triangle_count = 1,
              .label_triangles = first_two, .labels = first_two, .label_count = 1),
         WILLOW_BAD_ARGUMENT, "triangle 0 is to be labelled, and is to be removed"},
        {EDIT(.remove_vertices = apex, .remove_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "vertex 4 is to be removed, and used 3 times"},
        {EDIT(.remove_vertices = twice, .remove_vertex_count = 2), WILLOW_BAD_ARGUMENT,
         "vertex 1 is to be removed twice"},
        {EDIT(.remove_vertices = beyond, .remove_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "vertex 7 is to be removed; the mesh has 6"},
        {EDIT(.remove_vertices = &old_corners[2], .remove_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "vertex 5 is to be removed, and was before"},
        {EDIT(.add_vertices = &many, .add_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "new vertex 0 has 4 parents; 3 is the most"},
        {EDIT(.add_vertices = &nobody, .add_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "new vertex 0 has parent 9; the mesh has 6"},
        {EDIT(.add_vertices = &gone, .add_vertex_count = 1), WILLOW_BAD_ARGUMENT,
         "new vertex 0 has parent 5, which was removed"},
        {EDIT(.add_vertices = &light, .add_vertex_count = 1), WILLOW_BAD_MESH,
         "the weights of new vertex 0 sum up to 0.5"},
        {EDIT(.add_vertices = &odd, .add_vertex_count = 1), WILLOW_BAD_MESH,
         "the weight of parent 0 of new vertex 0 is"},
        {EDIT(.add_vertices = &nowhere, .add_vertex_count = 1), WILLOW_BAD_MESH,
         "new vertex 0 is at (0, inf, 0): not finite"},
        {EDIT(.positions = positions), WILLOW_BAD_ARGUMENT, "does not borrow"},
        {EDIT(.reserve_triangles = UINT32_MAX), WILLOW_BAD_MESH, "too many triangles"},
        {EDIT(.reserve_vertices = UINT32_MAX), WILLOW_BAD_MESH, "too many vertices"},
    };
    (void)state;
    willow_body_def def = roof_def();
    def.mesh.triangle_groups = ones;
    def.mesh.group_masks = masks;
    def.mesh.group_count = 3;
    site s = open_site(&def);
    const willow_new_vertex spare = between(0, 1);
    const uint32_t last = VERTICES;
    assert_ok(willow_body_edit(s.world, s.body,
                               &EDIT(.remove_triangles = removed, .remove_triangle_count = 1,
                                     .add_vertices = &spare, .add_vertex_count = 1),
                               NULL, NULL));
    assert_ok(willow_body_edit(
        s.world, s.body, &EDIT(.remove_vertices = &last, .remove_vertex_count = 1), NULL, NULL));
    const uint64_t before = willow_world_hash(s.world);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(willow_body_edit(s.world, s.body, &rows[i].edit, NULL, NULL),
                         rows[i].result);
        if (strstr(willow_world_message(s.world), rows[i].words) == NULL)
            fail_msg("'%s' does not say '%s'", willow_world_message(s.world), rows[i].words);
        assert_true(willow_world_hash(s.world) == before);
    }
    assert_int_equal(willow_body_edit(s.world, s.body, NULL, NULL, NULL), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_edit(s.world, (willow_body_id){0}, &rows[1].edit, NULL, NULL),
                     WILLOW_BAD_HANDLE);
    assert_ok(willow_world_update(s.world, 1, NULL));
    fixture_close(s.world, s.scratch);
}

/* ---- numbers ---- */

static void removed_numbers_wait_for_two_updates(void **state)
{
    static const uint32_t corners[3] = {0, 1, 2};
    const uint32_t slot = 1;
    willow_edit remove = willow_edit_default(), add = remove;
    willow_tri tri;
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    remove.remove_triangles = &slot;
    remove.remove_triangle_count = 1;
    add.add_indices = corners;
    add.add_triangle_count = 1;
    assert_ok(willow_body_edit(s.world, s.body, &remove, NULL, NULL));
    for (uint32_t updates = 0; updates < 4; updates++) {
        assert_ok(willow_body_edit(s.world, s.body, &add, &tri, NULL));
        assert_int_equal(tri, updates < 2 ? TRIANGLES + updates : updates == 2 ? 1 : TRIANGLES + 2);
        assert_ok(willow_world_update(s.world, 0, NULL));
    }
    assert_int_equal(info_of(&s).triangle_count, TRIANGLES + 3);
    assert_int_equal(info_of(&s).removed_triangle_count, 0);
    fixture_close(s.world, s.scratch);
}

static void edits_make_the_world_stale_and_their_rebuild_is_reported(void **state)
{
    static const willow_tri slots[2] = {3, 2};
    willow_update_report report;
    willow_edit edit = willow_edit_default();
    willow_pairs pairs;
    willow_vec3 corners[3 * TRIANGLES];
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    const uint64_t before = info_of(&s).structure;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL)); /* of nothing */
    assert_ok(willow_find_self_pairs(s.world, s.scratch, NULL, &pairs));
    edit.remove_triangles = slots;
    edit.remove_triangle_count = 2;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
    assert_int_equal(willow_find_self_pairs(s.world, s.scratch, NULL, &pairs), WILLOW_STALE);
    assert_ok(willow_world_update(s.world, 0, &report));
    assert_int_equal(report.bodies_built, 1);
    assert_true(info_of(&s).structure != before && info_of(&s).structure != 0);
    assert_int_equal(info_of(&s).removed_triangle_count, 2);
    assert_int_equal(willow_body_copy_triangles(s.world, s.body, slots, 1, corners),
                     WILLOW_BAD_ARGUMENT);
    assert_ok(willow_body_copy_triangles(s.world, s.body, NULL, TRIANGLES, corners));
    assert_at(corners[1], 2, 0, 0);
    assert_at(corners[3 * 3], 0, 0, 0);
    fixture_close(s.world, s.scratch);
}

/* ---- new vertices ---- */

static uint32_t add_vertex(site *s, willow_new_vertex v)
{
    willow_edit edit = willow_edit_default();
    uint32_t vertex;
    edit.add_vertices = &v;
    edit.add_vertex_count = 1;
    assert_ok(willow_body_edit(s->world, s->body, &edit, NULL, &vertex));
    return vertex;
}

static const willow_new_vertex alone = {.position = {3, 4, 5}};

static void new_vertices_lie_between_their_parents(void **state)
{
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    const willow_new_vertex middle = {
        .parent_count = 3, .parents = {0, 1, 4}, .weights = {0.25F, 0.25F, 0.5F}};
    assert_at(vertex_of(&s, add_vertex(&s, middle)), 1, 0.5, 0.5);
    assert_at(vertex_of(&s, add_vertex(&s, between(5, 2))), 1.5, 1.25, 0.25);
    assert_at(vertex_of(&s, add_vertex(&s, alone)), 3, 4, 5);
    fixture_close(s.world, s.scratch);
}

static void new_vertices_follow_the_paths_of_their_parents(void **state)
{
    static const float velocities[VERTICES][3] = {{1, 0, 0}, {0, 2, 0}, {0}, {0}, {0, 0, 1}};
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    assert_ok(willow_body_set_velocities(s.world, s.body, 0, VERTICES, velocities, 0));
    assert_ok(willow_world_update(s.world, 1, NULL));
    const uint32_t v = add_vertex(&s, between(0, 1)), still = add_vertex(&s, alone);
    assert_at(vertex_of(&s, v), 1.5, 1, 0);
    assert_ok(willow_world_update(s.world, 3, NULL));
    assert_at(vertex_of(&s, v), 2.5, 3, 0);
    assert_at(vertex_of(&s, still), 3, 4, 5);
    fixture_close(s.world, s.scratch);
}

static void new_vertices_follow_the_keyframes_of_their_parents(void **state)
{
    static const double times[2] = {0, 2};
    static float keys[2][VERTICES][3];
    static const float velocity[3] = {0, 0, 2};
    willow_flightplan plan = willow_flightplan_default();
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    memcpy(keys[0], roof, sizeof roof);
    memcpy(keys[1], roof, sizeof roof);
    for (uint32_t i = 0; i < VERTICES; i++) keys[1][i][0] += (float)(2 * i);
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = 2;
    assert_ok(willow_body_set_flightplan(s.world, s.body, &plan));
    const uint32_t v = add_vertex(&s, between(0, 1)), still = add_vertex(&s, alone);
    assert_ok(willow_world_update(s.world, 1, NULL));
    assert_at(vertex_of(&s, v), 1.5, 0, 0);
    assert_ok(willow_body_set_velocities(s.world, s.body, 1, 1, velocity, 0));
    const uint32_t mixed = add_vertex(&s, between(0, 1)); /* vertex 1 left the keyframes */
    assert_ok(willow_world_update(s.world, 2, NULL));
    assert_at(vertex_of(&s, v), 2, 0, 0);
    assert_at(vertex_of(&s, mixed), 1.5, 0, 1);
    assert_at(vertex_of(&s, still), 3, 4, 5);
    fixture_close(s.world, s.scratch);
}

static void new_vertices_morph_with_their_parents(void **state)
{
    static const float offsets[VERTICES][3] = {{0, 0, 4}, {0, 0, 2}}, few[1][3] = {{8, 0, 0}};
    static const uint32_t named[1] = {1};
    static const float weights[2] = {0.5F, 0.25F};
    const willow_morph_target targets[2] = {{.values = offsets},
                                            {.values = few, .vertices = named, .vertex_count = 1}};
    willow_morph morph = willow_morph_default();
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    morph.targets = targets;
    morph.target_count = 2;
    assert_ok(willow_body_set_morph_targets(s.world, s.body, &morph));
    const uint32_t v = add_vertex(&s, between(0, 1)), still = add_vertex(&s, alone);
    const uint32_t child = add_vertex(&s, between(v, 2));
    assert_ok(willow_body_set_morph_weights(s.world, s.body, weights, 2));
    assert_ok(willow_world_update(s.world, 1, NULL));
    assert_at(vertex_of(&s, v), 2, 0, 1.5);
    assert_at(vertex_of(&s, child), 2, 1, 0.75);
    assert_at(vertex_of(&s, still), 3, 4, 5);
    fixture_close(s.world, s.scratch);
}

static void new_vertices_follow_the_joints_of_their_parents(void **state)
{
    static const willow_affine still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                               up = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 4}}};
    const willow_affine matrices[2] = {still, up};
    static const uint32_t joints[VERTICES] = {0, 1, 1, 1, 1};
    static const float weights[VERTICES] = {1, 1, 1, 1, 1};
    const willow_new_vertex middle = {
        .parent_count = 3, .parents = {0, 0, 1}, .weights = {0.25F, 0.5F, 0.25F}};
    willow_skin skin = willow_skin_default();
    willow_edit edit = willow_edit_default();
    (void)state;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    skin.joint_count = 2;
    skin.weights_per_vertex = 1;
    skin.matrices = matrices;
    skin.joints = joints;
    skin.weights = weights;
    assert_ok(willow_body_set_skin(s.world, s.body, &skin));
    const uint32_t v = add_vertex(&s, middle), child = add_vertex(&s, between(v, 1));
    assert_at(vertex_of(&s, v), 0.5, 0, 1);
    assert_at(vertex_of(&s, child), 1.25, 0, 2.5);
    edit.add_vertices = &alone;
    edit.add_vertex_count = 1;
    assert_int_equal(willow_body_edit(s.world, s.body, &edit, NULL, NULL), WILLOW_BAD_MESH);
    assert_non_null(strstr(willow_world_message(s.world), "new vertex 0 has no parents"));
    assert_ok(willow_world_update(s.world, 0, NULL));
    fixture_close(s.world, s.scratch);
}

typedef struct asked {
    uint32_t highest;
    willow_vec3 rest;
} asked;

static willow_vec3 ask(void *context, uint32_t vertex, willow_vec3 rest)
{
    asked *a = context;
    if (vertex >= a->highest) *a = (asked){vertex, rest};
    return (willow_vec3){rest.x + 1, rest.y, rest.z};
}

static void deformations_are_asked_about_new_vertices(void **state)
{
    asked a = {0};
    willow_deformation deformation = willow_deformation_default();
    (void)state;
    deformation.position = ask;
    deformation.context = &a;
    const willow_body_def def = roof_def();
    site s = open_site(&def);
    assert_ok(willow_body_set_deformation(s.world, s.body, &deformation));
    const uint32_t v = add_vertex(&s, between(0, 1));
    assert_at(vertex_of(&s, v), 2, 0, 0);
    assert_int_equal(a.highest, v);
    assert_at(a.rest, 1, 0, 0);
    assert_ok(willow_world_update(s.world, 1, NULL));
    fixture_close(s.world, s.scratch);
}

static void trial_steps_go_on_with_new_vertices(void **state)
{
    static const float goals[VERTICES][3] = {
        {0, 0, -2}, {2, 0, -2}, {2, 2, 0}, {0, 2, 0}, {1, 1, 1}};
    static const float ground[3][3] = {{-9, -9, -0.5F}, {9, -9, -0.5F}, {0, 9, -0.5F}};
    static const uint32_t corners[3] = {0, 1, 2};
    const uint32_t added[3] = {0, WILLOW_NEW_VERTEX, WILLOW_NEW_VERTEX};
    const willow_new_vertex v = between(0, 1);
    willow_edit edit = willow_edit_default();
    willow_query_options options = willow_query_options_default();
    willow_impacts impacts;
    uint32_t number, seen = 0;
    (void)state;
    willow_body_def def = roof_def();
    site s = open_site(&def);
    def.mesh = FIXTURE_MESH(ground, 3, corners, 1);
    (void)fixture_body(s.world, &def);
    assert_ok(willow_body_set_target(s.world, s.body, 0, VERTICES, goals, 0));
    edit.add_vertices = &v;
    edit.add_vertex_count = 1;
    edit.add_indices = added;
    edit.add_triangle_count = 1;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, &number));
    assert_true(info_of(&s).has_target);
    assert_ok(willow_world_update(s.world, 0, NULL));
    assert_ok(willow_find_impacts(s.world, s.scratch, &options, &impacts));
    for (size_t i = 0; i < impacts.count; i++) {
        if (impacts.items[i].a.kind != WILLOW_FEATURE_VERTEX ||
            impacts.items[i].a.number[0] != number)
            continue;
        seen++;
        assert_true(fabs(impacts.items[i].time - 0.25) < 1e-5);
    }
    assert_int_equal(seen, 1);
    fixture_close(s.world, s.scratch);
}

static void borrowed_arrays_are_handed_over_with_new_vertices(void **state)
{
    const willow_new_vertex v = between(0, 1);
    willow_edit edit = willow_edit_default();
    uint32_t number;
    float larger[VERTICES + 1][3];
    (void)state;
    willow_body_def def = roof_def();
    def.mesh.borrow = true;
    site s = open_site(&def);
    edit.add_vertices = &v;
    edit.add_vertex_count = 1;
    assert_int_equal(willow_body_edit(s.world, s.body, &edit, NULL, &number), WILLOW_BAD_ARGUMENT);
    memcpy(larger, roof, sizeof roof);
    larger[VERTICES][0] = NAN;
    larger[VERTICES][1] = larger[VERTICES][2] = 7;
    edit.positions = larger;
    assert_int_equal(willow_body_edit(s.world, s.body, &edit, NULL, &number), WILLOW_BAD_MESH);
    larger[VERTICES][0] = 6;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, &number));
    assert_int_equal(number, VERTICES);
    assert_at(vertex_of(&s, number), 6, 7, 7);
    assert_ok(willow_world_update(s.world, 0, NULL));
    fixture_close(s.world, s.scratch);
}

/* The halves of a square that coincide, in two bodies and in one. */
static void sides_of_a_crack_are_left_out_while_they_have_its_label(void **state)
{
    static const float square[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                       {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t halves[2][3] = {{0, 1, 2}, {3, 4, 5}};
    static const willow_tri both[2] = {0, 1};
    static const uint32_t crack[2] = {7, 7}, none[2] = {0, 0};
    willow_query_options options = willow_query_options_default();
    willow_edit edit = willow_edit_default();
    willow_pairs pairs;
    willow_near near;
    willow_first_pair first;
    (void)state;
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(square, 6, halves, 2);
    def.self = true;
    site s = open_site(&def);
    const willow_body_id other = fixture_body(s.world, &def);
    assert_ok(willow_world_update(s.world, 0, NULL));
    const uint64_t structure = info_of(&s).structure;
    edit.label_triangles = both;
    edit.labels = crack;
    edit.label_count = 2;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
    assert_int_equal(willow_find_pairs(s.world, s.scratch, &options, &pairs), WILLOW_STALE);
    edit.labels = crack;
    edit.label_count = 1;
    assert_ok(willow_body_edit(s.world, other, &edit, NULL, NULL));
    assert_ok(willow_world_update(s.world, 0, NULL));
    assert_true(info_of(&s).structure == structure); /* no tree was built for a label */
    assert_ok(willow_find_pairs(s.world, s.scratch, &options, &pairs));
    assert_int_equal(pairs.count, 6); /* 1 in each, and 4 between them */
    options.skip_cracks = true;
    assert_ok(willow_find_pairs(s.world, s.scratch, &options, &pairs));
    assert_int_equal(pairs.count, 3); /* triangle 1 of the other with all three */
    assert_ok(willow_find_near(s.world, s.scratch, &options, &near));
    assert_int_equal(near.count, 3);
    options.bodies = &s.body;
    options.body_count = 1;
    assert_ok(willow_find_first_pair(s.world, s.scratch, &options, &first));
    assert_false(first.found);
    edit.label_count = 2;
    edit.labels = none;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
    assert_ok(willow_world_update(s.world, 0, NULL));
    assert_ok(willow_find_first_pair(s.world, s.scratch, &options, &first));
    assert_true(first.found);
    fixture_close(s.world, s.scratch);
}

static void the_first_impact_is_none_of_a_crack(void **state)
{
    static const float square[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                       {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t halves[2][3] = {{0, 1, 2}, {3, 4, 5}};
    static const float goals[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    static const willow_tri both[2] = {0, 1};
    static const uint32_t crack[2] = {7, 7};
    willow_query_options options = willow_query_options_default();
    willow_edit edit = willow_edit_default();
    willow_first_impact first;
    (void)state;
    for (uint32_t method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(square, 6, halves, 2);
        def.tree.method = (willow_method)method;
        def.self = true;
        site s = open_site(&def);
        edit.label_triangles = both;
        edit.labels = crack;
        edit.label_count = 2;
        assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
        assert_ok(willow_body_set_target(s.world, s.body, 3, 3, goals, 0));
        assert_ok(willow_world_update(s.world, 0, NULL));
        options.skip_cracks = false;
        assert_ok(willow_time_of_impact(s.world, s.scratch, &options, &first));
        assert_true(first.found && first.impact.time == 0);
        options.skip_cracks = true;
        assert_ok(willow_time_of_impact(s.world, s.scratch, &options, &first));
        assert_false(first.found);
        fixture_close(s.world, s.scratch);
    }
}

/* Two triangles that share a vertex, one alone, and one that is removed and had connected them. */
static void parts_are_found_by_shared_vertices(void **state)
{
    static const float at[8][3];
    static const uint32_t tris[4][3] = {{5, 6, 7}, {0, 1, 2}, {2, 6, 1}, {3, 4, 2}};
    const uint32_t bridge = 2;
    uint32_t parts[4], count = 7;
    willow_edit edit = willow_edit_default();
    (void)state;
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(at, 8, tris, 4);
    site s = open_site(&def);
    assert_ok(willow_body_find_parts(s.world, s.body, NULL, &count));
    assert_int_equal(count, 1);
    edit.remove_triangles = &bridge;
    edit.remove_triangle_count = 1;
    assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
    assert_ok(willow_body_find_parts(s.world, s.body, parts, &count));
    assert_int_equal(count, 2);
    assert_true(parts[0] == 0 && parts[1] == 1 && parts[2] == WILLOW_NO_PART && parts[3] == 1);
    assert_int_equal(willow_body_find_parts(s.world, s.body, parts, NULL), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_find_parts(s.world, (willow_body_id){0}, parts, &count),
                     WILLOW_BAD_HANDLE);
    assert_ok(willow_world_update(s.world, 0, NULL));
    fixture_close(s.world, s.scratch);
}

static void a_body_may_begin_and_end_with_nothing(void **state)
{
    static const uint32_t corners[3] = {WILLOW_NEW_VERTEX, WILLOW_NEW_VERTEX + 1,
                                        WILLOW_NEW_VERTEX + 2};
    static const uint32_t all[3] = {0, 1, 2};
    const willow_new_vertex news[3] = {
        {.position = {0, 0, 0}}, {.position = {1, 0, 0}}, {.position = {0, 1, 0}}};
    const uint32_t slot = 0;
    (void)state;
    for (uint32_t method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_body_def def = willow_body_def_default();
        willow_edit edit = willow_edit_default();
        def.tree.method = (willow_method)method;
        def.keep_rest = def.self = true;
        site s = open_site(&def);
        edit.add_vertices = news;
        edit.add_vertex_count = 3;
        edit.add_indices = corners;
        edit.add_triangle_count = 1;
        assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
        assert_ok(willow_world_update(s.world, 0, NULL));
        assert_true(info_of(&s).box.upper.x == 1);
        edit = willow_edit_default();
        edit.remove_triangles = &slot;
        edit.remove_triangle_count = 1;
        edit.remove_vertices = all;
        edit.remove_vertex_count = 3;
        assert_ok(willow_body_edit(s.world, s.body, &edit, NULL, NULL));
        assert_ok(willow_world_update(s.world, 0, NULL));
        assert_int_equal(info_of(&s).removed_vertex_count, 3);
        fixture_close(s.world, s.scratch);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_edits_are_refused_with_words_and_change_nothing),
    cmocka_unit_test(removed_numbers_wait_for_two_updates),
    cmocka_unit_test(edits_make_the_world_stale_and_their_rebuild_is_reported),
    cmocka_unit_test(new_vertices_lie_between_their_parents),
    cmocka_unit_test(new_vertices_follow_the_paths_of_their_parents),
    cmocka_unit_test(new_vertices_follow_the_keyframes_of_their_parents),
    cmocka_unit_test(new_vertices_morph_with_their_parents),
    cmocka_unit_test(new_vertices_follow_the_joints_of_their_parents),
    cmocka_unit_test(deformations_are_asked_about_new_vertices),
    cmocka_unit_test(trial_steps_go_on_with_new_vertices),
    cmocka_unit_test(borrowed_arrays_are_handed_over_with_new_vertices),
    cmocka_unit_test(sides_of_a_crack_are_left_out_while_they_have_its_label),
    cmocka_unit_test(the_first_impact_is_none_of_a_crack),
    cmocka_unit_test(parts_are_found_by_shared_vertices),
    cmocka_unit_test(a_body_may_begin_and_end_with_nothing),
};

TEST_GROUP(edit, tests);
