/* report.c - the page: a shell that was built before, with the data put in. */
#include "bench/common/page_shell.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"

#include <string.h>

/* Lines as a list. */
static void write_lines_as_list(FILE *file, const void *data)
{
    const char *line = data;
    fputc('[', file);
    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        page_write_json(file, line, length);
        line = end != NULL ? end + 1 : NULL;
        if (line != NULL && *line != '\0') fputs(",\n", file);
    }
    fputs("\n]", file);
}

static page_part part_of(const char *lines)
{
    return (page_part){"\"WILLOW RESULTS\"", write_lines_as_list, lines};
}

char *report_read_shell(const bench_options *options)
{
    const page_part part = part_of(NULL);
    return page_shell_read("bench", "report.html", options->page_template, &part, 1);
}

void report_write_page(FILE *file, const char *shell, const char *lines)
{
    const page_part part = part_of(lines);
    page_shell_write(file, shell, &part, 1);
}
