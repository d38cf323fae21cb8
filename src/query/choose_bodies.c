/* choose_bodies.c - the pairs of bodies that a query begins with.
 *
 * Ways in: wi_choose_pairs, wi_choose_selves, and for searches that may end early
 * wi_choose_first_pairs. Which bodies are asked about is in scratch->chosen;
 * the broad phase says which of them may meet. */
#include "query/choose_bodies.h"

#include "base/check.h"
#include "query/scratch.h"

/* So many that bodies which are spread out have no more, and few enough to be chosen in less time
 * than it takes to look into some of them. */
enum { PAIRS_AT_ONCE = 8192 };

void wi_choice_free(wi_memory *memory, wi_choice *choice)
{
    wi_workspace_free(memory, &choice->workspace);
    wi_array_free(memory, &choice->bodies);
    wi_array_free(memory, &choice->numbers);
}

static bool asks_self(const willow_scratch *scratch, size_t number)
{
    const wi_choice_of_selves selves = scratch->choice.selves;
    WI_ASSERT(number < scratch->chosen.count);
    return selves == WI_SELVES_AS_BODIES_ASK ? scratch->chosen.items[number].shown->self
                                             : selves == WI_SELVES_ALL;
}

/* Adds the bodies with `self` as pairs with themselves, in order: a before every (a, b). */
static bool choose_add_selves(willow_scratch *scratch)
{
    uint32_t self_count = 0;
    for (size_t i = 0; i < scratch->chosen.count; i++) self_count += asks_self(scratch, i);
    if (!wi_array_reserve(scratch->memory, &scratch->pairs, scratch->pairs.count + self_count))
        return false;
    wi_body_pair *pairs = scratch->pairs.items;
    size_t from = scratch->pairs.count, to = from + self_count;
    scratch->pairs.count = to;
    for (uint32_t body = (uint32_t)scratch->chosen.count; body-- > 0;) {
        while (from > 0 && pairs[from - 1].a == body) pairs[--to] = pairs[--from];
        if (asks_self(scratch, body)) pairs[--to] = (wi_body_pair){body, body};
    }
    WI_ASSERT(from == 0 && to == 0); /* pairs were sorted by a, and of chosen bodies */
    return true;
}

static wi_broad_crowd choose_crowd(const wi_question *question, const willow_scratch *scratch)
{
    const wi_choice *choice = &scratch->choice;
    return (wi_broad_crowd){choice->bodies.items, (uint32_t)scratch->chosen.count, question->tree,
                            choice->known.pairs ? &choice->known : NULL};
}

/* Pairs that are known are by the index of a body; the numbers of chosen bodies are in that order.
 * They are the same if no index is left out. False if there is no memory. */
static bool choose_know(const wi_question *question, willow_scratch *scratch)
{
    const wi_query_bodies *chosen = &scratch->chosen;
    wi_choice *choice = &scratch->choice;
    choice->known = (wi_known_pairs){0};
    if (question->met == NULL || chosen->count == 0) return true;
    const uint32_t most = chosen->items[chosen->count - 1].shown->id.index1;
    choice->known.pairs = question->met;
    if (question->is_all && most == chosen->count) return true;
    if (!wi_array_reserve(scratch->memory, &choice->numbers, question->index_count)) return false;
    uint32_t *numbers = choice->numbers.items;
    choice->numbers.count = question->index_count;
    for (uint32_t i = 0; i < question->index_count; i++) numbers[i] = WI_NOT_IN_CROWD;
    for (uint32_t i = 0; i < chosen->count; i++) numbers[chosen->items[i].shown->id.index1 - 1] = i;
    choice->known.numbers = numbers;
    return true;
}

/* What the broad phase is told of the chosen bodies. */
static bool choose_begin(const wi_question *question, willow_scratch *scratch)
{
    const size_t count = scratch->chosen.count;
    scratch->pairs.count = scratch->choice.bodies.count = scratch->lists.by_pair.count = 0;
    scratch->choice.has_more = false;
    if (!wi_array_reserve(scratch->memory, &scratch->choice.bodies, count) ||
        !choose_know(question, scratch))
        return false;
    const wi_broad_crowd crowd = choose_crowd(question, scratch);
    scratch->choice.ops = wi_broad_for(question->broad, &crowd, scratch->kernel);
    for (size_t i = 0; i < count; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        scratch->choice.bodies.items[i] =
            (wi_broad_body){body->bounds, body->shown->category_bits, body->shown->mask_bits};
    }
    return true;
}

bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch)
{
    if (!choose_begin(question, scratch)) return false;
    const wi_broad_crowd crowd = choose_crowd(question, scratch);
    return wi_broad_find(scratch->choice.ops, scratch->memory, &scratch->choice.workspace, &crowd,
                         &scratch->pairs) &&
           choose_add_selves(scratch) && scratch->pairs.count <= UINT32_MAX;
}

/* ---- some at a time ---- */

/* The next pairs of the search, in order. */
static bool choose_next(willow_scratch *scratch)
{
    wi_choice *choice = &scratch->choice;
    const wi_broad_ops *ops = choice->ops;
    scratch->sort.keys.count = scratch->sort.spare.count = 0;
    if (!ops->more(scratch->memory, &choice->search, PAIRS_AT_ONCE, &scratch->pairs) ||
        !wi_array_reserve(scratch->memory, &scratch->sort.keys, scratch->pairs.count) ||
        !wi_array_reserve(scratch->memory, &scratch->sort.spare, scratch->pairs.count))
        return false;
    if (!ops->is_in_order)
        wi_broad_sort(&scratch->pairs, scratch->sort.keys.items, scratch->sort.spare.items);
    WI_ASSERT_SLOW(wi_body_pairs_are_sorted(&scratch->pairs, (uint32_t)scratch->chosen.count));
    return true;
}

bool wi_choose_first_pairs(const wi_question *question, willow_scratch *scratch)
{
    wi_choice *choice = &scratch->choice;
    if (!choose_begin(question, scratch)) return false;
    const wi_broad_crowd crowd = choose_crowd(question, scratch);
    if (!choice->ops->begin(scratch->memory, &choice->workspace, &crowd, &choice->search) ||
        !choose_next(scratch))
        return false;
    choice->has_more = !wi_broad_is_done(&choice->search);
    return choice->has_more || choose_add_selves(scratch);
}

bool wi_choose_more_pairs(willow_scratch *scratch)
{
    wi_choice *choice = &scratch->choice;
    WI_ASSERT(choice->has_more);
    scratch->pairs.count = 0;
    choice->has_more = !wi_broad_is_done(&choice->search);
    return choice->has_more ? choose_next(scratch) : choose_add_selves(scratch);
}

bool wi_choose_selves(willow_scratch *scratch, bool all)
{
    scratch->pairs.count = scratch->lists.by_pair.count = 0;
    scratch->choice.has_more = false;
    if (all) scratch->choice.selves = WI_SELVES_ALL;
    return choose_add_selves(scratch);
}
