/* mesh_bytes.h - files of tests: made in memory, read from memory, or put into a folder that is
 * removed again. */
#ifndef TEST_MESH_BYTES_H
#define TEST_MESH_BYTES_H

#include "io/clip.h"
#include "io/mesh_file.h"

/* Bytes that grow; zero is empty. */
typedef struct test_bytes {
    uint8_t *data;
    size_t size, capacity;
} test_bytes;

void test_bytes_add(test_bytes *b, const void *data, size_t size);
void test_bytes_print(test_bytes *b, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void test_bytes_little(test_bytes *b, uint64_t bits, int byte_count);
void test_bytes_big(test_bytes *b, uint64_t bits, int byte_count);
void test_bytes_float(test_bytes *b, float number, bool is_big);
void test_bytes_double(test_bytes *b, double number, bool is_big);
void test_bytes_free(test_bytes *b);

/* Reads bytes as a file named "file" of that format. The copy ends where the memory ends, so that
 * sanitizers see what reads beyond. NULL memory is not used: the caller destroys it after the file.
 */
bool test_mesh_read(io_memory *m, mesh_reader *reader, const void *data, size_t size, bool no_weld,
                    mesh_file *out, io_error *error);

/* A temporary folder. Files in it, but not in folders inside, are removed with it. */
typedef struct test_folder {
    char path[200];
} test_folder;

void test_folder_make(test_folder *folder);
void test_folder_remove(test_folder *folder);
/* The path of a name in it, which is there until the next call with the same slot of 0 to 7. */
const char *test_folder_path(const test_folder *folder, const char *name, int slot);
void test_folder_write(const test_folder *folder, const char *name, const void *data, size_t size);
void test_folder_write_text(const test_folder *folder, const char *name, const char *text);

/* Opens one path, with the default options; fails the test if it is refused. */
clip *test_clip_open(const char *path);

#endif
