/* runs.h - lists by number, one behind the other in one array.
 *
 * Count what each number has, `count + 1` counts of which the last is 0; make them ends with
 * wi_runs_end; then put each thing at items[--ends[number]], the last one first. The ends have
 * become the firsts, and the run of a number ends where that of the next begins. */
#ifndef WI_BASE_CONTAINERS_RUNS_H
#define WI_BASE_CONTAINERS_RUNS_H

#include <stddef.h>
#include <stdint.h>
#include "base/check.h"

static inline void wi_runs_end(uint32_t *counts, size_t count)
{
    WI_ASSERT(counts[count] == 0);
    for (size_t i = 1; i <= count; i++) {
        WI_ASSERT(counts[i] <= UINT32_MAX - counts[i - 1]);
        counts[i] += counts[i - 1];
    }
}

#endif
