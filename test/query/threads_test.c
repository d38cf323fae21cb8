/* Queries from many threads and with many workers: equal answers and equal counts (C9, C10). */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_world.h"

enum { ASKERS = 4, ROUNDS = TEST_HAS_TSAN ? 2 : 3, MAX_WORKERS = 4 };

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

/* Bodies whose boxes are all computed in the update, and copied to nodes by whoever is first to
 * ask; and bodies whose boxes are computed by whoever that is. */
static const willow_method families[][4] = {
    {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_REBUILD, WILLOW_METHOD_BRUTE},
    {WILLOW_METHOD_HYBRID, WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID, WILLOW_METHOD_BRUTE},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static zoo_setup setup_with_threads(uint32_t thread_count, int family)
{
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 3));
    setup.world.thread_count = thread_count;
    for (uint32_t i = 0; i < 4; i++) setup.trees[i].method = families[family][i];
    return setup;
}

/* Sets all vertices again, where they are: a new revision, for which no box is computed yet. */
static void freshen(zoo_world *w, zoo_scene *scene)
{
    zoo_scene_move_all(scene, 0);
    zoo_world_follow(w, 0);
}

/* What does not depend on who was first to ask. */
static willow_query_stats settled(willow_query_stats stats)
{
    stats.nodes_refreshed = stats.claims_lost = 0;
    return stats;
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

/* A scratch of its own for every round: what one keeps of the pairs within bodies would not be
 * searched again. */
static void *asker_main(void *arg)
{
    asker *self = arg;
    for (int round = 0; round < ROUNDS; round++) {
        willow_scratch *scratch = NULL;
        if (willow_scratch_create(self->world, &scratch) != WILLOW_OK) {
            self->failed = true;
            return NULL;
        }
        self->hashes[round] = ask_everything(self->world, scratch, round, self);
        self->stats[round] = willow_scratch_stats(scratch);
        willow_scratch_destroy(scratch);
    }
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

/* The numbers of the frames are written down with one worker and compared with more. */
static void check_many_threads(int family)
{
    enum { FRAMES = TEST_HAS_TSAN ? 3 : 4 };
    uint64_t frame_hashes[FRAMES] = {0}, frame_refreshed[FRAMES] = {0};
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += TEST_MORE_WORKERS) {
        zoo_scene scene = make_scene();
        zoo_setup setup = setup_with_threads(workers, family);
        zoo_world w;
        size_t pairs = 0;
        zoo_world_create(&w, &scene, &setup);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            asker askers[ASKERS];
            uint64_t refreshed = 0;
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
                    willow_query_stats stats = settled(askers[i].stats[round]);
                    willow_query_stats first = settled(askers[0].stats[0]);
                    assert_true(askers[i].hashes[round] == frame_hashes[frame]);
                    assert_memory_equal(&stats, &first, sizeof stats);
                    refreshed += askers[i].stats[round].nodes_refreshed;
                }
            }
            if (workers == 1) frame_refreshed[frame] = refreshed;
            assert_true(refreshed == frame_refreshed[frame]);
            /* The last frame has only poses. Of fresh trees narrow ones copy boxes to their nodes.
             */
            if (frame > 0) assert_int_equal(refreshed > 0, frame < 3);
        }
        print_message("%u workers, %d threads asking: %zu pairs found\n", workers, ASKERS, pairs);
        assert_true(pairs > 0);
        zoo_world_destroy(&w);
        zoo_scene_destroy(&scene);
    }
}

static void many_threads_ask_one_world_and_all_hear_the_same(void **state)
{
    (void)state;
    for (int family = 0; family < FAMILIES; family++) check_many_threads(family);
}

/* ---- one thread asks with many workers ---- */

/* Of a question to a fresh revision. */
static willow_query_stats stats_of(zoo_world *w, zoo_scene *scene, const zoo_question *question,
                                   const zoo_answers *answers, size_t *pairs)
{
    freshen(w, scene);
    w->asked = 0; /* always in the same order */
    willow_scratch_reset_stats(w->scratch);
    *pairs += zoo_world_check(w, question, answers);
    willow_query_stats stats = willow_scratch_stats(w->scratch);
    if (!question->use_threads) assert_true(stats.claims_lost == 0);
    stats.claims_lost = 0;
    return stats;
}

