/* Rays with many workers, from many threads and with every kernel: equal answers and equal counts
 * (C9, C10). Nodes are computed by whoever comes first. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "support/ray_scene.h"
#include "support/zoo_world.h"

enum { ASKERS = 3, MAX_WORKERS = 4, RAYS = TEST_HAS_TSAN ? 600 : 1500, BODIES = 3 };

static const willow_method families[][BODIES] = {
    {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_REBUILD, WILLOW_METHOD_BRUTE},
    {WILLOW_METHOD_HYBRID, WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_AUTO},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static zoo_scene make_scene(void)
{
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 500, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 450, 1);
    zoo_scene_add(&scene, ZOO_KIND_SOUP, 30, 3);
    scene.bodies[1].pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 1);
    return scene;
}

static zoo_setup setup_with(uint32_t thread_count, willow_kernel kernel, int family)
{
    zoo_setup setup = zoo_setup_with(kernel, zoo_tree(WILLOW_METHOD_AUTO, 4, 2));
    setup.world.thread_count = thread_count;
    for (uint32_t i = 0; i < BODIES; i++) setup.trees[i].method = families[family][i];
    return setup;
}

/* The rays, and what they come to with BRUTE, alone. */
typedef struct expectation {
    willow_ray rays[RAYS];
    zoo_world brute;
    willow_scratch *scratches[3];
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces pierces;
    size_t hits;
} expectation;

/* On workers; a function of the hit alone. */
static bool pass_through_some(void *context, size_t ray, const willow_hit *hit)
{
    atomic_fetch_add((atomic_uint *)context, 1);
    return (ray + hit->at.tri) % 5 != 0;
}

static willow_ray_options options_of(atomic_uint *asked, bool use_threads)
{
    willow_ray_options o = willow_ray_options_default();
    o.filter = pass_through_some;
    o.filter_context = asked;
    o.use_threads = use_threads;
    return o;
}

static void expectation_make(expectation *e, const zoo_scene *scene)
{
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_SCALAR, zoo_tree(WILLOW_METHOD_BRUTE, 8, 0));
    ray_scene rays = {.body_count = 0};
    atomic_uint asked = 0;
    const willow_ray_options o = options_of(&asked, false);
    zoo_world_create(&e->brute, scene, &setup);
    for (uint32_t i = 0; i < BODIES; i++)
        ray_scene_add(&rays, e->brute.world, e->brute.bodies[i].id, scene->bodies[i].mesh.groups);
    ray_scene_aim(&rays, 5, RAYS, e->rays);
    ray_scene_clear(&rays);
    for (int i = 0; i < 3; i++) assert_ok(willow_scratch_create(e->brute.world, &e->scratches[i]));
    const willow_world *world = e->brute.world;
    assert_ok(willow_cast_rays(world, e->scratches[0], e->rays, RAYS, &o, &e->casts));
    assert_ok(willow_block_rays(world, e->scratches[1], e->rays, RAYS, &o, &e->blocks));
    assert_ok(willow_pierce_rays(world, e->scratches[2], e->rays, RAYS, &o, &e->pierces));
    e->hits = ray_states_count(e->casts.states, RAYS, WILLOW_RAY_HIT);
    assert_true(e->hits > 0 && e->hits < RAYS && atomic_load(&asked) > e->hits);
}

static void expectation_free(expectation *e)
{
    for (int i = 0; i < 3; i++) willow_scratch_destroy(e->scratches[i]);
    zoo_world_destroy(&e->brute);
}

/* Asks one of the three; false where the answer is another. */
static bool ask(const willow_world *world, willow_scratch *scratch, const expectation *e,
                int question, bool use_threads)
{
    atomic_uint asked = 0;
    const willow_ray_options o = options_of(&asked, use_threads);
    willow_casts casts;
    willow_blocks blocks;
    willow_pierces pierces;
    switch (question) {
    case 0:
        return willow_cast_rays(world, scratch, e->rays, RAYS, &o, &casts) == WILLOW_OK &&
               ray_casts_are_equal(&casts, &e->casts);
    case 1:
        return willow_block_rays(world, scratch, e->rays, RAYS, &o, &blocks) == WILLOW_OK &&
               ray_blocks_are_equal(&blocks, &e->blocks);
    default:
        return willow_pierce_rays(world, scratch, e->rays, RAYS, &o, &pierces) == WILLOW_OK &&
               ray_pierces_are_equal(&pierces, &e->pierces);
    }
}

