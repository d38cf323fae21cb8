/* step_lists.c - where walks over steps begin, if a separation list knows: not at the roots.
 *
 * Ways in: wi_step_lists_seed, which makes items of what the list says has to be looked into, and
 * wi_step_lists_push, which hands one of them to a walk. Seeds are in the order in which they begin
 * to meet, so that the first impact comes early. */
#include "query/step_lists.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "query/scratch.h"

void wi_step_lists_free(wi_memory *memory, wi_step_lists *lists)
{
    wi_array_free(memory, &lists->by_pair);
    wi_array_free(memory, &lists->seeds);
    wi_array_free(memory, &lists->sorted_seeds);
    wi_array_free(memory, &lists->leaf_pairs);
}

/* Seeds in an item: few enough that a search which has found an impact need not look into many that
 * begin later. */
enum { SEEDS_PER_ITEM = 64 };

bool wi_step_lists_know(const willow_scratch *scratch, uint32_t pair)
{
    return pair < scratch->lists.by_pair.count && scratch->lists.by_pair.items[pair] != NULL;
}

/* Those from `first` on, by when they begin to meet; equal ones as they came. */
static bool sort_seeds(willow_scratch *scratch, size_t first)
{
    const size_t count = scratch->lists.seeds.count - first;
    scratch->sort.keys.count = scratch->sort.spare.count = scratch->lists.sorted_seeds.count = 0;
    if (count > UINT32_MAX || !wi_array_reserve(scratch->memory, &scratch->sort.keys, count) ||
        !wi_array_reserve(scratch->memory, &scratch->sort.spare, count) ||
        !wi_array_reserve(scratch->memory, &scratch->lists.sorted_seeds, count))
        return false;
    wi_sep_seed *seeds = scratch->lists.seeds.items + first;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits; /* of numbers that are not negative they are in the same order */
        memcpy(&bits, &seeds[i].when, sizeof bits);
        scratch->sort.keys.items[i] = (uint64_t)bits << 32 | i;
    }
    wi_sort_u64(scratch->sort.keys.items, scratch->sort.spare.items, count);
    for (size_t i = 0; i < count; i++)
        scratch->lists.sorted_seeds.items[i] = seeds[(uint32_t)scratch->sort.keys.items[i]];
    if (count > 0) memcpy(seeds, scratch->lists.sorted_seeds.items, count * sizeof *seeds);
    return true;
}

/* In the place of the roots, which are on top of the stack. */
bool wi_step_lists_seed(willow_scratch *scratch, uint32_t pair)
{
    const size_t first = scratch->lists.seeds.count;
    WI_ASSERT(wi_step_lists_know(scratch, pair));
    if (!wi_separation_look_ahead(scratch->memory, scratch->kernel,
                                  scratch->lists.by_pair.items[pair], scratch->lists.until,
                                  &scratch->lists.seeds) ||
        !sort_seeds(scratch, first))
        return false;
    for (size_t at = first; at < scratch->lists.seeds.count; at += SEEDS_PER_ITEM) {
        const size_t left = scratch->lists.seeds.count - at;
        const wi_query_item item = {.kind = WI_QUERY_SEEDS,
                                    .pair = pair,
                                    .first_seed = at,
                                    .seed_count = left < SEEDS_PER_ITEM ? left : SEEDS_PER_ITEM};
        if (!wi_array_push(scratch->memory, &scratch->schedule.items, item)) return false;
    }
    return true;
}

/* Nothing is known of boxes but that of the whole body. */
bool wi_step_lists_push(const willow_scratch *scratch, wi_descent *down, const wi_query_item *item)
{
    const wi_query_body *a = wi_body_a(scratch, item->pair), *b = wi_body_b(scratch, item->pair);
    WI_ASSERT(item->kind == WI_QUERY_SEEDS && item->seed_count > 0);
    WI_ASSERT(item->first_seed + item->seed_count <= scratch->lists.seeds.count);
    for (size_t i = item->seed_count; i-- > 0;) { /* so that the first comes first */
        const wi_sep_seed *seed = &scratch->lists.seeds.items[item->first_seed + i];
        const bool is_itself = a == b && seed->a == seed->b;
        WI_ASSERT((seed->a & WI_IS_LEAF) != 0 ||
                  seed->a < a->shown->tree->shape->node_count); /* watched bodies have their own */
        const wi_walk_item nodes = {is_itself ? WI_NODE_ITSELF : WI_NODES, seed->a, seed->b,
                                    a->bounds, b->bounds};
        if (!wi_descent_push(down, &nodes)) return false;
    }
    return true;
}
