/* threads.h - the built-in pool behind willow_tasks.
 *
 * The caller of a parallel loop is worker 0 and works along. Each worker begins with neighbouring
 * tasks and then takes what others have left. If another thread's loop has the pool, the caller
 * runs its tasks alone: queries from many threads are safe and none waits for another (C9). */
#ifndef WI_BASE_THREADS_H
#define WI_BASE_THREADS_H

#include <stdbool.h>
#include "base/memory.h"

typedef struct wi_pool wi_pool;

/* A pool of worker_count workers, the caller counted; NULL if there is no memory or the system has
 * no more threads. */
wi_pool *wi_pool_create(wi_memory *memory, uint32_t worker_count);

/* Ends its threads; NULL is fine. */
void wi_pool_destroy(wi_memory *memory, wi_pool *pool);

willow_tasks wi_pool_tasks(wi_pool *pool);

/* Into how many tasks a pass over `count` things is cut, where handing out a task costs little
 * beside `per_task` of them. One if there is only one worker or too little to share out; else as
 * many for each worker, where there are enough. */
uint32_t wi_task_count(const willow_tasks *tasks, uint32_t count, uint32_t per_task);

/* For a thread that waits for another one's few microseconds of work. */
void wi_thread_yield(void);

/* Runs all tasks on the calling thread as worker 0. */
willow_tasks wi_serial_tasks(void);

#endif
