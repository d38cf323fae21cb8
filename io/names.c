/* names.c - a hash table beside the list. Way in: names_add. */
#include "io/names.h"

#include <string.h>

/* ---- UTF-8 ---- */

static bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* How many bytes the character has, or 0 if these are none: not whole, written with more bytes than
 * it needs, beyond Unicode, or half of a pair of UTF-16. */
static size_t character_size(const uint8_t *at, size_t left)
{
    const uint8_t first = at[0];
    const size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0x20 || first == 0x7F || (first >= 0x80 && first < 0xC2) || first > 0xF4) return 0;
    if (size > left) return 0;
    for (size_t i = 1; i < size; i++)
        if (!is_continuation(at[i])) return 0;
    if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xF0 && at[1] < 0x90)) return 0;
    if ((first == 0xED && at[1] > 0x9F) || (first == 0xF4 && at[1] > 0x8F)) return 0;
    return size;
}

char *names_copy(io_memory *m, const char *text, size_t length)
{
    char *copy = io_alloc(m, length + 1, 1);
    for (size_t i = 0; copy != NULL && i < length;) {
        const size_t size = character_size((const uint8_t *)text + i, length - i);
        if (size == 0)
            copy[i] = text[i] == '\t' ? ' ' : '?';
        else
            memcpy(copy + i, text + i, size);
        i += size == 0 ? 1 : size;
    }
    return copy;
}

/* ---- the table ---- */

static uint32_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (; *text != '\0'; text++) hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Where the text is, or the free place for it. */
static uint32_t *find_place(const name_list *names, const char *text)
{
    uint32_t at = hash_text(text) & (names->table_size - 1);
    while (names->table[at] != 0 && strcmp(names->texts[names->table[at] - 1], text) != 0)
        at = (at + 1) & (names->table_size - 1);
    return &names->table[at];
}

/* Makes room for one more; half of the table stays free. */
static bool reserve(io_memory *m, name_list *names)
{
    if (!IO_RESERVE_ONE(m, names->texts, names->count, names->capacity)) return false;
    if (names->count < names->table_size / 2) return true;
    const uint32_t size = names->table_size == 0 ? 16 : 2 * names->table_size;
    uint32_t *table = io_alloc(m, size, sizeof *table);
    if (table == NULL) return false;
    io_free(m, names->table);
    names->table = table;
    names->table_size = size;
    for (uint32_t i = 0; i < names->count; i++) *find_place(names, names->texts[i]) = i + 1;
    return true;
}

bool names_add(io_memory *m, name_list *names, const char *text, size_t length, uint32_t *number)
{
    char *copy = names_copy(m, text, length);
    if (copy == NULL || !reserve(m, names)) {
        io_free(m, copy);
        return false;
    }
    uint32_t *place = find_place(names, copy);
    if (*place == 0) {
        names->texts[names->count] = copy;
        *place = ++names->count;
    } else {
        io_free(m, copy);
    }
    *number = *place - 1;
    return true;
}

void names_free(io_memory *m, name_list *names)
{
    for (uint32_t i = 0; i < names->count; i++) io_free(m, names->texts[i]);
    io_free(m, names->texts);
    io_free(m, names->table);
    *names = (name_list){0};
}
