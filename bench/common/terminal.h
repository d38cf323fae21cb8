/* terminal.h - what may be drawn where the output goes: its width, its letters, a bar of progress.
 */
#ifndef BENCH_COMMON_TERMINAL_H
#define BENCH_COMMON_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the terminal that standard output is, or 0 if it is none. */
uint32_t terminal_columns(void);

/* Whether the user's locale has the letters of UTF-8. */
bool terminal_has_utf8(void);

/* A bar on standard error, if that is a terminal, with the time that is left as of the call with 0
 * done; else nothing at all. There is one terminal, so there is one bar, redrawn a few times per
 * second however often it is asked for. It is wiped off by progress_clear, which does nothing if
 * none is shown. */
void progress_show(uint32_t done, uint32_t all);

/* What the bar is about, "scene 2 of 12: bumpy", and who is at work, until other words are given;
 * "" is nothing. Texts are copied, and cut where they are long. */
void progress_subject(const char *words);
void progress_worker(const char *words);
void progress_clear(void);

#endif
