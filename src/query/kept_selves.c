/* kept_selves.c - see kept_selves.h. Made for bodies that stand still among others that move: a
 * search within them takes as long as when they deform, and finds the same again. Keeping costs a
 * copy of what was found. */
#include "query/kept_selves.h"

#include "base/check.h"
#include "query/scratch.h"

void wi_kept_selves_free(wi_memory *memory, wi_kept_selves *kept)
{
    for (size_t i = 0; i < kept->bodies.count; i++)
        wi_array_free(memory, &kept->bodies.items[i].keys);
    wi_array_free(memory, &kept->bodies);
}

/* The number of a body that is paired with itself; false if two bodies are. */
static bool number_within(const willow_scratch *scratch, uint32_t pair, size_t *number)
{
    const wi_query_body *a = wi_body_a(scratch, pair);
    if (a != wi_body_b(scratch, pair)) return false;
    WI_ASSERT(a->id.index1 > 0);
    *number = a->id.index1 - 1;
    return true;
}

const wi_kept_self *wi_kept_selves_find(const willow_scratch *scratch, uint32_t pair,
                                        const wi_walk_rules *rules)
{
    const wi_kept_selves *kept = &scratch->kept;
    size_t number;
    if (kept->bodies.count == 0 || !number_within(scratch, pair, &number)) return NULL;
    if (number >= kept->bodies.count) return NULL;
    const wi_kept_self *self = &kept->bodies.items[number];
    const wi_tree *h = wi_body_a(scratch, pair)->h;
    const bool is_known = self->placement == h->boxes.placement &&
                          self->mask_changes == h->mesh->masks.changes &&
                          self->skip_neighbours == rules->skip_neighbours;
    return is_known ? self : NULL;
}

/* Room for what is known of a body; NULL if there is no memory. */
static wi_kept_self *take_place(willow_scratch *scratch, size_t number)
{
    wi_kept_selves *kept = &scratch->kept;
    if (!wi_array_reserve(scratch->memory, &kept->bodies, number + 1)) return NULL;
    for (; kept->bodies.count <= number; kept->bodies.count++)
        kept->bodies.items[kept->bodies.count] = (wi_kept_self){.placement = 0};
    return &kept->bodies.items[number];
}

static bool keep_pairs(willow_scratch *scratch, size_t number, const willow_tri_pair *pairs,
                       size_t count)
{
    wi_kept_self *self = take_place(scratch, number);
    if (self == NULL) return false;
    self->placement = 0;
    self->keys.count = 0;
    if (!wi_array_reserve(scratch->memory, &self->keys, count)) return false;
    for (size_t i = 0; i < count; i++)
        self->keys.items[i] = wi_pair_key_of(pairs[i].tri_a, pairs[i].tri_b);
    self->keys.count = count;
    return true;
}

bool wi_kept_selves_keep(const wi_question *question, willow_scratch *scratch)
{
    size_t next = 0; /* lot; they are in the order of pairs, and those without any have none */
    for (uint32_t pair = 0; pair < scratch->pairs.count; pair++) {
        const wi_lot *lots = scratch->found.lots.items, *lot = NULL;
        size_t number;
        while (next < scratch->found.lots.count && lots[next].pair < pair) next++;
        if (next < scratch->found.lots.count && lots[next].pair == pair) lot = &lots[next];
        if (!number_within(scratch, pair, &number) ||
            wi_kept_selves_find(scratch, pair, &question->rules))
            continue;
        if (!keep_pairs(scratch, number, lot ? scratch->found.pairs.items + lot->place : NULL,
                        lot ? lot->count : 0))
            return false;
        wi_kept_self *self = &scratch->kept.bodies.items[number];
        self->placement = wi_body_a(scratch, pair)->h->boxes.placement;
        self->mask_changes = wi_body_a(scratch, pair)->h->mesh->masks.changes;
        self->skip_neighbours = question->rules.skip_neighbours;
    }
    return true;
}
