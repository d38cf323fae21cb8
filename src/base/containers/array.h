/* array.h - growable arrays of any type.
 *
 *     WI_ARRAY(uint32_t) slots = {0};
 *     if (!wi_array_push(memory, &slots, 7)) return WILLOW_OUT_OF_MEMORY;
 *
 * Reserve first, then push what cannot fail (C6). A pointer into an array does not survive a call
 * that may grow it. Arguments named `array` may be evaluated more than once. */
#ifndef WI_BASE_CONTAINERS_ARRAY_H
#define WI_BASE_CONTAINERS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include "base/memory.h"

#define WI_ARRAY(T)                                                                                \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, capacity;                                                                    \
    }

/* Room for `wanted` items in all, growing by at least half; false if there is no memory, and the
 * array is then as it was. */
#define wi_array_reserve(memory, array, wanted)                                                    \
    ((wanted) <= (array)->capacity ||                                                              \
     wi_array_grow((memory), (void **)&(array)->items, &(array)->capacity, (array)->count,         \
                   (wanted), sizeof *(array)->items))

/* Appends one item; false if there is no memory. */
#define wi_array_push(memory, array, item)                                                         \
    (wi_array_reserve(memory, array, (array)->count + 1) &&                                        \
     ((array)->items[(array)->count++] = (item), true))

#define wi_array_free(memory, array)                                                               \
    (wi_free_array((memory), (array)->items, (array)->capacity, sizeof *(array)->items),           \
     (array)->items = NULL, (array)->count = 0, (array)->capacity = 0)

bool wi_array_grow(wi_memory *memory, void **items, size_t *capacity, size_t count, size_t wanted,
                   size_t item_size);

#endif
