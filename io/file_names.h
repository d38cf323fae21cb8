/* file_names.h - files that are numbered: the frames of a sequence.
 *
 * A sequence is a folder of files of one kind, a pattern with %d (or %03d and the like) for the
 * number, or a shell pattern that the shell has not replaced. Files are in the order of their
 * numbers: shell2 before shell10. */
#ifndef IO_FILE_NAMES_H
#define IO_FILE_NAMES_H

#include "io/io_memory.h"

typedef struct file_names {
    char **paths;
    uint32_t count, capacity;
    int64_t *numbers; /* of the files, rising; NULL: they have none that differ */
    char *name;       /* what they have in common, for people: "shell" */
} file_names;

/* Whether a path is meant as one of these; a file that has exactly this name goes before. */
bool file_names_is_pattern(const char *path);

/* The files of a folder or a pattern. False with a reason, also if there are none. */
bool file_names_find(io_memory *m, const char *path, file_names *out, io_error *error);
void file_names_free(io_memory *m, file_names *names);

/* The name of a file without folder and ending. NULL for want of memory. */
char *file_stem(io_memory *m, const char *path);

#endif
