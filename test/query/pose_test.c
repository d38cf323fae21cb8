/* Posed bodies where it is hardest: exact touching, everything at one place, and vertices that
 * rounding moves into each other, which only the widening of boxes saves. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_world.h"

/* ---- scenes of the zoo ---- */

typedef struct asked_scene {
    zoo_scene scene;
    zoo_answers answers;
    size_t posed;
} asked_scene;

/* Asks a world of every method, both ways to descend, small leaves and large ones. */
static void ask_every_method(asked_scene *asked)
{
    zoo_question question = zoo_question_plain();
    asked->posed = 0;
    for (willow_method method = WILLOW_METHOD_BRUTE; method < WILLOW_METHOD_COUNT; method++)
        for (uint32_t leaf = 1; leaf <= 9; leaf += 8) {
            zoo_setup setup =
                zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(method, leaf == 1 ? 8 : 2, leaf));
            zoo_world w;
            zoo_world_create(&w, &asked->scene, &setup);
            for (int descend = 0; descend < WILLOW_DESCEND_COUNT; descend++) {
                question.descend = (willow_descend)descend;
                zoo_answers_find(&asked->scene, &question, &asked->answers);
                (void)zoo_world_check(&w, &question, &asked->answers);
                asked->posed += asked->answers.posed;
            }
            zoo_world_destroy(&w);
        }
}

static void free_asked(asked_scene *asked)
{
    zoo_answers_free(&asked->answers);
    zoo_scene_destroy(&asked->scene);
}

/* Whether the answers have triangle `tri` of both bodies as a pair. */
static bool has_twins(const zoo_answers *answers, uint32_t tri)
{
    for (size_t i = 0; i < answers->pairs.count; i++) {
        const zoo_pair *pair = &answers->pairs.items[i];
        if (pair->body_a == 0 && pair->body_b == 1 && pair->tri_a == tri && pair->tri_b == tri)
            return true;
    }
    return false;
}

static void bodies_of_one_mesh_in_one_pose_coincide(void **state)
{
    (void)state;
    size_t pairs = 0;
    for (zoo_pose_kind kind = 0; kind < ZOO_POSE_COUNT; kind++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            static const zoo_kind meshes[] = {ZOO_KIND_SPHERE, ZOO_KIND_SOUP, ZOO_KIND_NEEDLES};
            asked_scene asked = {0};
            for (int i = 0; i < 2; i++) {
                zoo_scene_add(&asked.scene, meshes[seed], 6, 5);
                asked.scene.bodies[i].pose = zoo_pose_make(kind, seed, seed);
                asked.scene.bodies[i].self = i == 1;
            }
            ask_every_method(&asked);
            for (uint32_t tri = 0; tri < asked.scene.bodies[0].mesh.triangle_count; tri++)
                assert_true(has_twins(&asked.answers, tri));
            pairs += asked.posed;
            free_asked(&asked);
        }
    print_message("%zu pairs of posed bodies found\n", pairs);
    assert_true(pairs > 0);
}

/* Whole coordinates stay whole: every touching of the unposed bodies is one of the posed ones. */
static void touching_bodies_touch_in_every_quarter_turn(void **state)
{
    (void)state;
    static const zoo_kind meshes[] = {ZOO_KIND_LATTICE, ZOO_KIND_COPLANAR, ZOO_KIND_POINTS,
                                      ZOO_KIND_SEGMENTS, ZOO_KIND_FOLDED};
    zoo_question question = zoo_question_plain();
    size_t pairs = 0;
    for (size_t m = 0; m < sizeof meshes / sizeof meshes[0]; m++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            asked_scene asked = {0};
            zoo_answers still = {0};
            zoo_scene_add(&asked.scene, meshes[m], 24, seed);
            zoo_scene_add(&asked.scene, meshes[m], 24, seed + 5); /* as far apart as the first */
            zoo_answers_find(&asked.scene, &question, &still);
            for (int i = 0; i < 2; i++)
                asked.scene.bodies[i].pose = zoo_pose_make(ZOO_POSE_QUARTER, seed, seed);
            ask_every_method(&asked);
            assert_int_equal(asked.answers.pairs.count, still.pairs.count);
            assert_memory_equal(asked.answers.pairs.items, still.pairs.items,
                                still.pairs.count * sizeof *still.pairs.items);
            pairs += asked.posed;
            zoo_answers_free(&still);
            free_asked(&asked);
        }
    print_message("%zu pairs of posed bodies found\n", pairs);
    assert_true(pairs > 0);
}

