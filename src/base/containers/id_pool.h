/* id_pool.h - numbers handed out and taken back, with generations that tell old from new.
 *
 * The lowest free number is handed out first, so that equal histories give equal numbers. A number
 * that was handed out 32768 times has used up its generations and is retired for ever, so that an
 * old handle never comes back to life (C11); its generation is then 0, as no other number's is. */
#ifndef WI_BASE_CONTAINERS_ID_POOL_H
#define WI_BASE_CONTAINERS_ID_POOL_H

#include <stdbool.h>
#include <stdint.h>
#include "base/containers/array.h"

typedef struct wi_id_pool {
    WI_ARRAY(uint16_t) generations; /* of each number; odd while it is in use */
    WI_ARRAY(uint32_t) free;        /* binary heap of free numbers, the lowest on top */
} wi_id_pool;

void wi_id_pool_free(wi_memory *memory, wi_id_pool *pool);

/* Makes sure that the next `count` calls of wi_id_pool_take, and giving back every number that is
 * in use, cannot fail. False if there is no memory or no number left; the pool is then as it was.
 */
bool wi_id_pool_reserve(wi_memory *memory, wi_id_pool *pool, uint32_t count);

/* After wi_id_pool_reserve. */
uint32_t wi_id_pool_take(wi_id_pool *pool);
void wi_id_pool_give(wi_id_pool *pool, uint32_t id);

uint16_t wi_id_pool_generation(const wi_id_pool *pool, uint32_t id);

/* True if `id` is in use with this generation. */
bool wi_id_pool_has(const wi_id_pool *pool, uint32_t id, uint16_t generation);

/* NULL, or the words for what is broken. */
const char *wi_id_pool_validate(const wi_id_pool *pool);

#endif
