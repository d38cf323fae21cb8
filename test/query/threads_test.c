/* Queries from many threads and with many workers: equal answers and equal counts (C9, C10). */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include "support/test.h"
#include "support/zoo_world.h"

enum { ASKERS = 4, ROUNDS = 5, MAX_WORKERS = 4 };

static zoo_scene make_scene(void)
{
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 200, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 242, 2);
    zoo_scene_add(&scene, ZOO_KIND_SOUP, 150, 3);
    zoo_scene_add(&scene, ZOO_KIND_LATTICE, 12, 4);
    return scene;
}

/* The second body under a pose, the fourth far from its mesh. */
static void pose_scene(zoo_scene *scene, uint64_t seed)
{
    scene->bodies[1].pose = zoo_pose_make(ZOO_POSE_TURNED, 0, seed);
    scene->bodies[3].pose = zoo_pose_make(ZOO_POSE_QUARTER, 0, seed);
    scene->bodies[1].is_turned = scene->bodies[3].is_turned = true;
}

static zoo_setup setup_with_threads(uint32_t thread_count)
{
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 3));
    setup.world.thread_count = thread_count;
    setup.trees[2].method = WILLOW_METHOD_REBUILD;
    setup.trees[3].method = WILLOW_METHOD_BRUTE;
    return setup;
}

/* ---- many threads ask one world ---- */

/* cmocka's asserts belong to the main thread, so askers only take notes. */
typedef struct asker {
    pthread_t thread;
    const willow_world *world;
    uint64_t hashes[ROUNDS];
    willow_query_stats stats[ROUNDS];
    size_t pairs;
    bool failed;
} asker;

static bool hash_visited(void *context, willow_tri_ref a, willow_tri_ref b)
{
    *(uint64_t *)context += (uint64_t)a.tri * 31 + (uint64_t)b.tri * 17 + a.body.index1;
    return true;
}

static bool hash_visited_tri(void *context, willow_tri_ref tri)
{
    *(uint64_t *)context += (uint64_t)tri.tri * 13 + tri.body.index1;
    return true;
}

/* A number made of the answers to all questions; threads in every second round. */
static uint64_t ask_everything(const willow_world *world, willow_scratch *scratch, int round,
                               asker *notes)
{
    willow_query_options options = willow_query_options_default();
    willow_box box = {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
    willow_pairs pairs, self_pairs;
    willow_first_pair first;
    uint64_t visited = 0;
    options.use_threads = round % 2 == 1;
    bool ok = willow_find_pairs(world, scratch, &options, &pairs) == WILLOW_OK;
    uint64_t hash = ok ? willow_pairs_hash(&pairs) : 0;
    notes->pairs += ok ? pairs.count : 0;
    ok = ok && willow_find_self_pairs(world, scratch, &options, &self_pairs) == WILLOW_OK;
    hash = 31 * hash + (ok ? willow_pairs_hash(&self_pairs) : 0);
    ok = ok && willow_find_first_pair(world, scratch, &options, &first) == WILLOW_OK && first.found;
    hash = 31 * hash + (ok ? (uint64_t)first.a.tri << 32 | first.b.tri : 0);
    ok = ok && willow_visit_pairs(world, scratch, &options, hash_visited, &visited) == WILLOW_OK &&
         willow_visit_box(world, scratch, &box, &options, hash_visited_tri, &visited) == WILLOW_OK;
    notes->failed = notes->failed || !ok;
    return 31 * hash + visited;
}

static void *asker_main(void *arg)
{
    asker *self = arg;
    willow_scratch *scratch = NULL;
    if (willow_scratch_create(self->world, &scratch) != WILLOW_OK) {
        self->failed = true;
        return NULL;
    }
    for (int round = 0; round < ROUNDS; round++) {
        willow_scratch_reset_stats(scratch);
        self->hashes[round] = ask_everything(self->world, scratch, round, self);
        self->stats[round] = willow_scratch_stats(scratch);
    }
    willow_scratch_destroy(scratch);
    return NULL;
}

static void run_askers(const willow_world *world, asker askers[ASKERS])
{
    for (int i = 0; i < ASKERS; i++) {
        askers[i] = (asker){.world = world};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, asker_main, &askers[i]), 0);
    }
    for (int i = 0; i < ASKERS; i++) pthread_join(askers[i].thread, NULL);
}