/* ---- a posed body and its vertices ---- */

/* A body of the mesh after welding; positions of the zoo or others. */
static willow_body_id add_body(willow_world *world, const zoo_body *from, const void *positions,
                               const willow_pose *pose, uint32_t leaf_triangles)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = positions,
                                 .vertex_count = from->mesh.vertex_count,
                                 .indices = from->tris,
                                 .triangle_count = from->mesh.triangle_count,
                                 .triangle_groups = from->mesh.groups,
                                 .group_masks = from->mesh.masks,
                                 .group_count = from->mesh.mask_count};
    def.pose = *pose;
    def.self = true;
    def.tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, leaf_triangles);
    willow_body_id id = fixture_body(world, &def);
    return id;
}

/* Of the bodies of the scene: under their poses where `is_posed` has a bit, else with the vertices
 * that their poses give. */
static uint64_t hash_with(const zoo_scene *scene, unsigned is_posed, uint32_t leaf, size_t *count)
{
    willow_pairs pairs;
    willow_world *world = fixture_world(NULL);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const zoo_body *body = &scene->bodies[i];
        const willow_pose none = willow_pose_identity();
        willow_vec3 *moved = calloc(body->mesh.vertex_count + 1, sizeof *moved);
        willow_pose_apply(&body->pose, body->mesh.positions, 0, body->mesh.vertex_count, moved);
        if ((is_posed >> i & 1) != 0)
            (void)add_body(world, body, body->mesh.positions, &body->pose, leaf);
        else
            (void)add_body(world, body, moved, &none, leaf);
        free(moved);
    }
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_world_update(world, 0, NULL));
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    uint64_t hash = willow_pairs_hash(&pairs);
    *count = pairs.count;
    fixture_close(world, scratch);
    return hash;
}

static void a_posed_body_is_a_body_of_the_posed_vertices(void **state)
{
    (void)state;
    size_t pairs = 0, count;
    for (zoo_pose_kind pose = 0; pose < ZOO_POSE_COUNT; pose++)
        for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
            zoo_scene scene = {0};
            zoo_scene_add(&scene, kind, 30, 1);
            zoo_scene_add(&scene, ZOO_KIND_SPHERE, 12, 2);
            zoo_scene_pose_all(&scene, pose, kind, pose);
            uint64_t expected = hash_with(&scene, 0, 3, &count);
            pairs += count;
            for (unsigned is_posed = 1; is_posed < 4; is_posed++)
                for (uint32_t leaf = 1; leaf < 8; leaf += 3)
                    assert_true(hash_with(&scene, is_posed, leaf, &count) == expected);
            zoo_scene_destroy(&scene);
        }
    print_message("%zu pairs found\n", pairs);
    assert_true(pairs > 0);
}

/* ---- only the widening saves these ---- */

/* A few triangles with vertices of their own, as one body. */
static void add_tris(zoo_scene *scene, uint32_t count, const float (*corners)[3],
                     const willow_pose *pose)
{
    zoo_body *body = &scene->bodies[scene->body_count];
    zoo_scene_add(scene, ZOO_KIND_SOUP, count, 1);
    memcpy(body->mesh.positions, corners, 3 * count * sizeof *corners);
    body->pose = *pose;
}

/* Floats near 2^20 are 1/8 apart, so a point less than 1/16 beside one of them becomes it. Each
 * triangle is so small that it becomes a point, seen from every side. */
static void bodies_that_rounding_moves_into_each_other_meet(void **state)
{
    (void)state;
    const float far = 0x1p20F + 0.125F;
    size_t pairs = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        asked_scene asked = {0};
        uint64_t random = seed;
        for (int side = 0; side < 2; side++) {
            /* 1/50 from the plane between the two, in the world's coordinates. */
            float corners[3][3];
            willow_pose pose = zoo_pose_make(ZOO_POSE_QUARTER, 0, seed / 2 + (uint64_t)side);
            willow_pose back = {{0, 0, 0}, pose.rotation};
            back.rotation.w = -back.rotation.w; /* the inverse */
            for (int i = 0; i < 3; i++) {
                for (int axis = 0; axis < 3; axis++)
                    corners[i][axis] = (float)test_random_between(&random, -0.05, 0.05);
                corners[i][seed % 3] =
                    (side == 0 ? -1.0F : 1.0F) * (float)test_random_between(&random, 0.02, 0.05);
            }
            willow_pose_apply(&back, corners, 0, 3, (willow_vec3 *)(void *)corners);
            pose.translation = (willow_vec3){far, far, -far};
            add_tris(&asked.scene, 1, (const float(*)[3])corners, &pose);
        }
        ask_every_method(&asked);
        assert_int_equal(asked.answers.pairs.count, 1);
        pairs += asked.posed;
        free_asked(&asked);
    }
    print_message("%zu pairs of posed bodies found\n", pairs);
}

