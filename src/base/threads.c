/* threads.c - a pool of threads that join a loop while it has tasks left.
 * Way in: wi_pool_create, then parallel_for of wi_pool_tasks. Made for frames of tens of loops with
 * little between them, each of a few to thousands of tasks of some microseconds. Every worker has a
 * share of the tasks: it takes them from the front, and those that others have left from the back.
 * So neighbouring tasks are mostly done by one worker, who finds in its cache what they have in
 * common, and the same worker mostly gets the same ones again in the next frame. The caller never
 * waits for a thread that has not joined, only for those at work.
 *
 * To wake a thread takes some tens of microseconds, which is longer than many loops. So before a
 * thread goes to sleep it watches for about as long, and then finds the next loop in a fraction of
 * a microsecond. While it watches it gives way to any other thread that wants its core.
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
#include <time.h>
#include "base/check.h"

enum {
    WATCH_NANOSECONDS = 50000,
    LOOKS = 128 /* between two looks at the clock: some microseconds */
};

/* A worker. Each has its own line, since it writes `left` with every task. */
typedef struct member {
    alignas(64) atomic_uint_least64_t left; /* of its share of the tasks: see range */
    wi_pool *pool;
    pthread_t thread; /* the first member is the caller and has none */
    uint32_t worker;
} member;

#define IS_OPEN UINT32_C(0x80000000)

struct wi_pool {
    /* How many members are inside the loop, the caller not counted, and IS_OPEN while more may
     * join. On one line with what they read next. */
    alignas(64) atomic_uint_least32_t gate;

    /* The loop, written while nobody is inside. */
    uint32_t share_count; /* of how many members the shares are: some have none if tasks are few */
    willow_task *run;
    void *arg;

    alignas(64) atomic_bool is_taken; /* some thread's loop has the pool */

    /* Who goes to sleep says so and looks at the gate once more, all with the mutex; who moves the
     * gate then looks for sleepers. So one of the two sees the other. */
    atomic_uint_least32_t sleeper_count; /* members */
    atomic_bool is_caller_asleep;
    pthread_mutex_t mutex;
    pthread_cond_t loop_opened, members_left;
    bool is_ending; /* guarded by the mutex */

    member *members;       /* by worker number */
    uint32_t member_count; /* fewer than there is room for only while the pool is made */
    uint32_t member_room;
};

/* ---- shares ---- */

/* Tasks [first, last) in one number, so that they change at once. */
static uint64_t range(uint64_t first, uint64_t last) { return last << 32 | first; }

static void hand_out(wi_pool *pool, uint32_t task_count)
{
    const uint64_t tasks = task_count, members = pool->member_count;
    const uint64_t shares = tasks < members ? tasks : members;
    WI_ASSERT(shares > 0);
    for (uint64_t i = 0; i < shares; i++)
        atomic_store_explicit(&pool->members[i].left,
                              range(tasks * i / shares, tasks * (i + 1) / shares),
                              memory_order_relaxed);
    pool->share_count = (uint32_t)shares;
}

/* By its owner only, who goes one past the end once. */
static bool take_first(member *m, uint32_t *task)
{
    uint_least64_t left = atomic_fetch_add_explicit(&m->left, 1, memory_order_relaxed);
    *task = (uint32_t)left;
    return *task < left >> 32;
}

