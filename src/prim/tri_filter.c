/* tri_filter.c - the choice of filter kernels, the exact answer behind them, and the public test
 * of many pairs, which is the two of them in a loop. */
#include "prim/tri_filter.h"

#include "base/check.h"
#include "base/kernel.h"
#include "prim/tri_tri.h"
#include "willow/prim.h"

extern const wi_filter_kernels wi_filter_kernels_scalar, wi_filter_kernels_avx2;

const wi_filter_kernels *wi_filter_kernels_for(willow_kernel kernel)
{
#if defined(WILLOW_HAS_AVX2)
    if (kernel == WILLOW_KERNEL_AVX2) return &wi_filter_kernels_avx2;
#endif
    WI_ASSERT(kernel == WILLOW_KERNEL_SCALAR);
    return &wi_filter_kernels_scalar;
}

bool wi_tri8_meet_exact(unsigned shared, const wi_tri8 *a, const wi_tri8 *b, unsigned lane)
{
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

static void load_lane(wi_tri8 *out, unsigned lane, const willow_tri_source *source, willow_tri tri)
{
    for (int i = 0; i < 3; i++) {
        size_t vertex = source->indices[3 * (size_t)tri + (size_t)i];
        memcpy(out->corner[i][lane], (const char *)source->positions + vertex * source->stride,
               3 * sizeof(float));
    }
}

void willow_tri_tri_meet_many(const willow_tri_source *a, const willow_tri_source *b,
                              const willow_tri_pair *pairs, size_t count, uint8_t *meet)
{
    const wi_filter_kernels *kernels = wi_filter_kernels_for(wi_kernel_choose(WILLOW_KERNEL_AUTO));
    wi_tri8 lanes_a = {0}, lanes_b = {0};
    for (size_t first = 0; first < count; first += WI_LANES) {
        unsigned used = count - first < WI_LANES ? (unsigned)(count - first) : WI_LANES;
        for (unsigned i = 0; i < used; i++) {
            load_lane(&lanes_a, i, a, pairs[first + i].tri_a);
            load_lane(&lanes_b, i, b, pairs[first + i].tri_b);
        }
        wi_filter_result result = kernels->sharing[0](&lanes_a, &lanes_b);
        for (unsigned i = 0; i < used; i++) {
            bool is_decided = ((result.meet | result.apart) >> i & 1) != 0;
            bool meets = is_decided ? (result.meet >> i & 1) != 0
                                    : wi_tri8_meet_exact(0, &lanes_a, &lanes_b, i);
            meet[first + i] = meets;
        }
    }
}
