/* edits_fuzz.c - scripts of edits from bytes. Whatever they say, answers are those of BRUTE and of
 * worlds made afresh (support/edit_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/edit_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    edit_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = edit_script_run(&c, 24, 1, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