/* As far apart as rounding can bridge, along the diagonal of the world, which the rotation makes an
 * axis: sqrt(3) / 8 less a thousandth. */
static void bodies_meet_by_the_worst_rounding_there_is(void **state)
{
    (void)state;
    const willow_quat diagonal_is_x = {0.0F, -0.57735027F, 0.57735027F, 1.5773503F};
    const float far = 0x1p20F + 0.125F, along = 1.7320508F * 0.999F / 16.0F;
    const willow_pose pose = {{far, far, far}, diagonal_is_x};
    asked_scene asked = {0};
    for (int side = 0; side < 2; side++) {
        const float x = side == 0 ? along : -along;
        const float corners[3][3] = {{x, 0, 0}, {x, 0x1p-20F, 0}, {x, 0, 0x1p-20F}};
        add_tris(&asked.scene, 1, corners, &pose);
    }
    ask_every_method(&asked);
    assert_int_equal(asked.answers.pairs.count, 1);
    print_message("%zu pairs of posed bodies found\n", asked.posed);
    free_asked(&asked);
}

/* Separate triangles of one body, in leaves of their own, become one point. */
static void triangles_of_one_body_meet_by_rounding(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    size_t pairs = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        asked_scene asked = {0};
        float corners[3 * COUNT][3];
        uint64_t random = seed;
        willow_pose pose =
            zoo_pose_make(seed % 2 == 0 ? ZOO_POSE_QUARTER : ZOO_POSE_TURNED, 1, seed);
        pose.translation = (willow_vec3){0x1p20F + 0.125F, 0x1p20F + 0.125F, -0x1p20F - 0.125F};
        for (int tri = 0; tri < COUNT; tri++)
            for (int axis = 0; axis < 3; axis++) {
                float at = (float)test_random_between(&random, -0.035, 0.035);
                for (int i = 0; i < 3; i++)
                    corners[3 * tri + i][axis] = at + (i == axis ? 0x1p-20F : 0.0F);
            }
        add_tris(&asked.scene, COUNT, (const float(*)[3])corners, &pose);
        ask_every_method(&asked);
        assert_int_equal(asked.answers.self_pairs.count, COUNT * (COUNT - 1) / 2);
        pairs += asked.posed;
        free_asked(&asked);
    }
    print_message("%zu pairs of posed bodies found\n", pairs);
}

/* The sides of the box are exactly where vertices are rounded to. */
static void a_box_touches_what_rounding_moves_to_it(void **state)
{
    (void)state;
    const float far = 0x1p20F + 0.125F;
    for (uint64_t seed = 0; seed < 24; seed++) {
        zoo_scene scene = {0};
        zoo_answers answers = {0};
        zoo_question question = zoo_question_plain();
        willow_pose pose = zoo_pose_make(ZOO_POSE_QUARTER, 2, seed);
        /* Above the plane of the world in which they end up, on axis seed % 3. */
        float corners[3][3] = {{0}, {0}, {0}};
        for (int i = 0; i < 3; i++) {
            corners[i][0] = i == 1 ? 0.5F : 0.0F;
            corners[i][1] = i == 2 ? 0.5F : 0.0F;
            corners[i][2] = 0.0F;
            for (int axis = 0; axis < 3; axis++)
                if (axis == (int)(seed % 3)) corners[i][axis] = seed % 2 == 0 ? 0.04F : -0.04F;
        }
        willow_pose back = {{0, 0, 0}, pose.rotation};
        back.rotation.w = -back.rotation.w;
        willow_pose_apply(&back, corners, 0, 3, (willow_vec3 *)(void *)corners);
        pose.translation = (willow_vec3){far, far, far};
        add_tris(&scene, 1, (const float(*)[3])corners, &pose);
        float lower[3] = {far - 1, far - 1, far - 1}, upper[3] = {far + 1, far + 1, far + 1};
        if (seed % 2 == 0)
            upper[seed % 3] = far;
        else
            lower[seed % 3] = far;
        question.box = (willow_box){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
        for (willow_method method = WILLOW_METHOD_BRUTE; method < WILLOW_METHOD_COUNT; method++) {
            zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(method, 8, 1));
            zoo_world w;
            zoo_world_create(&w, &scene, &setup);
            zoo_answers_find(&scene, &question, &answers);
            assert_int_equal(zoo_check_box(&w, &question, &answers), 1);
            zoo_world_destroy(&w);
        }
        zoo_answers_free(&answers);
        zoo_scene_destroy(&scene);
    }
}

