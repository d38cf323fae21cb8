/* target.h - what a command is to work on: scene:NAME[:key=value,...] on the command line. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "scenes/scenes.h"

/* Makes the scene of a text like "bumpy:frames=20". NULL on failure, which has then been said on
 * standard error; the caller destroys it. */
scene *scene_open(const char *command_name, const char *spec);

/* The same for a target, which begins with "scene:". */
scene *target_open(const char *command_name, const char *target);

/* The text of the scene that a target names, or NULL if it names none. */
const char *target_spec(const char *target);

/* The name of a scene that a mistyped one may have meant, or NULL. */
const char *scene_guess(const char *name);

#endif
