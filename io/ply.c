/* ply.c - a header of lines, then numbers of a known size, whatever this machine's order of bytes.
 * Way in: ply_read, ply_file_read. */
#include "io/ply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of a vertex, and of a face with its count. */
enum { VERTEX_BYTES = 3 * 8, FACE_BYTES = 1 + 3 * 4 };

typedef struct reader {
    const char *at, *end;
    ply_mesh mesh;
    char *reason;
} reader;

/* Always false, so that it can be returned. */
static bool refuse(reader *r, const char *words)
{
    snprintf(r->reason, PLY_REASON, "%s", words);
    return false;
}

/* ---- the header ---- */

enum { LINE = 200 };

/* Copies the next line without its end; false if there is none, or if it is too long for one of a
 * header. */
static bool next_line(reader *r, char line[LINE])
{
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (stop == NULL || stop - r->at >= LINE) return false;
    size_t length = (size_t)(stop - r->at);
    memcpy(line, r->at, length);
    if (length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    r->at = stop + 1;
    return true;
}

static bool is_comment(const char *line)
{
    return strncmp(line, "comment", 7) == 0 || strncmp(line, "obj_info", 8) == 0;
}

static bool take_count(const char *line, const char *words, uint32_t *out)
{
    const size_t length = strlen(words);
    char *end;
    if (strncmp(line, words, length) != 0) return false;
    unsigned long long number = strtoull(line + length, &end, 10);
    if (end == line + length || *end != '\0' || number > INT32_MAX) return false;
    *out = (uint32_t)number;
    return true;
}

/* Both names that the format has for the same numbers. */
static bool is_list_of_corners(const char *line)
{
    static const char *const lines[] = {
        "property list uchar int vertex_indices", "property list uint8 int32 vertex_indices",
        "property list uchar int vertex_index", "property list uint8 int32 vertex_index"};
    for (int i = 0; i < 4; i++)
        if (strcmp(line, lines[i]) == 0) return true;
    return false;
}

/* One line of those that must follow each other. */
static bool take_line(reader *r, int number, const char *line)
{
    static const char *const fixed[] = {"ply",
                                        "format binary_little_endian 1.0",
                                        NULL,
                                        "property double x",
                                        "property double y",
                                        "property double z",
                                        NULL,
                                        NULL,
                                        "end_header"};
    if (number == 2) return take_count(line, "element vertex ", &r->mesh.vertex_count);
    if (number == 6) return take_count(line, "element face ", &r->mesh.triangle_count);
    if (number == 7) return is_list_of_corners(line);
    return strcmp(line, fixed[number]) == 0;
}

static bool read_head(reader *r)
{
    enum { LINES = 9 };
    char line[LINE];
    for (int number = 0; number < LINES;) {
        if (!next_line(r, line)) return refuse(r, "the header ends too early");
        if (is_comment(line)) continue;
        if (!take_line(r, number++, line)) {
            snprintf(r->reason, PLY_REASON, "not what is read here: %.100s", line);
            return false;
        }
    }
    return true;
}

/* ---- numbers ---- */

static uint64_t take_bytes(reader *r, int count)
{
    uint64_t bits = 0;
    for (int i = 0; i < count; i++) bits |= (uint64_t)(unsigned char)*r->at++ << 8 * i;
    return bits;
}

static bool read_vertices(reader *r)
{
    for (uint32_t i = 0; i < r->mesh.vertex_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const uint64_t bits = take_bytes(r, 8);
            memcpy(&r->mesh.positions[i][axis], &bits, sizeof bits);
            if (!isfinite(r->mesh.positions[i][axis]))
                return refuse(r, "a coordinate that is no number");
        }
    return true;
}

static bool read_faces(reader *r)
{
    for (uint32_t i = 0; i < r->mesh.triangle_count; i++) {
        if (take_bytes(r, 1) != 3) return refuse(r, "a face that is no triangle");
        for (int k = 0; k < 3; k++) {
            r->mesh.tris[i][k] = (uint32_t)take_bytes(r, 4);
            if (r->mesh.tris[i][k] >= r->mesh.vertex_count)
                return refuse(r, "a corner that is no vertex");
        }
    }
    return true;
}

static bool read_body(reader *r)
{
    const size_t wanted =
        (size_t)VERTEX_BYTES * r->mesh.vertex_count + (size_t)FACE_BYTES * r->mesh.triangle_count;
    if ((size_t)(r->end - r->at) != wanted) return refuse(r, "another size than the header says");
    r->mesh.positions = calloc((size_t)r->mesh.vertex_count + 1, sizeof *r->mesh.positions);
    r->mesh.tris = calloc((size_t)r->mesh.triangle_count + 1, sizeof *r->mesh.tris);
    if (r->mesh.positions == NULL || r->mesh.tris == NULL) return refuse(r, "out of memory");
    return read_vertices(r) && read_faces(r);
}

bool ply_read(const char *bytes, size_t size, ply_mesh *out, char reason[PLY_REASON])
{
    reader r = {.at = bytes, .end = bytes + size, .reason = reason};
    const bool is_read = read_head(&r) && read_body(&r);
    if (!is_read) ply_mesh_free(&r.mesh);
    *out = r.mesh;
    return is_read;
}

void ply_mesh_free(ply_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->tris);
    *mesh = (ply_mesh){0};
}

/* ---- files ---- */

/* All that is left in the file, in memory of the caller; NULL if it cannot be read. */
static char *read_all(FILE *file, size_t *size)
{
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *size = 0;
    while (bytes != NULL) {
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity) break;
        char *grown = realloc(bytes, capacity *= 2);
        if (grown == NULL) free(bytes);
        bytes = grown;
    }
    if (bytes == NULL || !ferror(file)) return bytes;
    free(bytes);
    return NULL;
}

bool ply_file_read(const char *path, ply_mesh *out, char reason[PLY_REASON])
{
    size_t size = 0;
    FILE *file = fopen(path, "rb");
    char *bytes = file != NULL ? read_all(file, &size) : NULL;
    bool is_read = bytes != NULL && ply_read(bytes, size, out, reason);
    if (bytes == NULL) {
        *out = (ply_mesh){0};
        snprintf(reason, PLY_REASON, "cannot be read");
    }
    if (file != NULL) fclose(file);
    free(bytes);
    return is_read;
}
