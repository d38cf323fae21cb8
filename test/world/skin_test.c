/* Skins as users meet them: where vertices are, what ends them, and what is refused. */
#include <float.h>
#include <fnmatch.h>
#include <math.h>
#include "support/fixture.h"
#include "support/morph_model.h"
#include "support/skin_model.h"
#include "support/test.h"
#include "willow/willow.h"

static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const uint32_t square_tris[2][3] = {{0, 1, 2}, {0, 2, 3}};
enum { SQUARE = 4, JOINTS = 2 };

typedef struct stage {
    willow_world *world;
    willow_body_id body;
} stage;

static stage open_stage(willow_method method)
{
    willow_body_def body = willow_body_def_default();
    stage s;
    body.mesh = FIXTURE_MESH(square, SQUARE, square_tris, 2);
    body.tree.method = method;
    s.world = fixture_world(NULL);
    s.body = fixture_body(s.world, &body);
    return s;
}

static void for_every_method(void (*test)(const stage *s))
{
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        const stage s = open_stage(method);
        test(&s);
        fixture_close(s.world, NULL);
    }
}

static void update(const stage *s)
{
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    assert_true(willow_world_validate(s->world, NULL, 0));
}

static void expect_at(const stage *s, uint32_t vertex, float x, float y, float z)
{
    willow_vec3 at;
    assert_ok(willow_body_copy_vertices(s->world, s->body, vertex, 1, &at));
    if (at.x != x || at.y != y || at.z != z)
        fail_msg("vertex %u is at (%.9g, %.9g, %.9g), not at (%.9g, %.9g, %.9g)", vertex,
                 (double)at.x, (double)at.y, (double)at.z, (double)x, (double)y, (double)z);
}

static willow_affine shift(double x, double y, double z)
{
    return (willow_affine){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

/* The first two vertices follow one joint each, the others both: by halves, and three to one. */
static const uint32_t joints[SQUARE][JOINTS] = {{0, 1}, {1, 0}, {0, 1}, {0, 1}};
static const float weights[SQUARE][JOINTS] = {{2, 0}, {5, 0}, {4, 4}, {3, 1}};

static willow_skin skin_of(const willow_affine matrices[JOINTS])
{
    willow_skin skin = willow_skin_default();
    skin.joint_count = JOINTS;
    skin.matrices = matrices;
    skin.joints = joints[0];
    skin.weights = weights[0];
    skin.weights_per_vertex = JOINTS;
    return skin;
}

static void put_on(const stage *s, willow_affine a, willow_affine b)
{
    const willow_affine matrices[JOINTS] = {a, b};
    const willow_skin skin = skin_of(matrices);
    assert_ok(willow_body_set_skin(s->world, s->body, &skin));
}

static void set_joints(const stage *s, willow_affine a, willow_affine b)
{
    const willow_affine matrices[JOINTS] = {a, b};
    assert_ok(willow_body_set_joints(s->world, s->body, matrices, JOINTS));
}

static willow_body_info info_of(const stage *s)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->world, s->body, &info));
    return info;
}

/* ---- where vertices are ---- */

static void check_weights(const stage *s)
{
    put_on(s, shift(0, 0, 0), shift(0, 0, 0));
    update(s);
    for (uint32_t i = 0; i < SQUARE; i++) expect_at(s, i, square[i][0], square[i][1], 0);
    set_joints(s, shift(0, 0, 4), shift(8, 0, 0));
    expect_at(s, 2, 5, 1, 2); /* as last set, before the update too */
    update(s);
    expect_at(s, 0, 0, 0, 4);
    expect_at(s, 1, 9, 0, 0);
    expect_at(s, 2, 5, 1, 2);
    expect_at(s, 3, 2, 1, 3);
    assert_true(info_of(s).has_skin && info_of(s).joint_count == JOINTS && !info_of(s).has_morph);
}

static void weights_are_normalised(void **state)
{
    (void)state;
    for_every_method(check_weights);
}

static void check_matrices(const stage *s)
{
    const willow_affine scale = {{{2, 0, 0, 0}, {0, -3, 0, 0}, {0, 0, 1, 1}}};
    const willow_affine shear = {{{1, 1, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}}};
    const willow_affine binds[JOINTS] = {shift(-1, 0, 0), shift(0, -1, 0)};
    const willow_affine matrices[JOINTS] = {scale, shear};
    willow_skin skin = skin_of(matrices);
    skin.inverse_bind = binds;
    assert_ok(willow_body_set_skin(s->world, s->body, &skin));
    update(s);
    expect_at(s, 0, -2, 0, 1);
    expect_at(s, 1, 0, -1, 1);
    expect_at(s, 2, 0.5F, -1.5F, 1); /* between (0, -3, 1) and (1, 0, 1) */
}

