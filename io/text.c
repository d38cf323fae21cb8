/* text.c - how texts begin, and what is said about places in them. */
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>

text text_begin(const mesh_input *input, io_error *error)
{
    char *start = (char *)input->data, *end = start + input->size;
    if (memchr(start, '\n', input->size) == NULL)
        for (char *at = start; (at = memchr(at, '\r', (size_t)(end - at))) != NULL;) *at = '\n';
    text t = {.at = start, .end = end, .start = start, .path = input->path, .error = error};
    if (input->size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) t.at += 3;
    return t;
}

/* Counted only when it is needed. */
static uint64_t line_of(const text *t, const char *place)
{
    uint64_t line = 1;
    for (const char *at = t->start; at < place; at++, line++) {
        at = memchr(at, '\n', (size_t)(place - at));
        if (at == NULL) break;
    }
    return line;
}

bool text_fail(const text *t, const char *place, const char *format, ...)
{
    char words[IO_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return io_fail(t->error, "%s: line %llu: %s", io_tail(t->path),
                   (unsigned long long)line_of(t, place), words);
}

text_word text_word_at(const text *t, const char *place)
{
    text_word word = {{0}};
    for (size_t i = 0; i + 1 < sizeof word.text && place + i < t->end; i++) {
        const char c = place[i];
        if (text_is_space(c)) break;
        word.text[i] = c > ' ' && c < 0x7F ? c : '?';
    }
    return word;
}
