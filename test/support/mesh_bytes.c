/* mesh_bytes.c - see mesh_bytes.h. */
#define _POSIX_C_SOURCE 200809L
#include "support/mesh_bytes.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "support/test.h"

void test_bytes_add(test_bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size) + 64;
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
}

void test_bytes_print(test_bytes *b, const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    test_bytes_add(b, text, (size_t)length);
}

void test_bytes_little(test_bytes *b, uint64_t bits, int byte_count)
{
    for (int i = 0; i < byte_count; i++) {
        const uint8_t byte = (uint8_t)(bits >> 8 * i);
        test_bytes_add(b, &byte, 1);
    }
}

void test_bytes_big(test_bytes *b, uint64_t bits, int byte_count)
{
    for (int i = byte_count; i-- > 0;) {
        const uint8_t byte = (uint8_t)(bits >> 8 * i);
        test_bytes_add(b, &byte, 1);
    }
}

void test_bytes_float(test_bytes *b, float number, bool is_big)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    (is_big ? test_bytes_big : test_bytes_little)(b, bits, 4);
}

void test_bytes_double(test_bytes *b, double number, bool is_big)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    (is_big ? test_bytes_big : test_bytes_little)(b, bits, 8);
}

void test_bytes_free(test_bytes *b)
{
    free(b->data);
    *b = (test_bytes){0};
}

bool test_mesh_read(io_memory *m, mesh_reader *reader, const void *data, size_t size, bool no_weld,
                    mesh_file *out, io_error *error)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) memcpy(copy, data, size);
    const mesh_input input = {
        .memory = m, .path = "file", .data = copy, .size = size, .no_weld = no_weld};
    const bool is_read = reader(&input, out, error);
    free(copy);
    return is_read;
}

/* ---- folders ---- */

void test_folder_make(test_folder *folder)
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(folder->path, sizeof folder->path, "%s/willow-test-XXXXXX",
                   parent != NULL ? parent : "/tmp");
    assert_non_null(mkdtemp(folder->path));
}

void test_folder_remove(test_folder *folder)
{
    char path[600];
    DIR *listing = opendir(folder->path);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) (void)unlink(path);
    }
    (void)closedir(listing);
    assert_int_equal(rmdir(folder->path), 0);
}

const char *test_folder_path(const test_folder *folder, const char *name, int slot)
{
    static char paths[8][600];
    (void)snprintf(paths[slot], sizeof paths[slot], "%s/%s", folder->path, name);
    return paths[slot];
}

void test_folder_write(const test_folder *folder, const char *name, const void *data, size_t size)
{
    FILE *file = fopen(test_folder_path(folder, name, 7), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void test_folder_write_text(const test_folder *folder, const char *name, const char *text)
{
    test_folder_write(folder, name, text, strlen(text));
}

clip *test_clip_open(const char *path)
{
    const clip_options options = clip_options_default();
    io_error error;
    clip *c = clip_open(&path, 1, &options, &error);
    if (c == NULL) fail_msg("%s", error.text);
    return c;
}
