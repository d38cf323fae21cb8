/* tri_filter.c - the choice of filter kernels, the exact answer behind them, and the public tests
 * of triangles against triangles. */
#include "prim/meet/tri_filter.h"

#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
#include "willow/prim.h"

extern const wi_filter_kernels wi_filter_kernels_scalar, wi_filter_kernels_avx2;

const wi_filter_kernels *wi_filter_kernels_for(willow_kernel kernel)
{
    WI_ASSERT(kernel == WILLOW_KERNEL_SCALAR || kernel == WILLOW_KERNEL_AVX2);
    return WI_KERNELS_FOR(kernel, filter_kernels);
}

bool wi_tri8_meet_exact(unsigned shared, const wi_tri8 *a, const wi_tri8 *b, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES && shared <= 3);
    wi_tri ta, tb;
    for (int i = 0; i < 3; i++) {
        memcpy(ta.corner[i], a->corner[i][lane], sizeof ta.corner[i]);
        memcpy(tb.corner[i], b->corner[i][lane], sizeof tb.corner[i]);
    }
    return wi_tris_meet_beyond(shared, &ta, &tb);
}

bool willow_tri_tri_meet(const willow_vec3 a[3], const willow_vec3 b[3])
{
    wi_tri ta, tb;
    memcpy(&ta, a, sizeof ta);
    memcpy(&tb, b, sizeof tb);
    return wi_tris_meet(&ta, &tb);
}

void willow_tri_tri_meet_many(const willow_tri_source *a, const willow_tri_source *b,
                              const willow_tri_pair *pairs, size_t count, uint8_t *meet)
{
    wi_filter_kernels_for(wi_kernel_choose(WILLOW_KERNEL_AUTO))
        ->meet_many(a, b, pairs, count, meet);
}
