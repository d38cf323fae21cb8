/* target.c - scenes from the command line, with complaints that say what was meant. */
#include "cli/target.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char scene_prefix[] = "scene:";

const char *target_spec(const char *target)
{
    size_t length = sizeof scene_prefix - 1;
    return strncmp(target, scene_prefix, length) == 0 ? target + length : NULL;
}

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

scene *target_open(const char *command_name, const char *target)
{
    const char *spec = target_spec(target);
    if (spec != NULL) return scene_open(command_name, spec);
    const char *best = scene_guess(target);
    char meant[64];
    if (best != NULL) snprintf(meant, sizeof meant, "%s%s", scene_prefix, best);
    complain_unknown(command_name, best != NULL ? meant : NULL, "'willow scene list' has the names",
                     "'%s' is no scene: only scene:NAME[:key=value,...] is known so far", target);
    return NULL;
}
