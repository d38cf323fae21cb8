/* Parallel loops: every task once, workers apart, no deadlock, no thread that is busy for nothing,
 * nothing leaked. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include "base/threads.h"
#include "support/failing_threads.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { WORKERS = 4, TASKS = 1000 };

/* What a loop did. cmocka's asserts belong to the main thread, so tasks only count. */
typedef struct loop_record {
    uint32_t worker_count;
    uint32_t runs[TASKS];            /* plain, so that TSan sees a task that runs twice */
    atomic_bool is_working[WORKERS]; /* by worker */
    atomic_uint wrong_workers, tasks_done;
} loop_record;

static void record_task(void *arg, uint32_t task, uint32_t worker)
{
    loop_record *record = arg;
    if (worker >= record->worker_count || atomic_exchange(&record->is_working[worker], true)) {
        atomic_fetch_add(&record->wrong_workers, 1);
        return;
    }
    record->runs[task]++;
    if (task % 16 == 0) sched_yield();
    atomic_fetch_add(&record->tasks_done, 1);
    atomic_store(&record->is_working[worker], false);
}

/* True if every task ran once and no two at a time as the same worker. */
static bool runs_every_task_once(willow_tasks tasks, uint32_t task_count)
{
    loop_record record = {.worker_count = tasks.worker_count};
    tasks.parallel_for(tasks.context, task_count, record_task, &record);
    for (uint32_t i = 0; i < TASKS; i++)
        if (record.runs[i] != (i < task_count)) return false;
    return record.wrong_workers == 0 && record.tasks_done == task_count;
}

static void init_default_memory(wi_memory *memory)
{
    wi_memory_init(memory, &(willow_allocator){0});
}

static wi_pool *open_pool(wi_memory *memory)
{
    init_default_memory(memory);
    wi_pool *pool = wi_pool_create(memory, WORKERS);
    assert_non_null(pool);
    return pool;
}

static void every_task_runs_once_with_any_number_of_workers(void **state)
{
    (void)state;
    wi_memory memory;
    init_default_memory(&memory);
    for (uint32_t workers = 1; workers <= WORKERS; workers++) {
        wi_pool *pool = wi_pool_create(&memory, workers);
        assert_non_null(pool);
        willow_tasks tasks = wi_pool_tasks(pool);
        assert_int_equal(tasks.worker_count, workers);
        for (uint32_t count = 0; count < 20; count++)
            assert_true(runs_every_task_once(tasks, count));
        for (int i = 0; i < 50; i++) assert_true(runs_every_task_once(tasks, TASKS));
        wi_pool_destroy(&memory, pool);
    }
    assert_int_equal(atomic_load(&memory.bytes), 0);
}

static void serial_tasks_run_in_order_as_worker_zero(void **state)
{
    (void)state;
    willow_tasks tasks = wi_serial_tasks();
    assert_int_equal(tasks.worker_count, 1);
    assert_true(runs_every_task_once(tasks, 0));
    assert_true(runs_every_task_once(tasks, TASKS));
}

static void wait_for_all(void *arg, uint32_t task, uint32_t worker)
{
    (void)task;
    (void)worker;
    atomic_uint *arrived = arg;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < WORKERS) sched_yield();
}

/* Each task waits for all others, so the loop ends only if every worker takes one. */
static void all_workers_work_along(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    willow_tasks tasks = wi_pool_tasks(pool);
    for (int i = 0; i < 20; i++) {
        atomic_uint arrived = 0;
        tasks.parallel_for(tasks.context, WORKERS, wait_for_all, &arrived);
        assert_int_equal(atomic_load(&arrived), WORKERS);
    }
    wi_pool_destroy(&memory, pool);
}

static void wait_for_the_rest(void *arg, uint32_t task, uint32_t worker)
{
    (void)worker;
    atomic_uint *arrived = arg;
    while (task == 0 && atomic_load(arrived) < TASKS - 1) sched_yield();
    atomic_fetch_add(arrived, 1);
}

