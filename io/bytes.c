/* bytes.c - files that have a size are read at once, all others piece by piece.
 * Way in: io_bytes_read. */
#define _POSIX_C_SOURCE 200809L
#include "io/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static bool fail_opening(const char *path, int reason, io_error *error)
{
    const char *words = reason == ENOENT ? "no such file" : strerror(reason);
    return io_fail(error, "%s: %s", io_tail(path), words);
}

/* Makes room for `size` bytes and a zero behind them. */
static bool make_room(io_memory *m, io_bytes *bytes, uint64_t size)
{
    uint8_t *grown = io_grow(m, bytes->data, size + 1, 1);
    if (grown == NULL) return false;
    bytes->data = grown;
    return true;
}

/* Reads until the end, beginning with room for what the file says that it has. */
static bool read_all(io_memory *m, FILE *file, uint64_t expected, io_bytes *out)
{
    for (uint64_t room = expected;; room = room < 4096 ? 8192 : room * 2) {
        if (room > SIZE_MAX / 4 || !make_room(m, out, room)) return false;
        out->size += fread(out->data + out->size, 1, (size_t)(room + 1 - out->size), file);
        if (out->size <= room) break;
    }
    out->data[out->size] = 0;
    return true;
}

static bool read_open(io_memory *m, const char *path, FILE *file, io_bytes *out, io_error *error)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0) return fail_opening(path, errno, error);
    if (S_ISDIR(about.st_mode)) return io_fail(error, "%s: is a folder", io_tail(path));
    const uint64_t size = S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
    if (!read_all(m, file, size, out)) return io_memory_fail(m, error, path);
    if (ferror(file)) return io_fail(error, "%s: cannot be read", io_tail(path));
    if (out->size == 0) return io_fail(error, "%s: is empty", io_tail(path));
    return true;
}

bool io_bytes_read(io_memory *m, const char *path, io_bytes *out, io_error *error)
{
    *out = (io_bytes){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail_opening(path, errno, error);
    const bool is_read = read_open(m, path, file, out, error);
    (void)fclose(file);
    if (!is_read) io_bytes_free(m, out);
    return is_read;
}

void io_bytes_free(io_memory *m, io_bytes *bytes)
{
    io_free(m, bytes->data);
    *bytes = (io_bytes){0};
}
