/* separation_ahead.c - what a separation list knows of the time to come.
 *
 * Way in: wi_separation_look_ahead. Made for impacts along plans: a search over the whole step,
 * from the roots, would find again what the list has, and the few pairs that are about to meet. */
#include "base/check.h"
#include "base/kernel.h"
#include "pairs/separation.h"

extern wi_sep_expect wi_sep_expect_scalar, wi_sep_expect_avx2;

bool wi_separation_knows(const wi_separation *list, double until)
{
    if (list->courses[0].way == WI_SEP_ENDS || list->courses[1].way == WI_SEP_ENDS) return false;
    return list->until > list->since && until >= list->seen && until <= list->until;
}

static uint32_t seed_side(const wi_brood *brood, unsigned lane)
{
    WI_ASSERT(lane < brood->count);
    return brood->child[lane] | ((brood->leaf_mask >> lane & 1) != 0 ? WI_IS_LEAF : 0);
}

static bool add_seeds(wi_memory *memory, const wi_sep_side sides[2], uint64_t bits,
                      const float (*when)[WI_LANES], float at, wi_sep_seeds *seeds)
{
    for (; bits != 0; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        const wi_sep_seed seed = {seed_side(sides[0].brood, i), seed_side(sides[1].brood, j),
                                  when ? when[i][j] : at};
        if (!wi_array_push(memory, seeds, seed)) return false;
    }
    return true;
}

/* The boxes of all broods are of the time at hand: every pair was looked at in it. */
bool wi_separation_look_ahead(wi_memory *memory, willow_kernel kernel, const wi_separation *list,
                              double until, wi_sep_seeds *seeds)
{
    wi_sep_expect *const expect = WI_KERNELS_FOR(kernel, sep_expect);
    const float last = wi_separation_at(list, until);
    WI_ASSERT(wi_separation_knows(list, until));
    for (uint32_t number = 0; number != WI_NO_PAIR; number = wi_separation_after(list, number)) {
        const wi_sep_pair *pair = &list->pairs.items[number];
        const int other = list->is_within ? 0 : 1;
        const wi_sep_side sides[2] = {
            {wi_separation_brood(list, 0, pair->brood[0]), &list->boxes[0].items[pair->brood[0]]},
            {wi_separation_brood(list, 1, pair->brood[1]),
             &list->boxes[other].items[pair->brood[1]]}};
        if (!add_seeds(memory, sides, pair->meets & pair->leaves, NULL, list->at, seeds))
            return false;
        if (!wi_queue_has(&list->queue, number) ||
            wi_queue_time(&list->queue, number) > (double)last)
            continue; /* nothing of it changes until then */
        float when[WI_LANES][WI_LANES];
        const uint64_t bits = expect(list, sides[0], sides[1], pair, last, when);
        if (!add_seeds(memory, sides, bits, (const float(*)[WI_LANES])when, list->at, seeds))
            return false;
    }
    return true;
}
