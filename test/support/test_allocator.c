/* test_allocator.c - malloc with a header that holds what was asked for.
 * Way in: test_allocator_functions. Fresh blocks are filled with a pattern, so that whoever reads
 * memory before writing it gets nonsense and not zeros. */
#include "support/test_allocator.h"

#include <stdlib.h>
#include <string.h>

typedef struct header {
    size_t size, alignment;
} header;

static void *test_alloc(void *context, size_t size, size_t alignment)
{
    test_allocator *allocator = context;
    size_t call = atomic_fetch_add(&allocator->calls, 1) + 1;
    if (allocator->fails_from_now_on || call == allocator->fail_at) return NULL;
    if (size > SIZE_MAX / 2) return NULL;

    /* The header takes one unit of alignment in front of the block. */
    size_t units = (size + alignment - 1) / alignment + 1;
    char *start = aligned_alloc(alignment, units * alignment);
    if (start == NULL) return NULL;
    char *block = start + alignment;
    memcpy(start, &(header){size, alignment}, sizeof(header));
    memset(block, 0xA5, size);
    atomic_fetch_add(&allocator->blocks, 1);
    atomic_fetch_add(&allocator->bytes, size);
    return block;
}

static void test_free(void *context, void *block, size_t size, size_t alignment)
{
    test_allocator *allocator = context;
    char *start = (char *)block - alignment;
    header asked;
    memcpy(&asked, start, sizeof asked);
    if (asked.size != size || asked.alignment != alignment)
        atomic_fetch_add(&allocator->wrong_frees, 1);
    atomic_fetch_sub(&allocator->blocks, 1);
    atomic_fetch_sub(&allocator->bytes, asked.size);
    free(start);
}

willow_allocator test_allocator_functions(test_allocator *allocator)
{
    return (willow_allocator){.alloc = test_alloc, .free = test_free, .context = allocator};
}

bool test_allocator_is_clean(const test_allocator *allocator)
{
    return atomic_load(&allocator->blocks) == 0 && atomic_load(&allocator->bytes) == 0 &&
           atomic_load(&allocator->wrong_frees) == 0;
}
