/* columns.c - grows arrays together: room for all of them first, then what cannot fail. */
#include "base/containers/columns.h"

#include <string.h>

#include "base/check.h"

static void free_some(wi_memory *memory, void **items, const wi_column *columns, int count,
                      size_t room)
{
    for (int i = 0; i < count; i++)
        wi_free_array(memory, items[i], room * columns[i].per, columns[i].item_size);
}

bool wi_columns_grow(wi_memory *memory, const wi_column *columns, int count, size_t from, size_t to)
{
    void *larger[WI_MOST_COLUMNS];
    WI_ASSERT(from < to && count <= WI_MOST_COLUMNS);
    for (int i = 0; i < count; i++) {
        larger[i] = wi_alloc_array(memory, to * columns[i].per, columns[i].item_size);
        if (larger[i]) continue;
        free_some(memory, larger, columns, i, to);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const size_t size = columns[i].per * columns[i].item_size;
        if (from > 0) memcpy(larger[i], *columns[i].items, from * size);
        if (columns[i].is_zeroed) memset((char *)larger[i] + from * size, 0, (to - from) * size);
        wi_free_array(memory, *columns[i].items, from * columns[i].per, columns[i].item_size);
        *columns[i].items = larger[i];
    }
    return true;
}

void wi_columns_free(wi_memory *memory, const wi_column *columns, int count, size_t room)
{
    for (int i = 0; i < count; i++) {
        wi_free_array(memory, *columns[i].items, room * columns[i].per, columns[i].item_size);
        *columns[i].items = NULL;
    }
}