static void check_counts(int family)
{
    enum { QUESTIONS = 8 };
    willow_query_stats counts[QUESTIONS];
    zoo_scene scene = make_scene();
    pose_scene(&scene, 1);
    zoo_answers answers = {0};
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += TEST_MORE_WORKERS) {
        zoo_world w;
        zoo_setup setup = setup_with_threads(workers, family);
        size_t pairs = 0;
        zoo_world_create(&w, &scene, &setup);
        for (uint64_t i = 0; i < QUESTIONS; i++) {
            zoo_question question = zoo_question_random(&scene, i);
            question.max_results = 0; /* see the next test */
            zoo_answers_find(&scene, &question, &answers);
            question.use_threads = false;
            willow_query_stats alone = stats_of(&w, &scene, &question, &answers, &pairs);
            question.use_threads = true;
            willow_query_stats shared = stats_of(&w, &scene, &question, &answers, &pairs);
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

static void counts_and_answers_do_not_depend_on_workers(void **state)
{
    (void)state;
    for (int family = 0; family < FAMILIES; family++) check_counts(family);
}

/* Through all limits, with workers and without; out come the counts under the lowest limit and the
 * highest. */
static size_t walk_limits(zoo_world *w, zoo_scene *scene, uint32_t filter,
                          willow_query_stats *least, willow_query_stats *most)
{
    zoo_answers answers = {0};
    zoo_question question = zoo_question_plain();
    size_t pairs = 0;
    question.filter = filter;
    zoo_answers_find(scene, &question, &answers);
    for (size_t limit = 1; limit < answers.pairs.count + 200; limit += 101) {
        question.max_results = limit;
        question.use_threads = false;
        willow_query_stats alone = stats_of(w, scene, &question, &answers, &pairs);
        question.use_threads = true;
        willow_query_stats shared = stats_of(w, scene, &question, &answers, &pairs);
        assert_memory_equal(&alone, &shared, sizeof alone);
        if (limit == 1) *least = alone;
        *most = alone;
    }
    zoo_answers_free(&answers);
    return pairs;
}

static void check_limits(int family)
{
    zoo_scene scene = make_scene();
    zoo_setup setup = setup_with_threads(MAX_WORKERS, family);
    zoo_world w;
    willow_query_stats least = {0}, most = {0};
    zoo_world_create(&w, &scene, &setup);
    size_t pairs = walk_limits(&w, &scene, 0, &least, &most);
    assert_true(least.leaf_pairs < most.leaf_pairs); /* none past the limit is searched */
    assert_true(most.nodes_refreshed > 0);
    size_t kept = walk_limits(&w, &scene, 3, &least, &most);
    assert_true(least.leaf_pairs == most.leaf_pairs); /* a filter may refuse what was found */
    print_message("%zu pairs found, %zu with a filter\n", pairs, kept);
    assert_true(kept > 0 && kept < pairs);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static void counts_under_a_limit_do_not_depend_on_workers(void **state)
{
    (void)state;
    for (int family = 0; family < FAMILIES; family++) check_limits(family);
}

static void check_kernels(int family)
{
    zoo_scene scene = make_scene();
    zoo_answers answers = {0};
    zoo_question question = zoo_question_plain();
    willow_query_stats counts[2] = {0};
    size_t pairs = 0;
    pose_scene(&scene, 2);
    zoo_answers_find(&scene, &question, &answers);
    for (int i = 0; i < 2; i++) {
        willow_kernel kernel = i == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
        zoo_setup setup = setup_with_threads(2, family);
        zoo_world w;
        setup.world.kernel = zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR;
        zoo_world_create(&w, &scene, &setup);
        counts[i] = stats_of(&w, &scene, &question, &answers, &pairs);
        zoo_world_destroy(&w);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    assert_true(counts[0].body_pairs > 0 && counts[0].nodes_opened > 0 &&
                counts[0].volume_tests > 0 && counts[0].leaf_pairs > 0 &&
                counts[0].triangle_tests > 0 && counts[0].exact_tests > 0 && counts[0].stars > 0 &&
                counts[0].stars_left > 0);
    assert_true(counts[0].nodes_refreshed > 0);
    assert_true(counts[0].nodes_refreshed <= counts[0].nodes_opened);
    print_message("%zu pairs found\n", pairs);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

static void counts_do_not_depend_on_the_kernel(void **state)
{
    (void)state;
    for (int family = 0; family < FAMILIES; family++) check_kernels(family);
}

/* ---- a host's own threads ---- */

/* A host runs loops in its own way. It counts them, those without a task, and those that come from
 * inside a task: it need not allow these. */
typedef struct host host;
typedef void host_loop(host *h, uint32_t task_count, willow_task *run, void *arg);

struct host {
    uint32_t worker_count;
    host_loop *loop;
    uint64_t random;
    struct foreign_pool *pool;
    atomic_size_t loops, empty, nested;
    atomic_uint most_tasks; /* of a loop */
};

static _Thread_local bool is_in_task;

typedef struct guarded {
    willow_task *run;
    void *arg;
} guarded;

static void run_guarded(void *arg, uint32_t task, uint32_t worker)
{
    const guarded *g = arg;
    is_in_task = true;
    g->run(g->arg, task, worker);
    is_in_task = false;
}

static void host_for(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    host *h = context;
    guarded g = {run, arg};
    atomic_fetch_add(&h->loops, 1);
    atomic_fetch_add(&h->empty, task_count == 0);
    atomic_fetch_add(&h->nested, is_in_task);
    if (task_count > atomic_load(&h->most_tasks)) atomic_store(&h->most_tasks, task_count);
    h->loop(h, task_count, run_guarded, &g);
}

/* One task after the other, the last first, as another worker each time. */
static void run_backwards(host *h, uint32_t task_count, willow_task *run, void *arg)
{
    for (uint32_t task = task_count; task-- > 0;) run(arg, task, task % h->worker_count);
}

static void run_shuffled(host *h, uint32_t task_count, willow_task *run, void *arg)
{
    uint32_t *order = calloc((size_t)task_count + 1, sizeof *order);
    for (uint32_t i = 0; i < task_count; i++) {
        uint32_t k = (uint32_t)(test_random(&h->random) % (i + 1));
        order[i] = order[k];
        order[k] = i;
    }
    for (uint32_t i = 0; i < task_count; i++)
        run(arg, order[i], (uint32_t)(test_random(&h->random) % h->worker_count));
    free(order);
}

typedef struct host_thread {
    pthread_t thread;
    willow_task *run;
    void *arg;
    uint32_t worker, first, step, task_count;
} host_thread;

static void *host_thread_main(void *arg)
{
    const host_thread *t = arg;
    for (uint32_t task = t->first; task < t->task_count; task += t->step)
        t->run(t->arg, task, t->worker);
    return NULL;
}

/* Fresh threads, each with every so-manieth task from `first` on. */
static void run_threads(uint32_t count, uint32_t first, uint32_t step, uint32_t task_count,
                        willow_task *run, void *arg)
{
    host_thread threads[MAX_WORKERS];
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (host_thread){.run = run,
                                   .arg = arg,
                                   .worker = i,
                                   .first = first + i,
                                   .step = step,
                                   .task_count = task_count};
        if (pthread_create(&threads[i].thread, NULL, host_thread_main, &threads[i]) != 0) abort();
    }
    for (uint32_t i = 0; i < count; i++) pthread_join(threads[i].thread, NULL);
}

static void run_on_fresh_threads(host *h, uint32_t task_count, willow_task *run, void *arg)
{
    run_threads(h->worker_count, 0, h->worker_count, task_count, run, arg);
}

static void run_on_a_thread_per_task(host *h, uint32_t task_count, willow_task *run, void *arg)
{
    for (uint32_t first = 0; first < task_count; first += h->worker_count) {
        uint32_t left = task_count - first;
        run_threads(left < h->worker_count ? left : h->worker_count, first, UINT32_MAX / 2,
                    task_count, run, arg);
    }
}

/* Threads that were there before the world; who calls waits and does nothing. */
typedef struct foreign_pool {
    pthread_mutex_t callers; /* one loop at a time */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t threads[MAX_WORKERS];
    uint32_t thread_count, started;
    willow_task *run;
    void *arg;
    uint32_t next, task_count, running;
    bool is_ending;
} foreign_pool;

static void *foreign_main(void *arg)
{
    foreign_pool *pool = arg;
    pthread_mutex_lock(&pool->mutex);
    uint32_t worker = pool->started++;
    while (!pool->is_ending) {
        if (pool->next == pool->task_count) {
            pthread_cond_wait(&pool->changed, &pool->mutex);
            continue;
        }
        uint32_t task = pool->next++;
        pool->running++;
        pthread_mutex_unlock(&pool->mutex);
        pool->run(pool->arg, task, worker);
        pthread_mutex_lock(&pool->mutex);
        pool->running--;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void foreign_pool_open(foreign_pool *pool, uint32_t thread_count)
{
    *pool = (foreign_pool){.thread_count = thread_count};
    pthread_mutex_init(&pool->callers, NULL);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    for (uint32_t i = 0; i < thread_count; i++)
        assert_int_equal(pthread_create(&pool->threads[i], NULL, foreign_main, pool), 0);
}

static void foreign_pool_close(foreign_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->callers);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->changed);
}

static void run_on_foreign_threads(host *h, uint32_t task_count, willow_task *run, void *arg)
{
    foreign_pool *pool = h->pool;
    pthread_mutex_lock(&pool->callers);
    pthread_mutex_lock(&pool->mutex);
    pool->run = run;
    pool->arg = arg;
    pool->next = 0;
    pool->task_count = task_count;
    pthread_cond_broadcast(&pool->changed);
    while (pool->next < task_count || pool->running > 0)
        pthread_cond_wait(&pool->changed, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    pthread_mutex_unlock(&pool->callers);
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

/* All at once, then one alone: workers share bodies, or the parts of one. */
static void check_host_with(host *h, int family)
{
    zoo_scene scene = make_scene();
    zoo_answers answers = {0};
    zoo_setup setup = setup_with_threads(1, family);
    zoo_world w;
    size_t pairs = 0;
    setup.world.tasks = (willow_tasks){h->worker_count, host_for, h};
    zoo_world_create(&w, &scene, &setup);
    for (uint32_t frame = 0; frame < 5; frame++) {
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
    print_message("%zu loops, %zu pairs found\n", atomic_load(&h->loops), pairs);
    assert_true(atomic_load(&h->loops) > 0);
    assert_true(pairs > 0);
    assert_int_equal(atomic_load(&h->nested), 0);
    assert_int_equal(atomic_load(&h->empty), 0);
    zoo_world_destroy(&w);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
}

static void check_host(host *h)
{
    for (int family = 0; family < FAMILIES; family++) check_host_with(h, family);
}

static uint32_t count_tasks_within(const willow_world *world, host *h, bool skip_neighbours)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.use_threads = true;
    options.skip_neighbours = skip_neighbours;
    atomic_store(&h->most_tasks, 0);
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_find_self_pairs(world, scratch, &options, &pairs));
    willow_scratch_destroy(scratch);
    return atomic_load(&h->most_tasks);
}

/* Neighbours are parts of their own, however many; nodes are opened until there are enough of them
 * all the same. */
static void a_search_within_a_body_is_shared_out(void **state)
{
    (void)state;
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 20000, 1);
    host h = {.worker_count = 2, .loop = run_backwards};
    zoo_setup setup = setup_with_threads(1, 0);
    zoo_world w;
    setup.world.tasks = (willow_tasks){h.worker_count, host_for, &h};
    zoo_world_create(&w, &scene, &setup);
    const uint32_t strangers = count_tasks_within(w.world, &h, true);
    const uint32_t all = count_tasks_within(w.world, &h, false);
    print_message("%u parts without neighbours, %u with\n", strangers, all);
    assert_true(strangers >= 2 * 16);
    assert_true(all > strangers);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static willow_query_stats stats_within(const zoo_scene *scene, uint32_t workers,
                                       willow_kernel kernel)
{
    zoo_setup setup = setup_with_threads(workers, 0);
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    zoo_world w;
    setup.world.kernel = zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR;
    setup.trees[0] = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, 16);
    options.use_threads = true;
    zoo_world_create(&w, scene, &setup);
    assert_ok(willow_find_self_pairs(w.world, w.scratch, &options, &pairs));
    const willow_query_stats stats = willow_scratch_stats(w.scratch);
    zoo_world_destroy(&w);
    return stats;
}

/* What cannot fold is found by each worker for itself. */
static void counts_within_a_body_do_not_depend_on_workers(void **state)
{
    (void)state;
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 20000, 1);
    const willow_query_stats alone = stats_within(&scene, 1, WILLOW_KERNEL_SCALAR);
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += TEST_MORE_WORKERS) {
        const willow_query_stats shared = stats_within(&scene, workers, WILLOW_KERNEL_AVX2);
        assert_memory_equal(&shared, &alone, sizeof alone);
    }
    print_message("%d of %d pairs of leaves cannot fold, %d of %d stars are creased\n",
                  (int)alone.leaf_pairs_culled, (int)alone.leaf_pairs, (int)alone.stars_left,
                  (int)alone.stars);
    assert_true(alone.leaf_pairs_culled > 0);
    assert_true(alone.leaf_pairs_culled < alone.leaf_pairs);
    zoo_scene_destroy(&scene);
}

/* The first query of a scratch, with two bodies only; with 200 workers there are never enough
 * parts, and all that can be are opened. */
static void a_search_is_shared_out(void **state)
{
    (void)state;
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 200, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 242, 2);
    for (uint32_t workers = 2; workers <= 200; workers += 198) {
        host h = {.worker_count = workers, .loop = run_backwards};
        zoo_setup setup = setup_with_threads(1, 0);
        zoo_world w;
        willow_pairs pairs;
        willow_query_options options = willow_query_options_default();
        setup.world.tasks = (willow_tasks){workers, host_for, &h};
        zoo_world_create(&w, &scene, &setup);
        atomic_store(&h.most_tasks, 0);
        options.use_threads = true;
        assert_ok(willow_find_pairs(w.world, w.scratch, &options, &pairs));
        print_message("%u workers: %u tasks, %zu pairs found\n", workers,
                      atomic_load(&h.most_tasks), pairs.count);
        assert_true(pairs.count > 0);
        assert_true(atomic_load(&h.most_tasks) >= 32);
        zoo_world_destroy(&w);
    }
    zoo_scene_destroy(&scene);
}

static void a_host_may_run_tasks_backwards(void **state)
{
    (void)state;
    host h = {.worker_count = 3, .loop = run_backwards};
    check_host(&h);
}

static void a_host_may_run_tasks_in_any_order_as_any_worker(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        host h = {.worker_count = 3, .loop = run_shuffled, .random = seed};
        check_host(&h);
    }
}

