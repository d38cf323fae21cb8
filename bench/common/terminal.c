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

enum { SUBJECT_MAX = 64, WORKER_MAX = 32 };
static char subject[SUBJECT_MAX], worker[WORKER_MAX];

void progress_subject(const char *words) { snprintf(subject, SUBJECT_MAX, "%s", words); }
void progress_worker(const char *words) { snprintf(worker, WORKER_MAX, "%s", words); }

static bool is_shown;
static double shown_ms; /* when it was last drawn */
static double begun_ms; /* when nothing was done yet */

/* ", 1:05 left", as the frames so far say; nothing in the first second, in which they say little.
 */
enum { LEFT_MAX = 40 };
static const char *time_left(uint32_t done, uint32_t all, char out[LEFT_MAX])
{
    double gone = now_ms() - begun_ms;
    out[0] = '\0';
    if (done == 0 || done > all || gone < 1000) return out;
    uint64_t seconds = (uint64_t)(gone * (all - done) / done / 1000 + 0.5);
    snprintf(out, LEFT_MAX, ", %" PRIu64 ":%02" PRIu64 " left", seconds / 60, seconds % 60);
    return out;
}

/* The words come first, so that a narrow terminal cuts off the bar and not them. */
static void draw(uint32_t done, uint32_t all)
{
    char bar[BAR_WIDTH + 1];
    uint32_t filled = (uint32_t)((uint64_t)done * BAR_WIDTH / (all > 0 ? all : 1));
    for (uint32_t i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    char left[LEFT_MAX];
    fprintf(stderr, "\r%s%s%s%sframe %" PRIu32 " of %" PRIu32 "%s [%s]\033[K", subject,
            subject[0] != '\0' ? ", " : "", worker, worker[0] != '\0' ? ", " : "", done, all,
            time_left(done, all, left), bar);
}

void progress_show(uint32_t done, uint32_t all)
{
    double now = now_ms();
    if (done == 0) begun_ms = now;
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
