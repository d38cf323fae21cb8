/* mesh_file.h - what a file of one moment says: bodies of triangles.
 *
 * What readers of OBJ, PLY, STL and OFF fill, alone or as one frame of a sequence; mesh_clip.c
 * makes clips of it. Files have polygons: readers hand over lists of faces, and triangles are made
 * here. All memory is that of the input. */
#ifndef IO_MESH_FILE_H
#define IO_MESH_FILE_H

#include "io/clip.h"
#include "io/io_memory.h"
#include "io/names.h"

/* What a reader is given: the bytes of a file, in which it may change ends of lines. */
typedef struct mesh_input {
    io_memory *memory;
    const char *path; /* for messages, which begin with it */
    uint8_t *data;
    uint64_t size;
    bool no_weld;
} mesh_input;

typedef struct mesh_part {
    char *name; /* NULL: it has none of its own */
    clip_mesh mesh;
    uint32_t *sources; /* by vertex: its number in the file; NULL: the same */
} mesh_part;

/* Zero is empty. */
typedef struct mesh_file {
    mesh_part *parts;
    uint32_t part_count, part_capacity;
    uint32_t vertex_count; /* of the file */
    name_list materials;   /* what numbers in the meshes name */
    char *note;            /* what was changed or left out; NULL: nothing */
} mesh_file;

void mesh_file_free(io_memory *m, mesh_file *file);

/* One for each format: false with a reason, and then `out` is empty. */
typedef bool mesh_reader(const mesh_input *input, mesh_file *out, io_error *error);
mesh_reader obj_read, ply_read, stl_read, off_read;

/* ---- for readers ---- */

/* Faces as they come from a file: numbers of vertices one after the other. Zero is empty. */
typedef struct face_list {
    uint32_t *corners;
    uint32_t *ends;      /* by face: behind its last corner; NULL: all have three */
    uint16_t *materials; /* by face; NULL: none is known */
    uint32_t corner_count, corner_capacity;
    uint32_t face_count, end_capacity, material_capacity;
} face_list;

/* Room for that many more corners; false for want of memory, or beyond 2^32 corners. */
bool face_list_reserve(io_memory *m, face_list *faces, uint32_t corner_count);

/* The corners that were written behind `corner_count` become a face. */
bool face_list_end_face(io_memory *m, face_list *faces, uint32_t corner_count);
void face_list_free(io_memory *m, face_list *faces);

/* The corners of a face. */
static inline uint32_t face_first(const face_list *faces, uint32_t face)
{
    if (faces->ends == NULL) return 3 * face;
    return face == 0 ? 0 : faces->ends[face - 1];
}

static inline uint32_t face_end(const face_list *faces, uint32_t face)
{
    return faces->ends == NULL ? 3 * face + 3 : faces->ends[face];
}

/* Adds a part of these faces, whose corners are all below vertex_count, and takes over the arrays,
 * also if it fails; sources and name may be NULL. Vertices are welded if the format splits them, or
 * if no two triangles share one. */
bool mesh_file_add(const mesh_input *input, mesh_file *file, mesh_part *part, face_list *faces,
                   bool is_split, io_error *error);

/* A sentence for people, behind those that there are. */
bool mesh_file_note(const mesh_input *input, mesh_file *file, io_error *error, const char *format,
                    ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* "path: byte 84: why". Is false. */
bool mesh_fail_at(const mesh_input *input, const uint8_t *place, io_error *error,
                  const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Whether all of the numbers, are finite; else `bad` is the first that is not. */
bool mesh_are_finite(const float *numbers, uint64_t count, uint64_t *bad);

#endif