static void a_host_may_have_more_workers_than_tasks(void **state)
{
    (void)state;
    host h = {.worker_count = 200, .loop = run_shuffled};
    check_host(&h);
}

static void a_host_may_have_one_worker(void **state)
{
    (void)state;
    host h = {.worker_count = 1, .loop = run_shuffled};
    check_host(&h);
}

static void a_host_may_use_threads_of_its_own(void **state)
{
    (void)state;
    host h = {.worker_count = 3, .loop = run_on_fresh_threads};
    check_host(&h);
}

static void a_host_may_use_a_thread_per_task(void **state)
{
    (void)state;
    host h = {.worker_count = MAX_WORKERS, .loop = run_on_a_thread_per_task};
    check_host(&h);
}

static void a_host_may_use_threads_that_were_there_before(void **state)
{
    (void)state;
    foreign_pool pool;
    foreign_pool_open(&pool, 3);
    host h = {.worker_count = 3, .loop = run_on_foreign_threads, .pool = &pool};
    check_host(&h);
    foreign_pool_close(&pool);
}

/* ---- a fresh revision ---- */

enum { KINDS = 6, UPDATES = 12 };

/* The answer to one of several questions, as a number; 0 if it fails. */
static uint64_t ask_one(const willow_world *world, willow_scratch *scratch, uint32_t kind,
                        bool use_threads)
{
    willow_query_options options = willow_query_options_default();
    const willow_box box = {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
    willow_pairs pairs;
    willow_first_pair first;
    uint64_t visited = 1;
    options.use_threads = use_threads;
    options.witness = true;
    options.descend = kind % 2 == 0 ? WILLOW_DESCEND_BOTH : WILLOW_DESCEND_LARGER;
    switch (kind) {
    case 0:
    case 1:
        if (willow_find_pairs(world, scratch, &options, &pairs) != WILLOW_OK) return 0;
        return wi_hash_bytes(willow_pairs_hash(&pairs), pairs.witnesses,
                             pairs.count * sizeof *pairs.witnesses);
    case 2:
        if (willow_find_self_pairs(world, scratch, &options, &pairs) != WILLOW_OK) return 0;
        return willow_pairs_hash(&pairs);
    case 3:
        if (willow_find_first_pair(world, scratch, &options, &first) != WILLOW_OK) return 0;
        return wi_hash_bytes(((uint64_t)first.a.tri << 32 | first.b.tri) + 1, &first.witness,
                             sizeof first.witness);
    case 4:
        return willow_visit_pairs(world, scratch, &options, hash_visited, &visited) == WILLOW_OK
                   ? visited
                   : 0;
    default:
        return willow_visit_box(world, scratch, &box, &options, hash_visited_tri, &visited) ==
                       WILLOW_OK
                   ? visited
                   : 0;
    }
}

typedef struct fresh_asker {
    pthread_t thread;
    const willow_world *world;
    pthread_barrier_t *start;
    uint32_t number, update;
    uint64_t answers[KINDS];
} fresh_asker;

/* Every asker begins with another question, and all begin at once. */
static void *fresh_main(void *arg)
{
    fresh_asker *self = arg;
    willow_scratch *scratch = NULL;
    bool ok = willow_scratch_create(self->world, &scratch) == WILLOW_OK;
    pthread_barrier_wait(self->start);
    for (uint32_t i = 0; i < KINDS && ok; i++) {
        uint32_t kind = (self->number + self->update + i) % KINDS;
        self->answers[kind] = ask_one(self->world, scratch, kind, (self->number + i) % 2 == 0);
    }
    willow_scratch_destroy(scratch);
    return NULL;
}

static void ask_together(const willow_world *world, uint32_t update, fresh_asker askers[ASKERS])
{
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, ASKERS), 0);
    for (uint32_t i = 0; i < ASKERS; i++) {
        askers[i] = (fresh_asker){.world = world, .start = &start, .number = i, .update = update};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, fresh_main, &askers[i]), 0);
    }
    for (int i = 0; i < ASKERS; i++) pthread_join(askers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

/* What changed in this update: all, some, or a pose only. */
static void change(zoo_world *w, zoo_scene *scene, uint32_t update)
{
    for (uint32_t i = 0; i < scene->body_count; i++) scene->bodies[i].is_turned = false;
    if (update % 3 == 0)
        zoo_scene_move_all(scene, update);
    else if (update % 3 == 1)
        zoo_scene_move_some(scene, update, update);
    else
        for (uint32_t i = 0; i < scene->body_count; i++) scene->bodies[i].moved_count = 0;
    if (update % 2 == 0) zoo_scene_pose_some(scene, ZOO_POSE_TURNED, 1, update);
    zoo_world_follow(w, update);
}

static zoo_scene make_small_scene(void)
{
    zoo_scene scene = {0};
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 60, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 50, 2);
    zoo_scene_add(&scene, ZOO_KIND_SOUP, 30, 3);
    zoo_scene_add(&scene, ZOO_KIND_LATTICE, 6, 4);
    return scene;
}

