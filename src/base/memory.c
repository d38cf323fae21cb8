/* memory.c - the allocator of the user with a counter around it, or malloc's where there is none.
 * Way in: wi_memory_init once per world, then wi_alloc and wi_free. Made for few and large blocks
 * (arrays that grow by halves), so a block has no header: whoever frees it knows its size. */
#include "base/memory.h"

#include <stdlib.h>
#include "base/check.h"

/* aligned_alloc wants a multiple of the alignment. */
static void *default_alloc(void *context, size_t size, size_t alignment)
{
    (void)context;
    WI_ASSERT(alignment > 0 && (alignment & (alignment - 1)) == 0);
    if (size > SIZE_MAX - (alignment - 1)) return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void default_free(void *context, void *block, size_t size, size_t alignment)
{
    (void)context;
    (void)size;
    (void)alignment;
    free(block);
}

void wi_memory_init(wi_memory *memory, const willow_allocator *allocator)
{
    /* One function without the other would hand a block to a stranger. */
    WI_ASSERT((allocator->alloc == NULL) == (allocator->free == NULL));
    memory->allocator = *allocator;
    if (memory->allocator.alloc == NULL || memory->allocator.free == NULL) {
        memory->allocator.alloc = default_alloc;
        memory->allocator.free = default_free;
    }
    atomic_init(&memory->bytes, 0);
}

void *wi_alloc(wi_memory *memory, size_t size)
{
    if (size == 0) return NULL;
    void *block = memory->allocator.alloc(memory->allocator.context, size, WI_ALIGNMENT);
    if (block == NULL) return NULL;
    WI_ASSERT((uintptr_t)block % WI_ALIGNMENT == 0);
    atomic_fetch_add_explicit(&memory->bytes, size, memory_order_relaxed);
    return block;
}

void *wi_alloc_array(wi_memory *memory, size_t count, size_t item_size)
{
    if (item_size != 0 && count > SIZE_MAX / item_size) return NULL;
    return wi_alloc(memory, count * item_size);
}

void wi_free(wi_memory *memory, void *block, size_t size)
{
    if (block == NULL) return;
    WI_ASSERT(atomic_load_explicit(&memory->bytes, memory_order_relaxed) >= size);
    atomic_fetch_sub_explicit(&memory->bytes, size, memory_order_relaxed);
    memory->allocator.free(memory->allocator.context, block, size, WI_ALIGNMENT);
}

void wi_free_array(wi_memory *memory, void *block, size_t count, size_t item_size)
{
    WI_ASSERT(block == NULL || item_size == 0 || count <= SIZE_MAX / item_size);
    wi_free(memory, block, count * item_size);
}
