/* failing_threads.c - a second copy of the pool, under other names, whose pthread_create fails.
 * Way in: test_pool_create_fails. No system refuses threads on request, so the tests do. */
#define _POSIX_C_SOURCE 200809L
#include "support/failing_threads.h"

#include <errno.h>
#include <pthread.h>

static uint32_t threads_left;

static int limited_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                  void *(*start)(void *), void *arg)
{
    if (threads_left == 0) return EAGAIN;
    threads_left--;
    return pthread_create(thread, attributes, start, arg);
}

#define pthread_create limited_pthread_create
#define wi_pool_create wi_limited_pool_create
#define wi_pool_destroy wi_limited_pool_destroy
#define wi_pool_tasks wi_limited_pool_tasks
#define wi_serial_tasks wi_limited_serial_tasks
#define wi_task_count wi_limited_task_count
#define wi_thread_yield wi_limited_thread_yield
#undef _POSIX_C_SOURCE
#include "base/threads.c"

bool test_pool_create_fails(wi_memory *memory, uint32_t worker_count, uint32_t thread_limit)
{
    threads_left = thread_limit;
    wi_pool *pool = wi_pool_create(memory, worker_count);
    if (pool == NULL) return threads_left == 0;
    wi_pool_destroy(memory, pool);
    return false;
}
