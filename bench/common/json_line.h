/* json_line.h - one JSON object on one line, field by field.
 *
 * Fields may be added without looking whether memory was short: json_line_print knows. */
#ifndef BENCH_COMMON_JSON_LINE_H
#define BENCH_COMMON_JSON_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_line {
    json_t *object;
    bool fine;
} json_line;

json_line json_line_begin(void);
void json_line_text(json_line *line, const char *key, const char *text);
void json_line_count(json_line *line, const char *key, uint64_t value);
void json_line_flag(json_line *line, const char *key, bool value);

/* JSON has no infinity: that becomes null. */
void json_line_real(json_line *line, const char *key, double value);

/* Takes over a list or an object; NULL counts as memory that was short. */
void json_line_value(json_line *line, const char *key, json_t *value);

/* Makes `inner` the value of a key of `line`, or the next element of a list that will be one;
 * either way `line` knows if memory was short for it. */
void json_line_nest(json_line *line, const char *key, json_line *inner);
void json_line_append(json_line *line, json_t *list, json_line *inner);

/* An object or a list as text, with flags as of json_dumps; the caller frees it. NULL if memory was
 * short. */
char *json_text(const json_t *value, size_t flags);

/* Writes it to a file and frees it. False if memory was short, and nothing was written; whether the
 * file took it, the file knows. */
bool json_line_write(json_line *line, FILE *file);

/* The same to standard output, at once: an exit code. If memory was short nothing is printed but a
 * complaint. */
int json_line_print(json_line *line, const char *command_name);

#endif
