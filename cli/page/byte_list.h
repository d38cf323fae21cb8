/* byte_list.h - bytes one behind the other, in memory that grows. A list that could not grow knows,
 * so that callers ask once, at the end. */
#ifndef CLI_PAGE_BYTE_LIST_H
#define CLI_PAGE_BYTE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_list {
    uint8_t *bytes;
    size_t count, capacity;
    bool failed; /* memory was short */
} byte_list;

void byte_list_destroy(byte_list *b);

/* Room for `count` bytes behind the others, to be filled by the caller; NULL when out of memory. */
uint8_t *byte_list_add(byte_list *b, size_t count);

void byte_list_byte(byte_list *b, uint8_t byte);

/* Seven bits in a byte, the lowest first, the eighth where more follow. */
void byte_list_count(byte_list *b, uint64_t value);

/* The same for a difference: 0, -1, 1, -2 become 0, 1, 2, 3. */
void byte_list_difference(byte_list *b, int64_t value);

/* As IEEE 754 has them, the lowest byte first. */
void byte_list_float(byte_list *b, float value);
void byte_list_double(byte_list *b, double value);

#endif
