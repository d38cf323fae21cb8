/* turn8.h - eight boxes taken to another frame at once, as wi_turn_box takes one. */
#ifndef WI_WALK_READER_TURN8_H
#define WI_WALK_READER_TURN8_H

#include "base/check.h"
#include "geom/relation.h"
#include "walk/reader/leaf_block.h"

/* Empty lanes come out without meaning: mask them. */
static inline void wi_turn8(const wi_turn *turn, const float lower[3][WI_LANES],
                            const float upper[3][WI_LANES], wi_box8 *out)
{
    WI_ASSERT(turn->slack >= 0.0F);
    const wi_wide half = wi_wide_all(0.5F);
    wi_wide centre[3], extent[3];
    for (int i = 0; i < 3; i++) {
        wi_wide low = wi_wide_mul(wi_wide_load(lower[i]), half);
        wi_wide high = wi_wide_mul(wi_wide_load(upper[i]), half);
        centre[i] = wi_wide_add(low, high);
        extent[i] = wi_wide_sub(high, low);
    }
    for (int i = 0; i < 3; i++) {
        wi_wide middle = wi_wide_all(turn->translation[i]), reach = wi_wide_all(turn->slack);
        for (int k = 0; k < 3; k++) {
            wi_wide factor = wi_wide_all(turn->rotation[i][k]);
            middle = wi_wide_add(middle, wi_wide_mul(factor, centre[k]));
            reach = wi_wide_add(reach, wi_wide_mul(wi_wide_abs(factor), extent[k]));
        }
        wi_wide_store(out->lower[i], wi_wide_sub(middle, reach));
        wi_wide_store(out->upper[i], wi_wide_add(middle, reach));
    }
}

#endif
