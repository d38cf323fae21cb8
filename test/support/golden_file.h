/* golden_file.h - values that were written down once, a line each, in test/golden/values.txt.
 *
 * A line is "section key: values". A test owns some sections: it compares what it finds with the
 * lines of these, or writes them anew, and leaves the others alone. */
#ifndef TEST_GOLDEN_FILE_H
#define TEST_GOLDEN_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct golden_line {
    char *text;    /* the whole line */
    size_t key;    /* length up to and including the colon */
    bool is_owned; /* by this test */
    bool is_met;   /* a value was compared with it */
} golden_line;

typedef struct golden_file {
    const char *sections; /* owned: words separated by spaces */
    bool writes;          /* lines that are not there yet are added, not missed */
    golden_line *lines;   /* sorted by their text */
    size_t count, capacity;
    size_t differences;
} golden_file;

/* Reads the file. With `writes` the owned lines are dropped, and golden_close writes them as they
 * are found. */
void golden_open(golden_file *file, const char *sections, bool writes);

/* Compares a value with its line. Prints both lines where they differ. In the section "bytes"
 * numbers may be up to 3 % above those of the line, and below them by any amount. */
void golden_value(golden_file *file, const char *key, const char *values);

/* The values of a key ("section name"), or NULL. They stay until the file is closed. */
const char *golden_find(const golden_file *file, const char *key);

/* Frees the lines, after writing the file if it is to be written. Returns the number of
 * differences; lines that no value was compared with count too. */
size_t golden_close(golden_file *file);

#endif
