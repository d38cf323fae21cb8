/* gltf_decompose.h - affine matrices as nodes of glTF have them. */
#ifndef IO_GLTF_DECOMPOSE_H
#define IO_GLTF_DECOMPOSE_H

#include <stdbool.h>

/* translation * rotation * scale * inner. Rotations are x, y, z, w, of length one. */
typedef struct gltf_transform {
    double translation[3], rotation[4], scale[3], inner[4];
} gltf_transform;

/* Whether the columns of the matrix, three rows of four, are not square to each other. */
bool gltf_is_sheared(const double m[12]);

/* Takes a matrix apart. Without `has_inner` the inner rotation is none, which is only right for
 * what is not sheared. */
void gltf_decompose(const double m[12], bool has_inner, gltf_transform *out);

#endif
