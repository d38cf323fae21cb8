/* Searches by distance with many workers, from many threads and with every kernel: equal answers
 * and equal counts (C9, C10). The bodies are large enough that searches are shared out. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include "support/test.h"
#include "support/zoo_distance.h"

enum { ASKERS = 3, MAX_WORKERS = 4, PLACES = 3, QUESTIONS = 3 };

/* Makes a sphere smaller, about its own axis. */
static void shrink(zoo_mesh *sphere)
{
    const float middle = sphere->positions[sphere->vertex_count - 1][0];
    for (uint32_t i = 0; i < sphere->vertex_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float *at = &sphere->positions[i][axis];
            *at = axis == 0 ? middle + (*at - middle) * 0.75F : *at * 0.75F;
        }
}

/* Through each other; one inside the other; apart. */
static zoo_scene make_scene(int number)
{
    zoo_scene scene = {0};
    zoo_scene_add(&scene, number == 1 ? ZOO_KIND_SPHERE : ZOO_KIND_ROLLED, 500, 1);
    zoo_scene_add(&scene, number == 1 ? ZOO_KIND_SPHERE : ZOO_KIND_CRUMPLED, 450, 1);
    zoo_scene_add(&scene, ZOO_KIND_SOUP, 30, 3);
    if (number == 1) shrink(&scene.bodies[0].mesh);
    if (number == 2) scene.bodies[1].pose.translation.x = 2.5F;
    return scene;
}

static const zoo_set sets[QUESTIONS][2] = {{1, 2}, {2, 5}, {7, 7}};

static const willow_method families[][3] = {
    {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_REBUILD, WILLOW_METHOD_BRUTE},
    {WILLOW_METHOD_HYBRID, WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_AUTO},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static zoo_setup setup_with(uint32_t thread_count, willow_kernel kernel, int family)
{
    zoo_setup setup = zoo_setup_with(kernel, zoo_tree(WILLOW_METHOD_AUTO, 4, 2));
    setup.world.thread_count = thread_count;
    for (uint32_t i = 0; i < 3; i++) setup.trees[i].method = families[family][i];
    return setup;
}

/* Of all questions to a fresh revision; fails unless all answers are these. */
static willow_query_stats stats_of(zoo_world *w, const zoo_closest expected[QUESTIONS],
                                   bool use_threads)
{
    willow_query_options options = willow_query_options_default();
    const willow_vec3 point = {0.3F, 0.2F, 0.1F};
    willow_closest closest;
    options.use_threads = use_threads;
    zoo_world_follow(w, 0);
    willow_scratch_reset_stats(w->scratch);
    for (int i = 0; i < QUESTIONS; i++)
        assert_true(zoo_check_sets(w, sets[i][0], sets[i][1], &options, &expected[i]));
    assert_ok(willow_closest_point(w->world, w->scratch, &point, &options, &closest));
    willow_query_stats stats = willow_scratch_stats(w->scratch);
    stats.claims_lost = 0;
    return stats;
}

static void check_counts(zoo_scene *scene, const zoo_closest expected[QUESTIONS], int family,
                         uint64_t *opened)
{
    static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AUTO};
    willow_query_stats first = {0};
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += TEST_MORE_WORKERS)
        for (int k = TEST_HAS_TSAN; k < 2; k++) {
            zoo_setup setup = setup_with(workers, kernels[k], family);
            zoo_world w;
            zoo_world_create(&w, scene, &setup);
            for (uint32_t i = 0; i < 3; i++) /* all vertices are set again, where they are */
                scene->bodies[i].moved_count = scene->bodies[i].mesh.vertex_count;
            for (int shared = 0; shared < 2; shared++) {
                const willow_query_stats stats = stats_of(&w, expected, shared == 1);
                if (first.body_pairs == 0) first = stats;
                assert_memory_equal(&stats, &first, sizeof stats);
            }
            zoo_world_destroy(&w);
        }
    assert_true(first.body_pairs > 0 && first.triangle_tests > 0);
    *opened += first.nodes_opened;
}