static void matrices_are_any_affine_ones_after_the_bind(void **state)
{
    (void)state;
    for_every_method(check_matrices);
}

static void check_pose(const stage *s)
{
    const willow_pose pose = {{10, 0, 0}, {0, 0, 1, 0}}; /* half a turn about z */
    put_on(s, shift(0, 0, 4), shift(8, 0, 0));
    assert_ok(willow_body_set_pose(s->world, s->body, &pose));
    update(s);
    expect_at(s, 1, 1, 0, 0);
    expect_at(s, 2, 5, -1, 2);
}

static void the_pose_comes_after_the_skin(void **state)
{
    (void)state;
    for_every_method(check_pose);
}

/* ---- before and after a skin ---- */

static void check_morph(const stage *s)
{
    static const float lift[SQUARE][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    const willow_affine double_z = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 2, 0}}};
    const willow_morph_target target = {.values = lift};
    willow_morph morph = willow_morph_default();
    float weight = 3;
    morph.targets = &target;
    morph.target_count = 1;
    morph.weights = &weight;
    assert_ok(willow_body_set_morph_targets(s->world, s->body, &morph));
    put_on(s, double_z, double_z);
    update(s);
    expect_at(s, 1, 1, 0, 6);
    weight = 5;
    assert_ok(willow_body_set_morph_weights(s->world, s->body, &weight, 1));
    update(s);
    expect_at(s, 1, 1, 0, 10);
    assert_true(info_of(s).has_skin && info_of(s).has_morph && info_of(s).morph_target_count == 1);
    put_on(s, shift(1, 0, 0), shift(1, 0, 0)); /* another skin of the same morph */
    expect_at(s, 1, 2, 0, 5);
    assert_ok(willow_body_set_skin(s->world, s->body, NULL));
    expect_at(s, 1, 1, 0, 5);
    weight = 2;
    assert_ok(willow_body_set_morph_weights(s->world, s->body, &weight, 1));
    update(s);
    expect_at(s, 1, 1, 0, 2);
    assert_true(!info_of(s).has_skin && info_of(s).has_morph);
}

static void a_morph_goes_on_under_a_skin_and_after_it(void **state)
{
    (void)state;
    for_every_method(check_morph);
}

static void check_taken_off(const stage *s)
{
    put_on(s, shift(0, 0, 4), shift(8, 0, 0));
    update(s);
    assert_ok(willow_body_set_skin(s->world, s->body, NULL));
    expect_at(s, 1, 1, 0, 0);
    update(s);
    expect_at(s, 3, 0, 1, 0);
    assert_false(info_of(s).has_skin);
    assert_ok(willow_body_set_skin(s->world, s->body, NULL)); /* none is left */
    update(s);
    expect_at(s, 3, 0, 1, 0);
}

static void a_skin_is_taken_off(void **state)
{
    (void)state;
    for_every_method(check_taken_off);
}

static void check_ends(const stage *s)
{
    static const float at[1][3] = {{7, 7, 7}};
    put_on(s, shift(0, 0, 4), shift(8, 0, 0));
    update(s);
    assert_ok(willow_body_set_vertices(s->world, s->body, 0, 1, at, 0));
    assert_false(info_of(s).has_skin);
    update(s);
    expect_at(s, 0, 7, 7, 7);
    expect_at(s, 1, 9, 0, 0);
}

static void vertices_that_are_set_end_a_skin_and_others_stay(void **state)
{
    (void)state;
    for_every_method(check_ends);
}

static void the_hash_sees_joints_and_weights(void **state)
{
    (void)state;
    const stage s = open_stage(WILLOW_METHOD_AUTO);
    const uint64_t without = willow_world_hash(s.world);
    put_on(&s, shift(0, 0, 0), shift(0, 0, 0));
    const uint64_t with = willow_world_hash(s.world);
    set_joints(&s, shift(0, 0, 0), shift(0, 0, 1));
    const uint64_t moved = willow_world_hash(s.world);
    const willow_affine goals[JOINTS] = {shift(0, 0, 0), shift(0, 0, 2)};
    assert_ok(willow_body_set_target_joints(s.world, s.body, goals, JOINTS));
    const uint64_t tried = willow_world_hash(s.world);
    assert_true(without != with && with != moved && moved != tried && tried != with);
    set_joints(&s, shift(0, 0, 0), shift(0, 0, 0));
    assert_true(willow_world_hash(s.world) == with);
    fixture_close(s.world, NULL);
}

