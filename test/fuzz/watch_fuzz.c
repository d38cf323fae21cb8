/* watch_fuzz.c - scripts of watches from bytes: bodies, motion, trees, plans, deaths, questions.
 * Whatever they say, watches answer as the world does (support/watch_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/watch_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    watch_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = watch_script_run(&c, 3, 16, 16, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
