/* names.h - texts that are numbered as they come, each once. */
#ifndef IO_NAMES_H
#define IO_NAMES_H

#include "io/io_memory.h"

/* Zero is empty. */
typedef struct name_list {
    char **texts; /* by number */
    uint32_t count, capacity;
    uint32_t *table; /* hash table of numbers plus one */
    uint32_t table_size;
} name_list;

/* The number of the text of that length, which gets the next one if it is new. The text is copied
 * as valid UTF-8 in one line: what is neither becomes a question mark. False for want of memory. */
bool names_add(io_memory *m, name_list *names, const char *text, size_t length, uint32_t *number);
void names_free(io_memory *m, name_list *names);

/* A copy of the text in that way. NULL for want of memory. */
char *names_copy(io_memory *m, const char *text, size_t length);

#endif
