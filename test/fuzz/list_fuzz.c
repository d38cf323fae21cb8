/* list_fuzz.c - scripts of watches that keep separation lists, from bytes: plans that change,
 * poses, trees, deaths, limits. Answers are those of the world, and events lead from one update to
 * the next (support/watch_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/watch_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    watch_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = watch_script_run_plans(&c, 3, 16, 16, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
