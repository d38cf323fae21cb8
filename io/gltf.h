/* gltf.h - glTF 2.0 and GLB: node animation, morph targets and skins, as they are in the file.
 *
 * What is read: one scene and one animation; STEP, LINEAR and CUBICSPLINE for every channel; sparse
 * accessors, integers with KHR_mesh_quantization, data URIs, files beside this one; views with
 * EXT_meshopt_compression or its KHR twin where meshoptimizer was there when this was built. Draco
 * and extensions that a file requires and that are not known here are refused.
 *
 *   gltf_doc.c        the container, its JSON, and words for places in it
 *   gltf_buffer.c     buffers and views of them; gltf_meshopt.c those that are compressed
 *   gltf_accessor.c   arrays of numbers
 *   gltf_nodes.c      nodes of the scene, and where they are
 *   gltf_animation.c  channels
 *   gltf_mesh.c       primitives, morph targets, joints and weights
 *   gltf.c            which motion each mesh of the scene has, and its frames
 *
 * A mesh under a node is a body with the name of the node. It is STILL, or RIGID where the nodes
 * above it turn and shift it, whatever they scale once and for all; where they scale or shear it
 * over time, it is a SKIN of one joint. Morph targets whose weights are animated are kept, all
 * others are part of the mesh. */
#ifndef IO_GLTF_H
#define IO_GLTF_H

#include "io/clip_build.h"

/* Adds the bodies of a file to the clip, and their part. False with "path: accessor 3: reason". */
bool gltf_add(clip *c, const char *path, const clip_options *options, io_error *error);

/* The same for bytes of such a file; buffers in files of their own are looked for beside `path`. */
bool gltf_add_bytes(clip *c, const char *path, const uint8_t *bytes, uint64_t size,
                    const clip_options *options, io_error *error);

#endif
