/* gltf_clip.c - a clip of one file, without the choice of readers. */
#include "support/gltf_clip.h"

#include "io/bytes.h"
#include "io/gltf.h"

static clip *finish(clip *c, bool is_read, const char *path, io_error *error)
{
    if (is_read && clip_finish(c, path, error)) return c;
    clip_close(c);
    return NULL;
}

clip *gltf_clip_of_file(const char *path, const clip_options *options, io_error *error)
{
    clip *c = clip_create(options);
    if (c == NULL) (void)io_fail_memory(error);
    return c == NULL ? NULL : finish(c, gltf_add(c, path, options, error), path, error);
}

clip *gltf_clip_of_bytes(const void *bytes, size_t size, const clip_options *options,
                         io_error *error)
{
    clip *c = clip_create(options);
    if (c == NULL) (void)io_fail_memory(error);
    return c == NULL ? NULL
                     : finish(c, gltf_add_bytes(c, "bytes.glb", bytes, size, options, error),
                              "bytes.glb", error);
}
