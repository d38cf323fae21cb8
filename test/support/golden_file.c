/* golden_file.c - see golden_file.h. GOLDEN_VALUES is the path of the file, from CMake. */
#include "support/golden_file.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/test.h"

enum { LINE_MAX_BYTES = 2048, DIFFERENCES_PRINTED = 40 };

static const char *const introduction =
    "# Hashes, counts and tree statistics as they were written down, sorted; bytes with a "
    "tolerance of\n"
    "# 3 %. A test that differs prints both lines. To write them anew, after a change of answers "
    "or of\n"
    "# scenes that is meant: test_golden_values --write, and test_golden_golden --write.\n";

static void *claim(void *memory)
{
    if (memory == NULL) fail_msg("out of memory");
    return memory;
}

/* Whether the first word of the line is one of the owned sections. */
static bool owns(const golden_file *file, const char *line)
{
    const size_t length = strcspn(line, " ");
    for (const char *at = file->sections; *at != '\0'; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, line, word) == 0) return true;
        at += word;
    }
    return false;
}

/* The first line that is not before this key, which ends with a colon. */
static size_t find_place(const golden_file *file, const char *key)
{
    size_t low = 0, high = file->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(file->lines[middle].text, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static golden_line *find_line(const golden_file *file, const char *key)
{
    const size_t place = find_place(file, key);
    if (place == file->count) return NULL;
    golden_line *line = &file->lines[place];
    return strncmp(line->text, key, strlen(key)) == 0 ? line : NULL;
}

static void add_line(golden_file *file, const char *text, size_t key)
{
    const size_t place = find_place(file, text);
    if (file->count == file->capacity) {
        file->capacity = 2 * file->capacity + 64;
        file->lines = claim(realloc(file->lines, file->capacity * sizeof *file->lines));
    }
    golden_line *line = &file->lines[place];
    memmove(line + 1, line, (file->count - place) * sizeof *line);
    *line = (golden_line){
        .text = claim(malloc(strlen(text) + 1)), .key = key, .is_owned = owns(file, text)};
    memcpy(line->text, text, strlen(text) + 1);
    file->count++;
}

static void read_line(golden_file *file, char *text)
{
    text[strcspn(text, "\n")] = '\0';
    if (text[0] == '#' || text[0] == '\0') return;
    if (file->writes && owns(file, text)) return;
    const char *colon = strstr(text, ": ");
    if (colon == NULL) fail_msg("%s: a line without a key: %s", GOLDEN_VALUES, text);
    add_line(file, text, (size_t)(colon - text) + 1);
}

void golden_open(golden_file *file, const char *sections, bool writes)
{
    char text[LINE_MAX_BYTES];
    *file = (golden_file){.sections = sections, .writes = writes};
    FILE *in = fopen(GOLDEN_VALUES, "r");
    if (in == NULL && !writes) fail_msg("cannot read %s", GOLDEN_VALUES);
    while (in != NULL && fgets(text, sizeof text, in) != NULL) read_line(file, text);
    if (in != NULL) fclose(in);
}

/* ---- comparing ---- */

static bool is_number(const char *word) { return word[0] >= '0' && word[0] <= '9'; }

/* Word by word; a number may be a little larger. */
static bool are_close(const char *expected, const char *found)
{
    while (*expected != '\0' && *found != '\0') {
        const size_t a = strcspn(expected, " "), b = strcspn(found, " ");
        if (is_number(expected) && is_number(found)) {
            if (strtod(found, NULL) > 1.03 * strtod(expected, NULL)) return false;
        } else if (a != b || memcmp(expected, found, a) != 0) {
            return false;
        }
        expected += a + strspn(expected + a, " ");
        found += b + strspn(found + b, " ");
    }
    return *expected == *found;
}

static void report(golden_file *file, const char *expected, const char *found)
{
    if (file->differences++ >= DIFFERENCES_PRINTED) return;
    print_message("expected  %s\nfound     %s\n", expected, found);
}

void golden_value(golden_file *file, const char *key, const char *values)
{
    char text[LINE_MAX_BYTES], start[LINE_MAX_BYTES];
    snprintf(start, sizeof start, "%s:", key);
    if (snprintf(text, sizeof text, "%s: %s", key, values) >= (int)sizeof text)
        fail_msg("%s: too long a line", key);
    golden_line *line = find_line(file, start);
    if (line == NULL && file->writes) {
        add_line(file, text, strlen(start));
        line = find_line(file, start);
    }
    if (line == NULL) {
        report(file, "no such line", text);
        return;
    }
    line->is_met = true;
    const bool is_rough = strncmp(key, "bytes ", 6) == 0;
    const char *expected = line->text + line->key + 1;
    if (is_rough ? !are_close(expected, values) : strcmp(expected, values) != 0)
        report(file, line->text, text);
}

const char *golden_find(const golden_file *file, const char *key)
{
    char start[LINE_MAX_BYTES];
    snprintf(start, sizeof start, "%s:", key);
    const golden_line *line = find_line(file, start);
    return line == NULL ? NULL : line->text + line->key + 1;
}

/* ---- the end ---- */

static void write_lines(const golden_file *file)
{
    FILE *out = fopen(GOLDEN_VALUES, "w");
    if (out == NULL) fail_msg("cannot write %s", GOLDEN_VALUES);
    fputs(introduction, out);
    for (size_t i = 0; i < file->count; i++) fprintf(out, "%s\n", file->lines[i].text);
    if (fclose(out) != 0) fail_msg("cannot write %s", GOLDEN_VALUES);
    print_message("%s: %zu lines\n", GOLDEN_VALUES, file->count);
}

size_t golden_close(golden_file *file)
{
    if (file->writes && file->differences == 0) write_lines(file);
    for (size_t i = 0; i < file->count; i++) {
        const golden_line *line = &file->lines[i];
        if (line->is_owned && !line->is_met) report(file, line->text, "nothing");
        free(line->text);
    }
    free(file->lines);
    return file->differences;
}
