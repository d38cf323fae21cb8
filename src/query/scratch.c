/* scratch.c - making and freeing what one asking thread owns, and the counts of its workers. */
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

void wi_sort_room_free(wi_memory *memory, wi_sort_room *room)
{
    wi_array_free(memory, &room->keys);
    wi_array_free(memory, &room->spare);
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
    wi_array_free(memory, &scratch->chosen);
    wi_array_free(memory, &scratch->pairs);
    wi_choice_free(memory, &scratch->choice);
    wi_step_lists_free(memory, &scratch->lists);
    wi_schedule_free(memory, &scratch->schedule);
    wi_sort_room_free(memory, &scratch->sort);
    wi_pairs_found_free(memory, &scratch->found);
    wi_contacts_found_free(memory, &scratch->contacts);
    wi_search_free(memory, &scratch->search);
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
