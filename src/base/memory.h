/* memory.h - every block of a world comes from here, and so from the allocator of its user (C8).
 *
 * Blocks are aligned to WI_ALIGNMENT so that wide loads need no care. Any allocation may fail with
 * NULL (C6). A size of zero gives NULL and is no failure: test the size, or use wi_array. */
#ifndef WI_BASE_MEMORY_H
#define WI_BASE_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include "willow/base.h"

enum { WI_ALIGNMENT = 64 };

_Static_assert((WI_ALIGNMENT & (WI_ALIGNMENT - 1)) == 0, "alignments are powers of two");
_Static_assert(sizeof(size_t) == 8, "sizes of arrays are computed in 64 bits");

typedef struct wi_memory {
    willow_allocator allocator;
    _Atomic size_t bytes; /* held now */
} wi_memory;

/* Uses malloc and free where the functions of `allocator` are NULL. */
void wi_memory_init(wi_memory *memory, const willow_allocator *allocator);

void *wi_alloc(wi_memory *memory, size_t size);

/* As wi_alloc, for count items of a size; NULL also if the product overflows. */
void *wi_alloc_array(wi_memory *memory, size_t count, size_t item_size);

/* `size` as it was asked for. NULL is fine. */
void wi_free(wi_memory *memory, void *block, size_t size);
void wi_free_array(wi_memory *memory, void *block, size_t count, size_t item_size);

#endif