static void check_scene(int number, uint64_t *opened)
{
    zoo_scene scene = make_scene(number);
    zoo_places places;
    zoo_closest expected[QUESTIONS];
    zoo_places_find(&places, &scene);
    for (int i = 0; i < QUESTIONS; i++)
        expected[i] = zoo_closest_sets(&places, sets[i][0], sets[i][1], 0.0);
    zoo_places_free(&places);
    print_message("scene %d: %g apart\n", number, expected[0].distance);
    assert_int_equal(expected[0].distance == 0.0, number == 0);
    for (int family = 0; family < FAMILIES; family++)
        check_counts(&scene, expected, family, opened);
    zoo_scene_destroy(&scene);
}

static void workers_and_kernels_change_neither_answers_nor_counts(void **state)
{
    (void)state;
    uint64_t opened = 0;
    for (int number = 0; number < PLACES; number++) check_scene(number, &opened);
    print_message("%llu nodes opened\n", (unsigned long long)opened);
    assert_true(opened > 10000); /* far more than what is never shared out */
}

/* ---- many threads ask one world ---- */

typedef struct asker {
    pthread_t thread;
    const zoo_world *w;
    willow_closest_pair pair;
    willow_closest closest;
    bool failed;
} asker;

static void *asker_main(void *arg)
{
    asker *self = arg;
    const zoo_world *w = self->w;
    const willow_vec3 point = {0.3F, 0.2F, 0.1F};
    const willow_body_set a = {&w->bodies[0].id, 1}, b = {&w->bodies[1].id, 1};
    willow_query_options options = willow_query_options_default();
    willow_scratch *scratch = NULL;
    options.use_threads = true;
    self->failed =
        willow_scratch_create(w->world, &scratch) != WILLOW_OK ||
        willow_distance(w->world, scratch, &a, &b, &options, &self->pair) != WILLOW_OK ||
        willow_closest_point(w->world, scratch, &point, &options, &self->closest) != WILLOW_OK;
    willow_scratch_destroy(scratch);
    return NULL;
}

static void many_threads_ask_one_world_and_all_hear_the_same(void **state)
{
    (void)state;
    for (int number = 0; number < PLACES; number++) {
        zoo_scene scene = make_scene(number);
        zoo_setup setup = setup_with(2, WILLOW_KERNEL_AUTO, 1);
        asker askers[ASKERS] = {{0}};
        zoo_world w;
        zoo_world_create(&w, &scene, &setup);
        for (uint32_t i = 0; i < 3; i++)
            scene.bodies[i].moved_count = scene.bodies[i].mesh.vertex_count;
        zoo_world_follow(&w, 0);
        for (int i = 0; i < ASKERS; i++) {
            askers[i].w = &w;
            assert_int_equal(pthread_create(&askers[i].thread, NULL, asker_main, &askers[i]), 0);
        }
        for (int i = 0; i < ASKERS; i++) pthread_join(askers[i].thread, NULL);
        for (int i = 0; i < ASKERS; i++) {
            assert_true(!askers[i].failed && askers[i].pair.found && askers[i].closest.found);
            assert_true(askers[i].pair.distance == askers[0].pair.distance);
            assert_int_equal(askers[i].pair.a.tri, askers[0].pair.a.tri);
            assert_int_equal(askers[i].pair.b.tri, askers[0].pair.b.tri);
            assert_true(askers[i].closest.distance == askers[0].closest.distance);
            assert_int_equal(askers[i].closest.tri.tri, askers[0].closest.tri.tri);
        }
        zoo_world_destroy(&w);
        zoo_scene_destroy(&scene);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(workers_and_kernels_change_neither_answers_nor_counts),
    cmocka_unit_test(many_threads_ask_one_world_and_all_hear_the_same),
};

TEST_GROUP(distance_threads, tests);
