/* open_scene.c - scenes by their names, with complaints that say what was meant. */
#include "bench/common/open_scene.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"

#include <inttypes.h>
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

/* A key that the text may have meant, if it has one that the scene does not take; else NULL. */
static const char *key_guess(const char *spec)
{
    static const char *const keys[] = {
#define SCENE_KEY_ENTRY(key, what) #key,
        SCENE_NUMBERS(SCENE_KEY_ENTRY)
#undef SCENE_KEY_ENTRY
            "variant",
        NULL};
    char name[SCENE_SPEC_MAX], key[SCENE_SPEC_MAX];
    const char *rest = spec + strcspn(spec, ":");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    while (*rest != '\0') {
        rest++; /* behind the colon, or a comma */
        snprintf(key, sizeof key, "%.*s", (int)strcspn(rest, "=,"), rest);
        guess g = guess_for(key);
        for (int i = 0; keys[i] != NULL; i++) {
            if (scene_takes(name, keys[i])) guess_offer(&g, keys[i]);
        }
        if (!scene_takes(name, key)) return g.best;
        rest += strcspn(rest, ",");
    }
    return NULL;
}

scene *scene_open(const char *command_name, const char *spec)
{
    char error[512];
    scene *s = scene_create(spec, error, sizeof error);
    if (s != NULL) return s;
    const char *best = has_known_name(spec) ? key_guess(spec) : scene_guess(spec);
    complain_unknown(command_name, best, "", "%s", error);
    return NULL;
}

void scene_tell_rounding(const char *command_name, const char *spec, const scene *s)
{
    if (s->params.triangles == s->asked.triangles || strstr(spec, "triangles=") == NULL) return;
    progress_clear();
    fprintf(stderr,
            "willow %s: %s: the nearest possible size has %" PRIu32
            " triangles per body, not %" PRIu32 "\n",
            command_name, spec, s->params.triangles, s->asked.triangles);
}
