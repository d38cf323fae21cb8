/* new_file.h - files that are there whole or not at all: written beside their place, then renamed.
 *
 * Whoever reads the old file while a new one is written keeps the old one, and a program that is
 * stopped leaves it as it was. Folders above the place are made. */
#ifndef BENCH_COMMON_NEW_FILE_H
#define BENCH_COMMON_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct new_file {
    FILE *file;
    char *path, *part; /* where it goes; where it is written */
} new_file;

/* Makes a folder and those above it, as far as they are not there. False with errno. */
bool folders_make(const char *path);

/* The same for the folder that a file is to be in. */
bool folders_make_above(const char *path);

/* Whether a file could be put there; makes the folders above it. False with errno. */
bool new_file_is_possible(const char *path);

/* Opens it for writing bytes. False with errno; nothing is to be dropped then. */
bool new_file_open(new_file *f, const char *path);

/* Ends writing and puts the file in its place. False with errno if any write failed; then there is
 * no new file. Frees all. */
bool new_file_keep(new_file *f);

/* Ends writing and leaves nothing behind. */
void new_file_drop(new_file *f);

/* The whole of a text file, which the caller frees; NULL if it cannot be read. */
char *text_file_read(const char *path);

#endif
