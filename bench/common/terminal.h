/* terminal.h - what may be drawn where the output goes: its width and its letters. */
#ifndef BENCH_COMMON_TERMINAL_H
#define BENCH_COMMON_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the terminal that standard output is, or 0 if it is none. */
uint32_t terminal_columns(void);

/* Whether the user's locale has the letters of UTF-8. */
bool terminal_has_utf8(void);

#endif
