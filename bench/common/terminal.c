/* terminal.c - asks the terminal. */
#define _DEFAULT_SOURCE
#include "bench/common/terminal.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

uint32_t terminal_columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

bool terminal_has_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }
