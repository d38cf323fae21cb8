/* The closest triangles of two sets of bodies, and to a point: every tree, kernel, kind of mesh and
 * pose gives the answers of loops over all triangles, bit for bit (C1, C10). */
#include <float.h>
#include <math.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_cases.h"
#include "support/zoo_distance.h"

/* The questions of one frame, and their answers. */
enum { SETS = 5, POINTS = 8 };
static const zoo_set sets[SETS][2] = {{1, 2}, {2, 1}, {1, 6}, {3, 7}, {7, 7}};

typedef struct frame {
    double limits[SETS];
    zoo_closest closest[SETS];
    willow_vec3 points[POINTS];
    zoo_set asked[POINTS];
    zoo_closest to_point[POINTS];
} frame;

/* Corners and points near them, of this world or of another scale. */
static willow_vec3 pick_point(const zoo_places *places, uint64_t *random)
{
    static const float sizes[] = {0.0F, 0.01F, 1.0F, 100.0F, 1e-30F, 1e30F, FLT_MAX};
    const float size = sizes[test_random(random) % 7];
    const uint32_t body = (uint32_t)(test_random(random) % places->scene->body_count);
    const uint32_t count = places->scene->bodies[body].mesh.triangle_count;
    willow_vec3 p = {0, 0, 0};
    if (count > 0) p = places->tris[body][test_random(random) % count][0];
    float at[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        const double moved = (double)at[i] + (double)size * test_random_between(random, -1.0, 1.0);
        at[i] = (float)fmax(-(double)FLT_MAX, fmin((double)FLT_MAX, moved));
    }
    return (willow_vec3){at[0], at[1], at[2]};
}

/* By loops, once for all worlds. Every second limit is just the distance. */
static void find_answers(const zoo_scene *scene, uint64_t seed, frame *out)
{
    zoo_places places;
    uint64_t random = seed;
    zoo_places_find(&places, scene);
    for (int i = 0; i < SETS; i++) {
        out->limits[i] = 0.0;
        out->closest[i] = zoo_closest_sets(&places, sets[i][0], sets[i][1], 0.0);
        const double distance = out->closest[i].distance;
        if ((seed + (uint64_t)i) % 3 == 1 && distance > 0.0) out->limits[i] = distance;
        if ((seed + (uint64_t)i) % 3 == 2) out->limits[i] = distance > 0.0 ? 0.99 * distance : 0.5;
        if (out->limits[i] > 0.0)
            out->closest[i] = zoo_closest_sets(&places, sets[i][0], sets[i][1], out->limits[i]);
    }
    for (int i = 0; i < POINTS; i++) {
        out->points[i] = pick_point(&places, &random);
        out->asked[i] = i % 4 == 3 ? 5 : 7;
        out->to_point[i] = zoo_closest_to(&places, out->asked[i], &out->points[i], 0.0);
    }
    zoo_places_free(&places);
}

typedef struct tally {
    size_t asked, found, met;
} tally;

static void check_world(zoo_world *w, const frame *f, bool larger, tally *t)
{
    willow_query_options options = willow_query_options_default();
    options.descend = larger ? WILLOW_DESCEND_LARGER : WILLOW_DESCEND_AUTO;
    for (int i = 0; i < SETS; i++) {
        options.max_distance = f->limits[i];
        t->found += zoo_check_sets(w, sets[i][0], sets[i][1], &options, &f->closest[i]);
        t->met += f->closest[i].found && f->closest[i].distance == 0.0;
    }
    options.max_distance = 0.0;
    for (int i = 0; i < POINTS; i++)
        t->found += zoo_check_point(w, f->asked[i], &f->points[i], &options, &f->to_point[i]);
    t->asked += SETS + POINTS;
}

/* In worlds of every third method and setting, others by turns, and so arities, leaf sizes, kernels
 * and builders. */
static void check_scene(zoo_scene *scene, const frame *f, uint64_t turn, tally *t)
{
    for (uint32_t variant = (uint32_t)(turn % 3); variant < ZOO_VARIANT_COUNT; variant += 3) {
        const uint64_t round = turn + variant;
        const willow_kernel kernel = round % 2 == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO;
        zoo_setup setup = zoo_setup_with(kernel, willow_tree_def_default());
        zoo_world w;
        for (uint32_t i = 0; i < scene->body_count; i++) {
            setup.trees[i] =
                zoo_variant_tree((variant + i * (uint32_t)(turn % 3)) % ZOO_VARIANT_COUNT,
                                 zoo_arities[(round + i) % ZOO_ARITIES],
                                 zoo_leaf_sizes[(round / 2 + i) % ZOO_LEAF_SIZES]);
            setup.trees[i].build = zoo_build(round + i);
        }
        setup.formats = round % 3;
        zoo_world_create(&w, scene, &setup);
        check_world(&w, f, round % 4 == 1, t);
        zoo_world_destroy(&w);
    }
}

