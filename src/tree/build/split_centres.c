/* split_centres.c - the choice of split kernels, and the table by which they pack lanes. */
#include "tree/build/split_centres.h"

#include <string.h>

extern const wi_split_kernels wi_split_kernels_scalar, wi_split_kernels_avx2;

const wi_split_kernels *wi_split_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, split_kernels);
}

void wi_split_work_init(wi_split_work *work)
{
    for (unsigned mask = 0; mask < 1U << WI_LANES; mask++) {
        unsigned count = 0;
        memset(work->up[mask], 0, WI_LANES);
        memset(work->down[mask], 0, WI_LANES);
        for (uint8_t lane = 0; lane < WI_LANES; lane++) {
            if ((mask >> lane & 1) == 0) continue;
            work->up[mask][count] = lane;
            work->down[mask][WI_LANES - 1 - count++] = lane;
        }
    }
}
