/* gap8_kernel.c - looks for the direction along which two triangles are the farthest apart.
 *
 * Way in: wi_gap8. Directions that are tried: the axes, and the normals of both triangles. Seen
 * along a direction d the gap between two triangles is the least of d.p over the corners of the one
 * less the greatest over those of the other. Let the coordinates of corners change so that none of
 * the one has come closer to its twin of the other by more than c: then d.p - d.q changes by no
 * more than c times s, the sum of the absolute coordinates of d. So they are apart while c is less
 * than the gap over s.
 *
 * Why it is certain. u = 2^-24. Points are taken relative to a corner: off by u of their size, and
 * m is the greatest coordinate of all of them. d is whatever was computed: it is exact.
 *   1. The gap along d is off by at most 12 u m s (apart8_kernel.c, step 1); 32 u m s are taken off.
 *      Along an axis that is more than enough.
 *   2. s is off by 3 u of itself, the quotient by u: 2^-20 of the result are taken off.
 *   3. Underflow adds less than 2^-145 to a product; 2^-120 is taken off the gap. What is left is
 *      positive only if s is more than 2^-120 over m, so nothing is divided by 0.
 *   4. Where something overflows, what is left is not a number or less than 0, and so is not taken.
 */
#include "base/kernel.h"
#include "prim/gap8.h"
#include "prim/vec8.h"

typedef struct tri_of8 {
    wi_vec8 corner[3];
} tri_of8;

static inline void read_relative(const wi_tri8 *from, wi_vec8 origin, tri_of8 *out, wi_wide *m)
{
    for (int i = 0; i < 3; i++) {
        out->corner[i] = wi_vec8_sub(wi_vec8_of(from->corner[i]), origin);
        *m = wi_wide_max(*m, wi_vec8_greatest(out->corner[i]));
    }
}

/* The greater of the gaps along a direction and against it. */
static inline wi_wide gap_between(wi_wide a0, wi_wide a1, wi_wide a2, wi_wide b0, wi_wide b1,
                                  wi_wide b2)
{
    const wi_wide along = wi_wide_sub(wi_wide_min(wi_wide_min(b0, b1), b2),
                                      wi_wide_max(wi_wide_max(a0, a1), a2));
    const wi_wide against = wi_wide_sub(wi_wide_min(wi_wide_min(a0, a1), a2),
                                        wi_wide_max(wi_wide_max(b0, b1), b2));
    return wi_wide_max(along, against);
}

/* The better of a gap over s and the best so far, which also stays where the new one is no number.
 */
static inline wi_wide better_of(wi_wide gap, wi_wide s, wi_wide m, wi_wide best)
{
    const wi_wide error = wi_wide_add(wi_wide_mul(wi_wide_mul(m, s), wi_wide_all(0x1p-19F)),
                                      wi_wide_all(0x1p-120F));
    const wi_wide sure = wi_wide_sub(gap, error);
    const wi_wide over = wi_wide_mul(wi_wide_div(sure, s), wi_wide_all(1.0F - 0x1p-20F));
    return wi_wide_max(over, best);
}

static inline wi_wide gap_along(const tri_of8 *a, const tri_of8 *b, wi_vec8 d, wi_wide m,
                                wi_wide best)
{
    const wi_wide gap =
        gap_between(wi_vec8_dot(d, a->corner[0]), wi_vec8_dot(d, a->corner[1]),
                    wi_vec8_dot(d, a->corner[2]), wi_vec8_dot(d, b->corner[0]),
                    wi_vec8_dot(d, b->corner[1]), wi_vec8_dot(d, b->corner[2]));
    const wi_wide s =
        wi_wide_add(wi_wide_add(wi_wide_abs(d.x), wi_wide_abs(d.y)), wi_wide_abs(d.z));
    return better_of(gap, s, m, best);
}

static inline wi_vec8 normal_of(const tri_of8 *tri)
{
    return wi_vec8_cross(wi_vec8_sub(tri->corner[1], tri->corner[0]),
                         wi_vec8_sub(tri->corner[2], tri->corner[0]));
}

#define GAP_OF_AXIS(axis)                                                                          \
    gap_between(a.corner[0].axis, a.corner[1].axis, a.corner[2].axis, b.corner[0].axis,            \
                b.corner[1].axis, b.corner[2].axis)

extern wi_gap8 WI_KERNEL(gap8);
void WI_KERNEL(gap8)(const wi_tri8 *from_a, const wi_tri8 *from_b, float gap[WI_LANES])
{
    tri_of8 a, b;
    wi_wide m = wi_wide_all(0.0F), best = wi_wide_all(0.0F);
    const wi_vec8 origin = wi_vec8_of(from_a->corner[0]);
    read_relative(from_a, origin, &a, &m);
    read_relative(from_b, origin, &b, &m);
    const wi_wide of_axes =
        wi_wide_max(wi_wide_max(GAP_OF_AXIS(x), GAP_OF_AXIS(y)), GAP_OF_AXIS(z));
    best = better_of(of_axes, wi_wide_all(1.0F), m, best);
    best = gap_along(&a, &b, normal_of(&a), m, best);
    best = gap_along(&a, &b, normal_of(&b), m, best);
    wi_wide_store(gap, best);
}