static void conclude(const tally *t)
{
    print_message("%zu questions, %zu answered, %zu of them 0\n", t->asked, t->found, t->met);
    assert_true(t->found > t->asked / 2 && t->met > 0);
}

static void every_kind_of_mesh_has_the_answers_of_the_loops(void **state)
{
    (void)state;
    tally t = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint64_t apart = 0; apart < 2; apart++) {
            zoo_scene scene = {0};
            frame f;
            zoo_scene_add(&scene, kind, 28, 1);
            zoo_scene_add(&scene, kind, 22, 2);
            zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 32, 3);
            if (apart > 0) {
                scene.bodies[1].pose.translation.x = 2.75F;
                scene.bodies[2].pose.translation.y = -3.5F;
            }
            find_answers(&scene, 2 * (uint64_t)kind + apart, &f);
            check_scene(&scene, &f, 2 * (uint64_t)kind + apart, &t);
            zoo_scene_destroy(&scene);
        }
    conclude(&t);
}

static void every_kind_of_pose_has_the_answers_of_the_loops(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_SPHERE, ZOO_KIND_LATTICE, ZOO_KIND_NEEDLES,
                                     ZOO_KIND_SOUP};
    tally t = {0};
    for (zoo_pose_kind pose = 0; pose < ZOO_POSE_COUNT; pose++)
        for (uint64_t place = 0; place < 4; place++) {
            zoo_scene scene = {0};
            frame f;
            zoo_scene_add(&scene, kinds[place], 26, place);
            zoo_scene_add(&scene, kinds[(place + pose) % 4], 30, 7);
            zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 32, 3);
            zoo_scene_pose_all(&scene, pose, place, 5 * place + 1);
            if (place % 2 == 1) scene.bodies[1].pose.translation.x += 3.0F;
            find_answers(&scene, 7 * (uint64_t)pose + place, &f);
            check_scene(&scene, &f, 3 * (uint64_t)pose + place, &t);
            zoo_scene_destroy(&scene);
        }
    conclude(&t);
}

static void answers_follow_motion_and_poses(void **state)
{
    (void)state;
    tally t = {0};
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        zoo_scene scene = {0};
        zoo_world w;
        zoo_scene_add(&scene, ZOO_KIND_ROLLED, 50, 1);
        zoo_scene_add(&scene, ZOO_KIND_SPHERE, 40, 2);
        zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 32, 3);
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_variant_tree(variant, 4, 2));
        zoo_world_create(&w, &scene, &setup);
        for (uint32_t at = 1; at <= 3; at++) {
            frame f;
            zoo_scene_stay(&scene);
            zoo_scene_move_some(&scene, at, at + variant);
            if (at > 1) zoo_scene_pose_some(&scene, ZOO_POSE_TURNED, 0, at);
            zoo_world_follow(&w, at);
            find_answers(&scene, at, &f);
            check_world(&w, &f, false, &t);
        }
        zoo_world_destroy(&w);
        zoo_scene_destroy(&scene);
    }
    conclude(&t);
}

/* ---- one by one ---- */

static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const uint32_t halves[2][3] = {{0, 1, 2}, {0, 2, 3}};

static willow_body_id add_square(willow_world *world, float x, float z, willow_method method,
                                 uint32_t triangle_count)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = square;
    def.mesh.vertex_count = 4;
    def.mesh.indices = halves;
    def.mesh.triangle_count = triangle_count;
    def.tree.method = method;
    def.pose.translation = (willow_vec3){x, 0, z};
    willow_body_id id = fixture_body(world, &def);
    return id;
}

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[4]; /* in a row, 3 apart; the last one has no triangles */
} site;

static void make_site(site *s, willow_method method)
{
    s->world = fixture_world(NULL);
    for (int i = 0; i < 4; i++)
        s->bodies[i] = add_square(s->world, 3.0F * (float)i, 0, method, i < 3 ? 2 : 0);
    assert_ok(willow_world_update(s->world, 0, NULL));
    s->scratch = fixture_scratch(s->world);
}

static void free_site(site *s) { fixture_close(s->world, s->scratch); }

static willow_result ask(site *s, willow_body_set a, willow_body_set b, double limit,
                         willow_closest_pair *out)
{
    willow_query_options options = willow_query_options_default();
    options.max_distance = limit;
    return willow_distance(s->world, s->scratch, &a, &b, &options, out);
}

