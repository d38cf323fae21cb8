/* moving8.h - which of eight moving boxes meet a ninth at some time of a step? For kernels.
 * geom/gaps8.h says how that is found out, and why it is certain. */
#ifndef WI_WALK_STEP_MOVING8_H
#define WI_WALK_STEP_MOVING8_H

#include "base/check.h"
#include "geom/gaps8.h"
#include "walk/reader/leaf_block.h"

/* Eight boxes at both ends of a step. */
typedef struct wi_moving8 {
    const float (*lower0)[WI_LANES], (*upper0)[WI_LANES];
    const float (*lower1)[WI_LANES], (*upper1)[WI_LANES];
} wi_moving8;

/* One box at both ends, eight times. */
typedef struct wi_mover {
    wi_wide lower0[3], upper0[3], lower1[3], upper1[3];
} wi_mover;

static inline wi_mover wi_mover_of(const wi_box *start, const wi_box *end)
{
    wi_mover m;
    for (int axis = 0; axis < 3; axis++) {
        m.lower0[axis] = wi_wide_all(start->lower[axis]);
        m.upper0[axis] = wi_wide_all(start->upper[axis]);
        m.lower1[axis] = wi_wide_all(end->lower[axis]);
        m.upper1[axis] = wi_wide_all(end->upper[axis]);
    }
    return m;
}

/* How moving boxes are compared. */
typedef struct wi_meeting_rule {
    float widen;     /* boxes meet if they are no farther apart than this along each axis, less
                        2^-23 of it: see geom/gaps8.h */
    float horizon;   /* as in wi_step */
    bool is_moving;  /* else what follows is not read */
    bool with_times; /* else gaps are not held against each other, which is worth nothing where
                        boxes move less than their own size */
} wi_meeting_rule;

/* Of those in `lanes`, if nothing moves. */
static inline unsigned wi_still_met(const wi_moving8 *boxes, const wi_mover *m, float widen,
                                    unsigned lanes)
{
    WI_ASSERT(lanes <= 0xFFU && widen >= 0.0F);
    const wi_wide bound = wi_wide_all(widen);
    wi_wide gap = wi_wide_sub(wi_wide_load(boxes->lower0[0]), m->upper0[0]);
    gap = wi_wide_max(gap, wi_wide_sub(m->lower0[0], wi_wide_load(boxes->upper0[0])));
    for (int axis = 1; axis < 3; axis++) {
        gap = wi_wide_max(gap, wi_wide_sub(wi_wide_load(boxes->lower0[axis]), m->upper0[axis]));
        gap = wi_wide_max(gap, wi_wide_sub(m->lower0[axis], wi_wide_load(boxes->upper0[axis])));
    }
    return lanes & ~wi_mask_bits(wi_wide_less(bound, gap));
}

/* Of those in `lanes`. */
static inline unsigned wi_moving_met(const wi_moving8 *boxes, const wi_mover *m,
                                     wi_meeting_rule rule, unsigned lanes)
{
    WI_ASSERT(lanes <= 0xFFU && rule.widen >= 0.0F && rule.horizon >= 0.0F);
    if (!rule.is_moving) return wi_still_met(boxes, m, rule.widen, lanes);
    wi_gaps8 gaps;
    for (int axis = 0; axis < 3; axis++) {
        gaps.start[axis] = wi_wide_sub(wi_wide_load(boxes->lower0[axis]), m->upper0[axis]);
        gaps.end[axis] = wi_wide_sub(wi_wide_load(boxes->lower1[axis]), m->upper1[axis]);
        gaps.start[3 + axis] = wi_wide_sub(m->lower0[axis], wi_wide_load(boxes->upper0[axis]));
        gaps.end[3 + axis] = wi_wide_sub(m->lower1[axis], wi_wide_load(boxes->upper1[axis]));
    }
    lanes &= ~wi_gaps_apart(&gaps, rule.widen);
    if (lanes == 0 || !rule.with_times) return lanes;
    if (rule.widen > 0.0F) wi_gaps_narrow(&gaps, rule.widen);
    const wi_meeting8 meeting = wi_gaps_meeting(&gaps, rule.horizon);
    return lanes & (~wi_mask_bits(wi_wide_less(meeting.late, meeting.early)) | meeting.odd);
}

#endif
