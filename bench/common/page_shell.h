/* page_shell.h - pages for a browser: a shell that was built before, with data put in.
 *
 * A shell (report/, ./dev report-page) is one file with its script and style inside, so that the
 * page works without a network, and the tool without Node. Shells lie in share/willow/ beside the
 * bin/ of the tool, both where it is installed and where it is built. In place of data they have
 * marks, words in quotes: "WILLOW RESULTS". */
#ifndef BENCH_COMMON_PAGE_SHELL_H
#define BENCH_COMMON_PAGE_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PAGE_PATH_MAX = 4096 };

/* What goes in the place of a mark; `write` writes it. */
typedef struct page_part {
    const char *mark; /* with its quotes */
    void (*write)(FILE *file, const void *data);
    const void *data;
} page_part;

/* Reads the shell of that name, "report.html", or the file at `path` unless that is NULL. What it
 * must have are the marks of these parts. The caller frees it. NULL with a complaint. */
char *page_shell_read(const char *command_name, const char *name, const char *path,
                      const page_part *parts, size_t part_count);

/* Writes the shell with the parts in the places of their marks, which come in this order. */
void page_shell_write(FILE *file, const char *shell, const page_part *parts, size_t part_count);

/* Text for inside a script element, where nothing may look like a tag: "<" as JSON also allows it.
 */
void page_write_json(FILE *file, const char *json, size_t length);

/* Bytes as letters that are safe there: base 64. */
void page_write_base64(FILE *file, const unsigned char *bytes, size_t count);

#endif