static void of_equally_close_ones_the_first_is_the_answer(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        site s;
        willow_closest_pair pair;
        willow_closest closest;
        make_site(&s, method);
        const willow_body_set all = {s.bodies, 4}, middle = {s.bodies + 1, 1};
        /* 0 and 2 are both 2 away from 1: 0 comes first, and its first half has that edge. */
        assert_ok(ask(&s, all, middle, 0, &pair));
        assert_true(pair.found && pair.distance == 2.0);
        assert_memory_equal(&pair.a.body, &s.bodies[0], sizeof s.bodies[0]);
        assert_int_equal(pair.a.tri, 0);
        assert_int_equal(pair.b.tri, 0); /* both have the corner (3, 0, 0) */
        /* Both halves have the diagonal. */
        const willow_vec3 over = {3.5F, 0.5F, 4.0F};
        assert_ok(willow_closest_point(s.world, s.scratch, &over, NULL, &closest));
        assert_true(closest.found && closest.distance == 4.0 && closest.tri.tri == 0);
        assert_memory_equal(&closest.tri.body, &s.bodies[1], sizeof s.bodies[1]);
        /* A body is not compared with itself, though it is in both. */
        assert_ok(ask(&s, all, all, 0, &pair));
        assert_true(pair.found && pair.distance == 2.0);
        assert_ok(ask(&s, middle, middle, 0, &pair));
        assert_false(pair.found);
        free_site(&s);
    }
}

static void a_limit_lets_through_what_is_just_as_far(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        site s;
        willow_closest_pair pair;
        make_site(&s, method);
        const willow_body_set one = {s.bodies, 1}, other = {s.bodies + 1, 1};
        assert_ok(ask(&s, one, other, 2.0, &pair));
        assert_true(pair.found && pair.distance == 2.0);
        assert_ok(ask(&s, one, other, nextafter(2.0, 0.0), &pair));
        assert_false(pair.found);
        assert_ok(ask(&s, one, other, 1e300, &pair));
        assert_true(pair.found);
        assert_ok(ask(&s, one, other, INFINITY, &pair));
        assert_true(pair.found);
        free_site(&s);
    }
}

static void nothing_is_closest_where_there_is_nothing(void **state)
{
    (void)state;
    site s;
    willow_closest_pair pair;
    willow_closest closest;
    const willow_vec3 p = {0, 0, 0};
    make_site(&s, WILLOW_METHOD_AUTO);
    const willow_body_set all = {s.bodies, 4}, none = {NULL, 0}, empty = {s.bodies + 3, 1};
    assert_ok(ask(&s, all, none, 0, &pair));
    assert_false(pair.found);
    assert_ok(ask(&s, none, none, 0, &pair));
    assert_false(pair.found);
    assert_ok(ask(&s, all, empty, 0, &pair));
    assert_false(pair.found);
    willow_query_options options = willow_query_options_default();
    options.bodies = s.bodies + 3;
    options.body_count = 1;
    assert_ok(willow_closest_point(s.world, s.scratch, &p, &options, &closest));
    assert_false(closest.found);
    options.body_count = 0;
    assert_ok(willow_closest_point(s.world, s.scratch, &p, &options, &closest));
    assert_false(closest.found);
    free_site(&s);
}

/* Any allocation may fail (C6): the question says so and works when it is asked again. */
static void failing_allocations_spoil_nothing(void **state)
{
    (void)state;
    size_t failed = 0;
    bool was_hit = true;
    zoo_scene scene = {0};
    zoo_places places;
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 600, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 500, 2);
    scene.bodies[1].pose.translation.z = 0.25F;
    zoo_places_find(&places, &scene);
    const zoo_closest expected = zoo_closest_sets(&places, 1, 2, 0.0);
    for (size_t skip = 0; was_hit; skip++, failed += was_hit) {
        test_allocator allocator = {0};
        zoo_world w;
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_AUTO, 4, 1));
        setup.world.allocator = test_allocator_functions(&allocator);
        setup.world.thread_count = 2;
        zoo_world_create(&w, &scene, &setup);
        willow_query_options options = willow_query_options_default();
        willow_closest_pair pair;
        const willow_body_set a = {&w.bodies[0].id, 1}, b = {&w.bodies[1].id, 1};
        options.use_threads = true;
        allocator.fail_at = allocator.calls + 1 + skip;
        const willow_result result = willow_distance(w.world, w.scratch, &a, &b, &options, &pair);
        was_hit = allocator.calls >= allocator.fail_at;
        assert_int_equal(result, was_hit ? WILLOW_OUT_OF_MEMORY : WILLOW_OK);
        if (was_hit) assert_false(pair.found);
        if (was_hit) assert_non_null(strstr(willow_scratch_message(w.scratch), "no memory for "));
        allocator.fail_at = 0;
        assert_true(zoo_check_sets(&w, 1, 2, &options, &expected));
        zoo_world_destroy(&w);
        assert_true(test_allocator_is_clean(&allocator));
    }
    zoo_places_free(&places);
    zoo_scene_destroy(&scene);
    print_message("%zu allocations failed, one by one\n", failed);
    assert_true(failed > 5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_of_mesh_has_the_answers_of_the_loops),
    cmocka_unit_test(every_kind_of_pose_has_the_answers_of_the_loops),
    cmocka_unit_test(answers_follow_motion_and_poses),
    cmocka_unit_test(of_equally_close_ones_the_first_is_the_answer),
    cmocka_unit_test(a_limit_lets_through_what_is_just_as_far),
    cmocka_unit_test(nothing_is_closest_where_there_is_nothing),
    cmocka_unit_test(failing_allocations_spoil_nothing),
};

TEST_GROUP(distance, tests);
