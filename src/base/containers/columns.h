/* columns.h - arrays that have an item for the same things, and so grow together. */
#ifndef WI_BASE_CONTAINERS_COLUMNS_H
#define WI_BASE_CONTAINERS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/memory.h"

typedef struct wi_column {
    void **items;          /* where the array is kept */
    size_t item_size, per; /* bytes of an item; items for each thing */
    bool is_zeroed;        /* what is new is 0; else it is anything */
} wi_column;

enum { WI_MOST_COLUMNS = 16 };

/* From room for so many things to room for more, or none of them does: false if there is no memory.
 */
bool wi_columns_grow(wi_memory *memory, const wi_column *columns, int count, size_t from,
                     size_t to);

/* All are given back, and NULL. */
void wi_columns_free(wi_memory *memory, const wi_column *columns, int count, size_t room);

#endif
