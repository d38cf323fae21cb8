/* deflate.c - zlib in one call. Way in: deflate_bytes. */
#include "io/deflate.h"

#include <stdlib.h>

#if defined(WILLOW_HAS_ZLIB)

#    include <zlib.h>

/* Positions gain little from more effort than this, and take three times as long. */
enum { EFFORT = 6 };

bool deflate_is_possible(void) { return true; }

uint8_t *deflate_bytes(const uint8_t *bytes, size_t count, size_t *out_count)
{
    uLongf room = compressBound((uLong)count);
    uint8_t *out = malloc(room > 0 ? room : 1);
    if (out == NULL) return NULL;
    if (compress2(out, &room, bytes, (uLong)count, EFFORT) != Z_OK) {
        free(out);
        return NULL;
    }
    *out_count = room;
    return out;
}

#else

bool deflate_is_possible(void) { return false; }

uint8_t *deflate_bytes(const uint8_t *bytes, size_t count, size_t *out_count)
{
    (void)bytes;
    (void)count;
    *out_count = 0;
    return NULL;
}

#endif
