/* scratch.c - what one asking thread owns, and the choice of pairs of bodies that queries begin
 * with. */
#include "query/scratch.h"

#include <string.h>

willow_result wi_scratch_create(wi_memory *memory, const void *world, uint32_t worker_count,
                                willow_kernel kernel, willow_scratch **out)
{
    willow_scratch *scratch = wi_alloc(memory, sizeof *scratch);
    bool ok = scratch != NULL;
    *out = NULL;
    if (!ok) return WILLOW_OUT_OF_MEMORY;
    *scratch = (willow_scratch){.world = world, .memory = memory, .worker_count = worker_count};
    scratch->workers = wi_alloc_array(memory, worker_count, sizeof *scratch->workers);
    ok = scratch->workers != NULL;
    if (ok) memset(scratch->workers, 0, worker_count * sizeof *scratch->workers);
    scratch->kernel = kernel;
    ok = ok && wi_scratch_ready(scratch, 1);
    if (!ok) {
        willow_scratch_destroy(scratch);
        return WILLOW_OUT_OF_MEMORY;
    }
    *out = scratch;
    return WILLOW_OK;
}

bool wi_scratch_ready(willow_scratch *scratch, uint32_t worker_count)
{
    while (scratch->ready_count < worker_count) {
        wi_walk *walk = &scratch->workers[scratch->ready_count].walk;
        if (!wi_walk_init(walk, scratch->memory, scratch->kernel)) return false;
        scratch->ready_count++;
    }
    return true;
}

void willow_scratch_destroy(willow_scratch *scratch)
{
    if (scratch == NULL) return;
    wi_memory *memory = scratch->memory;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        wi_walk_free(&scratch->workers[i].walk);
        wi_array_free(memory, &scratch->workers[i].segments);
        wi_nearest_free(memory, &scratch->workers[i].nearest);
        wi_array_free(memory, &scratch->workers[i].left);
    }
    wi_free_array(memory, scratch->workers, scratch->worker_count, sizeof *scratch->workers);
    wi_workspace_free(memory, &scratch->workspace);
    wi_array_free(memory, &scratch->chosen);
    wi_array_free(memory, &scratch->broad_bodies);
    wi_array_free(memory, &scratch->pairs);
    wi_array_free(memory, &scratch->items);
    wi_array_free(memory, &scratch->next_items);
    wi_array_free(memory, &scratch->segments);
    wi_array_free(memory, &scratch->lots);
    wi_array_free(memory, &scratch->order);
    wi_array_free(memory, &scratch->keys);
    wi_array_free(memory, &scratch->spare_keys);
    wi_array_free(memory, &scratch->runs);
    wi_array_free(memory, &scratch->found);
    wi_array_free(memory, &scratch->witnesses);
    wi_array_free(memory, &scratch->spare_contacts);
    wi_array_free(memory, &scratch->contacts);
    wi_array_free(memory, &scratch->impacts);
    wi_array_free(memory, &scratch->near);
    wi_array_free(memory, &scratch->leaf_pairs);
    wi_array_free(memory, &scratch->lists);
    wi_array_free(memory, &scratch->seeds);
    wi_array_free(memory, &scratch->sorted_seeds);
    wi_nearest_free(memory, &scratch->front);
    wi_array_free(memory, &scratch->batch);
    wi_array_free(memory, &scratch->outcomes);
    wi_free(memory, scratch, sizeof *scratch);
}

const char *willow_scratch_message(const willow_scratch *scratch) { return scratch->message.text; }

willow_query_stats willow_scratch_stats(const willow_scratch *scratch)
{
    willow_query_stats sum = {0};
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        wi_walk_add_stats(&scratch->workers[i].walk, &sum);
    return sum;
}

void willow_scratch_reset_stats(willow_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        wi_walk_reset_stats(&scratch->workers[i].walk);
}

willow_query_options willow_query_options_default(void)
{
    return (willow_query_options){.struct_size = sizeof(willow_query_options)};
}

/* Adds the bodies with `self` as pairs with themselves, in order: a before every (a, b). */
static bool add_selves(willow_scratch *scratch)
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
    return true;
}

bool wi_choose_pairs(const wi_question *question, willow_scratch *scratch)
{
    size_t count = scratch->chosen.count;
    scratch->pairs.count = scratch->broad_bodies.count = scratch->lists.count = 0;
    if (!wi_array_reserve(scratch->memory, &scratch->broad_bodies, count)) return false;
    for (size_t i = 0; i < count; i++) {
        const wi_query_body *body = &scratch->chosen.items[i];
        scratch->broad_bodies.items[i] =
            (wi_broad_body){body->bounds, body->category_bits, body->mask_bits};
    }
    wi_broad_find *find = wi_broad_for(question->broad, count);
    return find(scratch->memory, &scratch->workspace, scratch->broad_bodies.items, (uint32_t)count,
                &scratch->pairs) &&
           add_selves(scratch) && scratch->pairs.count <= UINT32_MAX;
}

bool wi_choose_selves(willow_scratch *scratch, bool all)
{
    scratch->pairs.count = scratch->lists.count = 0;
    for (size_t i = 0; i < scratch->chosen.count; i++)
        scratch->chosen.items[i].self = scratch->chosen.items[i].self || all;
    return add_selves(scratch);
}
