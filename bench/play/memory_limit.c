/* memory_limit.c - memory for a world, of which there is only so much. */
#include "bench/play/memory_limit.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

void memory_limit_init(memory_limit *limit, size_t most)
{
    limit->most = most;
    atomic_init(&limit->used, 0);
    atomic_init(&limit->was_reached, false);
}

/* Counts the bytes, unless they are too many. */
static bool take(memory_limit *limit, size_t size)
{
    size_t used = atomic_load(&limit->used);
    do {
        if (size > limit->most || used > limit->most - size) {
            atomic_store(&limit->was_reached, true);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&limit->used, &used, used + size));
    return true;
}

static void give_back(memory_limit *limit, size_t size)
{
    const size_t used = atomic_fetch_sub(&limit->used, size);
    assert(used >= size);
    (void)used;
}

static void *limited_alloc(void *context, size_t size, size_t alignment)
{
    /* aligned_alloc wants a multiple of the alignment. */
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size || !take(context, size)) return NULL;
    void *block = aligned_alloc(alignment, rounded);
    if (block == NULL) give_back(context, size);
    return block;
}

static void limited_free(void *context, void *block, size_t size, size_t alignment)
{
    (void)alignment;
    if (block == NULL) return;
    free(block);
    give_back(context, size);
}

willow_allocator memory_limit_allocator(memory_limit *limit)
{
    return (willow_allocator){limited_alloc, limited_free, limit};
}

bool memory_limit_was_reached(const memory_limit *limit)
{
    return atomic_load(&limit->was_reached);
}
