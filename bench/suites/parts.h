/* parts.h - what all suites do alike: name their parts on the progress bar, and end well on Ctrl-C.
 */
#ifndef BENCH_SUITES_PARTS_H
#define BENCH_SUITES_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* The parts of a run: scenes, or rows of a table. */
typedef struct suite_parts {
    const char *unit; /* "scene", "row" */
    uint32_t number, count;
} suite_parts;

/* A run of `count` parts begins; `weight` is the work of all of them, in any unit (progress.h).
 * From now on Ctrl-C asks the run to stop (stop.h). */
suite_parts suite_begin(const char *unit, uint32_t count, double weight);

/* The next part begins. */
void suite_next(suite_parts *parts, const char *words, double weight);

/* The run is over. Says so if Ctrl-C stopped it: how many rows were finished, which are kept. An
 * exit code: an error if it was stopped, else `code`. */
int suite_end(int code, uint32_t row_count);

/* Whether files of the results are written: after all rows, or, where Ctrl-C stopped the run, after
 * any. */
bool suite_is_kept(int code, uint32_t row_count);

/* How many names a list with commas between has; 1 if there is none. */
uint32_t suite_list_length(const char *list);

#endif
