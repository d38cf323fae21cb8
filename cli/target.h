/* target.h - what a command is to work on: scene:NAME[:key=value,...] on the command line. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "scenes/scenes.h"

/* Makes the scene that a target names. NULL on failure, which has then been said on standard error;
 * the caller destroys it. */
scene *target_open(const char *command_name, const char *target);

#endif
