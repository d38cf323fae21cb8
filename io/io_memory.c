/* io_memory.c - a size in front of each block, and one sum of them.
 * Way in: io_alloc. Blocks are few and large; the sum is atomic because frames of one clip are made
 * and read by several threads. */
#include "io/io_memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct io_memory {
    uint64_t limit, failing;
    _Atomic uint64_t used, calls;
    _Atomic bool is_over; /* the last failure was the limit's */
};

/* In front of a block, and as large as its alignment. */
typedef union block_head {
    uint64_t bytes;
    max_align_t align;
} block_head;

io_memory *io_memory_create(uint64_t limit, uint64_t failing)
{
    io_memory *m = failing == 1 ? NULL : calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    m->limit = limit;
    m->failing = failing;
    atomic_init(&m->used, 0);
    atomic_init(&m->calls, 1);
    atomic_init(&m->is_over, false);
    return m;
}

void io_memory_destroy(io_memory *m)
{
    assert(m == NULL || atomic_load(&m->used) == 0); /* all blocks were given back */
    free(m);
}

/* Adds to the sum, unless that would be over the limit. */
static bool take(io_memory *m, uint64_t bytes)
{
    uint64_t used = atomic_load(&m->used);
    do {
        if (bytes > m->limit || used > m->limit - bytes) {
            atomic_store(&m->is_over, true);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&m->used, &used, used + bytes));
    return true;
}

static bool may_call(io_memory *m)
{
    if (atomic_fetch_add(&m->calls, 1) + 1 != m->failing) return true;
    atomic_store(&m->is_over, false);
    return false;
}

/* Where the machine has no more of what the limit would have allowed. */
static void *fail_taking(io_memory *m, uint64_t bytes)
{
    io_unreserve(m, bytes);
    atomic_store(&m->is_over, false);
    return NULL;
}

/* The bytes of a block with its head; the limit is what refuses those that do not fit 64 bits. */
static uint64_t block_bytes(uint64_t count, size_t size)
{
    if (size != 0 && count > (UINT64_MAX - sizeof(block_head)) / size) return UINT64_MAX;
    return count * size + sizeof(block_head);
}

void *io_alloc(io_memory *m, uint64_t count, size_t size)
{
    const uint64_t bytes = block_bytes(count, size);
    if (!may_call(m) || !take(m, bytes)) return NULL;
    block_head *head = bytes > SIZE_MAX ? NULL : calloc(1, (size_t)bytes);
    if (head == NULL) return fail_taking(m, bytes);
    head->bytes = bytes;
    return head + 1;
}

void *io_grow(io_memory *m, void *block, uint64_t count, size_t size)
{
    if (block == NULL) return io_alloc(m, count, size);
    block_head *head = (block_head *)block - 1;
    const uint64_t old = head->bytes, bytes = block_bytes(count, size);
    if (bytes <= old) return block;
    if (!may_call(m) || !take(m, bytes - old)) return NULL;
    head = bytes > SIZE_MAX ? NULL : realloc(head, (size_t)bytes);
    if (head == NULL) return fail_taking(m, bytes - old);
    memset((char *)head + old, 0, (size_t)(bytes - old));
    head->bytes = bytes;
    return head + 1;
}

void io_free(io_memory *m, void *block)
{
    if (block == NULL) return;
    block_head *head = (block_head *)block - 1;
    assert(head->bytes >= sizeof *head);
    io_unreserve(m, head->bytes);
    free(head);
}

char *io_copy_text(io_memory *m, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = io_alloc(m, size, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

bool io_reserve(io_memory *m, uint64_t bytes) { return may_call(m) && take(m, bytes); }

void io_unreserve(io_memory *m, uint64_t bytes)
{
    const uint64_t used = atomic_fetch_sub(&m->used, bytes);
    assert(bytes <= used); /* nothing is given back twice */
    (void)used;
}

uint64_t io_memory_used(const io_memory *m) { return atomic_load(&m->used); }

uint64_t io_memory_calls(const io_memory *m) { return atomic_load(&m->calls); }

bool io_memory_fail(const io_memory *m, io_error *error, const char *path)
{
    if (!atomic_load(&m->is_over)) return io_fail(error, "%s: out of memory", io_tail(path));
    return io_fail(error, "%s: needs more memory than the limit of %.0f MB", io_tail(path),
                   (double)m->limit / 1e6);
}

bool io_reserve_one(io_memory *m, void **array, uint64_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    if (*capacity > UINT32_MAX / 2) return false;
    const uint32_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    void *grown = io_grow(m, *array, wanted, size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}
