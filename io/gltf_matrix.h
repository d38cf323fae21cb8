/* gltf_matrix.h - the few matrices that nodes need, in double: three rows of four, or of three. */
#ifndef IO_GLTF_MATRIX_H
#define IO_GLTF_MATRIX_H

#include <stdbool.h>

void gltf_multiply(const double a[12], const double b[12], double out[12]);
void gltf_multiply3(const double a[9], const double b[9], double out[9]);

/* The part without the translation. */
void gltf_linear(const double m[12], double out[9]);

/* Translation, rotation (x, y, z, w) and scale of a node. */
void gltf_compose(const double t[3], const double q[4], const double s[3], double out[12]);

/* The rotation of a matrix that is one but for roundings, of length one. False if it is none. */
bool gltf_rotation(const double m[9], double q[4]);

double gltf_determinant(const double m[9]);

/* False where so little is left of one direction that the inverse would be noise. */
bool gltf_invert(const double m[9], double out[9]);

#endif
