/* distance8.h - how far eight boxes are from a ninth, in double, where differences of floats
 * neither overflow nor lose their order. For kernels. */
#ifndef WI_WALK_NEAREST_DISTANCE8_H
#define WI_WALK_NEAREST_DISTANCE8_H

#include "base/check.h"
#include "walk/reader/leaf_block.h"

/* Squared distances of eight boxes to one, as wi_box_distance2 finds them. Empty ones are
 * infinitely far, or nowhere after a turn: mask them. */
static inline void wi_distances8(const float lower[3][WI_LANES], const float upper[3][WI_LANES],
                                 const wi_box *box, double out[WI_LANES])
{
    for (unsigned lane = 0; lane < WI_LANES; lane++) out[lane] = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        WI_ASSERT(box->lower[axis] <= box->upper[axis]);
        const double low = (double)box->lower[axis], high = (double)box->upper[axis];
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            double below = low - (double)upper[axis][lane];
            double above = (double)lower[axis][lane] - high;
            double gap = below > above ? below : above;
            gap = gap > 0.0 ? gap : 0.0;
            out[lane] += gap * gap;
        }
    }
}

#endif
