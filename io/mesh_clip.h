/* mesh_clip.h - clips of files of meshes: one file, a sequence of them, or one with a point cache.
 */
#ifndef IO_MESH_CLIP_H
#define IO_MESH_CLIP_H

#include "io/clip_build.h"
#include "io/file_kind.h"
#include "io/file_names.h"
#include "io/mesh_file.h"

/* The reader of this kind; NULL if it is none of meshes. */
mesh_reader *mesh_reader_of(file_kind kind);

/* Reads a file, which must have triangles. False with a reason; `out` is then empty. */
bool mesh_file_open(io_memory *m, const char *path, mesh_reader *reader, bool no_weld,
                    mesh_file *out, io_error *error);

/* Adds the parts of a file as bodies; those without a name get this one. Meshes go over to the
 * clip. */
bool mesh_clip_add_bodies(clip *c, const char *path, const char *name, mesh_file *file,
                          clip_motion motion, io_error *error);

/* Each adds all of its bodies and one part to the clip. False with a reason. */
bool mesh_clip_add_file(clip *c, const char *path, file_kind kind, const clip_options *options,
                        io_error *error);
bool mesh_clip_add_sequence(clip *c, const char *path, const clip_options *options,
                            io_error *error);
bool mesh_clip_add_cached(clip *c, const char *base, const char *cache, const clip_options *options,
                          io_error *error);

/* Frames per second of what does not say it. */
double mesh_clip_fps(const clip_options *options);

/* Which of `count` rising times is that of the sample at `time`: the last that is not later. */
uint32_t mesh_clip_find_sample(const double *times, uint32_t count, double time);

#endif