/* ---- an evaluator of its own ---- */

static void compare(const stage *s, const skin_model *skin, const morph_model *morph,
                    const zoo_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        long double at[3], size = 1.0L;
        willow_vec3 seen;
        for (int axis = 0; axis < 3; axis++) p[axis] = (double)mesh->positions[i][axis];
        if (morph) morph_model_at(morph, i, p);
        skin_model_at(skin, i, p, at);
        assert_ok(willow_body_copy_vertices(s->world, s->body, i, 1, &seen));
        const float axes[3] = {seen.x, seen.y, seen.z};
        for (int axis = 0; axis < 3; axis++) size += fabsl(at[axis]);
        for (int axis = 0; axis < 3; axis++)
            if (!(fabsl((long double)axes[axis] - at[axis]) <= 1e-7L * size))
                fail_msg("%s: vertex %u is %g off", zoo_kind_name(mesh->kind), i,
                         (double)fabsl((long double)axes[axis] - at[axis]));
    }
}

static void play(zoo_kind kind, willow_method method, uint32_t has_morph, uint64_t seed)
{
    stage s = {.world = fixture_world(NULL)};
    willow_body_def def = willow_body_def_default();
    zoo_mesh mesh;
    morph_model morph;
    skin_model skin;
    uint64_t random = seed;
    zoo_mesh_create(&mesh, kind, 80, seed);
    morph_model_create(&morph, &mesh, has_morph == 1 ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE,
                       3, seed);
    skin_model_create(&skin, mesh.vertex_count, 1 + (uint32_t)(seed % 9), seed);
    def.mesh = zoo_mesh_def(&mesh);
    def.tree.method = method;
    def.tree.leaf_triangles = 2;
    s.body = fixture_body(s.world, &def);
    const willow_morph morph_def = morph_model_def(&morph);
    const willow_skin skin_def = skin_model_def(&skin);
    if (has_morph > 0) assert_ok(willow_body_set_morph_targets(s.world, s.body, &morph_def));
    assert_ok(willow_body_set_skin(s.world, s.body, &skin_def));
    for (int frame = 0; frame < 4; frame++) {
        skin_model_move(&skin, 0.5, &random);
        assert_ok(willow_body_set_joints(s.world, s.body, skin.joints, skin.joint_count));
        morph_model_choose(&morph, MORPH_WEIGHTS_NEGATIVE, &random);
        if (has_morph > 0)
            assert_ok(
                willow_body_set_morph_weights(s.world, s.body, morph.weights, morph.target_count));
        update(&s);
        compare(&s, &skin, has_morph > 0 ? &morph : NULL, &mesh);
    }
    fixture_close(s.world, NULL);
    skin_model_destroy(&skin);
    morph_model_destroy(&morph);
    zoo_mesh_destroy(&mesh);
}

static void vertices_are_where_long_doubles_have_them(void **state)
{
    static const zoo_kind kinds[] = {ZOO_KIND_SOUP, ZOO_KIND_GRID, ZOO_KIND_SPHERE,
                                     ZOO_KIND_CRUMPLED, ZOO_KIND_LOOSE};
    uint64_t seed = 1;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint32_t has_morph = 0; has_morph < 3; has_morph++)
            for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
                play(kinds[i], method, has_morph, seed++);
}

/* ---- what is refused ---- */

typedef struct bad {
    willow_skin skin;
    willow_affine matrices[JOINTS], binds[JOINTS];
    uint32_t joints[SQUARE][JOINTS], first[SQUARE + 1];
    float weights[SQUARE][JOINTS];
} bad;

static void make_good(bad *b)
{
    for (int i = 0; i < JOINTS; i++) b->matrices[i] = b->binds[i] = shift(i, 0, 0);
    memcpy(b->joints, joints, sizeof joints);
    memcpy(b->weights, weights, sizeof weights);
    for (uint32_t i = 0; i <= SQUARE; i++) b->first[i] = i;
    b->skin = skin_of(b->matrices);
    b->skin.inverse_bind = b->binds;
    b->skin.joints = b->joints[0];
    b->skin.weights = b->weights[0];
}

