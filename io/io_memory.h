/* io_memory.h - memory of readers: counted, and limited before it is taken.
 *
 * What a file claims to hold is asked for here, so that a header that claims too much is refused
 * before a byte of it is taken. All memory of a clip comes from one of these, whatever the number
 * of files and threads. Any allocation may fail, and tests let each of them fail once. */
#ifndef IO_IO_MEMORY_H
#define IO_IO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "io/io_error.h"

typedef struct io_memory io_memory;

/* At most `limit` bytes at a time. The allocation numbered `failing` fails, this call being the
 * first; 0: none does. NULL for want of memory. The caller destroys it, after all that came from
 * it. */
io_memory *io_memory_create(uint64_t limit, uint64_t failing);
void io_memory_destroy(io_memory *m);

/* `count` zeroed elements of that size, aligned for anything; also for count 0. NULL if that is too
 * much, or too much together with all else. Any thread, as all that follows. */
void *io_alloc(io_memory *m, uint64_t count, size_t size);

/* The block with room for `count` elements, what is new being zeroed; NULL is a block of none. NULL
 * if that fails: the block is then as it was. */
void *io_grow(io_memory *m, void *block, uint64_t count, size_t size);
void io_free(io_memory *m, void *block);

/* A copy of a text. */
char *io_copy_text(io_memory *m, const char *text);

/* Counts bytes that somebody else will take, such as a parser, until they are given back. */
bool io_reserve(io_memory *m, uint64_t bytes);
void io_unreserve(io_memory *m, uint64_t bytes);

uint64_t io_memory_used(const io_memory *m);
uint64_t io_memory_calls(const io_memory *m);

/* Notes why the last allocation failed, after the name of what was read: the limit, or the machine.
 * Is false. */
bool io_memory_fail(const io_memory *m, io_error *error, const char *path);

/* An array that grows by doubling: makes room for one more element. False for want of memory. */
#define IO_RESERVE_ONE(m, array, count, capacity)                                                  \
    io_reserve_one((m), (void **)&(array), (count), &(capacity), sizeof *(array))
bool io_reserve_one(io_memory *m, void **array, uint64_t count, uint32_t *capacity, size_t size);

#endif
