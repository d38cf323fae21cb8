/* gltf_write.h - clips to GLB files, for other programs to open. */
#ifndef IO_GLTF_WRITE_H
#define IO_GLTF_WRITE_H

#include "io/clip.h"

/* Writes a clip as GLB, with names and materials. Where its bodies are is written at the given
 * times, which rise, or at the keys of the clip where `times` is NULL, and is linear in between:
 *
 *   STILL, RIGID   a node, with a translation and a rotation that are animated
 *   MORPH          the same with the weights of its targets
 *   SKIN           a skin with a node for each joint, two where a joint shears
 *   FRAMES         a morph target for each time, of which one or two count at any time; where
 *                  triangles change, a mesh for each time, whose node has no size until it counts
 *
 * What is read back from such a file is the same at these times, within float32. Any thread, with a
 * clip that nobody closes. False with a reason; there is no file then. */
bool gltf_write(const clip *c, const double *times, uint32_t time_count, const char *path,
                io_error *error);

#endif
