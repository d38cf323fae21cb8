/* moving8.h - which of eight moving boxes meet a ninth at some time of a step? For kernels.
 *
 * Two boxes are apart at a time t if some gap between them, the lower side of one less the upper of
 * the other, is positive. Gaps are linear in t. One that is positive at both ends keeps them apart
 * all the time. Else a gap that is positive at the start closes at g0 / (g0 - g1), and one that is
 * positive at the end opens at the same expression; they meet only between the last closing and
 * the first opening.
 *
 * Why it is certain: signs of gaps are exact. g0 and g1 have different signs where they are
 * subtracted, so nothing cancels: times are off by 4 units of 2^-24 of their size at most, and
 * 2^-20 is allowed for, and 2^-126 for times that are next to nothing. Where something overflows, a
 * time is 0 or not a number. For closings both drop nothing; an opening is 0 only where g0 - g1 is
 * -infinity, and lanes with such a difference are kept. */
#ifndef WI_WALK_MOVING8_H
#define WI_WALK_MOVING8_H

#include <math.h>
#include "walk/leaf_block.h"

/* Eight boxes at both ends of a step. */
typedef struct wi_moving8 {
    const float (*lower0)[WI_LANES], (*upper0)[WI_LANES];
    const float (*lower1)[WI_LANES], (*upper1)[WI_LANES];
} wi_moving8;

/* One box at both ends, eight times. */
typedef struct wi_mover {
    wi_wide lower0[3], upper0[3], lower1[3], upper1[3];
} wi_mover;

/* With `widen` added on all sides. */
static inline wi_mover wi_mover_of(const wi_box *start, const wi_box *end, float widen)
{
    const wi_wide more = wi_wide_all(widen);
    wi_mover m;
    for (int axis = 0; axis < 3; axis++) {
        m.lower0[axis] = wi_wide_sub(wi_wide_all(start->lower[axis]), more);
        m.upper0[axis] = wi_wide_add(wi_wide_all(start->upper[axis]), more);
        m.lower1[axis] = wi_wide_sub(wi_wide_all(end->lower[axis]), more);
        m.upper1[axis] = wi_wide_add(wi_wide_all(end->upper[axis]), more);
    }
    return m;
}

/* Of those in `lanes`. `horizon` as in wi_step. Without `with_times` gaps are not held against each
 * other, which is worth nothing where boxes move less than their own size. */
static inline unsigned wi_moving_met(const wi_moving8 *boxes, const wi_mover *m, float horizon,
                                     bool with_times, unsigned lanes)
{
    const wi_wide zero = wi_wide_all(0.0F);
    wi_wide gap0[6], gap1[6];
    for (int axis = 0; axis < 3; axis++) {
        gap0[axis] = wi_wide_sub(wi_wide_load(boxes->lower0[axis]), m->upper0[axis]);
        gap1[axis] = wi_wide_sub(wi_wide_load(boxes->lower1[axis]), m->upper1[axis]);
        gap0[3 + axis] = wi_wide_sub(m->lower0[axis], wi_wide_load(boxes->upper0[axis]));
        gap1[3 + axis] = wi_wide_sub(m->lower1[axis], wi_wide_load(boxes->upper1[axis]));
    }
    wi_mask apart = wi_wide_less(zero, wi_wide_min(gap0[0], gap1[0]));
    for (int i = 1; i < 6; i++)
        apart = wi_mask_or(apart, wi_wide_less(zero, wi_wide_min(gap0[i], gap1[i])));
    lanes &= ~wi_mask_bits(apart);
    if (lanes == 0 || !with_times) return lanes;
    wi_wide closing = zero, opening = wi_wide_all(horizon), least_way = zero;
    for (int i = 0; i < 6; i++) {
        const wi_wide way = wi_wide_sub(gap0[i], gap1[i]), time = wi_wide_div(gap0[i], way);
        least_way = wi_wide_min(way, least_way);
        closing = wi_wide_max(wi_wide_select(wi_wide_less(zero, gap0[i]), time, zero), closing);
        opening = wi_wide_min(
            wi_wide_select(wi_wide_less(zero, gap1[i]), time, wi_wide_all(horizon)), opening);
    }
    const wi_wide early = wi_wide_mul(closing, wi_wide_all(1.0F - 0x1p-20F));
    const wi_wide late =
        wi_wide_add(wi_wide_mul(opening, wi_wide_all(1.0F + 0x1p-20F)), wi_wide_all(0x1p-126F));
    const wi_mask is_finite = wi_wide_less(wi_wide_all(-INFINITY), least_way);
    return lanes & ~wi_mask_bits(wi_mask_and(wi_wide_less(late, early), is_finite));
}

#endif
