/* lowest.c - the words of a set, level upon level until one word is enough. */
#include "base/containers/lowest.h"

#include <string.h>

#include "base/check.h"

static size_t words_for(size_t limit) { return (limit + 63) / 64; }

size_t wi_lowest_size(size_t limit)
{
    size_t size = 0, words = limit;
    do {
        words = words_for(words);
        size += wi_workspace_size(words, sizeof(uint64_t));
    } while (words > 1);
    return size;
}

wi_lowest wi_lowest_take(wi_workspace *workspace, size_t limit)
{
    WI_ASSERT(limit > 0 && limit <= UINT32_MAX);
    wi_lowest set = {.level_count = 0};
    size_t words = limit;
    do {
        words = words_for(words);
        uint64_t *level = wi_workspace_take(workspace, words, sizeof *level);
        WI_ASSERT(set.level_count < WI_LOWEST_LEVELS);
        memset(level, 0, words * sizeof *level);
        set.levels[set.level_count++] = level;
    } while (words > 1);
    return set;
}
