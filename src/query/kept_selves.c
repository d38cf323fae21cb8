/* kept_selves.c - see kept_selves.h. Made for bodies that stand still among others that move: a
 * search within them takes as long as when they deform, and finds the same again. Keeping costs a
 * copy of what was found. Bodies are found by a hash of their numbers, since those that are kept
 * may be few of many. */
#include "query/kept_selves.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "query/scratch.h"

enum { LEAST_PLACES = 16 };

void wi_kept_selves_free(wi_memory *memory, wi_kept_selves *kept)
{
    for (size_t i = 0; i < kept->bodies.count; i++)
        wi_array_free(memory, &kept->bodies.items[i].keys);
    wi_array_free(memory, &kept->bodies);
    wi_free_array(memory, kept->places, kept->place_count, sizeof *kept->places);
    kept->places = NULL;
    kept->place_count = 0;
}

/* ---- bodies by number ---- */

/* The place of a body, or the free one where it belongs. There is always a free one. */
static uint32_t *place_of(const wi_kept_selves *kept, uint32_t number)
{
    const size_t last = kept->place_count - 1;
    WI_ASSERT(kept->bodies.count < kept->place_count && (kept->place_count & last) == 0);
    size_t at = (size_t)wi_hash_u64(0, number) & last;
    while (kept->places[at] != 0 && kept->bodies.items[kept->places[at] - 1].number != number)
        at = (at + 1) & last;
    return &kept->places[at];
}

static wi_kept_self *find_body(const wi_kept_selves *kept, uint32_t number)
{
    const uint32_t place = kept->bodies.count > 0 ? *place_of(kept, number) : 0;
    return place > 0 ? &kept->bodies.items[place - 1] : NULL;
}

/* Twice as many places as bodies, or more. False if there is no memory. */
static bool add_places(wi_memory *memory, wi_kept_selves *kept)
{
    const size_t count = kept->place_count > 0 ? 2 * kept->place_count : LEAST_PLACES;
    if (2 * (kept->bodies.count + 1) <= kept->place_count) return true;
    uint32_t *places = wi_alloc_array(memory, count, sizeof *places);
    if (places == NULL) return false;
    memset(places, 0, count * sizeof *places);
    wi_free_array(memory, kept->places, kept->place_count, sizeof *kept->places);
    kept->places = places;
    kept->place_count = count;
    for (uint32_t i = 0; i < kept->bodies.count; i++)
        *place_of(kept, kept->bodies.items[i].number) = i + 1;
    return true;
}

/* Room for what is known of a body; NULL if there is no memory. */
static wi_kept_self *take_body(wi_memory *memory, wi_kept_selves *kept, uint32_t number)
{
    wi_kept_self *self = find_body(kept, number);
    if (self) return self;
    if (!add_places(memory, kept) ||
        !wi_array_push(memory, &kept->bodies, ((wi_kept_self){.number = number})))
        return NULL;
    *place_of(kept, number) = (uint32_t)kept->bodies.count;
    return &kept->bodies.items[kept->bodies.count - 1];
}

/* ---- what is known ---- */

static bool is_within(const willow_scratch *scratch, uint32_t pair)
{
    return wi_body_a(scratch, pair) == wi_body_b(scratch, pair);
}

const wi_kept_self *wi_kept_selves_find(const willow_scratch *scratch, uint32_t pair,
                                        const wi_walk_rules *rules)
{
    if (scratch->kept.bodies.count == 0 || !is_within(scratch, pair)) return NULL;
    const wi_query_body *body = wi_body_a(scratch, pair);
    const wi_kept_self *self = find_body(&scratch->kept, body->shown->id.index1);
    if (self == NULL) return NULL;
    const bool is_known = self->placement == wi_shown_placement(body->shown) &&
                          self->mask_changes == wi_shown_mask_changes(body->shown) &&
                          self->skip_neighbours == rules->skip_neighbours;
    return is_known ? self : NULL;
}

/* Keeps the pairs of one body, or forgets what was known of it. */
static void keep_pairs(willow_scratch *scratch, const wi_query_body *body,
                       const willow_tri_pair *pairs, size_t count, bool skip_neighbours)
{
    wi_kept_self *self = take_body(scratch->memory, &scratch->kept, body->shown->id.index1);
    if (self == NULL) return;
    self->placement = 0;
    self->keys.count = 0;
    if (!wi_array_reserve(scratch->memory, &self->keys, count)) return;
    for (size_t i = 0; i < count; i++)
        self->keys.items[i] = wi_pair_key_of(pairs[i].tri_a, pairs[i].tri_b);
    self->keys.count = count;
    self->placement = wi_shown_placement(body->shown);
    self->mask_changes = wi_shown_mask_changes(body->shown);
    self->skip_neighbours = skip_neighbours;
}

void wi_kept_selves_keep(const wi_question *question, willow_scratch *scratch)
{
    size_t next = 0; /* lot; they are in the order of pairs, and those without any have none */
    for (uint32_t pair = 0; pair < scratch->pairs.count; pair++) {
        const wi_lot *lots = scratch->found.lots.items, *lot = NULL;
        while (next < scratch->found.lots.count && lots[next].pair < pair) next++;
        if (next < scratch->found.lots.count && lots[next].pair == pair) lot = &lots[next];
        if (!is_within(scratch, pair) || wi_kept_selves_find(scratch, pair, &question->rules))
            continue;
        keep_pairs(scratch, wi_body_a(scratch, pair),
                   lot ? scratch->found.pairs.items + lot->place : NULL, lot ? lot->count : 0,
                   question->rules.skip_neighbours);
    }
}
