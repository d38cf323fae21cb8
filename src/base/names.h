/* names.h - finding an entry of a table of names. */
#ifndef WI_BASE_NAMES_H
#define WI_BASE_NAMES_H

#include <string.h>
#include "base/check.h"

/* The number of `name` in the table, or -1; NULL has none. */
static inline int wi_name_find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count && name; i++) {
        WI_ASSERT(names[i] != NULL); /* a table without gaps */
        if (strcmp(name, names[i]) == 0) return i;
    }
    return -1;
}

#endif
