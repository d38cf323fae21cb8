/* file_names.c - lists folders, matches names, sorts them by number. Way in: file_names_find. */
#define _POSIX_C_SOURCE 200809L
#include "io/file_names.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "io/file_kind.h"
#include "io/names.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* ---- order ---- */

/* Runs of digits are compared as numbers, all else byte by byte. */
static int compare_names(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (!is_digit(*a) || !is_digit(*b)) {
            if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
            a++;
            b++;
            continue;
        }
        while (*a == '0' && is_digit(a[1])) a++;
        while (*b == '0' && is_digit(b[1])) b++;
        size_t la = strspn(a, "0123456789"), lb = strspn(b, "0123456789");
        if (la != lb) return la < lb ? -1 : 1;
        const int order = memcmp(a, b, la);
        if (order != 0) return order;
        a += la;
        b += lb;
    }
    return (*a != '\0') - (*b != '\0');
}

static bool goes_before(const char *a, const char *b)
{
    const int order = compare_names(a, b);
    return order != 0 ? order < 0 : strcmp(a, b) < 0; /* 01 and 1 */
}

/* Shell sort: folders are listed in any order, and have thousands of files, not millions. */
static void sort_paths(char **paths, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            char *path = paths[i];
            uint32_t at = i;
            for (; at >= gap && goes_before(path, paths[at - gap]); at -= gap)
                paths[at] = paths[at - gap];
            paths[at] = path;
        }
}

/* ---- lists ---- */

static bool add_path(io_memory *m, file_names *names, const char *folder, size_t folder_length,
                     const char *name)
{
    if (!IO_RESERVE_ONE(m, names->paths, names->count, names->capacity)) return false;
    char *path = io_alloc(m, folder_length + strlen(name) + 1, 1);
    if (path == NULL) return false;
    memcpy(path, folder, folder_length);
    memcpy(path + folder_length, name, strlen(name));
    names->paths[names->count++] = path;
    return true;
}

/* Which names of a folder are taken. */
typedef bool name_filter(const char *name, const void *context);

