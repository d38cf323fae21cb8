/* command_line.h - the command as it was given, for files that outlive it. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

/* "willow check 'a b.glb' --strict", as a shell would take it. The caller frees it; NULL for want
 * of memory. */
char *command_line_join(int argc, char *const *argv);

#endif
