/* terminal.c - asks the terminal, and keeps the bar of progress. */
#define _DEFAULT_SOURCE
#include "bench/common/terminal.h"
#include "bench/common/clock.h"

#include <inttypes.h>
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

/* ---- progress ---- */

enum { BAR_WIDTH = 32 };

/* Faster than this nobody reads, and slow terminals would hold up the work. */
static const double redraw_ms = 50;

static bool is_shown;
static double shown_ms; /* when it was last drawn */

/* The words come first, so that a narrow terminal cuts off the bar and not them. */
static void draw(uint32_t done, uint32_t all)
{
    char bar[BAR_WIDTH + 1];
    uint32_t filled = (uint32_t)((uint64_t)done * BAR_WIDTH / (all > 0 ? all : 1));
    for (uint32_t i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32 " [%s]\033[K", done, all, bar);
}

void progress_show(uint32_t done, uint32_t all)
{
    double now = now_ms();
    if (now - shown_ms < redraw_ms) return;
    if (!isatty(STDERR_FILENO)) return;
    draw(done, all);
    is_shown = true;
    shown_ms = now;
}

void progress_clear(void)
{
    if (is_shown) fputs("\r\033[K", stderr);
    is_shown = false;
}
