/* byte_list.c - bytes one behind the other. */
#include "cli/page/byte_list.h"

#include <stdlib.h>
#include <string.h>

void byte_list_destroy(byte_list *b)
{
    free(b->bytes);
    *b = (byte_list){0};
}

static bool byte_list_grow(byte_list *b, size_t least)
{
    const size_t capacity = 2 * least + 1024;
    uint8_t *grown = b->failed ? NULL : realloc(b->bytes, capacity);
    b->failed = grown == NULL;
    if (grown == NULL) return false;
    b->bytes = grown;
    b->capacity = capacity;
    return true;
}

uint8_t *byte_list_add(byte_list *b, size_t count)
{
    if (b->count + count > b->capacity && !byte_list_grow(b, b->count + count)) return NULL;
    uint8_t *place = b->bytes + b->count;
    b->count += count;
    return place;
}

void byte_list_byte(byte_list *b, uint8_t byte)
{
    uint8_t *place = byte_list_add(b, 1);
    if (place != NULL) *place = byte;
}

void byte_list_count(byte_list *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) byte_list_byte(b, (uint8_t)(value | 0x80));
    byte_list_byte(b, (uint8_t)value);
}

void byte_list_difference(byte_list *b, int64_t value)
{
    byte_list_count(b, value < 0 ? 2 * (uint64_t) - (value + 1) + 1 : 2 * (uint64_t)value);
}

static void add_bits(byte_list *b, uint64_t bits, size_t count)
{
    uint8_t *place = byte_list_add(b, count);
    for (size_t i = 0; place != NULL && i < count; i++) place[i] = (uint8_t)(bits >> 8 * i);
}

void byte_list_float(byte_list *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_bits(b, bits, sizeof bits);
}

void byte_list_double(byte_list *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_bits(b, bits, sizeof bits);
}
