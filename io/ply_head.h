/* ply_head.h - the header of a PLY file: which elements there are, and what each of them has. */
#ifndef IO_PLY_HEAD_H
#define IO_PLY_HEAD_H

#include "io/mesh_file.h"

typedef enum ply_format { PLY_ASCII, PLY_LITTLE, PLY_BIG } ply_format;

/* Types have two names each; sizes are those of binary files. */
typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;
uint32_t ply_type_size(ply_type type);

/* What of a property is used here. */
typedef enum ply_use {
    PLY_UNUSED,
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_CORNERS,
} ply_use;

typedef struct ply_property {
    ply_type type;       /* of the value, or of all in the list */
    ply_type count_type; /* of lists */
    bool is_list;
    ply_use use;
} ply_property;

typedef enum ply_kind { PLY_VERTICES, PLY_FACES, PLY_STRIPS, PLY_OTHER } ply_kind;

typedef struct ply_element {
    ply_kind kind;
    uint32_t count;
    uint32_t first_property, property_count;
    uint32_t least_bytes; /* of one of them: lists may be empty */
    bool has_lists;
} ply_element;

/* Zero is empty. */
typedef struct ply_head {
    ply_format format;
    ply_element *elements;
    ply_property *properties;
    uint32_t element_count, element_capacity, property_count, property_capacity;
    bool is_split; /* vertices have normals or places in textures, at whose seams they are split */
    uint32_t body_begin; /* byte */
} ply_head;

/* False with a reason if it is not as it should be, or if vertices have no x, y and z. */
bool ply_head_read(const mesh_input *input, ply_head *out, io_error *error);
void ply_head_free(io_memory *m, ply_head *head);

#endif
