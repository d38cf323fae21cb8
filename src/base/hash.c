/* hash.c - the hash of a run of bytes, equal on machines of either byte order.
 * Way in: wi_hash_bytes. Made for positions and results, megabytes at a time: eight bytes per step,
 * and compilers turn the shifts of read_u64 into one load. */
#include "base/hash.h"

#include "base/check.h"

/* Up to eight bytes as a little-endian number. */
static uint64_t read_u64(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    WI_ASSERT(size <= sizeof value);
    for (size_t i = 0; i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint64_t wi_hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    WI_ASSERT(data != NULL || size == 0);
    size_t whole = size - size % 8;
    for (size_t i = 0; i < whole; i += 8) hash = wi_hash_u64(hash, read_u64(bytes + i, 8));
    if (whole < size) hash = wi_hash_u64(hash, read_u64(bytes + whole, size - whole));

    /* The size tells bytes of zero from no bytes. */
    return wi_hash_u64(hash, size);
}
