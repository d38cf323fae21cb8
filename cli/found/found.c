/* found.c - kinds of files by their endings. Way in: found_write, after found_check. */
#define _POSIX_C_SOURCE 200809L
#include "cli/found/found.h"
#include "bench/common/complain.h"
#include "bench/common/new_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *ending;
    bool (*write)(const found_def *def, const char *path);
} found_kinds[] = {
    {".pvd", found_write_pvd},
    {".ply", found_write_ply},
    {".glb", found_write_glb},
    {".py", found_write_blender},
};
enum { KIND_COUNT = sizeof found_kinds / sizeof found_kinds[0] };

/* KIND_COUNT if it is none. */
static size_t kind_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const bool has_ending = dot != NULL && (slash == NULL || dot > slash + 1) && dot != path;
    for (size_t i = 0; has_ending && i < KIND_COUNT; i++)
        if (strcmp(dot, found_kinds[i].ending) == 0) return i;
    return KIND_COUNT;
}

int found_check(const char *path)
{
    if (kind_of(path) == KIND_COUNT) {
        return complain_usage("check",
                              "--write %s: the name must end in .pvd (ParaView), .glb, .ply or .py "
                              "(Blender)",
                              path);
    }
    if (!new_file_is_possible(path)) return complain("check", "%s: %s", path, strerror(errno));
    return EXIT_FINE;
}

int found_write(const found_def *def, const char *path)
{
    errno = 0;
    if (found_kinds[kind_of(path)].write(def, path)) return EXIT_FINE;
    return errno != 0 ? complain("check", "%s: %s", path, strerror(errno)) : EXIT_ERROR;
}

bool found_complain(const char *words)
{
    complain("check", "%s", words);
    errno = 0;
    return false;
}

char *found_numbered(const char *path, double number, const char *ending)
{
    const size_t stem = strlen(path) - strlen(strrchr(path, '.'));
    char name[64];
    /* Samples between frames have a fraction: frame0012.25. */
    const int digits = snprintf(name, sizeof name, "%.10g", number);
    const char *point = strchr(name, '.');
    const int whole = point != NULL ? (int)(point - name) : digits;
    const size_t size = stem + sizeof "/frame0000" + (size_t)digits + strlen(ending) + 1;
    char *out = malloc(size);
    if (out == NULL) return NULL;
    snprintf(out, size, "%.*s/frame%.*s%s%s", (int)stem, path, whole < 4 ? 4 - whole : 0, "0000",
             name, ending);
    return out;
}
