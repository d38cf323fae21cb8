/* morph_fuzz.c - scripts of morphs from bytes: targets, weights, poses, steps, deformations,
 * methods. Whatever they say, blended trees answer as loops over all triangles do
 * (support/morph_script.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include "support/morph_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    morph_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = morph_script_run(&c, 32, 8, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