/* The corner is where the origin of the body is, and there is a vertex. About the diagonal of the
 * box the body's first axis sees this corner as the end of the box, which is millions of times its
 * own size. */
static void a_huge_box_touches_a_small_body_with_its_corner(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int turn = 0; turn < 60; turn++) {
        willow_pose pose = {{0, 0, 0}, {0.0F, -0.57735027F, 0.57735027F, 1.5773503F}};
        pose.rotation.x += (float)test_random_between(&random, -0.05, 0.05);
        pose.rotation.y += (float)test_random_between(&random, -0.05, 0.05);
        pose.rotation.z += (float)test_random_between(&random, -0.05, 0.05);
        willow_vec3 *t = &pose.translation;
        t->x = (float)test_random_between(&random, -1, 1);
        t->y = (float)test_random_between(&random, -1, 1);
        t->z = (float)test_random_between(&random, -1, 1);
        const float corners[3][3] = {{0, 0, 0}, {1e-3F, 1e-4F, 0}, {1e-3F, 0, 1e-4F}};
        const float size = (float)test_random_between(&random, 1e4, 1e8);
        zoo_scene scene = {0};
        zoo_answers answers = {0};
        zoo_question question = zoo_question_plain();
        question.box = (willow_box){{-size, -size, -size}, *t};
        add_tris(&scene, 1, corners, &pose);
        zoo_setup setup =
            zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, 1));
        zoo_world w;
        zoo_world_create(&w, &scene, &setup);
        zoo_answers_find(&scene, &question, &answers);
        assert_int_equal(zoo_check_box(&w, &question, &answers), 1);
        zoo_world_destroy(&w);
        zoo_answers_free(&answers);
        zoo_scene_destroy(&scene);
    }
}

/* All of both bodies is beyond the largest float, and saturates to one point. */
static void bodies_beyond_the_floats_meet_at_their_end(void **state)
{
    (void)state;
    const willow_pose pose = {{FLT_MAX, -FLT_MAX, FLT_MAX}, {0, 0, 0, 1}};
    asked_scene asked = {0};
    for (int i = 0; i < 2; i++) {
        const float s = i == 0 ? 1e37F : 1e38F;
        const float corners[6][3] = {{s, -s, s},     {2 * s, -s, s},     {s, -2 * s, s},
                                     {s, -s, 3 * s}, {s, -3 * s, 2 * s}, {3 * s, -s, s}};
        add_tris(&asked.scene, 2, corners, &pose);
    }
    ask_every_method(&asked);
    assert_int_equal(asked.answers.pairs.count, 4 + 2);
    free_asked(&asked);
}

/* From where nothing has more than a few bits to where sums overflow. */
static void bodies_of_all_magnitudes_meet_under_poses(void **state)
{
    (void)state;
    static const float sizes[] = {0x1p-140F, 0x1p-60F, 1.0F, 0x1p60F, 0x1p119F, 0x1p121F, 1e38F};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    size_t pairs = 0;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            asked_scene asked = {0};
            zoo_scene_add(&asked.scene, ZOO_KIND_SPHERE, 12, 1);
            zoo_scene_add(&asked.scene, ZOO_KIND_LATTICE, 12, 2);
            for (int i = 0; i < 2; i++) {
                zoo_body *body = &asked.scene.bodies[i];
                for (uint32_t v = 0; v < body->mesh.vertex_count; v++)
                    for (int axis = 0; axis < 3; axis++)
                        body->mesh.positions[v][axis] *= sizes[i == 0 ? a : b];
                body->pose = zoo_pose_make(ZOO_POSE_TURNED, 0, (uint64_t)(a * SIZES + b + i));
                const float t = i == 0 ? sizes[a] : sizes[b];
                body->pose.translation.x *= t;
                body->pose.translation.y *= t;
                body->pose.translation.z *= t;
            }
            ask_every_method(&asked);
            pairs += asked.posed;
            free_asked(&asked);
        }
    print_message("%zu pairs of posed bodies found\n", pairs);
    assert_true(pairs > 0);
}

/* ---- beyond the floats before the pose ---- */

