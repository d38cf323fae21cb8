/* mesh_text.h - triangle meshes from the text formats in which test models come.
 *
 * What is read is what those files have: of OBJ vertices and faces, OFF, and PLY in ASCII with x, y
 * and z first. Faces of more than three corners become fans. Everything else in a line or file is
 * passed over, but a vertex or a face that is not whole, and a corner that is not there, is refused
 * in words with the number of its line. */
#ifndef TEST_MESH_TEXT_H
#define TEST_MESH_TEXT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct text_mesh {
    float (*positions)[3];
    uint32_t (*tris)[3];
    uint32_t vertex_count, triangle_count;
} text_mesh;

typedef enum mesh_format { MESH_OBJ, MESH_OFF, MESH_PLY } mesh_format;

enum { MESH_REASON = 200 };

/* The mesh of a text, which ends with a zero; the caller frees it. False, and why, if it is
 * refused; the mesh is then empty. */
bool mesh_text_read(mesh_format format, const char *text, text_mesh *out, char reason[MESH_REASON]);
void text_mesh_free(text_mesh *mesh);

/* The mesh of a file, whose name ends with its format. Fails the test if it is refused. */
void mesh_file_read(const char *path, text_mesh *out);

#endif
