/* assimp.h - all other kinds of files, through Assimp where this was built with it.
 *
 * Nodes with meshes are bodies with their names. What nothing moves is STILL; what is moved by a
 * node or by bones is a SKIN. Known to be lost on the way: Assimp 5.2 makes cubic keys linear,
 * clamps morph weights below zero, and hands on no node animation that is neither position,
 * rotation nor scale; morph targets are left at rest here. Kinds that have a reader of their own
 * never come here. Assimp is not hardened against hostile files, and its memory is only estimated:
 * ten times the size of the file counts against the limit while it reads. */
#ifndef IO_ASSIMP_H
#define IO_ASSIMP_H

#include "io/clip_build.h"

bool assimp_is_possible(void);
#define ASSIMP_LACKS "built without Assimp (Debian: libassimp-dev), which reads many more"

/* Whether Assimp knows names that end so. */
bool assimp_takes(const char *path);

/* Adds the bodies of a file to the clip, and their part. False with a reason. */
bool assimp_add(clip *c, const char *path, const clip_options *options, io_error *error);

#endif