/* The files in `folder`, which is as long as said and ends with a slash, or is empty. */
static bool list_folder(io_memory *m, const char *path, size_t folder_length, name_filter *takes,
                        const void *context, file_names *out, io_error *error)
{
    char *folder = io_alloc(m, folder_length + 2, 1);
    if (folder == NULL) return io_memory_fail(m, error, path);
    if (folder_length == 0)
        folder[0] = '.';
    else
        memcpy(folder, path, folder_length);
    DIR *listing = opendir(folder);
    const int reason = errno;
    io_free(m, folder);
    if (listing == NULL) return io_fail(error, "%s: %s", io_tail(path), strerror(reason));
    bool has_room = true;
    for (const struct dirent *entry; has_room && (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.' && takes(entry->d_name, context))
            has_room = add_path(m, out, path, folder_length, entry->d_name);
    (void)closedir(listing);
    return has_room || io_memory_fail(m, error, path);
}

/* ---- %d ---- */

typedef struct number_pattern {
    const char *prefix, *suffix; /* parts of the name */
    size_t prefix_length;
    size_t width; /* digits at least */
} number_pattern;

/* prefix%03dsuffix, in the last part of the path. */
static bool find_number(const char *path, number_pattern *out)
{
    const char *name = name_of(path), *percent = strchr(name, '%');
    if (percent == NULL) return false;
    const char *at = percent + 1;
    out->width = 1;
    if (*at == '0') {
        out->width = 0;
        for (at++; is_digit(*at) && out->width < 100; at++)
            out->width = 10 * out->width + (size_t)(*at - '0');
    }
    if (*at != 'd' && *at != 'i' && *at != 'u') return false;
    out->prefix = name;
    out->prefix_length = (size_t)(percent - name);
    out->suffix = at + 1;
    return strchr(out->suffix, '%') == NULL;
}

static bool fits_number(const char *name, const void *context)
{
    const number_pattern *p = context;
    if (strncmp(name, p->prefix, p->prefix_length) != 0) return false;
    const char *digits = name + p->prefix_length;
    const size_t length = strspn(digits, "0123456789");
    if (length == 0 || length < p->width || length > 18) return false;
    if (length > p->width && length > 1 && digits[0] == '0') return false;
    return strcmp(digits + length, p->suffix) == 0;
}

/* ---- folders ---- */

static bool is_mesh_kind(file_kind kind)
{
    return kind == FILE_OBJ || kind == FILE_PLY || kind == FILE_STL || kind == FILE_OFF;
}

static bool is_mesh(const char *name, const void *context)
{
    (void)context;
    return is_mesh_kind(file_kind_of_name(name));
}

static bool find_in_folder(io_memory *m, const char *path, file_names *out, io_error *error)
{
    size_t length = strlen(path);
    char *folder = io_alloc(m, length + 2, 1);
    if (folder == NULL) return io_memory_fail(m, error, path);
    memcpy(folder, path, length);
    if (length > 0 && folder[length - 1] != '/') folder[length++] = '/';
    bool is_found = list_folder(m, folder, length, is_mesh, NULL, out, error);
    io_free(m, folder);
    if (!is_found) return false;
    if (out->count == 0)
        return io_fail(error,
                       "%s: is a folder without .obj, .ply, .stl or .off files, of which a "
                       "sequence is made; name files of other kinds themselves",
                       io_tail(path));
    for (uint32_t i = 1; i < out->count; i++)
        if (file_kind_of_name(out->paths[i]) != file_kind_of_name(out->paths[0]))
            return io_fail(error, "%s: has .%s and .%s files: say which, as in '%s/*.%s'",
                           io_tail(path), file_ending(out->paths[0]), file_ending(out->paths[i]),
                           io_tail(path), file_ending(out->paths[0]));
    return true;
}

/* ---- shell patterns ---- */

static bool find_by_shell(io_memory *m, const char *path, file_names *out, io_error *error)
{
    glob_t found = {0};
    const int failure = glob(path, GLOB_NOSORT, NULL, &found);
    bool has_room = failure != GLOB_NOSPACE;
    for (size_t i = 0; failure == 0 && has_room && i < found.gl_pathc; i++)
        has_room = add_path(m, out, "", 0, found.gl_pathv[i]);
    globfree(&found);
    return has_room || io_memory_fail(m, error, path);
}

bool file_names_is_pattern(const char *path)
{
    number_pattern pattern;
    return !file_is_there(path) && (find_number(path, &pattern) || strpbrk(path, "*?[") != NULL);
}

/* ---- what they have in common ---- */

/* The last run of digits in the name, before its ending. */
static const char *number_in(const char *path, size_t *length)
{
    const char *name = name_of(path), *end = strrchr(name, '.');
    if (end == NULL || end == name) end = name + strlen(name);
    while (end > name && !is_digit(end[-1])) end--;
    const char *first = end;
    while (first > name && is_digit(first[-1])) first--;
    *length = (size_t)(end - first);
    return *length > 0 && *length <= 18 ? first : NULL;
}

/* Whether two paths are the same but for their numbers. */
static bool differ_in_number(const char *a, const char *b)
{
    size_t la, lb;
    const char *na = number_in(a, &la), *nb = number_in(b, &lb);
    return na != NULL && nb != NULL && na - a == nb - b && strncmp(a, b, (size_t)(na - a)) == 0 &&
           strcmp(na + la, nb + lb) == 0;
}

static int64_t value_of(const char *digits, size_t length)
{
    int64_t value = 0;
    for (size_t i = 0; i < length; i++) value = 10 * value + (digits[i] - '0');
    return value;
}

static bool number_files(io_memory *m, file_names *names)
{
    names->numbers = io_alloc(m, names->count, sizeof *names->numbers);
    if (names->numbers == NULL) return false;
    bool is_rising = true;
    for (uint32_t i = 0; i < names->count && is_rising; i++) {
        size_t length;
        const char *digits = number_in(names->paths[i], &length);
        is_rising = digits != NULL && differ_in_number(names->paths[0], names->paths[i]);
        if (is_rising) names->numbers[i] = value_of(digits, length);
        if (is_rising && i > 0) is_rising = names->numbers[i] > names->numbers[i - 1];
    }
    if (is_rising) return true;
    io_free(m, names->numbers);
    names->numbers = NULL;
    return true;
}

/* What is before the number, or the folder where names are numbers alone. */
static char *common_name(io_memory *m, const char *path)
{
    size_t length;
    const char *name = name_of(path), *end = number_in(path, &length);
    if (end == NULL) return file_stem(m, path);
    while (end > name && strchr("-_. ", end[-1]) != NULL) end--;
    if (end > name) return names_copy(m, name, (size_t)(end - name));
    if (name == path) return file_stem(m, path);
    const char *stop = name - 1, *first = stop;
    while (first > path && first[-1] != '/') first--;
    return stop > first ? names_copy(m, first, (size_t)(stop - first)) : file_stem(m, path);
}

char *file_stem(io_memory *m, const char *path)
{
    const char *name = name_of(path), *dot = strrchr(name, '.');
    return names_copy(m, name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* ---- all of it ---- */

static bool find_paths(io_memory *m, const char *path, file_names *out, io_error *error)
{
    number_pattern pattern;
    if (file_is_there(path)) return find_in_folder(m, path, out, error);
    if (!find_number(path, &pattern)) return find_by_shell(m, path, out, error);
    return list_folder(m, path, (size_t)(pattern.prefix - path), fits_number, &pattern, out, error);
}

bool file_names_find(io_memory *m, const char *path, file_names *out, io_error *error)
{
    *out = (file_names){0};
    bool is_found = find_paths(m, path, out, error);
    if (is_found && out->count == 0)
        is_found = io_fail(error, "%s: no file matches this pattern", io_tail(path));
    if (is_found) {
        sort_paths(out->paths, out->count);
        out->name = common_name(m, out->paths[0]);
        is_found = (out->name != NULL && number_files(m, out)) || io_memory_fail(m, error, path);
    }
    if (!is_found) file_names_free(m, out);
    return is_found;
}

void file_names_free(io_memory *m, file_names *names)
{
    for (uint32_t i = 0; i < names->count; i++) io_free(m, names->paths[i]);
    io_free(m, names->paths);
    io_free(m, names->numbers);
    io_free(m, names->name);
    *names = (file_names){0};
}
