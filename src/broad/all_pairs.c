/* all_pairs.c - the quadratic broad phase: the best for some tens of bodies, the oracle for all. */
#include "broad/all_pairs.h"

static bool all_pairs_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                            wi_broad_search *out)
{
    (void)memory, (void)workspace;
    *out = (wi_broad_search){.bodies = crowd->bodies, .count = crowd->count, .second = 1};
    return true;
}

static bool all_pairs_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    const wi_broad_body *bodies = s->bodies;
    for (; s->first < s->count; s->first++, s->second = s->first + 1)
        for (; s->second < s->count; s->second++) {
            if (!wi_boxes_meet(&bodies[s->first].box, &bodies[s->second].box) ||
                !wi_bodies_want_each_other(&bodies[s->first], &bodies[s->second]))
                continue;
            if (out->count >= limit) return true;
            const wi_body_pair pair = {s->first, s->second};
            if (!wi_array_push(memory, out, pair)) return false;
        }
    return true;
}

const wi_broad_ops wi_broad_all_pairs = {all_pairs_begin, all_pairs_more, .is_in_order = true};
