/* report.c - the page: a template that was built before, with the data put in.
 *
 * The template (report/, ./dev report-page) is one file with its script and style inside, so that
 * the page works without a network, and the tool without Node. It lies in share/willow/ beside the
 * bin/ of the tool, both where it is installed and where it is built. */
#define _DEFAULT_SOURCE
#include "bench/pages/pages.h"
#include "bench/run/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = "\"WILLOW RESULTS\""; /* where the data goes */

/* "PREFIX/bin/willow" -> "PREFIX/share/willow/report.html". */
static bool path_beside_tool(char path[REPORT_PATH_MAX])
{
    static const char behind_prefix[] = "/share/willow/report.html";
    ssize_t length = readlink("/proc/self/exe", path, REPORT_PATH_MAX - 1);
    if (length < 0) return false;
    path[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) return false;
        *slash = '\0';
    }
    if (strlen(path) + sizeof behind_prefix > REPORT_PATH_MAX) return false;
    strcat(path, behind_prefix);
    return true;
}

bool report_template_path(const bench_options *options, char path[REPORT_PATH_MAX])
{
    if (options->page_template == NULL) return path_beside_tool(path);
    return snprintf(path, REPORT_PATH_MAX, "%s", options->page_template) < REPORT_PATH_MAX;
}

/* ---- reading ---- */

static char *read_rest(FILE *file)
{
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (text != NULL) {
        size += fread(text + size, 1, capacity - 1 - size, file);
        if (size < capacity - 1) break;
        capacity *= 2;
        char *grown = realloc(text, capacity);
        if (grown == NULL) free(text);
        text = grown;
    }
    if (text != NULL) text[size] = '\0';
    return text;
}

char *report_read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *text = read_rest(file);
    if (ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

bool report_is_template(const char *text) { return strstr(text, mark) != NULL; }

/* ---- writing ---- */

/* Lines as a list. Inside a script element nothing may look like a tag, so that "<" is written as
 * JSON also allows. */
static void write_list(FILE *file, const char *lines)
{
    fputc('[', file);
    for (const char *c = lines; *c != '\0'; c++) {
        if (*c == '<') {
            fputs("\\u003c", file);
        } else if (*c == '\n') {
            fputs(c[1] != '\0' ? ",\n" : "\n", file);
        } else {
            fputc(*c, file);
        }
    }
    fputc(']', file);
}

void report_write_page(FILE *file, const char *page_template, const char *lines)
{
    const char *place = strstr(page_template, mark);
    fwrite(page_template, 1, (size_t)(place - page_template), file);
    write_list(file, lines);
    fputs(place + sizeof mark - 1, file);
}