static void many_threads_ask_one_world_and_all_hear_the_same(void **state)
{
    (void)state;
    enum { FRAMES = 4 };
    uint64_t frame_hashes[FRAMES] = {0};
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
        zoo_scene scene = make_scene();
        zoo_setup setup = setup_with_threads(workers);
        zoo_world w;
        size_t pairs = 0;
        zoo_world_create(&w, &scene, &setup);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            asker askers[ASKERS];
            zoo_scene_stay(&scene);
            if (frame == 1 || frame == 2) zoo_scene_move_all(&scene, frame);
            if (frame >= 2) pose_scene(&scene, frame);
            if (frame > 0) zoo_world_follow(&w, 3 * frame);
            run_askers(w.world, askers);
            if (workers == 1) frame_hashes[frame] = askers[0].hashes[0];
            for (int i = 0; i < ASKERS; i++) {
                assert_false(askers[i].failed);
                pairs += askers[i].pairs;
                for (int round = 0; round < ROUNDS; round++) {
                    assert_true(askers[i].hashes[round] == frame_hashes[frame]);
                    assert_memory_equal(&askers[i].stats[round], &askers[0].stats[0],
                                        sizeof askers[0].stats[0]);
                }
            }
        }
        print_message("%u workers, %d threads asking: %zu pairs found\n", workers, ASKERS, pairs);
        assert_true(pairs > 0);
        zoo_world_destroy(&w);
        zoo_scene_destroy(&scene);
    }
}

/* ---- one thread asks with many workers ---- */

static willow_query_stats stats_of(zoo_world *w, const zoo_question *question,
                                   const zoo_answers *answers, size_t *pairs)
{
    willow_scratch_reset_stats(w->scratch);
    *pairs += zoo_world_check(w, question, answers);
    return willow_scratch_stats(w->scratch);
}

static void counts_and_answers_do_not_depend_on_workers(void **state)
{
    (void)state;
    enum { QUESTIONS = 12 };
    willow_query_stats counts[QUESTIONS];
    zoo_scene scene = make_scene();
    pose_scene(&scene, 1);
    zoo_answers answers = {0};
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
        zoo_world w;
        zoo_setup setup = setup_with_threads(workers);
        size_t pairs = 0;
        zoo_world_create(&w, &scene, &setup);
        for (uint64_t i = 0; i < QUESTIONS; i++) {
            zoo_question question = zoo_question_random(&scene, i);
            question.max_results = 0; /* see the next test */
            zoo_answers_find(&scene, &question, &answers);
            question.use_threads = false;
            willow_query_stats alone = stats_of(&w, &question, &answers, &pairs);
            question.use_threads = true;
            willow_query_stats shared = stats_of(&w, &question, &answers, &pairs);
            if (workers == 1) counts[i] = alone;
            assert_memory_equal(&alone, &counts[i], sizeof alone);
            assert_memory_equal(&shared, &counts[i], sizeof shared);
        }
        print_message("%u workers: %zu pairs found\n", workers, pairs);
        assert_true(pairs > 0);
        zoo_world_destroy(&w);
    }
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

