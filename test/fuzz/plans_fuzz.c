/* plans_fuzz.c - scripts of flight plans from bytes: positions, paths, changes, times, methods.
 * Whatever they say, kinetic trees answer as loops over all triangles do (support/plan_script.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include "support/plan_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    plan_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = plan_script_run(&c, 2, 8, 16, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
