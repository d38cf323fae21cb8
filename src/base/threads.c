/* threads.c - a pool of sleeping threads that join a loop while it has tasks left.
 * Way in: wi_pool_create, then parallel_for of wi_pool_tasks. Made for tens of loops per frame with
 * tens to thousands of tasks of some microseconds each: taking a task is one atomic addition, and
 * the caller never waits for a thread that has not woken up yet, only for those at work.
 *
 * One loop has the pool at a time. A thread that finds it taken, be it a stranger or a task of that
 * very loop, runs its own loop alone: nobody waits while holding something, so there is no
 * deadlock, and within a loop each thread has one worker number. */
#define _POSIX_C_SOURCE 200809L
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include "base/check.h"

typedef struct member {
    wi_pool *pool;
    pthread_t thread;
    uint32_t worker;
} member;

struct wi_pool {
    atomic_bool is_taken; /* some thread's loop has the pool */

    pthread_mutex_t mutex; /* guards all down to `is_ending` */
    pthread_cond_t loop_opened, members_left;
    uint64_t loop; /* number of the latest loop, so that a member joins each at most once */
    bool is_open;  /* members may join it */
    uint32_t members_inside;
    bool is_ending;

    /* The loop, written while no member is inside. */
    willow_task *run;
    void *arg;
    uint32_t task_count;

    member *members;       /* the threads: workers but for the caller */
    uint32_t member_count; /* fewer than there is room for only while the pool is made */
    uint32_t member_room;

    /* On a line of its own, since every worker writes it. 64 bits: each worker adds one past the
     * end, and 2^32 - 1 tasks are a valid loop. */
    alignas(64) atomic_uint_least64_t next_task;
};

static void run_tasks(wi_pool *pool, uint32_t worker)
{
    for (;;) {
        uint64_t task = atomic_fetch_add_explicit(&pool->next_task, 1, memory_order_relaxed);
        if (task >= pool->task_count) return;
        pool->run(pool->arg, (uint32_t)task, worker);
    }
}

static void *member_main(void *arg)
{
    member *self = arg;
    wi_pool *pool = self->pool;
    uint64_t last_loop = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->is_ending && !(pool->is_open && pool->loop != last_loop))
            pthread_cond_wait(&pool->loop_opened, &pool->mutex);
        if (pool->is_ending) break;
        last_loop = pool->loop;
        pool->members_inside++;
        pthread_mutex_unlock(&pool->mutex);

        run_tasks(pool, self->worker);

        pthread_mutex_lock(&pool->mutex);
        if (--pool->members_inside == 0) pthread_cond_signal(&pool->members_left);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void open_loop(wi_pool *pool, uint32_t task_count, willow_task *run, void *arg)
{
    pthread_mutex_lock(&pool->mutex);
    pool->run = run;
    pool->arg = arg;
    pool->task_count = task_count;
    atomic_store_explicit(&pool->next_task, 0, memory_order_relaxed);
    pool->loop++;
    pool->is_open = true;
    pthread_cond_broadcast(&pool->loop_opened);
    pthread_mutex_unlock(&pool->mutex);
}

/* All tasks are taken; those that members took may still run. */
static void close_loop(wi_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_open = false;
    while (pool->members_inside > 0) pthread_cond_wait(&pool->members_left, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static void serial_for(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    (void)context;
    for (uint32_t task = 0; task < task_count; task++) run(arg, task, 0);
}

static void pool_for(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    wi_pool *pool = context;
    bool is_worth_it = task_count > 1 && pool->member_count > 0;
    if (!is_worth_it || atomic_exchange_explicit(&pool->is_taken, true, memory_order_acquire)) {
        serial_for(NULL, task_count, run, arg);
        return;
    }
    open_loop(pool, task_count, run, arg);
    run_tasks(pool, 0);
    close_loop(pool);
    atomic_store_explicit(&pool->is_taken, false, memory_order_release);
}

static bool init_locks(wi_pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) return false;
    if (pthread_cond_init(&pool->loop_opened, NULL) != 0) goto no_opened;
    if (pthread_cond_init(&pool->members_left, NULL) != 0) goto no_left;
    return true;
no_left:
    pthread_cond_destroy(&pool->loop_opened);
no_opened:
    pthread_mutex_destroy(&pool->mutex);
    return false;
}

static bool start_members(wi_pool *pool)
{
    while (pool->member_count < pool->member_room) {
        member *next = &pool->members[pool->member_count];
        *next = (member){.pool = pool, .worker = pool->member_count + 1};
        if (pthread_create(&next->thread, NULL, member_main, next) != 0) return false;
        pool->member_count++;
    }
    return true;
}

static void end_members(wi_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->loop_opened);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->member_count; i++) pthread_join(pool->members[i].thread, NULL);
}

static void free_pool(wi_memory *memory, wi_pool *pool)
{
    wi_free_array(memory, pool->members, pool->member_room, sizeof(member));
    wi_free(memory, pool, sizeof *pool);
}

static wi_pool *alloc_pool(wi_memory *memory, uint32_t member_room)
{
    wi_pool *pool = wi_alloc(memory, sizeof *pool);
    if (pool == NULL) return NULL;
    memset(pool, 0, sizeof *pool);
    atomic_init(&pool->is_taken, false);
    atomic_init(&pool->next_task, 0);
    pool->member_room = member_room;
    pool->members = wi_alloc_array(memory, member_room, sizeof(member));
    if (pool->members != NULL || member_room == 0) return pool;
    free_pool(memory, pool);
    return NULL;
}

wi_pool *wi_pool_create(wi_memory *memory, uint32_t worker_count)
{
    WI_ASSERT(worker_count > 0);
    wi_pool *pool = alloc_pool(memory, worker_count - 1);
    if (pool == NULL) return NULL;
    if (!init_locks(pool)) {
        free_pool(memory, pool);
        return NULL;
    }
    if (start_members(pool)) return pool;
    wi_pool_destroy(memory, pool);
    return NULL;
}

void wi_pool_destroy(wi_memory *memory, wi_pool *pool)
{
    if (pool == NULL) return;
    WI_ASSERT(!atomic_load(&pool->is_taken));
    end_members(pool);
    pthread_cond_destroy(&pool->members_left);
    pthread_cond_destroy(&pool->loop_opened);
    pthread_mutex_destroy(&pool->mutex);
    free_pool(memory, pool);
}

willow_tasks wi_pool_tasks(wi_pool *pool)
{
    return (willow_tasks){
        .worker_count = pool->member_count + 1, .parallel_for = pool_for, .context = pool};
}

willow_tasks wi_serial_tasks(void)
{
    return (willow_tasks){.worker_count = 1, .parallel_for = serial_for, .context = NULL};
}

void wi_thread_yield(void) { (void)sched_yield(); }
