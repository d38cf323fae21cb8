/* ply.h - triangle meshes from PLY files in binary, with positions in double.
 *
 * What is read is what such files of simulations have: little-endian, vertices of three doubles,
 * faces of three corners in lists that are counted by bytes. Anything else is refused in words. */
#ifndef IO_PLY_H
#define IO_PLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ply_mesh {
    double (*positions)[3];
    uint32_t (*tris)[3];
    uint32_t vertex_count, triangle_count;
} ply_mesh;

enum { PLY_REASON = 200 };

/* The mesh of these bytes; the caller frees it. False, and why, if they are refused or memory is
 * short; the mesh is then empty. */
bool ply_read(const char *bytes, size_t size, ply_mesh *out, char reason[PLY_REASON]);
void ply_mesh_free(ply_mesh *mesh);

/* The same for a file. */
bool ply_file_read(const char *path, ply_mesh *out, char reason[PLY_REASON]);

#endif
