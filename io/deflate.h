/* deflate.h - bytes made smaller with zlib, which whoever reads them (browsers, ParaView) knows as
 * "deflate". A build without zlib says so. */
#ifndef IO_DEFLATE_H
#define IO_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool deflate_is_possible(void);

/* The bytes in zlib's format, which the caller frees; NULL for want of memory, or of zlib. */
uint8_t *deflate_bytes(const uint8_t *bytes, size_t count, size_t *out_count);

#endif
