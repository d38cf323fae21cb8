/* json_line.c - JSON through jansson, with one place that looks whether memory was short. */
#include "bench/common/json_line.h"
#include "bench/common/complain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_line json_line_begin(void)
{
    json_t *object = json_object();
    return (json_line){.object = object, .fine = object != NULL};
}

void json_line_value(json_line *line, const char *key, json_t *value)
{
    if (json_object_set_new(line->object, key, value) != 0) line->fine = false;
}

void json_line_text(json_line *line, const char *key, const char *text)
{
    json_line_value(line, key, json_string(text));
}

void json_line_count(json_line *line, const char *key, uint64_t value)
{
    json_line_value(line, key, json_integer((json_int_t)value));
}

void json_line_real(json_line *line, const char *key, double value)
{
    json_line_value(line, key, isfinite(value) ? json_real(value) : json_null());
}

void json_line_flag(json_line *line, const char *key, bool value)
{
    json_line_value(line, key, json_boolean(value));
}

void json_line_nest(json_line *line, const char *key, json_line *inner)
{
    line->fine = line->fine && inner->fine;
    json_line_value(line, key, inner->object);
    inner->object = NULL;
}

void json_line_append(json_line *line, json_t *list, json_line *inner)
{
    line->fine = line->fine && inner->fine;
    if (json_array_append_new(list, inner->object) != 0) line->fine = false;
    inner->object = NULL;
}

/* jansson forgets to ask whether a key of an object found room (2.14), so there is room for all. */
char *json_text(const json_t *value, size_t flags)
{
    const size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    if (text == NULL) return NULL;
    if (json_dumpb(value, text, size, flags) != size) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

bool json_line_write(json_line *line, FILE *file)
{
    char *text = NULL;
    if (line->fine) text = json_text(line->object, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text != NULL) fprintf(file, "%s\n", text);
    bool fine = text != NULL;
    free(text);
    json_decref(line->object);
    line->object = NULL;
    return fine;
}

int json_line_print(json_line *line, const char *command_name)
{
    if (!json_line_write(line, stdout)) return complain(command_name, "out of memory");
    fflush(stdout); /* if that fails, end_output says so at the end */
    return EXIT_FINE;
}
