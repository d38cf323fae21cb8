/* array.c - the one function behind all growable arrays.
 * Way in: the macros of array.h. Made for arrays that grow while they are filled and then stay, so
 * they grow by half (at most a third of the block is unused) and never shrink. */
#include "base/containers/array.h"

#include <string.h>
#include "base/check.h"

/* Few arrays stay below this, and the first pushes should not each move the block. */
enum { FIRST_CAPACITY = 8 };

static size_t grown_capacity(size_t capacity, size_t wanted)
{
    size_t half_more = capacity <= SIZE_MAX - capacity / 2 ? capacity + capacity / 2 : SIZE_MAX;
    size_t grown = half_more > wanted ? half_more : wanted;
    return grown > FIRST_CAPACITY ? grown : FIRST_CAPACITY;
}

bool wi_array_grow(wi_memory *memory, void **items, size_t *capacity, size_t count, size_t wanted,
                   size_t item_size)
{
    WI_ASSERT(count <= *capacity && *capacity < wanted);
    WI_ASSERT(items != NULL && item_size > 0);
    size_t new_capacity = grown_capacity(*capacity, wanted);
    WI_ASSERT(new_capacity >= wanted);
    void *new_items = wi_alloc_array(memory, new_capacity, item_size);
    if (new_items == NULL) return false;

    /* `items` is really a T **, and C lets only bytes be read through another type. */
    void *old_items;
    memcpy(&old_items, items, sizeof old_items);
    if (count > 0) memcpy(new_items, old_items, count * item_size);
    wi_free_array(memory, old_items, *capacity, item_size);
    memcpy(items, &new_items, sizeof new_items);
    *capacity = new_capacity;
    return true;
}