static void size(bad *b) { b->skin.struct_size--; }
static void no_joints(bad *b) { b->skin.joint_count = 0; }
static void no_matrices(bad *b) { b->skin.matrices = NULL; }
static void null_joints(bad *b) { b->skin.joints = NULL; }
static void null_weights(bad *b) { b->skin.weights = NULL; }
static void no_weights(bad *b) { b->skin.weights_per_vertex = 0; }
static void short_joint_stride(bad *b) { b->skin.joint_stride = 4; }
static void odd_weight_stride(bad *b) { b->skin.weight_stride = 9; }
static void nan_matrix(bad *b) { b->matrices[1].row[2][3] = (double)NAN; }
static void large_matrix(bad *b) { b->matrices[0].row[0][0] = 1e39; }
static void infinite_bind(bad *b) { b->binds[1].row[0][0] = (double)INFINITY; }
static void negative(bad *b) { b->weights[2][1] = -0.5F; }
static void nan_weight(bad *b) { b->weights[3][0] = NAN; }
static void infinite_weight(bad *b) { b->weights[3][0] = INFINITY; }
static void all_zero(bad *b) { b->weights[2][0] = b->weights[2][1] = 0.0F; }
static void out_of_range(bad *b) { b->joints[3][1] = JOINTS; }
static void descending(bad *b)
{
    b->first[2] = 0;
    b->skin.first = b->first;
}
static void without_any(bad *b)
{
    b->first[1] = 0;
    b->skin.first = b->first;
}

static const struct {
    void (*spoil)(bad *b);
    willow_result result;
    const char *words; /* as a shell pattern */
} refused[] = {
    {size, WILLOW_BAD_ARGUMENT, "*willow_skin_default*"},
    {no_joints, WILLOW_BAD_ARGUMENT, "*no joints*"},
    {no_matrices, WILLOW_BAD_ARGUMENT, "*matrices of the joints are NULL*"},
    {null_joints, WILLOW_BAD_ARGUMENT, "*joints of the vertices are NULL*"},
    {null_weights, WILLOW_BAD_ARGUMENT, "*weights of the vertices are NULL*"},
    {no_weights, WILLOW_BAD_ARGUMENT, "*no weights*"},
    {short_joint_stride, WILLOW_BAD_ARGUMENT, "*stride of 4 bytes for the joints*least 8*"},
    {odd_weight_stride, WILLOW_BAD_ARGUMENT, "*stride of 9 bytes for the weights*"},
    {nan_matrix, WILLOW_BAD_ARGUMENT, "*matrix of joint 1 *"},
    {large_matrix, WILLOW_BAD_ARGUMENT, "*matrix of joint 0 *"},
    {infinite_bind, WILLOW_BAD_ARGUMENT, "*bind matrix of joint 1 *"},
    {negative, WILLOW_BAD_MESH, "*vertex 2 has a weight of -0.5*"},
    {nan_weight, WILLOW_BAD_MESH, "*vertex 3 has a weight of *nan*"},
    {infinite_weight, WILLOW_BAD_MESH, "*vertex 3 has a weight of inf*"},
    {all_zero, WILLOW_BAD_MESH, "*vertex 2 follows no joint*"},
    {out_of_range, WILLOW_BAD_MESH, "*vertex 3 names joint 2; the skin has 2*"},
    {descending, WILLOW_BAD_ARGUMENT, "*weights of vertex 1 begin at 1*next one at 0*"},
    {without_any, WILLOW_BAD_MESH, "*vertex 0 follows no joint*"},
};

static void expect_words(const stage *s, const char *words)
{
    if (fnmatch(words, willow_world_message(s->world), 0) != 0)
        fail_msg("'%s' is not '%s'", willow_world_message(s->world), words);
}

/* On a body without a skin, and on one with another. */
static void what_is_refused_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        for (int has_skin = 0; has_skin < 2; has_skin++) {
            const stage s = open_stage(WILLOW_METHOD_AUTO);
            bad b;
            if (has_skin) put_on(&s, shift(0, 0, 4), shift(8, 0, 0));
            const uint64_t hash = willow_world_hash(s.world);
            make_good(&b);
            refused[i].spoil(&b);
            const willow_result result = willow_body_set_skin(s.world, s.body, &b.skin);
            if (result != refused[i].result)
                fail_msg("row %zu: %s", i, willow_world_message(s.world));
            expect_words(&s, refused[i].words);
            assert_true(willow_world_hash(s.world) == hash);
            update(&s);
            make_good(&b);
            assert_ok(willow_body_set_skin(s.world, s.body, &b.skin));
            fixture_close(s.world, NULL);
        }
}

