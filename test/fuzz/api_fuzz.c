/* api_fuzz.c - any calls in any order, from bytes, while memory fails. Whatever they say, vertices
 * and answers are those of a second world with BRUTE (support/api_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/api_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    api_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = api_script_run(&c, 12, 48, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
