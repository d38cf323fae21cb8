/* ply.h - PLY in double, for whoever needs what float32 cannot hold.
 *
 * ply_read of mesh_file.h reads the same files as all other readers do: ASCII and binary in both
 * orders of bytes, any elements and properties, polygons and strips of triangles. */
#ifndef IO_PLY_H
#define IO_PLY_H

#include "io/io_error.h"
#include "io/mesh_file.h"

typedef struct ply_mesh {
    double (*positions)[3];
    uint32_t (*tris)[3];
    uint32_t vertex_count, triangle_count;
} ply_mesh;

/* The mesh of a file in which all faces are triangles; the caller frees it. False with a reason;
 * the mesh is then empty. */
bool ply_file_read(const char *path, ply_mesh *out, io_error *error);
void ply_mesh_free(ply_mesh *mesh);

#endif