/* The askers are the first to see each revision; one thread is asked the same afterwards. */
static void check_fresh_revisions(zoo_setup *setup)
{
    zoo_scene scene = make_small_scene();
    zoo_world w;
    zoo_world_create(&w, &scene, setup);
    for (uint32_t update = 1; update <= UPDATES; update++) {
        fresh_asker askers[ASKERS];
        change(&w, &scene, update);
        ask_together(w.world, update, askers);
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            uint64_t alone = ask_one(w.world, w.scratch, kind, false);
            assert_true(alone != 0);
            for (int i = 0; i < ASKERS; i++)
                if (askers[i].answers[kind] != alone)
                    fail_msg("update %u, question %u, thread %d", update, kind, i);
        }
    }
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static void threads_that_are_first_to_ask_hear_the_same(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= MAX_WORKERS; workers += 3)
        for (willow_broad broad = WILLOW_BROAD_ALL_PAIRS; broad < WILLOW_BROAD_COUNT; broad++)
            for (int family = 0; family < FAMILIES; family++) {
                zoo_setup setup = setup_with_threads(workers, family);
                setup.world.broad = broad;
                for (uint32_t i = 0; i < 3; i++)
                    zoo_tree_vary(&setup.trees[i], workers + broad + i);
                check_fresh_revisions(&setup);
            }
}

