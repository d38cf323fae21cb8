/* mdd.c - MDD, of LightWave and Blender. Way in: mdd_begin.
 *
 * Big-endian: samples, points, the time of each sample in seconds as float32; then x, y, z in
 * float32. */
#include <math.h>
#include "io/bytes.h"
#include "io/cache.h"

enum { MDD_HEAD = 8 };

static bool read_times(const cache_input *input, point_cache *out, uint8_t *bytes, io_error *error)
{
    const uint64_t size = 4 * (uint64_t)out->sample_count;
    if (!cache_read_bytes(input->file, out, MDD_HEAD, size, bytes, error)) return false;
    for (uint32_t i = 0; i < out->sample_count; i++) {
        out->times[i] = (double)io_float_of(io_big32(bytes + 4 * (size_t)i));
        if (!isfinite(out->times[i]) || (i > 0 && !(out->times[i] > out->times[i - 1])))
            return io_fail(error,
                           "%s: byte %llu: the time of sample %u is not after the one before",
                           io_tail(out->path), (unsigned long long)(MDD_HEAD + 4 * (uint64_t)i), i);
    }
    return true;
}

bool mdd_begin(const cache_input *input, point_cache *out, io_error *error)
{
    if (input->size < MDD_HEAD) return io_fail(error, "%s: is not MDD", io_tail(out->path));
    out->sample_count = io_big32(input->data);
    out->point_count = io_big32(input->data + 4);
    out->first_byte = MDD_HEAD + 4 * (uint64_t)out->sample_count;
    out->number_size = 4;
    out->is_big = true;
    if (out->first_byte > out->file_size)
        return io_fail(error, "%s: byte 0: is not MDD, or too short for the times of %u samples",
                       io_tail(out->path), out->sample_count);
    out->times = io_alloc(input->memory, out->sample_count, sizeof *out->times);
    uint8_t *bytes = io_alloc(input->memory, out->sample_count, 4);
    const bool has_room = out->times != NULL && bytes != NULL;
    const bool is_read = has_room ? read_times(input, out, bytes, error)
                                  : io_memory_fail(input->memory, error, out->path);
    io_free(input->memory, bytes);
    return is_read;
}
