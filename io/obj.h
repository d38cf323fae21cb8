/* obj.h - Wavefront OBJ: what of it is read, and how it becomes bodies.
 *
 * Read are v, f, o, g and usemtl, with continued lines, any ends of lines, and corners that count
 * backwards or name vertices that come later. Lines, points, curves and surfaces are left out.
 *
 * Objects (o) are bodies. In a file without objects groups (g) are, but groups that have a vertex
 * in common are one body: as two they would always touch there. A file with neither is one body,
 * which has the name of the file. */
#ifndef IO_OBJ_H
#define IO_OBJ_H

#include "io/mesh_file.h"

/* Faces in runs of the same object, group and material. */
#define OBJ_NONE UINT32_MAX

typedef struct obj_run {
    uint32_t first_face;
    uint32_t object, group, material; /* numbers of names, or OBJ_NONE */
} obj_run;

/* A file as it was read, before it is divided into bodies. */
typedef struct obj_lists {
    float *positions;
    uint32_t vertex_count;
    face_list faces;
    obj_run *runs;
    uint32_t run_count;
    name_list objects, groups;
} obj_lists;

/* Parts of the file, whose materials were noted before. Takes over what it needs of the lists. */
bool obj_divide(const mesh_input *input, obj_lists *lists, mesh_file *out, io_error *error);

#endif
