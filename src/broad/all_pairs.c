/* all_pairs.c - the quadratic broad phase: the best for some tens of bodies, the oracle for all. */
#include "broad/all_pairs.h"

bool wi_broad_all_pairs(wi_memory *memory, wi_workspace *workspace, const wi_broad_body *bodies,
                        uint32_t count, wi_body_pairs *out)
{
    (void)workspace;
    WI_ASSERT(out->count == 0);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            if (!wi_boxes_meet(&bodies[a].box, &bodies[b].box) ||
                !wi_bodies_want_each_other(&bodies[a], &bodies[b]))
                continue;
            wi_body_pair pair = {a, b};
            if (!wi_array_push(memory, out, pair)) return false;
        }
    WI_ASSERT_SLOW(wi_body_pairs_are_sorted(out, count));
    return true;
}
