/* check.c - the end of a program that broke an assumption.
 * Way in: WI_ASSERT. Exists in checked builds only, and is the only place of the library that
 * prints (C8). */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(WILLOW_CHECKED)

_Noreturn void wi_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: willow assumed that %s\n", file, line, condition);
    abort();
}

#endif