/* ---- workers ---- */

/* All vertices are set again, where they are, so that nodes have to be computed again. */
static void touch(zoo_scene *scene, zoo_world *w)
{
    for (uint32_t i = 0; i < BODIES; i++)
        scene->bodies[i].moved_count = scene->bodies[i].mesh.vertex_count;
    zoo_world_follow(w, 0);
}

static willow_query_stats stats_of(zoo_scene *scene, zoo_world *w, const expectation *e,
                                   bool use_threads)
{
    touch(scene, w);
    willow_scratch_reset_stats(w->scratch);
    for (int question = 0; question < 3; question++)
        if (!ask(w->world, w->scratch, e, question, use_threads))
            fail_msg("question %d has another answer", question);
    willow_query_stats stats = willow_scratch_stats(w->scratch);
    stats.claims_lost = 0;
    return stats;
}

static void answers_and_counts_do_not_depend_on_workers_and_kernels(void **state)
{
    static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AUTO};
    static expectation e;
    (void)state;
    zoo_scene scene = make_scene();
    expectation_make(&e, &scene);
    for (int family = 0; family < FAMILIES; family++) {
        willow_query_stats first = {0};
        for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += TEST_MORE_WORKERS)
            for (int k = TEST_HAS_TSAN; k < 2; k++) {
                const zoo_setup setup = setup_with(workers, kernels[k], family);
                zoo_world w;
                zoo_world_create(&w, &scene, &setup);
                for (int shared = 0; shared < 2; shared++) {
                    const willow_query_stats stats = stats_of(&scene, &w, &e, shared == 1);
                    if (first.volume_tests == 0) first = stats;
                    assert_memory_equal(&stats, &first, sizeof stats);
                }
                zoo_world_destroy(&w);
            }
        print_message("%zu of %d rays hit; %u nodes opened, %u computed, %u triangles tested, %u "
                      "exactly\n",
                      e.hits, (int)RAYS, (unsigned)first.nodes_opened,
                      (unsigned)first.nodes_refreshed, (unsigned)first.triangle_tests,
                      (unsigned)first.exact_tests);
        assert_true(first.nodes_opened > 0 && first.exact_tests > 0);
    }
    expectation_free(&e);
    zoo_scene_destroy(&scene);
}

/* ---- many threads ---- */

typedef struct asker {
    const willow_world *world;
    const expectation *e;
    pthread_t thread;
    int number;
    uint64_t refreshed;
    bool is_right;
} asker;

static void *asker_main(void *context)
{
    asker *self = context;
    willow_scratch *scratch = NULL;
    self->is_right = willow_scratch_create(self->world, &scratch) == WILLOW_OK;
    for (int i = 0; i < 3 && self->is_right; i++)
        self->is_right = ask(self->world, scratch, self->e, (self->number + i) % 3, false);
    self->refreshed = willow_scratch_stats(scratch).nodes_refreshed;
    willow_scratch_destroy(scratch);
    return NULL;
}

static void many_threads_cast_rays_at_once(void **state)
{
    static expectation e;
    (void)state;
    zoo_scene scene = make_scene();
    expectation_make(&e, &scene);
    for (int family = 0; family < FAMILIES; family++) {
        const zoo_setup setup = setup_with(1, WILLOW_KERNEL_AUTO, family);
        uint64_t alone = 0;
        zoo_world w;
        zoo_world_create(&w, &scene, &setup);
        for (int askers = 1; askers <= ASKERS; askers += ASKERS - 1) {
            asker threads[ASKERS];
            uint64_t refreshed = 0;
            touch(&scene, &w);
            for (int i = 0; i < askers; i++) {
                threads[i] = (asker){.world = w.world, .e = &e, .number = i};
                assert_int_equal(pthread_create(&threads[i].thread, NULL, asker_main, &threads[i]),
                                 0);
            }
            for (int i = 0; i < askers; i++) {
                pthread_join(threads[i].thread, NULL);
                assert_true(threads[i].is_right);
                refreshed += threads[i].refreshed;
            }
            if (askers == 1) alone = refreshed;
            assert_int_equal(refreshed, alone);
        }
        zoo_world_destroy(&w);
    }
    expectation_free(&e);
    zoo_scene_destroy(&scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(answers_and_counts_do_not_depend_on_workers_and_kernels),
    cmocka_unit_test(many_threads_cast_rays_at_once),
};

TEST_GROUP(rays_threads, tests);
