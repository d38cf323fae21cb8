/* text.h - a place in a text, and the words and numbers that follow it.
 *
 * What all text formats share. Lines end with LF, CR LF, or CR alone where the whole text has no
 * LF. Nothing is read beyond the end. */
#ifndef IO_TEXT_H
#define IO_TEXT_H

#include <string.h>
#include "io/mesh_file.h"
#include "io/number.h"

typedef struct text {
    const char *at, *end, *start;
    const char *path; /* for messages */
    io_error *error;
} text;

/* At the beginning, behind a byte order mark. Ends of lines that are CR alone become LF. */
text text_begin(const mesh_input *input, io_error *error);

/* "path: line 12: why", for the line in which `place` is. Is false. */
bool text_fail(const text *t, const char *place, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The word at that place, for messages: no longer than fits, with nothing but printable ASCII. */
typedef struct text_word {
    char text[41];
} text_word;
text_word text_word_at(const text *t, const char *place);

static inline bool text_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline bool text_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* To the next word of the line, or its end. */
static inline void text_skip_blanks(text *t)
{
    while (t->at < t->end && text_is_blank(*t->at)) t->at++;
}

static inline bool text_is_at_line_end(const text *t) { return t->at == t->end || *t->at == '\n'; }

/* To the beginning of the next line, or the end. */
static inline void text_skip_line(text *t)
{
    const char *stop = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
    t->at = stop != NULL ? stop + 1 : t->end;
}

/* To the next word, on whatever line; '#' begins a comment up to the end of its line. */
static inline void text_skip_spaces(text *t)
{
    for (;;) {
        while (t->at < t->end && text_is_space(*t->at)) t->at++;
        if (t->at == t->end || *t->at != '#') return;
        text_skip_line(t);
    }
}

/* Behind the word, if that is what is next. */
static inline bool text_take_word(text *t, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) return false;
    if (t->at + length < t->end && !text_is_space(t->at[length])) return false;
    t->at += length;
    return true;
}

/* Where the word at this place ends. */
static inline const char *text_word_end(const text *t)
{
    const char *at = t->at;
    while (at < t->end && !text_is_space(*at)) at++;
    return at;
}

static inline bool text_ends_word(const text *t, const char *at)
{
    return at == t->end || text_is_space(*at);
}

/* Behind the number that is next; false, and it stays, if there is none. */
static inline bool text_take_float(text *t, float *out)
{
    const char *behind = number_read_float(t->at, t->end, out);
    if (behind == NULL || !text_ends_word(t, behind)) return false;
    t->at = behind;
    return true;
}

static inline bool text_take_integer(text *t, int64_t *out)
{
    const char *behind = number_read_integer(t->at, t->end, out);
    if (behind == NULL || !text_ends_word(t, behind)) return false;
    t->at = behind;
    return true;
}

#endif
