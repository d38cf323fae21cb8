/* clip_build.h - how readers fill a clip.
 *
 * clip_open makes one clip and lets each reader add to it: bodies, then one part that says how they
 * move. All memory that bodies point to comes from the clip's (io_alloc), and clip_close gives it
 * back, also that of bodies that are half filled: a reader that fails just returns false.
 *
 *     clip_body *body = clip_add_body(c, name);             first those, one after the other
 *     clip_add_keys(c, times, count);                       not for what stands still
 *     clip_add_part(c, first_body, &my_source, my_data);    then its source: data are the clip's
 */
#ifndef IO_CLIP_BUILD_H
#define IO_CLIP_BUILD_H

#include "io/clip.h"
#include "io/io_memory.h"

/* What one reader made of one file. */
typedef struct clip_part {
    uint32_t first_body, body_count;
    const clip_source *source;
    void *data;
} clip_part;

/* A clip without bodies. NULL for want of memory. */
clip *clip_create(const clip_options *options);

/* A body without a mesh, with this name or, where it is taken, the name and a number. It is there
 * until the next one is added. NULL for want of memory. */
clip_body *clip_add_body(clip *c, const char *name);

/* The number of a material of this name. Files of one clip share materials of the same name. False
 * for want of memory, or beyond 65,535 of them. */
bool clip_add_material(clip *c, const char *name, uint16_t *number);

/* A sentence for people; the same one is not said twice in a row. False for want of memory. */
bool clip_add_note(clip *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Times at which the file has samples, in any order. */
bool clip_add_keys(clip *c, const double *times, uint32_t count);

/* Who fills states of the bodies that were added from `first_body` on. The clip closes the data,
 * also if this fails. */
bool clip_add_part(clip *c, uint32_t first_body, const clip_source *source, void *data);

/* The last step: sorted keys, one at least. False for want of memory, or, with `path` before it, if
 * no body has a triangle. */
bool clip_finish(clip *c, const char *path, io_error *error);

/* Frees the arrays of a mesh. */
void clip_mesh_free(const clip *c, clip_mesh *mesh);

#endif
