/* rays_fuzz.c - scripts of triangles and rays from bytes. Whatever they say, single triangles are
 * hit as rationals say, and worlds answer as loops over all triangles do (support/ray_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/ray_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ray_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = ray_script_run(&c, 6, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
