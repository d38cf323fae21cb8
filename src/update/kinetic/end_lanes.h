/* end_lanes.h - the boxes of children between two times, lane by lane; for kernels. */
#ifndef WI_UPDATE_KINETIC_END_LANES_H
#define WI_UPDATE_KINETIC_END_LANES_H

#include <float.h>
#include "base/check.h"
#include "mesh/motion/plan_quad.h"
#include "tree/tree.h"
#include "update/kinetic/straight_boxes.h"

/* More than the rounding to the nearest float, and no farther than floats go. */
static inline wi_quad wi_float_margin(wi_quad x)
{
    return wi_quad_add(wi_quad_mul(wi_quad_abs(x), wi_quad_all(0x1p-23F)), wi_quad_all(0x1p-140F));
}

static inline wi_quad wi_quad_below(wi_quad64 x)
{
    const wi_quad64 least = wi_quad64_all((double)-FLT_MAX);
    const wi_quad f = wi_quad64_round(wi_quad64_max(x, least));
    return wi_quad_max(wi_quad_sub(f, wi_float_margin(f)), wi_quad_all(-FLT_MAX));
}

static inline wi_quad wi_quad_above(wi_quad64 x)
{
    const wi_quad64 most = wi_quad64_all((double)FLT_MAX);
    const wi_quad f = wi_quad64_round(wi_quad64_min(x, most));
    return wi_quad_min(wi_quad_add(f, wi_float_margin(f)), wi_quad_all(FLT_MAX));
}

static inline void wi_show_lanes(const wi_end_lanes *lanes, double share_of_time,
                                 double width_of_boxes, wi_node *view)
{
    const wi_quad64 share = wi_quad64_all(share_of_time), width = wi_quad64_all(width_of_boxes);
    WI_ASSERT(share_of_time >= 0.0 && share_of_time <= 1.0 && width_of_boxes >= 0.0);
    WI_ASSERT(view->count > 0 && view->count <= WI_LANES);
    for (unsigned axis = 0; axis < 3; axis++)
        for (unsigned half = 0; half < WI_LANES; half += 4) {
            const wi_quad64 low =
                wi_between_keys(lanes->from[axis] + half, lanes->to[axis] + half, share);
            const wi_quad64 high =
                wi_between_keys(lanes->from[3 + axis] + half, lanes->to[3 + axis] + half, share);
            wi_quad_store(view->lower[axis] + half, wi_quad_below(wi_quad64_sub(low, width)));
            wi_quad_store(view->upper[axis] + half, wi_quad_above(wi_quad64_add(high, width)));
        }
    const wi_box nowhere = wi_box_empty();
    for (unsigned lane = view->count; lane < WI_LANES; lane++)
        wi_node_set_box(view, lane, &nowhere);
}

#endif
