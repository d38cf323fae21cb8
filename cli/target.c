/* target.c - targets from the command line, with complaints that say what was meant. */
#include "cli/target.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"

#include <stdio.h>
#include <string.h>

static const char scene_prefix[] = "scene:";

static const char *target_spec(const char *target)
{
    size_t length = sizeof scene_prefix - 1;
    return strncmp(target, scene_prefix, length) == 0 ? target + length : NULL;
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
