/* id_pool.c - numbers with generations, the lowest free one first.
 * Way in: wi_id_pool_reserve, then take and give. Made for thousands of bodies that come and go
 * while a scene breaks: a heap keeps "lowest first" at a few compares per call, so numbers stay
 * dense and depend on the history alone (C10).
 *
 * What always holds:
 *   free.capacity >= generations.count, so giving back never needs memory (C6);
 *   a number is in use (odd generation), free (even, at least 2, in the heap) or retired (0). */
#include "base/containers/id_pool.h"

#include "base/check.h"
#include "base/hash.h"

void wi_id_pool_free(wi_memory *memory, wi_id_pool *pool)
{
    wi_array_free(memory, &pool->generations);
    wi_array_free(memory, &pool->free);
}

bool wi_id_pool_reserve(wi_memory *memory, wi_id_pool *pool, uint32_t count)
{
    if (pool->free.count >= count) return true;

    /* Handles store number + 1 in 32 bits. */
    const size_t more = count - pool->free.count, room = UINT32_MAX - pool->generations.count;
    if (more > room) return false;
    const size_t wanted = pool->generations.count + more;

    /* The heap first, so that a failure in between keeps its capacity the larger one. */
    return wi_array_reserve(memory, &pool->free, wanted) &&
           wi_array_reserve(memory, &pool->generations, wanted);
}

static void heap_push(wi_id_pool *pool, uint32_t id)
{
    WI_ASSERT(pool->free.count < pool->free.capacity);
    uint32_t *heap = pool->free.items;
    size_t hole = pool->free.count++;
    while (hole > 0 && id < heap[(hole - 1) / 2]) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = id;
}

static uint32_t heap_pop(wi_id_pool *pool)
{
    WI_ASSERT(pool->free.count > 0);
    uint32_t *heap = pool->free.items;
    uint32_t top = heap[0];
    uint32_t last = heap[--pool->free.count];
    size_t count = pool->free.count, hole = 0;
    for (size_t child = 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && heap[child + 1] < heap[child]) child++;
        if (last <= heap[child]) break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
    return top;
}

uint32_t wi_id_pool_take(wi_id_pool *pool)
{
    if (pool->free.count > 0) {
        uint32_t id = heap_pop(pool);
        WI_ASSERT(pool->generations.items[id] % 2 == 0 && pool->generations.items[id] != 0);
        pool->generations.items[id]++;
        WI_ASSERT_SLOW(wi_id_pool_validate(pool) == NULL);
        return id;
    }
    WI_ASSERT(pool->generations.count < pool->generations.capacity);
    pool->generations.items[pool->generations.count] = 1;
    return (uint32_t)pool->generations.count++;
}

void wi_id_pool_give(wi_id_pool *pool, uint32_t id)
{
    WI_ASSERT(id < pool->generations.count && pool->generations.items[id] % 2 == 1);
    uint16_t generation = ++pool->generations.items[id];

    /* It wrapped: the next taker would get a generation that an old handle may still have. */
    if (generation != 0) heap_push(pool, id);
    WI_ASSERT_SLOW(wi_id_pool_validate(pool) == NULL);
}

uint16_t wi_id_pool_generation(const wi_id_pool *pool, uint32_t id)
{
    WI_ASSERT(id < pool->generations.count);
    return pool->generations.items[id];
}

bool wi_id_pool_has(const wi_id_pool *pool, uint32_t id, uint16_t generation)
{
    return id < pool->generations.count && generation % 2 == 1 &&
           pool->generations.items[id] == generation;
}

/* A sum of hashes, equal for equal sets in any order: finds a number that the heap misses or has
 * twice without memory for a list of marks. */
static uint64_t sum_of_generations(const wi_id_pool *pool)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pool->generations.count; i++) {
        uint16_t generation = pool->generations.items[i];
        if (generation != 0 && generation % 2 == 0) sum += wi_hash_u64(WI_HASH_START, i);
    }
    return sum;
}

const char *wi_id_pool_validate(const wi_id_pool *pool)
{
    if (pool->free.capacity < pool->generations.count) return "id pool: giving back needs memory";
    uint64_t sum = 0;
    for (size_t i = 0; i < pool->free.count; i++) {
        uint32_t id = pool->free.items[i];
        if (id >= pool->generations.count) return "id pool: a free number was never handed out";
        if (i > 0 && id <= pool->free.items[(i - 1) / 2]) return "id pool: the heap has no order";
        sum += wi_hash_u64(WI_HASH_START, id);
    }
    if (sum != sum_of_generations(pool)) return "id pool: the heap is not the set of free numbers";
    return NULL;
}