static bool take_last(member *m, uint32_t *task)
{
    uint_least64_t left = atomic_load_explicit(&m->left, memory_order_relaxed);
    uint32_t first, last;
    do {
        first = (uint32_t)left;
        last = (uint32_t)(left >> 32);
        if (first >= last) return false;
    } while (!atomic_compare_exchange_weak_explicit(&m->left, &left, range(first, last - 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    *task = last - 1;
    return true;
}

/* Until none is left. */
static void run_tasks(wi_pool *pool, uint32_t worker)
{
    uint32_t task;
    WI_ASSERT(worker < pool->member_room && pool->share_count <= pool->member_room);
    while (worker < pool->share_count && take_first(&pool->members[worker], &task))
        pool->run(pool->arg, task, worker);
    for (uint32_t i = 1; i <= pool->share_count; i++) {
        member *other = &pool->members[(worker + i) % pool->share_count];
        while (take_last(other, &task)) pool->run(pool->arg, task, worker);
    }
}

/* ---- watching and sleeping ---- */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Tells the core that this thread only waits. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* True once `sees` is; false if that takes too long. */
static bool watch(wi_pool *pool, bool (*sees)(wi_pool *pool))
{
    if (sees(pool)) return true;
    const uint64_t end = now() + WATCH_NANOSECONDS;
    do {
        for (int i = 0; i < LOOKS; i++) {
            if (sees(pool)) return true;
            relax();
        }
        wi_thread_yield();
    } while (now() < end);
    return false;
}

/* Sleepers hold the mutex until they sleep, so who said so before this is asleep after it. */
static void let_fall_asleep(wi_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

/* ---- members ---- */

static bool join(wi_pool *pool)
{
    uint_least32_t gate = atomic_load(&pool->gate);
    while ((gate & IS_OPEN) != 0)
        if (atomic_compare_exchange_weak(&pool->gate, &gate, gate + 1)) return true;
    return false;
}

/* And shuts the gate: no task is left, so nobody should join. */
static void leave(wi_pool *pool)
{
    uint_least32_t gate = atomic_load(&pool->gate), left;
    WI_ASSERT((gate & ~IS_OPEN) > 0 && (gate & ~IS_OPEN) < pool->member_room);
    do left = (gate & ~IS_OPEN) - 1;
    while (!atomic_compare_exchange_weak(&pool->gate, &gate, left));
    if (left > 0 || !atomic_load(&pool->is_caller_asleep)) return;
    let_fall_asleep(pool);
    pthread_cond_signal(&pool->members_left);
}

/* Until a loop is opened, which may be over by now; false if the pool ends. */
static bool sleep_until_called(wi_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeper_count, 1);
    if (!pool->is_ending && (atomic_load(&pool->gate) & IS_OPEN) == 0)
        pthread_cond_wait(&pool->loop_opened, &pool->mutex);
    atomic_fetch_sub(&pool->sleeper_count, 1);
    bool is_called = !pool->is_ending;
    pthread_mutex_unlock(&pool->mutex);
    return is_called;
}

static void *member_main(void *arg)
{
    member *self = arg;
    do {
        while (watch(self->pool, join)) {
            run_tasks(self->pool, self->worker);
            leave(self->pool);
        }
    } while (sleep_until_called(self->pool));
    return NULL;
}

/* ---- the caller ---- */

/* As many as there are tasks for, besides the caller's. */
static void wake_sleepers(wi_pool *pool, uint32_t task_count)
{
    uint32_t sleepers = atomic_load(&pool->sleeper_count);
    if (sleepers == 0) return;
    let_fall_asleep(pool);
    if (task_count > sleepers) {
        pthread_cond_broadcast(&pool->loop_opened);
        return;
    }
    for (uint32_t i = 1; i < task_count; i++) pthread_cond_signal(&pool->loop_opened);
}

static void open_loop(wi_pool *pool, uint32_t task_count, willow_task *run, void *arg)
{
    WI_ASSERT(run != NULL && atomic_load(&pool->gate) == 0);
    pool->run = run;
    pool->arg = arg;
    hand_out(pool, task_count);
    atomic_store(&pool->gate, IS_OPEN);
    wake_sleepers(pool, task_count);
}

static bool is_shut_and_empty(wi_pool *pool) { return atomic_load(&pool->gate) == 0; }

/* All tasks are taken; those that members took may still run. */
static void close_loop(wi_pool *pool)
{
    atomic_fetch_and(&pool->gate, ~IS_OPEN);
    if (watch(pool, is_shut_and_empty)) return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->is_caller_asleep, true);
    while (!is_shut_and_empty(pool)) pthread_cond_wait(&pool->members_left, &pool->mutex);
    atomic_store(&pool->is_caller_asleep, false);
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
    bool is_worth_it = task_count > 1 && pool->member_count > 1;
    if (!is_worth_it || atomic_exchange_explicit(&pool->is_taken, true, memory_order_acquire)) {
        serial_for(NULL, task_count, run, arg);
        return;
    }
    open_loop(pool, task_count, run, arg);
    run_tasks(pool, 0);
    close_loop(pool);
    atomic_store_explicit(&pool->is_taken, false, memory_order_release);
}

/* ---- the pool ---- */

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
    for (; pool->member_count < pool->member_room; pool->member_count++) {
        member *next = &pool->members[pool->member_count];
        *next = (member){.pool = pool, .worker = pool->member_count};
        bool is_caller = pool->member_count == 0;
        if (!is_caller && pthread_create(&next->thread, NULL, member_main, next) != 0) return false;
    }
    return true;
}

static void end_members(wi_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->loop_opened);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 1; i < pool->member_count; i++) pthread_join(pool->members[i].thread, NULL);
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
    atomic_init(&pool->gate, 0);
    atomic_init(&pool->is_taken, false);
    atomic_init(&pool->sleeper_count, 0);
    atomic_init(&pool->is_caller_asleep, false);
    pool->member_room = member_room;
    pool->members = wi_alloc_array(memory, member_room, sizeof(member));
    if (pool->members != NULL) return pool;
    free_pool(memory, pool);
    return NULL;
}

wi_pool *wi_pool_create(wi_memory *memory, uint32_t worker_count)
{
    WI_ASSERT(worker_count > 0);
    wi_pool *pool = alloc_pool(memory, worker_count);
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
    WI_ASSERT(pool->member_count > 0 && pool->member_count == pool->member_room);
    return (willow_tasks){
        .worker_count = pool->member_count, .parallel_for = pool_for, .context = pool};
}

willow_tasks wi_serial_tasks(void)
{
    return (willow_tasks){.worker_count = 1, .parallel_for = serial_for, .context = NULL};
}

uint32_t wi_task_count(const willow_tasks *tasks, uint32_t count, uint32_t per_task)
{
    enum { WORTH_A_LOOP = 4, MOST_ROUNDS = 32 };
    WI_ASSERT(tasks->worker_count > 0 && per_task > 0);
    const uint64_t workers = tasks->worker_count, wanted = count / per_task;
    if (workers == 1 || wanted < WORTH_A_LOOP) return 1;
    if (wanted < workers) return (uint32_t)wanted;
    uint64_t rounds = (wanted + workers - 1) / workers;
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    return (uint32_t)(rounds * workers < count ? rounds * workers : count);
}

void wi_thread_yield(void) { (void)sched_yield(); }
