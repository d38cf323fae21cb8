/* pc2.c - Point Cache 2, of 3ds Max and Blender. Way in: pc2_begin.
 *
 * "POINTCACHE2" and a zero, then little-endian: version 1, points, first frame and frames between
 * samples as floats, samples; then x, y, z in float32. */
#include <math.h>
#include "io/bytes.h"
#include "io/cache.h"

enum { PC2_HEAD = 32 };

bool pc2_begin(const cache_input *input, point_cache *out, io_error *error)
{
    const uint8_t *at = input->data;
    if (input->size < PC2_HEAD || memcmp(at, "POINTCACHE2", 12) != 0)
        return io_fail(error, "%s: byte 0: is not PC2", io_tail(out->path));
    const uint32_t version = io_little32(at + 12);
    const float start = io_float_of(io_little32(at + 20)), rate = io_float_of(io_little32(at + 24));
    if (version != 1)
        return io_fail(error, "%s: byte 12: is version %u, and only 1 is known", io_tail(out->path),
                       version);
    if (!isfinite(start) || !isfinite(rate) || !(rate > 0) || rate > 1e6F || fabsf(start) > 1e9F)
        return io_fail(error, "%s: byte 20: no frame, or no frames between samples",
                       io_tail(out->path));
    out->point_count = io_little32(at + 16);
    out->sample_count = io_little32(at + 28);
    out->first_byte = PC2_HEAD;
    out->number_size = 4;
    return cache_space_times(input, out, (double)start / input->fps, (double)rate / input->fps,
                             error);
}