static void counts_under_a_limit_do_not_depend_on_workers(void **state)
{
    (void)state;
    zoo_scene scene = make_scene();
    zoo_setup setup = setup_with_threads(MAX_WORKERS);
    zoo_answers answers = {0};
    zoo_world w;
    size_t pairs = 0;
    uint64_t least = 0, most = 0;
    zoo_world_create(&w, &scene, &setup);
    zoo_question question = zoo_question_plain();
    zoo_answers_find(&scene, &question, &answers);
    for (size_t limit = 1; limit < answers.pairs.count + 200; limit += 101) {
        question.max_results = limit;
        question.use_threads = false;
        willow_query_stats alone = stats_of(&w, &question, &answers, &pairs);
        question.use_threads = true;
        willow_query_stats shared = stats_of(&w, &question, &answers, &pairs);
        assert_memory_equal(&alone, &shared, sizeof alone);
        if (limit == 1) least = alone.leaf_pairs;
        most = alone.leaf_pairs;
    }
    assert_true(least < most); /* pairs of bodies past the limit are not searched */
    print_message("%zu pairs found\n", pairs);
    assert_true(pairs > 0);
    zoo_world_destroy(&w);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

static void counts_do_not_depend_on_the_kernel(void **state)
{
    (void)state;
    zoo_scene scene = make_scene();
    zoo_answers answers = {0};
    zoo_question question = zoo_question_plain();
    willow_query_stats counts[2] = {0};
    size_t pairs = 0;
    pose_scene(&scene, 2);
    zoo_answers_find(&scene, &question, &answers);
    for (int i = 0; i < 2; i++) {
        willow_kernel kernel = i == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
        zoo_setup setup = setup_with_threads(2);
        zoo_world w;
        setup.world.kernel = zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR;
        zoo_world_create(&w, &scene, &setup);
        counts[i] = stats_of(&w, &question, &answers, &pairs);
        zoo_world_destroy(&w);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    assert_true(counts[0].body_pairs > 0 && counts[0].nodes_opened > 0 &&
                counts[0].volume_tests > 0 && counts[0].leaf_pairs > 0 &&
                counts[0].triangle_tests > 0 && counts[0].exact_tests > 0);
    print_message("%zu pairs found\n", pairs);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

/* ---- a host's own threads ---- */

typedef struct host {
    uint32_t worker_count;
    bool is_running; /* a host's loop need not allow loops within its tasks */
    size_t loops, nested;
} host;

/* One task after the other, the last first, as another worker each time. */
static void run_backwards(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    host *h = context;
    h->nested += h->is_running;
    h->is_running = true;
    h->loops++;
    for (uint32_t task = task_count; task-- > 0;) run(arg, task, task % h->worker_count);
    h->is_running = false;
}

typedef struct host_thread {
    pthread_t thread;
    willow_task *run;
    void *arg;
    uint32_t worker, step, task_count;
} host_thread;

static void *host_thread_main(void *arg)
{
    const host_thread *t = arg;
    for (uint32_t task = t->worker; task < t->task_count; task += t->step)
        t->run(t->arg, task, t->worker);
    return NULL;
}

/* Fresh threads for every loop, each with every so-manieth task. */
static void run_on_fresh_threads(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    host *h = context;
    host_thread threads[MAX_WORKERS];
    h->nested += h->is_running;
    h->is_running = true;
    h->loops++;
    for (uint32_t i = 0; i < h->worker_count; i++) {
        threads[i] = (host_thread){
            .run = run, .arg = arg, .worker = i, .step = h->worker_count, .task_count = task_count};
        if (pthread_create(&threads[i].thread, NULL, host_thread_main, &threads[i]) != 0) abort();
    }
    for (uint32_t i = 0; i < h->worker_count; i++) pthread_join(threads[i].thread, NULL);
    h->is_running = false;
}

/* The first body only and not all of it: the update bounds it, and workers share that. */
static void move_one(zoo_scene *scene, uint32_t frame)
{
    for (uint32_t i = 0; i < scene->body_count; i++) scene->bodies[i].moved_count = 0;
    zoo_body *body = &scene->bodies[0];
    body->moved_first = 1;
    body->moved_count = body->mesh.vertex_count - 1;
    zoo_mesh_move(&body->mesh, frame, 1, body->moved_count);
}

static void check_host(void (*parallel_for)(void *, uint32_t, willow_task *, void *))
{
    zoo_scene scene = make_scene();
    zoo_answers answers = {0};
    host h = {.worker_count = 3};
    zoo_setup setup = setup_with_threads(1);
    zoo_world w;
    size_t pairs = 0;
    setup.world.tasks = (willow_tasks){3, parallel_for, &h};
    zoo_world_create(&w, &scene, &setup);
    for (uint32_t frame = 0; frame < 8; frame++) {
        zoo_question question = zoo_question_plain();
        question.use_threads = true;
        question.skip_neighbours = frame % 2 == 1;
        if (frame >= 3)
            move_one(&scene, frame);
        else if (frame > 0)
            zoo_scene_move_all(&scene, frame);
        if (frame > 0) zoo_world_follow(&w, frame);
        zoo_answers_find(&scene, &question, &answers);
        pairs += zoo_world_check(&w, &question, &answers);
    }
    print_message("%zu loops, %zu pairs found\n", h.loops, pairs);
    assert_true(h.loops > 0);
    assert_true(pairs > 0);
    assert_int_equal(h.nested, 0);
    zoo_world_destroy(&w);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

static void a_host_may_run_tasks_backwards(void **state)
{
    (void)state;
    check_host(run_backwards);
}

static void a_host_may_use_threads_of_its_own(void **state)
{
    (void)state;
    check_host(run_on_fresh_threads);
}

static void two_worlds_are_updated_and_asked_side_by_side(void **state)
{
    (void)state;
    zoo_scene scene = make_scene();
    zoo_setup setup = setup_with_threads(2);
    zoo_world worlds[2];
    asker askers[2][ASKERS];
    zoo_world_create(&worlds[0], &scene, &setup);
    zoo_world_create(&worlds[1], &scene, &setup);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ASKERS; k++) {
            askers[i][k] = (asker){.world = worlds[i].world};
            assert_int_equal(pthread_create(&askers[i][k].thread, NULL, asker_main, &askers[i][k]),
                             0);
        }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ASKERS; k++) {
            pthread_join(askers[i][k].thread, NULL);
            assert_false(askers[i][k].failed);
            assert_true(askers[i][k].hashes[0] == askers[0][0].hashes[0]);
        }
    print_message("%zu pairs found\n", askers[0][0].pairs);
    assert_true(askers[0][0].pairs > 0);
    zoo_world_destroy(&worlds[0]);
    zoo_world_destroy(&worlds[1]);
    zoo_scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_ask_one_world_and_all_hear_the_same),
        cmocka_unit_test(counts_and_answers_do_not_depend_on_workers),
        cmocka_unit_test(counts_under_a_limit_do_not_depend_on_workers),
        cmocka_unit_test(counts_do_not_depend_on_the_kernel),
        cmocka_unit_test(a_host_may_run_tasks_backwards),
        cmocka_unit_test(a_host_may_use_threads_of_its_own),
        cmocka_unit_test(two_worlds_are_updated_and_asked_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