/* The first task ends only if others take the tasks that its worker would have done next. */
static void what_a_busy_worker_leaves_is_done_by_others(void **state)
{
    (void)state;
    wi_memory memory;
    init_default_memory(&memory);
    for (uint32_t workers = 2; workers <= WORKERS; workers++) {
        wi_pool *pool = wi_pool_create(&memory, workers);
        assert_non_null(pool);
        willow_tasks tasks = wi_pool_tasks(pool);
        for (int i = 0; i < 20; i++) {
            atomic_uint arrived = 0;
            tasks.parallel_for(tasks.context, TASKS, wait_for_the_rest, &arrived);
            assert_int_equal(atomic_load(&arrived), TASKS);
        }
        wi_pool_destroy(&memory, pool);
    }
}

/* Far longer than threads watch before they sleep. */
static void pause_long(void) { nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL); }

static void sleepers_are_woken(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    willow_tasks tasks = wi_pool_tasks(pool);
    for (int i = 0; i < 20; i++) {
        atomic_uint arrived = 0;
        pause_long();
        assert_true(runs_every_task_once(tasks, 2)); /* wakes one of them only */
        tasks.parallel_for(tasks.context, WORKERS, wait_for_all, &arrived);
        assert_int_equal(atomic_load(&arrived), WORKERS);
    }
    wi_pool_destroy(&memory, pool);
}

static void keep_the_caller_waiting(void *arg, uint32_t task, uint32_t worker)
{
    wait_for_all(arg, task, worker);
    if (worker > 0) pause_long();
    atomic_fetch_add((atomic_uint *)arg, 1);
}

static void a_caller_that_sleeps_is_woken_by_the_last(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    willow_tasks tasks = wi_pool_tasks(pool);
    for (int i = 0; i < 10; i++) {
        atomic_uint arrived = 0;
        tasks.parallel_for(tasks.context, WORKERS, keep_the_caller_waiting, &arrived);
        assert_int_equal(atomic_load(&arrived), 2 * WORKERS);
    }
    wi_pool_destroy(&memory, pool);
}

/* By all threads of this process. */
static int64_t nanoseconds_worked(void)
{
    struct timespec time;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time), 0);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Asks until it is so: threads that never slept would work in every pause. */
static void threads_without_work_sleep(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    assert_true(runs_every_task_once(wi_pool_tasks(pool), TASKS));
    bool is_quiet = false;
    for (int i = 0; i < 2000 && !is_quiet; i++) {
        int64_t before = nanoseconds_worked();
        pause_long();
        is_quiet = nanoseconds_worked() - before < 500000;
    }
    assert_true(is_quiet);
    wi_pool_destroy(&memory, pool);
}

static void passes_are_cut_into_as_many_tasks_for_each_worker(void **state)
{
    (void)state;
    willow_tasks tasks = wi_serial_tasks();
    assert_int_equal(wi_task_count(&tasks, 1000000, 10), 1);
    tasks.worker_count = 3;
    assert_int_equal(wi_task_count(&tasks, 0, 10), 1);
    assert_int_equal(wi_task_count(&tasks, 39, 10), 1);
    assert_int_equal(wi_task_count(&tasks, 40, 10), 6);
    assert_int_equal(wi_task_count(&tasks, 60, 10), 6);
    assert_int_equal(wi_task_count(&tasks, 70, 10), 9);
    assert_int_equal(wi_task_count(&tasks, 7, 1), 7); /* never more than things */
    assert_int_equal(wi_task_count(&tasks, UINT32_MAX, 1), 96);
    tasks.worker_count = 100;
    assert_int_equal(wi_task_count(&tasks, 50, 10), 5);
    tasks.worker_count = UINT32_MAX;
    assert_int_equal(wi_task_count(&tasks, UINT32_MAX, 1), UINT32_MAX);
}

typedef struct nested_loops {
    willow_tasks tasks;
    loop_record outer;
    atomic_uint failures;
} nested_loops;

static void run_inner_loop(void *arg, uint32_t task, uint32_t worker)
{
    nested_loops *nested = arg;
    if (!runs_every_task_once(nested->tasks, task % 40)) atomic_fetch_add(&nested->failures, 1);
    record_task(&nested->outer, task, worker);
}

