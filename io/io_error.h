/* io_error.h - why a file was refused: one line with the place. */
#ifndef IO_IO_ERROR_H
#define IO_IO_ERROR_H

#include <stdbool.h>

enum { IO_ERROR_MAX = 800 }; /* commands that convert a file are long */

typedef struct io_error {
    char text[IO_ERROR_MAX]; /* "clip.glb: accessor 3: its buffer view ends at byte 96 of 80" */
} io_error;

/* Notes the reason, and is false. */
bool io_fail(io_error *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The same for want of memory. */
bool io_fail_memory(io_error *error);

/* The path, or its last part where it is so long that no room would be left for the reason. */
const char *io_tail(const char *path);

#endif
