/* step.c - prepares walks over trial steps. */
#include "walk/step/step.h"

#include "base/check.h"

static wi_side step_side_of(const wi_tree *h, const wi_motion *motion)
{
    wi_side side = {.start = h, .motion = *motion};
    const wi_frame start = wi_tree_frame(h), end = wi_tree_frame(motion->end);
    const wi_frame world = {NULL, 0.0, false};
    side.is_turned = start.pose || end.pose;
    if (!side.is_turned) return side;
    side.turn_start = wi_relation_between(&start, &world).a_to_b;
    side.turn_end = wi_relation_between(&end, &world).a_to_b;
    return side;
}

/* The largest coordinate that is met on the way, in the world. */
static double step_size_of(const wi_tree *h, const wi_motion *motion)
{
    const double at_start = wi_box_size(&h->boxes.world_bounds);
    const double at_end = wi_box_size(&motion->end->boxes.world_bounds);
    return (at_start > at_end ? at_start : at_end) + motion->bend;
}

/* A float that is not less. */
static float float_above(double value) { return (float)(value * (1.0 + 0x1p-22) + 0x1p-126); }

wi_step wi_step_between(const wi_tree *a, const wi_motion *motion_a, const wi_tree *b,
                        const wi_motion *motion_b, double reach)
{
    WI_ASSERT(reach >= 0.0 && motion_a->bend >= 0.0 && motion_b->bend >= 0.0);
    WI_ASSERT(motion_a->end->shape->leaf_count == a->shape->leaf_count &&
              motion_b->end->shape->leaf_count == b->shape->leaf_count);
    wi_step step = {.a = step_side_of(a, motion_a), .b = step_side_of(b, motion_b), .reach = reach};
    step.bend = motion_a->bend + motion_b->bend;
    step.is_bent = step.bend > 0.0;
    step.is_moving = motion_a->end != a || motion_b->end != b;
    const double size = step_size_of(a, motion_a) + step_size_of(b, motion_b) + reach + step.bend;
    if (step.is_bent) step.bend += 0x1p-40 * size;
    /* Distances and times are found in double, with errors far below 2^-40 of all coordinates. */
    const double added = reach + step.bend;
    step.widen = added > 0.0 ? float_above(added + 0x1p-40 * size) : 0.0F;
    wi_step_limit(&step, 1.0);
    return step;
}

void wi_step_limit(wi_step *step, double until)
{
    WI_ASSERT(until >= 0.0 && until <= 1.0);
    step->until = until;
    step->horizon = float_above(until);
}

wi_box wi_motion_bounds(const wi_tree *h, const wi_motion *motion, double more)
{
    wi_box box = h->boxes.world_bounds;
    wi_box_add_box(&box, &motion->end->boxes.world_bounds);
    return wi_box_is_empty(&box) ? box : wi_box_widened(&box, more + motion->bend);
}
