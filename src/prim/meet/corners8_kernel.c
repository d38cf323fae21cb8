/* corners8_kernel.c - see corners8.h. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/corners8.h"
#include "prim/vec8.h"

static inline wi_mask same_place(wi_vec8 p, wi_vec8 q)
{
    const wi_mask x = wi_wide_equal(p.x, q.x), y = wi_wide_equal(p.y, q.y);
    return wi_mask_and(wi_mask_and(x, y), wi_wide_equal(p.z, q.z));
}

extern wi_corners8 WI_KERNEL(corners8);
unsigned WI_KERNEL(corners8)(const wi_tri8 *a, const wi_tri8 *b)
{
    unsigned lanes = 0;
    wi_vec8 corners[3];
    WI_ASSERT((uintptr_t)a % alignof(wi_tri8) == 0 && (uintptr_t)b % alignof(wi_tri8) == 0);
    for (int i = 0; i < 3; i++) corners[i] = wi_vec8_of(a->corner[i]);
    for (int i = 0; i < 3; i++) {
        const wi_vec8 corner = wi_vec8_of(b->corner[i]);
        for (int k = 0; k < 3; k++) lanes |= wi_mask_bits(same_place(corners[k], corner));
    }
    return lanes;
}
