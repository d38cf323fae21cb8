/* scratch.c - making and freeing what one asking thread owns, and the counts of its workers. */
#include "query/scratch.h"

#include <string.h>

#include "base/check.h"

willow_result wi_scratch_create(wi_memory *memory, const void *world, uint32_t worker_count,
                                willow_kernel kernel, willow_scratch **out)
{
    willow_scratch *scratch = wi_alloc(memory, sizeof *scratch);
    bool ok = scratch != NULL;
    *out = NULL;
    if (!ok) return WILLOW_OUT_OF_MEMORY;
    *scratch = (willow_scratch){.world = world, .memory = memory, .worker_count = worker_count};
    WI_ASSERT(worker_count > 0);
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
    WI_ASSERT(worker_count <= scratch->worker_count);
    while (scratch->ready_count < worker_count) {
        wi_query_worker *worker = &scratch->workers[scratch->ready_count];
        if (!wi_reader_init(&worker->reader, scratch->memory, scratch->kernel)) return false;
        wi_pair_walk_init(&worker->pairs, &worker->reader);
        wi_step_walk_init(&worker->step, &worker->reader);
        wi_box_walk_init(&worker->box, &worker->reader);
        wi_ray_walk_init(&worker->ray, &worker->reader);
        scratch->ready_count++;
    }
    return true;
}

static const wi_tree *worker_tree(wi_query_worker *worker, unsigned side, const wi_query_body *body)
{
    const wi_shown *shown = body->shown;
    wi_instance *room = &worker->rooms[side];
    if (shown->kind == WI_SHOWN_OWN) return shown->tree;
    if (worker->placements[side] == shown->placement) return &room->tree;
    worker->placements[side] = shown->placement;
    return wi_shown_tree(shown, room);
}

wi_two_trees wi_worker_trees(wi_query_worker *worker, const wi_query_body *a,
                             const wi_query_body *b)
{
    const wi_tree *tree_a = worker_tree(worker, 0, a);
    return (wi_two_trees){tree_a, a == b ? tree_a : worker_tree(worker, 1, b)};
}

const wi_tree *wi_worker_tree(wi_query_worker *worker, const wi_query_body *body)
{
    return worker_tree(worker, 0, body);
}

static void scratch_free_worker(wi_memory *memory, wi_query_worker *worker)
{
    wi_pair_walk_free(&worker->pairs);
    wi_step_walk_free(&worker->step);
    wi_box_walk_free(&worker->box);
    wi_ray_walk_free(&worker->ray);
    wi_nearest_free(memory, &worker->nearest);
    wi_array_free(memory, &worker->left);
    wi_array_free(memory, &worker->segments);
    wi_reader_free(&worker->reader);
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
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        scratch_free_worker(memory, &scratch->workers[i]);
    wi_free_array(memory, scratch->workers, scratch->worker_count, sizeof *scratch->workers);
    wi_array_free(memory, &scratch->copies);
    wi_array_free(memory, &scratch->near_bodies);
    wi_array_free(memory, &scratch->pairs);
    wi_choice_free(memory, &scratch->choice);
    wi_step_lists_free(memory, &scratch->lists);
    wi_schedule_free(memory, &scratch->schedule);
    wi_sort_room_free(memory, &scratch->sort);
    wi_kept_selves_free(memory, &scratch->kept);
    wi_pairs_found_free(memory, &scratch->found);
    wi_contacts_found_free(memory, &scratch->contacts);
    wi_cells_found_free(memory, &scratch->cells, scratch->worker_count);
    wi_search_free(memory, &scratch->search);
    wi_rays_found_free(memory, &scratch->rays);
    wi_free(memory, scratch, sizeof *scratch);
}

const char *willow_scratch_message(const willow_scratch *scratch) { return scratch->message.text; }

willow_query_stats willow_scratch_stats(const willow_scratch *scratch)
{
    willow_query_stats sum = {0};
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        wi_reader_add_stats(&scratch->workers[i].reader, &sum);
    return sum;
}

void willow_scratch_reset_stats(willow_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        wi_reader_reset_stats(&scratch->workers[i].reader);
}

willow_query_options willow_query_options_default(void)
{
    return (willow_query_options){.struct_size = sizeof(willow_query_options)};
}

willow_ray_options willow_ray_options_default(void)
{
    return (willow_ray_options){.struct_size = sizeof(willow_ray_options), .mask_bits = UINT64_MAX};
}