static void loops_inside_tasks_neither_hang_nor_share_workers(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    static nested_loops nested;
    nested = (nested_loops){.tasks = wi_pool_tasks(pool), .outer.worker_count = WORKERS};
    nested.tasks.parallel_for(nested.tasks.context, 200, run_inner_loop, &nested);
    for (uint32_t i = 0; i < 200; i++) assert_int_equal(nested.outer.runs[i], 1);
    assert_int_equal(atomic_load(&nested.failures), 0);
    assert_int_equal(atomic_load(&nested.outer.wrong_workers), 0);
    wi_pool_destroy(&memory, pool);
}

static void *run_many_loops(void *arg)
{
    willow_tasks tasks = wi_pool_tasks(arg);
    for (uint32_t i = 0; i < 200; i++)
        if (!runs_every_task_once(tasks, i)) return arg;
    return NULL;
}

static void loops_of_many_threads_share_one_pool(void **state)
{
    (void)state;
    wi_memory memory;
    wi_pool *pool = open_pool(&memory);
    pthread_t callers[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, run_many_loops, pool), 0);
    bool failed = run_many_loops(pool) != NULL;
    for (int i = 0; i < 3; i++) {
        void *failure = NULL;
        assert_int_equal(pthread_join(callers[i], &failure), 0);
        failed = failed || failure != NULL;
    }
    assert_false(failed);
    wi_pool_destroy(&memory, pool);
}

static void a_pool_may_be_destroyed_before_it_has_worked(void **state)
{
    (void)state;
    wi_memory memory;
    init_default_memory(&memory);
    for (int i = 0; i < 50; i++) {
        wi_pool *pool = wi_pool_create(&memory, WORKERS);
        assert_non_null(pool);
        wi_pool_destroy(&memory, pool);
    }
    wi_pool_destroy(&memory, NULL);
    assert_int_equal(atomic_load(&memory.bytes), 0);
}

static void creation_without_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= WORKERS; workers++) {
        wi_pool *pool = NULL;
        size_t failures = 0;
        for (size_t n = 1; pool == NULL; n++) {
            test_allocator allocator = {.fail_at = n};
            willow_allocator functions = test_allocator_functions(&allocator);
            wi_memory memory;
            wi_memory_init(&memory, &functions);
            pool = wi_pool_create(&memory, workers);
            failures += pool == NULL;
            wi_pool_destroy(&memory, pool);
            assert_int_equal(atomic_load(&memory.bytes), 0);
            assert_true(test_allocator_is_clean(&allocator));
        }
        assert_int_equal(failures, 2);
    }
}

static void creation_without_threads_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    for (uint32_t limit = 0; limit < 5; limit++) {
        test_allocator allocator = {0};
        willow_allocator functions = test_allocator_functions(&allocator);
        wi_memory memory;
        wi_memory_init(&memory, &functions);
        assert_true(test_pool_create_fails(&memory, 6, limit));
        assert_true(test_allocator_is_clean(&allocator));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_task_runs_once_with_any_number_of_workers),
    cmocka_unit_test(serial_tasks_run_in_order_as_worker_zero),
    cmocka_unit_test(all_workers_work_along),
    cmocka_unit_test(what_a_busy_worker_leaves_is_done_by_others),
    cmocka_unit_test(sleepers_are_woken),
    cmocka_unit_test(a_caller_that_sleeps_is_woken_by_the_last),
    cmocka_unit_test(threads_without_work_sleep),
    cmocka_unit_test(passes_are_cut_into_as_many_tasks_for_each_worker),
    cmocka_unit_test(loops_inside_tasks_neither_hang_nor_share_workers),
    cmocka_unit_test(loops_of_many_threads_share_one_pool),
    cmocka_unit_test(a_pool_may_be_destroyed_before_it_has_worked),
    cmocka_unit_test(creation_without_memory_gives_null_and_leaks_nothing),
    cmocka_unit_test(creation_without_threads_gives_null_and_leaks_nothing),
};

TEST_GROUP(threads, tests);
