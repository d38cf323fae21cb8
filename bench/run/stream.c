/* stream.c - passes over memory, and how fast they are by the size of the working set.
 *
 * Copies and writes are the C library's own, which are made for this; reads are sums with so many
 * of them under way that no addition waits for another. A size is measured in several rounds of
 * many passes, of which the fastest counts: a bandwidth is a limit, and noise only lowers it. */
#define _DEFAULT_SOURCE
#include "bench/run/stream.h"
#include "bench/common/clock.h"
#include "bench/common/json_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- passes ---- */

enum { SLACK = 256 }; /* behind the buffers, so that rests need no care */

bool stream_buffers_create(stream_buffers *buffers, stream_traffic bytes)
{
    *buffers =
        (stream_buffers){.from = malloc(bytes.read + SLACK), .to = malloc(bytes.written + SLACK)};
    if (buffers->from == NULL || buffers->to == NULL) return false;
    memset(buffers->from, 1, bytes.read + SLACK);
    memset(buffers->to, 1, bytes.written + SLACK);
    return true;
}

void stream_buffers_destroy(stream_buffers *buffers)
{
    free(buffers->from);
    free(buffers->to);
}

void stream_read(stream_buffers *buffers, size_t first, size_t end)
{
    enum { LANES = 16 };
    uint64_t sums[LANES] = {0};
    for (size_t i = first / 8; i + LANES <= end / 8; i += LANES) {
        for (size_t k = 0; k < LANES; k++) sums[k] += buffers->from[i + k];
    }
    for (size_t k = 0; k < LANES; k++) buffers->sum += sums[k];
}

static size_t stream_least(size_t a, size_t b) { return a < b ? a : b; }

void stream_pass(stream_buffers *buffers, stream_traffic bytes)
{
    size_t both = stream_least(bytes.read, bytes.written);
    memcpy(buffers->to, buffers->from, both);
    memset(buffers->to + both, (int)(buffers->sum & 127), bytes.written - both);
    stream_read(buffers, both, bytes.read);
    buffers->sum += (uint64_t)buffers->to[0];
}

/* ---- bandwidth by size ---- */

enum { SMALLEST = 1 << 14, STEP = 4, ROUNDS = 5 };

/* So much in a round that the clock is exact enough; a pass over the largest size is more. */
static const double round_bytes = 5e7;

static double stream_gb_per_s(stream_buffers *buffers, stream_traffic bytes)
{
    double all = (double)(bytes.read + bytes.written), best_ms = HUGE_VAL;
    uint32_t passes = 1 + (uint32_t)(round_bytes / all);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ms();
        for (uint32_t i = 0; i < passes; i++) stream_pass(buffers, bytes);
        double ms = now_ms() - start;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    return best_ms > 0 ? all * passes / best_ms * 1e-6 : 0;
}

bool stream_curve_measure(stream_curve *curve)
{
    size_t bytes = SMALLEST;
    for (int i = 0; i < STREAM_SIZES; i++, bytes *= STEP) {
        stream_buffers buffers;
        bool fine = stream_buffers_create(&buffers, (stream_traffic){bytes, bytes});
        if (fine) {
            curve->points[i] = (stream_speed){
                .bytes = bytes,
                .read = stream_gb_per_s(&buffers, (stream_traffic){bytes, 0}),
                .write = stream_gb_per_s(&buffers, (stream_traffic){0, bytes}),
                .copy = stream_gb_per_s(&buffers, (stream_traffic){bytes / 2, bytes / 2})};
        }
        stream_buffers_destroy(&buffers);
        if (!fine) return false;
    }
    return true;
}

/* Straight between two sizes on an axis of doublings; beyond the ends as at them. */
static stream_speed speed_at(const stream_curve *curve, size_t bytes)
{
    const stream_speed *p = curve->points;
    int i = 0;
    while (i + 1 < STREAM_SIZES && p[i + 1].bytes <= bytes) i++;
    if (i + 1 == STREAM_SIZES || bytes <= p[i].bytes) return p[i];
    double x = log2((double)bytes / (double)p[i].bytes) /
               log2((double)p[i + 1].bytes / (double)p[i].bytes);
    return (stream_speed){.bytes = bytes,
                          .read = p[i].read + x * (p[i + 1].read - p[i].read),
                          .write = p[i].write + x * (p[i + 1].write - p[i].write),
                          .copy = p[i].copy + x * (p[i + 1].copy - p[i].copy)};
}

static double ms_at(size_t bytes, double speed)
{
    return bytes > 0 ? (double)bytes * 1e-6 / speed : 0;
}

double stream_limit_ms(const stream_curve *curve, stream_traffic bytes)
{
    stream_speed speed = speed_at(curve, bytes.read + bytes.written);
    size_t both = stream_least(bytes.read, bytes.written);
    return ms_at(2 * both, speed.copy) + ms_at(bytes.read - both, speed.read) +
           ms_at(bytes.written - both, speed.write);
}

/* ---- caches ---- */

/* Bytes of a cache; 0 if there is none, or if the system does not tell. */
static size_t cache_size(int level)
{
    long size = 0;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    size = sysconf(names[level - 1]);
#endif
    return size > 0 ? (size_t)size : 0;
}

const char *stream_level(size_t bytes)
{
    if (bytes <= cache_size(1)) return "L1";
    if (bytes <= cache_size(2)) return "L2";
    if (bytes <= cache_size(3)) return "L3";
    return "memory";
}

/* ---- as data ---- */

json_line stream_speed_json(const stream_speed *speed)
{
    json_line line = json_line_begin();
    json_line_text(&line, "limit", "stream");
    json_line_count(&line, "bytes", speed->bytes);
    json_line_text(&line, "level", stream_level(speed->bytes));
    json_line_real(&line, "read_gb_per_s", speed->read);
    json_line_real(&line, "write_gb_per_s", speed->write);
    json_line_real(&line, "copy_gb_per_s", speed->copy);
    return line;
}
