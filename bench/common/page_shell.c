/* page_shell.c - shells of pages: found, read, and filled. Way in: page_shell_read. */
#define _DEFAULT_SOURCE
#include "bench/common/page_shell.h"
#include "bench/common/complain.h"
#include "bench/common/new_file.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "PREFIX/bin/willow" -> "PREFIX/share/willow/NAME". */
static bool path_beside_tool(const char *name, char path[PAGE_PATH_MAX])
{
    static const char behind_prefix[] = "/share/willow/";
    ssize_t length = readlink("/proc/self/exe", path, PAGE_PATH_MAX - 1);
    if (length < 0) return false;
    path[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) return false;
        *slash = '\0';
    }
    if (strlen(path) + sizeof behind_prefix + strlen(name) > PAGE_PATH_MAX) return false;
    strcat(path, behind_prefix);
    strcat(path, name);
    return true;
}

static bool has_marks(const char *text, const page_part *parts, size_t part_count)
{
    for (size_t i = 0; i < part_count; i++) {
        text = strstr(text, parts[i].mark);
        if (text == NULL) return false;
    }
    return true;
}

char *page_shell_read(const char *command_name, const char *name, const char *path,
                      const page_part *parts, size_t part_count)
{
    char beside[PAGE_PATH_MAX] = "";
    if (path == NULL && path_beside_tool(name, beside)) path = beside;
    char *text = path != NULL ? text_file_read(path) : NULL;
    if (text == NULL) {
        complain(command_name,
                 "the page needs its template, and %s cannot be read; './dev report-page' makes "
                 "it, and --template FILE names another",
                 path != NULL ? path : name);
    } else if (!has_marks(text, parts, part_count)) {
        complain(command_name, "%s is not a template of this page", path);
        free(text);
        text = NULL;
    }
    return text;
}

void page_shell_write(FILE *file, const char *shell, const page_part *parts, size_t part_count)
{
    for (size_t i = 0; i < part_count; i++) {
        const char *place = strstr(shell, parts[i].mark);
        assert(place != NULL);
        fwrite(shell, 1, (size_t)(place - shell), file);
        parts[i].write(file, parts[i].data);
        shell = place + strlen(parts[i].mark);
    }
    fputs(shell, file);
}

void page_write_json(FILE *file, const char *json, size_t length)
{
    for (const char *c = json; c < json + length; c++) {
        if (*c == '<') {
            fputs("\\u003c", file);
        } else {
            fputc(*c, file);
        }
    }
}

void page_write_base64(FILE *file, const unsigned char *bytes, size_t count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i < 3 ? count - i : 3;
        const uint32_t word = (uint32_t)bytes[i] << 16 |
                              (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? bytes[i + 2] : 0);
        const char out[4] = {letters[word >> 18], letters[word >> 12 & 63],
                             left > 1 ? letters[word >> 6 & 63] : '=',
                             left > 2 ? letters[word & 63] : '='};
        fwrite(out, 1, sizeof out, file);
    }
}
