/* parts.c - the parts of a run, on the progress bar; and how a run ends. */
#include "bench/suites/parts.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"

#include <inttypes.h>
#include <stdio.h>

suite_parts suite_begin(const char *unit, uint32_t count, double weight)
{
    stop_listen();
    progress_begin_run(weight);
    return (suite_parts){.unit = unit, .count = count};
}

void suite_next(suite_parts *parts, const char *words, double weight)
{
    char all[256];
    parts->number++;
    snprintf(all, sizeof all, "%s %" PRIu32 " of %" PRIu32 ": %.200s", parts->unit, parts->number,
             parts->count, words);
    progress_begin_part(parts->count > 1 ? all : words, weight);
}

int suite_end(int code, uint32_t row_count)
{
    progress_clear();
    progress_end_run();
    if (!stop_was_asked()) return code;
    return complain("bench",
                    "stopped; the results of %" PRIu32 " row%s that were finished are kept",
                    row_count, plural(row_count));
}

bool suite_is_kept(int code, uint32_t row_count)
{
    return code == EXIT_FINE || (stop_was_asked() && row_count > 0);
}

uint32_t suite_list_length(const char *list)
{
    uint32_t count = 1;
    for (; list != NULL && *list != '\0'; list++) count += *list == ',';
    return count;
}
