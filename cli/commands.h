/* commands.h - the commands of the tool.
 *
 * A command is one `command` in a file of its own and one line in the table of main.c. Help,
 * completion and the hints for mistyped words all come from there. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "bench/common/command.h"

extern const command command_check, command_info, command_scene, command_render, command_view,
    command_bench, command_complete;

/* The table of them, ended by NULL. */
extern const command *const commands[];

/* NULL if there is none of that name. */
const command *command_find(const char *name);

#endif
