/* stream.h - passes over memory in order: the floor of all work that must touch it.
 *
 * A refit reads and writes a known number of bytes. How long these take when nothing is computed is
 * what it is measured against: by a pass over as many bytes (limit/refit.c), or by the bandwidth
 * that was measured for working sets of several sizes. One thread. */
#ifndef BENCH_RUN_STREAM_H
#define BENCH_RUN_STREAM_H

#include "bench/common/json_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stream_traffic {
    size_t read, written;
} stream_traffic;

/* Memory that is read and memory that is written. */
typedef struct stream_buffers {
    uint64_t *from;
    char *to;
    uint64_t sum; /* of what was read, so that the compiler cannot leave it out */
} stream_buffers;

/* False for want of memory; destroy it in any case. */
bool stream_buffers_create(stream_buffers *buffers, stream_traffic bytes);
void stream_buffers_destroy(stream_buffers *buffers);

/* Reads all bytes that are to be read and writes all that are to be written: as far as there are
 * both, by copying. */
void stream_pass(stream_buffers *buffers, stream_traffic bytes);

/* Adds up [first, end) of what is read. */
void stream_read(stream_buffers *buffers, size_t first, size_t end);

/* ---- bandwidth by size ---- */

/* Gigabytes (10^9 bytes) per second in a working set of so many bytes. A copy counts what it reads
 * and what it writes. */
typedef struct stream_speed {
    size_t bytes;
    double read, write, copy;
} stream_speed;

enum { STREAM_SIZES = 8 };

typedef struct stream_curve {
    stream_speed points[STREAM_SIZES]; /* from small to large */
} stream_curve;

/* False for want of memory. */
bool stream_curve_measure(stream_curve *curve);

/* How long these bytes take at the bandwidth of a working set of their size. */
double stream_limit_ms(const stream_curve *curve, stream_traffic bytes);

/* "L1", "L2", "L3" or "memory": the smallest that holds so many bytes, as far as the system tells.
 */
const char *stream_level(size_t bytes);

/* One point of the curve as an object. */
json_line stream_speed_json(const stream_speed *speed);

#endif
