/* gltf_clip.h - clips of glTF files and bytes, for tests. */
#ifndef TEST_GLTF_CLIP_H
#define TEST_GLTF_CLIP_H

#include "io/clip.h"

/* NULL with a reason. The caller closes it. */
clip *gltf_clip_of_file(const char *path, const clip_options *options, io_error *error);
clip *gltf_clip_of_bytes(const void *bytes, size_t size, const clip_options *options,
                         io_error *error);

#endif
