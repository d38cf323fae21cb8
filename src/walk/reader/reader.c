/* reader.c - making, freeing and counting of readers. */
#include "walk/reader/reader.h"

#include <string.h>

#include "base/check.h"
#include "walk/reader/leaf_block.h"

struct wi_leaf_cache *wi_leaf_caches_create(wi_memory *memory)
{
    wi_leaf_cache *caches = wi_alloc_array(memory, 2, sizeof *caches);
    for (int side = 0; caches && side < 2; side++)
        for (unsigned i = 0; i < WI_CACHED_BLOCKS; i++) caches[side].blocks[i].placement = 0;
    return caches;
}

void wi_leaf_caches_free(wi_memory *memory, struct wi_leaf_cache *caches)
{
    wi_free_array(memory, caches, 2, sizeof *caches);
}

bool wi_reader_init(wi_reader *reader, wi_memory *memory, willow_kernel kernel)
{
    WI_ASSERT(memory && kernel != WILLOW_KERNEL_AUTO);
    memset(reader, 0, sizeof *reader);
    reader->memory = memory;
    reader->kernel = kernel;
    reader->caches = wi_leaf_caches_create(memory);
    return reader->caches != NULL;
}

void wi_reader_free(wi_reader *reader)
{
    wi_leaf_caches_free(reader->memory, reader->caches);
    wi_folds_free(reader->memory, &reader->folds);
    wi_arcs_free(reader->memory, &reader->arcs);
}

void wi_reader_add_stats(const wi_reader *reader, willow_query_stats *sum)
{
    const willow_query_stats *own = &reader->stats;
    sum->body_pairs += own->body_pairs;
    sum->nodes_opened += own->nodes_opened;
    sum->nodes_refreshed += reader->openings.refreshed;
    sum->claims_lost += reader->openings.lost;
    sum->vertices_blended += reader->openings.blended + reader->folds.blended;
    sum->volume_tests += own->volume_tests;
    sum->leaf_pairs += own->leaf_pairs;
    sum->leaf_pairs_culled += own->leaf_pairs_culled;
    sum->stars += own->stars;
    sum->stars_left += own->stars_left;
    sum->triangle_tests += own->triangle_tests;
    sum->exact_tests += own->exact_tests;
    sum->feature_tests += own->feature_tests;
}

void wi_reader_reset_stats(wi_reader *reader)
{
    reader->stats = (willow_query_stats){0};
    reader->openings = (wi_openings){0};
    reader->folds.blended = 0;
}
