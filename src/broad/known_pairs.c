/* known_pairs.c - pairs that are kept already, as a broad phase.
 *
 * Way in: wi_broad_known_pairs. A world keeps the pairs of all its bodies (broad/kept.h); a
 * question reads off those of the bodies that it is about, and leaves out those that do not want
 * each other. The order is kept, since numbers in the crowd are in the order of those that pairs
 * have. */
#include "broad/known_pairs.h"

static bool known_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                        wi_broad_search *out)
{
    (void)memory, (void)workspace;
    WI_ASSERT(crowd->known && crowd->known->pairs->count < UINT32_MAX);
    *out = (wi_broad_search){.bodies = crowd->bodies,
                             .known = crowd->known,
                             .count = (uint32_t)crowd->known->pairs->count};
    return true;
}

static bool known_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    const uint32_t *numbers = s->known->numbers;
    for (; s->first < s->count && out->count < limit; s->first++) {
        const wi_body_pair *found = &s->known->pairs->items[s->first];
        const wi_body_pair pair = {numbers ? numbers[found->a] : found->a,
                                   numbers ? numbers[found->b] : found->b};
        if (pair.a == WI_NOT_IN_CROWD || pair.b == WI_NOT_IN_CROWD) continue;
        WI_ASSERT(pair.a < pair.b);
        if (!wi_bodies_want_each_other(&s->bodies[pair.a], &s->bodies[pair.b])) continue;
        if (!wi_array_push(memory, out, pair)) return false;
    }
    return true;
}

const wi_broad_ops wi_broad_known_pairs = {known_begin, known_more, .is_in_order = true};
