/* choose_bodies.c - the pairs of bodies that a query begins with.
 *
 * Ways in: wi_choose_pairs, wi_choose_selves. Which bodies are asked about is in scratch->chosen;
 * the broad phase says which of them may meet. */
#include "query/choose_bodies.h"

#include "base/check.h"
#include "query/scratch.h"

void wi_choice_free(wi_memory *memory, wi_choice *choice)
{
    wi_workspace_free(memory, &choice->workspace);
    wi_array_free(memory, &choice->bodies);
}

/* Adds the bodies with `self` as pairs with themselves, in order: a before every (a, b). */
static bool choose_add_selves(willow_scratch *scratch)
{
    uint32_t self_count = 0;
    for (size_t i = 0; i < scratch->chosen.count; i++) self_count += scratch->chosen.items[i].self;
    if (!wi_array_reserve(scratch->memory, &scratch->pairs, scratch->pairs.count + self_count))
        return false;
    wi_body_pair *pairs = scratch->pairs.items;
    size_t from = scratch->pairs.count, to = from + self_count;
    scratch->pairs.count = to;
    for (uint32_t body = (uint32_t)scratch->chosen.count; body-- > 0;) {
        while (from > 0 && pairs[from - 1].a == body) pairs[--to] = pairs[--from];
        if (scratch->chosen.items[body].self) pairs[--to] = (wi_body_pair){body, body};
    }
    WI_ASSERT(from == 0 && to == 0); /* pairs were sorted by a, and of chosen bodies */
    return true;
}

bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch)
{
    size_t count = scratch->chosen.count;
    scratch->pairs.count = scratch->choice.bodies.count = scratch->lists.by_pair.count = 0;
    if (!wi_array_reserve(scratch->memory, &scratch->choice.bodies, count)) return false;
    for (size_t i = 0; i < count; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        scratch->choice.bodies.items[i] =
            (wi_broad_body){body->bounds, body->category_bits, body->mask_bits};
    }
    wi_broad_find *find = wi_broad_for(question->broad, count);
    return find(scratch->memory, &scratch->choice.workspace, scratch->choice.bodies.items,
                (uint32_t)count, &scratch->pairs) &&
           choose_add_selves(scratch) && scratch->pairs.count <= UINT32_MAX;
}

bool wi_choose_selves(willow_scratch *scratch, bool all)
{
    scratch->pairs.count = scratch->lists.by_pair.count = 0;
    for (size_t i = 0; i < scratch->chosen.count; i++)
        scratch->chosen.items[i].self = scratch->chosen.items[i].self || all;
    return choose_add_selves(scratch);
}
