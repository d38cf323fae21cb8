/* progress.c - keeps the progress bar. */
#define _DEFAULT_SOURCE
#include "bench/common/progress.h"
#include "bench/common/clock.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 32, SUBJECT_MAX = 64, WORKER_MAX = 32, LEFT_MAX = 40 };

/* Faster than this nobody reads, and slow terminals would hold up the work. */
static const double redraw_ms = 50;

/* In the first second frames say little about those that follow. */
static const double silent_ms = 1000;

static char subject[SUBJECT_MAX], worker[WORKER_MAX];

static bool is_shown;
static double shown_ms; /* when it was last drawn */
static double begun_ms; /* when no frame was done yet */

/* Of a run: when it began, and the work of all parts, of those done, and of the one at hand. */
static struct {
    double begun_ms, all, done, part;
} run;

void progress_begin_run(double weight)
{
    run.begun_ms = now_ms();
    run.all = weight;
    run.done = run.part = 0;
}

void progress_begin_part(const char *words, double weight)
{
    if (words != NULL) snprintf(subject, SUBJECT_MAX, "%s", words);
    run.done += run.part;
    run.part = weight;
}

void progress_end_run(void)
{
    subject[0] = worker[0] = '\0';
    run.all = run.done = run.part = 0;
}

void progress_worker(const char *words) { snprintf(worker, WORKER_MAX, "%s", words); }

/* ", 1:05 left", or with hours ", 2:01:05 left". */
static const char *print_left(double ms, char out[LEFT_MAX])
{
    const uint64_t seconds = (uint64_t)(ms / 1000 + 0.5);
    const uint64_t hours = seconds / 3600, minutes = seconds / 60 % 60;
    if (hours > 0)
        snprintf(out, LEFT_MAX, ", %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", hours, minutes,
                 seconds % 60);
    else
        snprintf(out, LEFT_MAX, ", %" PRIu64 ":%02" PRIu64 " left", minutes, seconds % 60);
    return out;
}

/* What was done so far took as long as the rest will, work for work. */
static const char *time_left(uint32_t done, uint32_t all, char out[LEFT_MAX])
{
    const double share = all > 0 && done <= all ? (double)done / all : 0;
    const bool is_run = run.all > 0;
    const double gone = now_ms() - (is_run ? run.begun_ms : begun_ms);
    const double so_far = is_run ? (run.done + run.part * share) / run.all : share;
    out[0] = '\0';
    if (so_far <= 0 || so_far > 1 || gone < silent_ms) return out;
    return print_left(gone * (1 - so_far) / so_far, out);
}

/* The words come first, so that a narrow terminal cuts off the bar and not them. */
static void draw(const char *unit, uint32_t done, uint32_t all)
{
    char bar[BAR_WIDTH + 1], left[LEFT_MAX];
    uint32_t filled = (uint32_t)((uint64_t)done * BAR_WIDTH / (all > 0 ? all : 1));
    for (uint32_t i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%s%s%s%s%s %" PRIu32 " of %" PRIu32 "%s [%s]\033[K", subject,
            subject[0] != '\0' ? ", " : "", worker, worker[0] != '\0' ? ", " : "", unit, done, all,
            time_left(done, all, left), bar);
}

void progress_show(uint32_t done, uint32_t all) { progress_show_of("frame", done, all); }

void progress_show_of(const char *unit, uint32_t done, uint32_t all)
{
    double now = now_ms();
    if (done == 0) begun_ms = now;
    if (now - shown_ms < redraw_ms) return;
    if (!isatty(STDERR_FILENO)) return;
    draw(unit, done, all);
    is_shown = true;
    shown_ms = now;
}

void progress_clear(void)
{
    if (is_shown) fputs("\r\033[K", stderr);
    is_shown = false;
}
