/* separation_check.c - whether a separation list is sound: S1 to S5 of docs/invariants.md. */
#include "pairs/separation_keeper.h"

/* How many pairs are in the ring, and leaves that meet in them. */
static const char *validate_ring(const wi_separation *list)
{
    const wi_sep_pair *pairs = list->pairs.items;
    size_t leaf_pairs = 0;
    uint32_t number = 0;
    do {
        const wi_sep_pair *pair = &pairs[number];
        const size_t count = (size_t)__builtin_popcountll(pair->meets & pair->leaves);
        if (number != 0 && count == 0) return "S3: a pair without leaves that meet is listed";
        if (pairs[pair->next_met].last_met != number) return "S3: the ring of pairs is broken";
        leaf_pairs += count;
        number = pair->next_met;
    } while (number != 0);
    return leaf_pairs == list->leaf_pairs ? NULL : "S3: leaves that meet are not listed";
}

/* Its bits are as a look finds them now, and there is a pair for each that is not of leaves. */
static const char *separation_validate_pair(const wi_sep_keeper *keep, uint32_t number,
                                            bool has_event)
{
    const wi_separation *list = keep->list;
    const wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = wi_sep_look_now(keep, pair);
    if (sight.meets != pair->meets) return "S1: the list is not what a search finds";
    if (has_event != (sight.next <= 1.0F)) return "S2: a pair has no event, or one in vain";
    uint64_t found = 0;
    for (uint32_t child = pair->child; child != WI_NO_PAIR; child = list->pairs.items[child].next) {
        if (list->pairs.items[child].parent != number) return "S4: a pair is below another";
        found |= UINT64_C(1) << list->pairs.items[child].bit;
    }
    return found == (pair->meets & ~pair->leaves) ? NULL : "S4: a pair is missing, or left over";
}

const char *wi_separation_validate_pairs(const wi_separation *list, willow_kernel kernel,
                                         const wi_tree *a, const wi_tree *b, uint32_t taken)
{
    wi_separation same = *list; /* nothing of it is changed */
    const wi_sep_keeper keep = wi_sep_keeper_of(NULL, kernel, &same, a, b);
    for (uint32_t number = 0; number != WI_NO_PAIR; number = wi_separation_after(list, number)) {
        const bool has_event = number == taken || wi_queue_has(&list->queue, number);
        const char *broken = separation_validate_pair(&keep, number, has_event);
        if (broken) return broken;
    }
    return validate_ring(list);
}

const char *wi_separation_validate(const wi_separation *list, willow_kernel kernel,
                                   const wi_tree *a, const wi_tree *b)
{
    if (!wi_separation_is_true(list, a, b)) return "S5: the list is of other trees";
    return wi_separation_validate_pairs(list, kernel, a, b, WI_NO_PAIR);
}
