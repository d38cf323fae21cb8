/* progress.h - the progress bar: what is measured now, how far it is, and how long the rest takes.
 *
 * There is one terminal, so there is one bar. It is drawn on standard error if that is a terminal,
 * a few times per second however often it is asked for; else nothing is drawn at all. */
#ifndef BENCH_COMMON_PROGRESS_H
#define BENCH_COMMON_PROGRESS_H

#include <stdint.h>

/* A run of several parts begins. `weight` is the work of all parts, in any unit. The remaining time
 * is then that of the run; without a run it is that of the frames that progress_show counts. */
void progress_begin_run(double weight);

/* The next part of the run begins, and the part before it is done. `words` name it, as in
 * "scene 2 of 12: bumpy"; they are copied, and cut where they are long. NULL: they stay. */
void progress_begin_part(const char *words, double weight);

/* No run and no part any more. */
void progress_end_run(void);

/* Who is at work within the part, until other words are given; "" is nobody. */
void progress_worker(const char *words);

/* Draws the bar: `done` frames of `all`. The remaining time counts from the call with 0 done. */
void progress_show(uint32_t done, uint32_t all);

/* The same for what is not counted in frames, but in "round" or "row", for example. */
void progress_show_of(const char *unit, uint32_t done, uint32_t all);

/* Wipes the bar off, if one is shown: before anything else is printed. */
void progress_clear(void);

#endif
