/* workspace.h - one block for everything that an operation needs on the way, kept for the next one.
 *
 * Reserve once, then take pieces, which cannot fail; the next reserve takes them all back. For
 * work that is done every step, so that its memory is warm and the system is not asked again. */
#ifndef WI_BASE_WORKSPACE_H
#define WI_BASE_WORKSPACE_H

#include <stdbool.h>
#include "base/check.h"
#include "base/memory.h"

typedef struct wi_workspace {
    char *block;
    size_t size, used;
} wi_workspace;

/* The size that `count` items take. */
static inline size_t wi_workspace_size(size_t count, size_t item_size)
{
    WI_ASSERT(count == 0 || item_size <= (SIZE_MAX - WI_ALIGNMENT) / count);
    return (count * item_size + WI_ALIGNMENT - 1) / WI_ALIGNMENT * WI_ALIGNMENT;
}

/* Room for pieces of `size` in all; false if there is no memory. What was taken before is lost. */
bool wi_workspace_reserve(wi_memory *memory, wi_workspace *workspace, size_t size);

/* Aligned as all blocks are; not cleared. */
void *wi_workspace_take(wi_workspace *workspace, size_t count, size_t item_size);

void wi_workspace_free(wi_memory *memory, wi_workspace *workspace);

#endif
