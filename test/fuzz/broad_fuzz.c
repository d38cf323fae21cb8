/* broad_fuzz.c - scripts of boxes that move, from bytes. Whatever they say, every broad phase finds
 * what loops over all boxes find (support/box_script.h). The first byte says which one. */
#include <stdio.h>
#include <stdlib.h>
#include "support/box_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    box_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = box_script_of_any_kind(&c, 8, 40, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
