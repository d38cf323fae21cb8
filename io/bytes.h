/* bytes.h - whole files in memory, and numbers in them whatever this machine's order of bytes. */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <stdint.h>
#include <string.h>
#include "io/io_memory.h"

typedef struct io_bytes {
    uint8_t *data; /* and a zero behind them */
    uint64_t size;
} io_bytes;

/* All bytes of a file. The size is held against the limit before anything is read; of what has no
 * size, such as a pipe, reading stops there. False with "path: no such file" or another reason; an
 * empty file is refused, too. The caller frees them. */
bool io_bytes_read(io_memory *m, const char *path, io_bytes *out, io_error *error);
void io_bytes_free(io_memory *m, io_bytes *bytes);

static inline uint16_t io_little16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }
static inline uint32_t io_little32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline uint64_t io_little64(const uint8_t *at)
{
    return (uint64_t)io_little32(at) | (uint64_t)io_little32(at + 4) << 32;
}
static inline uint16_t io_big16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }
static inline uint32_t io_big32(const uint8_t *at)
{
    return (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24;
}
static inline uint64_t io_big64(const uint8_t *at)
{
    return (uint64_t)io_big32(at + 4) | (uint64_t)io_big32(at) << 32;
}
static inline float io_float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}
static inline double io_double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#endif
