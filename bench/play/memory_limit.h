/* memory_limit.h - memory for a world, of which there is only so much.
 *
 * A small file may hold bodies that meet in billions of pairs. What a world and its scratches take
 * is counted here, so that such a file ends with a message and not with all memory of the machine.
 */
#ifndef BENCH_PLAY_MEMORY_LIMIT_H
#define BENCH_PLAY_MEMORY_LIMIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "willow/willow.h"

typedef struct memory_limit {
    size_t most; /* bytes at a time */
    atomic_size_t used;
    atomic_bool was_reached; /* something was asked for that did not fit */
} memory_limit;

void memory_limit_init(memory_limit *limit, size_t most);

/* An allocator that takes memory from malloc while it is within the limit. The limit must outlive
 * whoever uses it. Any thread. */
willow_allocator memory_limit_allocator(memory_limit *limit);

/* True if memory was refused since memory_limit_init because of the limit. */
bool memory_limit_was_reached(const memory_limit *limit);

#endif
