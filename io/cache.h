/* cache.h - point caches: places of all vertices of a mesh, sample after sample.
 *
 * PC2, MDD and .npy differ in what is before the numbers. Each of them has a file that reads it;
 * cache.c reads samples, when they are asked for. */
#ifndef IO_CACHE_H
#define IO_CACHE_H

#include "io/clip.h"
#include "io/io_memory.h"

typedef struct point_cache {
    const char *path; /* for messages */
    uint64_t file_size;
    uint64_t first_byte; /* of the first sample */
    uint32_t sample_count, point_count;
    uint32_t number_size; /* 4: float32, 8: float64 */
    bool is_big;          /* the first byte of a number is its highest */
    bool is_fortran;      /* the sample is the index that runs fastest, then points, then axes */
    double *times;        /* by sample, rising */
} point_cache;

/* The first bytes of a cache, and what else its reader needs. */
typedef struct cache_input {
    io_memory *memory;
    int file; /* to read more of it */
    const uint8_t *data;
    uint64_t size; /* of these bytes */
    double fps;
} cache_input;

enum { CACHE_LOOK = 4096 };

/* Fill all but path and file_size, which are there. False with a reason. */
typedef bool cache_reader(const cache_input *input, point_cache *out, io_error *error);
cache_reader pc2_begin, mdd_begin, npy_begin;

/* Bytes of the cache from there on; false with a reason if it ends before. Any thread. */
bool cache_read_bytes(int file, const point_cache *cache, uint64_t first, uint64_t size,
                      uint8_t *out, io_error *error);

/* Times of samples that are as far apart from each other. False for want of memory. */
bool cache_space_times(const cache_input *input, point_cache *out, double first, double step,
                       io_error *error);

#endif
