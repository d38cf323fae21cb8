/* rays.h - questions about rays, asked of both worlds of a case: what they hit first, whether they
 * hit anything, and all that they hit. */
#ifndef TEST_MATRIX_RAYS_H
#define TEST_MATRIX_RAYS_H

#include "matrix/worlds.h"

/* Each returns how many rays hit something. */
size_t matrix_cast_rays(matrix_worlds *w);
size_t matrix_block_rays(matrix_worlds *w);
size_t matrix_pierce_rays(matrix_worlds *w);

#endif
