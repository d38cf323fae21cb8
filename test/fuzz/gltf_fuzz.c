/* gltf_fuzz.c - damaged glTF files from bytes: members, numbers and bits that are changed, want of
 * memory, or the bytes as they are. Whatever they say, they are refused with a reason, or give a
 * clip that keeps its promises (support/gltf_script.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include "support/gltf_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gltf_tally tally = {0};
    choices c = choices_of_bytes(data, size);
    const char *wrong = gltf_script_run(&c, &tally);
    if (wrong == NULL) return 0;
    (void)fprintf(stderr, "%s\n", wrong);
    abort();
}
