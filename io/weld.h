/* weld.h - vertices that a format split, made one again. */
#ifndef IO_WELD_H
#define IO_WELD_H

#include "io/clip.h"
#include "io/io_memory.h"

/* Merges vertices of the body whose positions, offsets, joints and weights are all equal (0 and -0
 * are), so that they cannot come apart; each stands where the first of them stood. Files split
 * vertices where normals or textures do, and such a seam is no hole. Not for FRAMES whose samples
 * are elsewhere. False for want of memory: the body is then as it was. */
bool weld_body(io_memory *m, clip_body *body);

#endif