typedef enum way_out { BY_MORPH, BY_VELOCITY, WAYS_OUT } way_out;

static float step_to(double x) { return x < 0.0 ? -1e38F : 1e38F; }

/* A triangle that is at x along the first axis before its pose; by a velocity, after so many units
 * of time as x has steps. */
static willow_body_id add_far(willow_world *world, willow_method method, way_out way, double x)
{
    static const float at[3][3] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t tri[3] = {0, 1, 2};
    const float step = step_to(x), share = (float)(x / (double)step);
    const float ways[3][3] = {{step, 0, 0}, {step, 0, 0}, {step, 0, 0}};
    const willow_morph_target target = {.values = ways};
    willow_body_def def = willow_body_def_default();
    willow_morph morph = willow_morph_default();
    def.mesh = FIXTURE_MESH(at, 3, tri, 1);
    def.tree.method = method;
    def.tree.leaf_triangles = 1;
    willow_body_id id = fixture_body(world, &def);
    morph.targets = &target;
    morph.target_count = 1;
    morph.weights = &share;
    if (way == BY_MORPH)
        assert_ok(willow_body_set_morph_targets(world, id, &morph));
    else
        assert_ok(willow_body_set_velocities(world, id, 0, 3, ways, 0));
    return id;
}

/* C1: a sum or a path goes on beyond floats, and only what the pose makes of it is rounded. */
static void check_far(willow_method method, way_out way, float steps, bool is_back, float shift)
{
    static const uint32_t tri[3] = {0, 1, 2};
    const double x = (double)steps * (is_back ? -1.0 : 1.0) * (double)1e38F;
    const double sum = x + (double)shift, most = (double)FLT_MAX;
    const float there = (float)(sum < -most ? -most : sum > most ? most : sum);
    const float at[3][3] = {{there, -1, 0.25F}, {there, 2, 0.25F}, {there, 2, 0.5F}};
    const willow_pose pose = {{shift, 0, 0}, {0, 0, 0, 1}};
    willow_world *world = fixture_world(NULL);
    willow_scratch *scratch = fixture_scratch(world);
    willow_body_def def = willow_body_def_default();
    willow_pairs pairs;
    willow_vec3 found;
    def.mesh = FIXTURE_MESH(at, 3, tri, 1);
    def.tree.method = method;
    const willow_body_id far = add_far(world, method, way, x);
    (void)fixture_body(world, &def);
    assert_ok(willow_body_set_pose(world, far, &pose));
    assert_ok(willow_world_update(world, way == BY_VELOCITY ? (double)steps : 0.0, NULL));
    assert_ok(willow_body_copy_vertices(world, far, 0, 1, &found));
    assert_true(found.x == there);
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    if (pairs.count != 1)
        fail_msg("%s: nothing meets at %g, %g before the pose", willow_method_name(method),
                 (double)there, x);
    fixture_close(world, scratch);
}

static void bodies_that_leave_the_floats_before_their_pose_meet_where_they_are(void **state)
{
    (void)state;
    static const struct {
        float steps; /* of 1e38 */
        bool is_back;
        float shift;
    } rows[] = {{1e10F, true, 3.4e38F},
                {5, true, 3.4e38F},
                {5, false, -3.4e38F},
                {6, false, -1},
                {2, false, 3e38F}};
    for (willow_method method = WILLOW_METHOD_BRUTE; method < WILLOW_METHOD_COUNT; method++)
        for (way_out way = 0; way < WAYS_OUT; way++)
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
                check_far(method, way, rows[i].steps, rows[i].is_back, rows[i].shift);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_of_one_mesh_in_one_pose_coincide),
    cmocka_unit_test(touching_bodies_touch_in_every_quarter_turn),
    cmocka_unit_test(a_posed_body_is_a_body_of_the_posed_vertices),
    cmocka_unit_test(bodies_that_rounding_moves_into_each_other_meet),
    cmocka_unit_test(bodies_meet_by_the_worst_rounding_there_is),
    cmocka_unit_test(triangles_of_one_body_meet_by_rounding),
    cmocka_unit_test(a_box_touches_what_rounding_moves_to_it),
    cmocka_unit_test(a_huge_box_touches_a_small_body_with_its_corner),
    cmocka_unit_test(bodies_beyond_the_floats_meet_at_their_end),
    cmocka_unit_test(bodies_of_all_magnitudes_meet_under_poses),
    cmocka_unit_test(bodies_that_leave_the_floats_before_their_pose_meet_where_they_are),
};

TEST_GROUP(pose, tests);
