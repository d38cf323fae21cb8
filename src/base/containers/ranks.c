/* ranks.c - makes sets with ranks, and counts them. */
#include "base/containers/ranks.h"

#include <string.h>

#include "base/check.h"

bool wi_ranks_make(wi_memory *memory, uint32_t limit, wi_ranks *ranks)
{
    const uint32_t words = wi_ranks_words(limit) + 1; /* so that `limit` itself has a rank */
    *ranks = (wi_ranks){.limit = limit};
    ranks->bits = wi_alloc_array(memory, words, sizeof *ranks->bits);
    ranks->before = wi_alloc_array(memory, words, sizeof *ranks->before);
    if (ranks->bits == NULL || ranks->before == NULL) {
        wi_ranks_free(memory, ranks);
        return false;
    }
    memset(ranks->bits, 0, words * sizeof *ranks->bits);
    memset(ranks->before, 0, words * sizeof *ranks->before);
    return true;
}

void wi_ranks_free(wi_memory *memory, wi_ranks *ranks)
{
    const uint32_t words = wi_ranks_words(ranks->limit) + 1;
    wi_free_array(memory, ranks->bits, words, sizeof *ranks->bits);
    wi_free_array(memory, ranks->before, words, sizeof *ranks->before);
    *ranks = (wi_ranks){0};
}

size_t wi_ranks_bytes(const wi_ranks *ranks)
{
    const size_t words = (size_t)wi_ranks_words(ranks->limit) + 1;
    return ranks->bits ? words * (sizeof *ranks->bits + sizeof *ranks->before) : 0;
}

uint32_t wi_ranks_count(wi_ranks *ranks)
{
    const uint32_t words = wi_ranks_words(ranks->limit);
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++) {
        ranks->before[i] = count;
        count += (uint32_t)__builtin_popcountll(ranks->bits[i]);
    }
    ranks->before[words] = count;
    WI_ASSERT(count <= ranks->limit);
    return count;
}
