/* hash.h - a 64-bit hash of values, the same on every machine. Not for hostile input. */
#ifndef WI_BASE_HASH_H
#define WI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define WI_HASH_START UINT64_C(0x5717AA0C0FFEE123)

/* The hash of what `hash` stood for, followed by `value`. */
static inline uint64_t wi_hash_u64(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ (hash >> 29);
}

/* The same for bytes; equal bytes in other pieces give another hash. */
uint64_t wi_hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