static void many_threads_may_use_one_host(void **state)
{
    (void)state;
    foreign_pool pool;
    foreign_pool_open(&pool, 2);
    host h = {.worker_count = 2, .loop = run_on_foreign_threads, .pool = &pool};
    for (int family = 0; family < FAMILIES; family++) {
        zoo_setup setup = setup_with_threads(1, family);
        setup.world.tasks = (willow_tasks){h.worker_count, host_for, &h};
        check_fresh_revisions(&setup);
    }
    foreign_pool_close(&pool);
    print_message("%zu loops\n", atomic_load(&h.loops));
    assert_true(atomic_load(&h.loops) > UPDATES);
    assert_int_equal(atomic_load(&h.nested) + atomic_load(&h.empty), 0);
}

static void two_worlds_are_updated_and_asked_side_by_side(void **state)
{
    (void)state;
    zoo_scene scene = make_scene();
    zoo_setup setup = setup_with_threads(2, 1);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(many_threads_ask_one_world_and_all_hear_the_same),
    cmocka_unit_test(counts_and_answers_do_not_depend_on_workers),
    cmocka_unit_test(counts_under_a_limit_do_not_depend_on_workers),
    cmocka_unit_test(counts_do_not_depend_on_the_kernel),
    cmocka_unit_test(a_search_is_shared_out),
    cmocka_unit_test(a_search_within_a_body_is_shared_out),
    cmocka_unit_test(counts_within_a_body_do_not_depend_on_workers),
    cmocka_unit_test(a_host_may_run_tasks_backwards),
    cmocka_unit_test(a_host_may_run_tasks_in_any_order_as_any_worker),
    cmocka_unit_test(a_host_may_have_more_workers_than_tasks),
    cmocka_unit_test(a_host_may_have_one_worker),
    cmocka_unit_test(a_host_may_use_threads_of_its_own),
    cmocka_unit_test(a_host_may_use_a_thread_per_task),
    cmocka_unit_test(a_host_may_use_threads_that_were_there_before),
    cmocka_unit_test(threads_that_are_first_to_ask_hear_the_same),
    cmocka_unit_test(many_threads_may_use_one_host),
    cmocka_unit_test(two_worlds_are_updated_and_asked_side_by_side),
};

TEST_GROUP(threads, tests);
