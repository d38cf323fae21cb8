/* file_kind.c - looks at the first bytes of files. Way in: file_kind_find. */
#define _POSIX_C_SOURCE 200809L
#include "io/file_kind.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct {
    file_kind kind;
    const char *name, *ending;
} kinds[] = {
#define FILE_KIND(name, words, ending) {FILE_##name, words, ending},
    FILE_KINDS(FILE_KIND)
#undef FILE_KIND
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *file_kind_name(file_kind kind)
{
    if (kind == FILE_FOLDER) return "a folder";
    return (int)kind < (int)KINDS ? kinds[kind].name : "another kind";
}

const char *file_ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot + 1 : "";
}

file_kind file_kind_of_name(const char *path)
{
    for (int i = 0; i < KINDS; i++)
        if (strcasecmp(file_ending(path), kinds[i].ending) == 0) return kinds[i].kind;
    return FILE_OTHER;
}

bool file_is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* How files begin that begin in one way only. */
static file_kind kind_of_bytes(const char *bytes, size_t size)
{
    static const struct {
        const char *bytes;
        size_t size;
        file_kind kind;
    } signs[] = {
        {"glTF", 4, FILE_GLB},
        {"ply\n", 4, FILE_PLY},
        {"ply\r", 4, FILE_PLY},
        {"POINTCACHE2", 11, FILE_PC2},
        {"\x93NUMPY", 6, FILE_NPY},
        {"Ogawa", 5, FILE_ALEMBIC},
        {"\x89HDF\r\n", 6, FILE_ALEMBIC},
        {"#usda", 5, FILE_USDA},
        {"PXR-USDC", 8, FILE_USDC},
        {"BLENDER", 7, FILE_BLEND},
        {"OFF\n", 4, FILE_OFF},
        {"OFF\r", 4, FILE_OFF},
        {"COFF\n", 5, FILE_OFF},
        {"NOFF\n", 5, FILE_OFF},
        {"PK\x03\x04", 4, FILE_PACKED},
        {"\x1F\x8B", 2, FILE_PACKED},
        {"\xFD\x37zXZ", 5, FILE_PACKED},
        {"\x28\xB5\x2F\xFD", 4, FILE_PACKED},
        {"BZh", 3, FILE_PACKED},
        {"version https://git-lfs", 23, FILE_POINTER},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (size >= signs[i].size && memcmp(bytes, signs[i].bytes, signs[i].size) == 0)
            return signs[i].kind;
    return FILE_OTHER;
}

/* What has no ending that is known may still be told: by words at its beginning, or by a size that
 * fits no other kind. */
static file_kind guess_kind(const char *bytes, size_t size, uint64_t file_size)
{
    const uint8_t *count = (const uint8_t *)bytes + 80;
    if (size >= 6 && memcmp(bytes, "solid ", 6) == 0) return FILE_STL;
    if (size < 84) return FILE_OTHER;
    const uint64_t triangles = (uint64_t)count[0] | (uint64_t)count[1] << 8 |
                               (uint64_t)count[2] << 16 | (uint64_t)count[3] << 24;
    return file_size == 84 + 50 * triangles ? FILE_STL : FILE_OTHER;
}

static bool fail_opening(const char *path, int reason, io_error *error)
{
    const char *words = reason == ENOENT ? "no such file" : strerror(reason);
    return io_fail(error, "%s: %s", io_tail(path), words);
}

bool file_kind_find(const char *path, file_kind *out, io_error *error)
{
    enum { LOOK = 128 };
    char bytes[LOOK];
    struct stat about;
    if (stat(path, &about) != 0) return fail_opening(path, errno, error);
    *out = FILE_FOLDER;
    if (S_ISDIR(about.st_mode)) return true;
    *out = file_kind_of_name(path);
    if (!S_ISREG(about.st_mode)) return true; /* a pipe is read once, so it needs its ending */
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail_opening(path, errno, error);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    if (size == 0) return io_fail(error, "%s: is empty", io_tail(path));
    const file_kind sign = kind_of_bytes(bytes, size);
    if (sign == FILE_PACKED && (*out == FILE_USDZ || *out == FILE_BLEND)) return true;
    if (sign != FILE_OTHER)
        *out = sign;
    else if (*out == FILE_OTHER)
        *out = guess_kind(bytes, size, (uint64_t)about.st_size);
    return true;
}
