/* failing_threads.h - a pool on a system that runs out of threads. */
#ifndef WI_TEST_FAILING_THREADS_H
#define WI_TEST_FAILING_THREADS_H

#include <stdbool.h>
#include "base/memory.h"

/* True if wi_pool_create gives NULL when the system starts only `thread_limit` threads, which must
 * be fewer than it needs. */
bool test_pool_create_fails(wi_memory *memory, uint32_t worker_count, uint32_t thread_limit);

#endif
