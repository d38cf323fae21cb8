/* obj_fuzz.c - any bytes as a file of this format: refused in a line, or a mesh that can be relied
 * on (support/mesh_script.h). */
#include <stdio.h>
#include <stdlib.h>
#include "support/mesh_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_tally tally = {0};
    const char *wrong = mesh_script_run(obj_read, data, size, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
