/* open_scene.c - scenes by their names, with complaints that say what was meant. */
#include "bench/common/open_scene.h"
#include "bench/common/complain.h"

#include <stdio.h>
#include <string.h>

/* Only the part before the colon; a longer text than a name can be is like none. */
const char *scene_guess(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(strcspn(name, ":") % sizeof word), name);
    guess g = guess_for(word);
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        guess_offer(&g, (*kind)->name);
    }
    return g.best;
}

static bool has_known_name(const char *spec)
{
    const char *best = scene_guess(spec);
    size_t length = strcspn(spec, ":");
    return best != NULL && strlen(best) == length && memcmp(best, spec, length) == 0;
}

scene *scene_open(const char *command_name, const char *spec)
{
    char error[512];
    scene *s = scene_create(spec, error, sizeof error);
    if (s != NULL) return s;
    const char *best = has_known_name(spec) ? NULL : scene_guess(spec);
    complain_unknown(command_name, best, "", "%s", error);
    return NULL;
}