static willow_vec3 stay(void *context, uint32_t vertex, willow_vec3 rest)
{
    (void)context;
    (void)vertex;
    return rest;
}

static void joints_and_bodies_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const stage s = open_stage(WILLOW_METHOD_AUTO);
    willow_affine matrices[JOINTS] = {shift(0, 0, 0), shift(1, 0, 0)};
    const willow_skin skin = skin_of(matrices);
    const willow_vertex_plan plan = {.velocity = {1, 0, 0}};
    willow_deformation deformation = willow_deformation_default();
    deformation.position = stay;
    assert_true(willow_body_set_joints(s.world, s.body, matrices, JOINTS) == WILLOW_BAD_ARGUMENT);
    expect_words(&s, "*no skin*");
    assert_true(willow_body_set_target_joints(s.world, s.body, matrices, JOINTS) ==
                WILLOW_BAD_ARGUMENT);
    assert_ok(willow_body_set_deformation(s.world, s.body, &deformation));
    assert_true(willow_body_set_skin(s.world, s.body, &skin) == WILLOW_BAD_ARGUMENT);
    expect_words(&s, "*has a deformation*");
    assert_ok(willow_body_set_vertex_plan(s.world, s.body, 0, &plan));
    assert_true(willow_body_set_skin(s.world, s.body, &skin) == WILLOW_BAD_ARGUMENT);
    expect_words(&s, "*follows flight plans*");
    assert_ok(willow_body_set_vertices(s.world, s.body, 0, SQUARE, square, 0));
    assert_ok(willow_body_set_skin(s.world, s.body, &skin));
    assert_true(willow_body_set_morph_weights(s.world, s.body, weights[0], 1) ==
                WILLOW_BAD_ARGUMENT);
    assert_true(willow_body_set_joints(s.world, s.body, matrices, 1) == WILLOW_BAD_ARGUMENT);
    expect_words(&s, "*1 matrices; the skin has 2 joints*");
    assert_true(willow_body_set_joints(s.world, s.body, NULL, JOINTS) == WILLOW_BAD_ARGUMENT);
    matrices[1].row[0][0] = (double)NAN;
    assert_true(willow_body_set_joints(s.world, s.body, matrices, JOINTS) == WILLOW_BAD_ARGUMENT);
    expect_words(&s, "*matrix of joint 1 *");
    assert_true(willow_body_set_target_joints(s.world, s.body, matrices, JOINTS) ==
                WILLOW_BAD_ARGUMENT);
    update(&s);
    expect_at(&s, 1, 2, 0, 0);
    fixture_close(s.world, NULL);
}

static void strides_may_be_wide(void **state)
{
    (void)state;
    struct {
        float weights[JOINTS], more;
        uint32_t joints[JOINTS], yet;
    } vertices[SQUARE];
    const stage s = open_stage(WILLOW_METHOD_AUTO);
    const willow_affine matrices[JOINTS] = {shift(0, 0, 4), shift(8, 0, 0)};
    willow_skin skin = skin_of(matrices);
    for (uint32_t i = 0; i < SQUARE; i++) {
        memcpy(vertices[i].weights, weights[i], sizeof weights[i]);
        memcpy(vertices[i].joints, joints[i], sizeof joints[i]);
    }
    skin.weights = vertices[0].weights;
    skin.joints = vertices[0].joints;
    skin.weight_stride = skin.joint_stride = sizeof vertices[0];
    assert_ok(willow_body_set_skin(s.world, s.body, &skin));
    expect_at(&s, 2, 5, 1, 2);
    expect_at(&s, 3, 2, 1, 3);
    fixture_close(s.world, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_are_normalised),
    cmocka_unit_test(matrices_are_any_affine_ones_after_the_bind),
    cmocka_unit_test(the_pose_comes_after_the_skin),
    cmocka_unit_test(a_morph_goes_on_under_a_skin_and_after_it),
    cmocka_unit_test(a_skin_is_taken_off),
    cmocka_unit_test(vertices_that_are_set_end_a_skin_and_others_stay),
    cmocka_unit_test(the_hash_sees_joints_and_weights),
    cmocka_unit_test(vertices_are_where_long_doubles_have_them),
    cmocka_unit_test(what_is_refused_changes_nothing),
    cmocka_unit_test(joints_and_bodies_that_do_not_fit_are_refused),
    cmocka_unit_test(strides_may_be_wide),
};

TEST_GROUP(skin, tests);
