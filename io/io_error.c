/* io_error.c - reasons in words. */
#include "io/io_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool io_fail(io_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool io_fail_memory(io_error *error) { return io_fail(error, "out of memory"); }

const char *io_tail(const char *path)
{
    enum { LONGEST = 160 };
    const size_t length = strlen(path);
    return length <= LONGEST ? path : path + (length - LONGEST);
}
