/* gaps8.h - when do eight pairs of moving boxes meet? For kernels.
 *
 * Two boxes are apart at a time t if some gap between them, the lower side of one less the upper of
 * the other, is positive. Gaps are linear in t, which goes from 0 to 1. One that is positive at
 * both ends keeps them apart all the time. Else a gap that is positive at the start closes at g0 /
 * (g0 - g1), and one that is positive at the end opens at the same expression; they meet only
 * between the last closing and the first opening.
 *
 * Why it is certain: signs of gaps are exact. g0 and g1 have different signs where they are
 * subtracted, so nothing cancels: times are off by 4 units of 2^-24 of their size at most, and
 * 2^-20 is allowed for, and 2^-126 for times that are next to nothing. Gaps that are to be larger
 * than some w are computed first and compared with w, or w is taken off, then: sides of boxes that
 * are far from the origin have no digits for it. Such a gap is (g (1 + d) - w) (1 + d'), with d and
 * d' at most 2^-24: up to a factor near 1 it is g less w / (1 + d), so that it counts as one for a
 * w that is smaller by 2^-24 of itself, and times are off by 4 units more. Where something
 * overflows, a time is 0 or not a number. For closings both drop nothing; an opening is 0 only
 * where g0 - g1 is -infinity, and lanes with such a difference are to be kept. */
#ifndef WI_GEOM_GAPS8_H
#define WI_GEOM_GAPS8_H

#include <math.h>
#include "base/check.h"
#include "base/wide.h"

enum { WI_GAPS = 6 }; /* two for each axis */

/* Of eight pairs at both ends. */
typedef struct wi_gaps8 {
    wi_wide start[WI_GAPS], end[WI_GAPS];
} wi_gaps8;

/* The lanes in which some gap is always larger than `least`: it never closes, if that is 0. */
static inline unsigned wi_gaps_apart(const wi_gaps8 *gaps, float least)
{
    WI_ASSERT(least >= 0.0F);
    const wi_wide bound = wi_wide_all(least);
    wi_mask apart = wi_wide_less(bound, wi_wide_min(gaps->start[0], gaps->end[0]));
    for (int i = 1; i < WI_GAPS; i++)
        apart = wi_mask_or(apart, wi_wide_less(bound, wi_wide_min(gaps->start[i], gaps->end[i])));
    return wi_mask_bits(apart);
}

/* Takes `less` off all gaps. */
static inline void wi_gaps_narrow(wi_gaps8 *gaps, float less)
{
    WI_ASSERT(less >= 0.0F);
    const wi_wide off = wi_wide_all(less);
    for (int i = 0; i < WI_GAPS; i++) {
        gaps->start[i] = wi_wide_sub(gaps->start[i], off);
        gaps->end[i] = wi_wide_sub(gaps->end[i], off);
    }
}

/* Of the other lanes: they are apart before `early` and after `late`, unless they are `odd`, of
 * which nothing is known. */
typedef struct wi_meeting8 {
    wi_wide early, late;
    unsigned odd;
} wi_meeting8;

/* `late` is not beyond `horizon` if nothing opens before it. */
static inline wi_meeting8 wi_gaps_meeting(const wi_gaps8 *gaps, float horizon)
{
    WI_ASSERT(horizon >= 0.0F);
    const wi_wide zero = wi_wide_all(0.0F);
    wi_wide closing = zero, opening = wi_wide_all(horizon), least_way = zero;
    for (int i = 0; i < WI_GAPS; i++) {
        const wi_wide start = gaps->start[i], end = gaps->end[i];
        const wi_wide way = wi_wide_sub(start, end), time = wi_wide_div(start, way);
        least_way = wi_wide_min(way, least_way);
        closing = wi_wide_max(wi_wide_select(wi_wide_less(zero, start), time, zero), closing);
        opening = wi_wide_min(wi_wide_select(wi_wide_less(zero, end), time, wi_wide_all(horizon)),
                              opening);
    }
    const wi_mask is_finite = wi_wide_less(wi_wide_all(-INFINITY), least_way);
    return (wi_meeting8){
        wi_wide_mul(closing, wi_wide_all(1.0F - 0x1p-20F)),
        wi_wide_add(wi_wide_mul(opening, wi_wide_all(1.0F + 0x1p-20F)), wi_wide_all(0x1p-126F)),
        ~wi_mask_bits(is_finite) & 0xffU};
}

#endif
