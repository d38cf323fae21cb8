/* new_file.c - files that are there whole or not at all. Way in: new_file_open. */
#define _DEFAULT_SOURCE
#include "bench/common/new_file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || is_folder(path)) return true;
    if (errno == EEXIST) errno = ENOTDIR;
    return false;
}

/* Changes the path while it is at work, and puts it back. */
static bool make_each(char *path)
{
    for (char *end = path + 1; *end != '\0'; end++) {
        if (*end != '/') continue;
        *end = '\0';
        const bool fine = make_folder(path);
        *end = '/';
        if (!fine) return false;
    }
    return make_folder(path);
}

bool folders_make(const char *path)
{
    if (path[0] == '\0') {
        errno = ENOENT;
        return false;
    }
    char *copy = strdup(path);
    const bool fine = copy != NULL && make_each(copy);
    const int reason = errno;
    free(copy);
    errno = reason;
    return fine;
}

bool folders_make_above(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) return true;
    char *folder = strndup(path, (size_t)(slash - path));
    const bool fine = folder != NULL && folders_make(folder);
    const int reason = errno;
    free(folder);
    errno = reason;
    return fine;
}

/* ---- writing ---- */

static void forget(new_file *f)
{
    const int reason = errno;
    free(f->path);
    free(f->part);
    *f = (new_file){0};
    errno = reason;
}

/* mkstemp makes files that only their owner reads; others are as the user's mask says. */
static FILE *open_part(char *part)
{
    const int number = mkstemp(part);
    if (number < 0) return NULL;
    const mode_t mask = umask(0);
    umask(mask);
    FILE *file = fchmod(number, 0666 & ~mask) == 0 ? fdopen(number, "wb") : NULL;
    if (file == NULL) {
        close(number);
        unlink(part);
    }
    return file;
}

bool new_file_open(new_file *f, const char *path)
{
    static const char ending[] = ".XXXXXX";
    *f = (new_file){.path = strdup(path), .part = malloc(strlen(path) + sizeof ending)};
    if (f->path != NULL && f->part != NULL && folders_make_above(path)) {
        if (is_folder(path)) {
            errno = EISDIR;
        } else {
            strcpy(f->part, path);
            strcat(f->part, ending);
            f->file = open_part(f->part);
        }
    }
    if (f->file == NULL) forget(f);
    return f->file != NULL;
}

bool new_file_keep(new_file *f)
{
    assert(f->file != NULL);
    const bool was_written = ferror(f->file) == 0;
    bool fine = fclose(f->file) == 0 && was_written && rename(f->part, f->path) == 0;
    if (!fine) {
        const int reason = errno;
        unlink(f->part);
        errno = reason;
    }
    forget(f);
    return fine;
}

void new_file_drop(new_file *f)
{
    if (f->file == NULL) return;
    fclose(f->file);
    unlink(f->part);
    forget(f);
}

bool new_file_is_possible(const char *path)
{
    new_file f;
    if (!new_file_open(&f, path)) return false;
    new_file_drop(&f);
    return true;
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

char *text_file_read(const char *path)
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
