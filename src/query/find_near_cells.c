/* find_near_cells.c - pairs of cells whose spheres meet, on one level.
 *
 * Way in: wi_find_near_cells. Level by level, for all pairs of bodies at once: cells that are part
 * of a pair are divided, each once however many pairs it is part of, and of their children those
 * are paired that may have spheres below them that meet. Workers share out first the cells and then
 * the pairs; what they find is numbered worker by worker, and sorted in the end, so that no answer
 * depends on who found it (C10). */
#include "base/check.h"
#include "base/containers/sort.h"
#include "query/scratch.h"

void wi_cells_found_free(wi_memory *memory, wi_cells_found *found, uint32_t worker_count)
{
    for (uint32_t i = 0; i < worker_count && found->workers; i++) {
        wi_cells_of_worker_free(memory, &found->workers[i].found);
        wi_array_free(memory, &found->workers[i].pairs);
    }
    wi_free_array(memory, found->workers, worker_count, sizeof *found->workers);
    wi_array_free(memory, &found->bodies);
    wi_array_free(memory, &found->chosen);
    wi_array_free(memory, &found->numbers);
    wi_array_free(memory, &found->cells);
    wi_array_free(memory, &found->next);
    wi_array_free(memory, &found->pairs);
    wi_array_free(memory, &found->order);
    wi_array_free(memory, &found->spare);
    wi_array_free(memory, &found->rank);
    wi_array_free(memory, &found->runs);
    wi_array_free(memory, &found->answers);
    wi_array_free(memory, &found->items);
}

/* ---- sharing out ---- */

/* Things in even runs, some for each worker. */
typedef struct near_cells_job {
    willow_scratch *scratch;
    bool (*run)(willow_scratch *scratch, uint32_t worker, size_t first, size_t last);
    size_t count;
    uint32_t task_count;
} near_cells_job;

static void near_cells_task(void *arg, uint32_t task, uint32_t worker)
{
    const near_cells_job *job = arg;
    wi_query_worker *w = &job->scratch->workers[worker];
    WI_ASSERT(worker < job->scratch->ready_count && task < job->task_count);
    if (w->is_out_of_memory) return;
    w->is_out_of_memory = !job->run(job->scratch, worker, job->count * task / job->task_count,
                                    job->count * (task + 1) / job->task_count);
}

/* False if a worker had no memory. */
static bool share_out(const wi_question *question, near_cells_job *job)
{
    enum { TASKS_PER_WORKER = 16 };
    const willow_tasks *tasks = &question->tasks;
    const size_t most = (size_t)tasks->worker_count * TASKS_PER_WORKER;
    if (job->count == 0) return true;
    job->task_count =
        tasks->worker_count == 1 ? 1 : (uint32_t)(job->count < most ? job->count : most);
    tasks->parallel_for(tasks->context, job->task_count, near_cells_task, job);
    for (uint32_t i = 0; i < job->scratch->ready_count; i++)
        if (job->scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static bool near_cells_start(const wi_question *question, willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    if (!wi_scratch_ready(scratch, question->tasks.worker_count)) return false;
    if (found->workers == NULL) {
        found->workers =
            wi_alloc_array(scratch->memory, scratch->worker_count, sizeof *found->workers);
        if (found->workers == NULL) return false;
        for (uint32_t i = 0; i < scratch->worker_count; i++)
            found->workers[i] = (wi_cells_worker){.found = {.number = i}};
    }
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        scratch->workers[i].is_out_of_memory = false;
        found->workers[i].found.slots[0].count = found->workers[i].found.slots[1].count = 0;
    }
    scratch->workers[0].reader.stats.body_pairs += scratch->pairs.count;
    found->turn = 0;
    return true;
}

/* ---- numbering ---- */

/* Where the cells of each worker begin among all: one after the other. */
static size_t first_of_worker(const willow_scratch *scratch, uint32_t worker)
{
    size_t first = 0;
    for (uint32_t i = 0; i < worker; i++) first += scratch->cells.workers[i].found.cells.count;
    return first;
}

/* The cells of all workers become those of the level. False if there is no memory. */
static bool gather_cells(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    const size_t count = first_of_worker(scratch, scratch->ready_count);
    found->next.count = 0;
    if (count >= UINT32_MAX || !wi_array_reserve(scratch->memory, &found->next, count))
        return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_cells_of_worker *from = &found->workers[i].found;
        for (size_t k = 0; k < from->cells.count; k++)
            found->next.items[found->next.count++] = from->cells.items[k];
    }
    WI_ASSERT(found->next.count == count);
    return true;
}

static bool gather_pairs(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    size_t count = 0;
    for (uint32_t i = 0; i < scratch->ready_count; i++) count += found->workers[i].pairs.count;
    found->pairs.count = 0;
    if (count >= UINT32_MAX || !wi_array_reserve(scratch->memory, &found->pairs, count))
        return false;
    for (uint32_t i = 0; i < scratch->ready_count; i++) {
        const wi_near_cell_pairs *from = &found->workers[i].pairs;
        for (size_t k = 0; k < from->count; k++)
            found->pairs.items[found->pairs.count++] = from->items[k];
    }
    return true;
}

static void forget_found(willow_scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        scratch->cells.workers[i].found.cells.count = scratch->cells.workers[i].pairs.count = 0;
}

static void swap_levels(wi_cells_found *found)
{
    wi_near_cell *items = found->cells.items;
    const size_t capacity = found->cells.capacity;
    found->cells.items = found->next.items;
    found->cells.capacity = found->next.capacity;
    found->cells.count = found->next.count;
    found->next.items = items;
    found->next.capacity = capacity;
    found->next.count = 0;
}

/* Of the level that is done, cells that are part of no pair are divided no more. */
static void mark_wanted(wi_cells_found *found)
{
    for (size_t i = 0; i < found->cells.count; i++) found->cells.items[i].is_wanted = false;
    for (size_t i = 0; i < found->pairs.count; i++) {
        found->cells.items[found->pairs.items[i].a].is_wanted = true;
        found->cells.items[found->pairs.items[i].b].is_wanted = true;
    }
}

/* ---- roots ---- */

#define NO_NUMBER UINT32_MAX

/* The bodies that are part of a pair, of two bodies. False if there is no memory. */
static bool list_bodies(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    const size_t most = scratch->chosen.count;
    found->numbers.count = found->chosen.count = found->bodies.count = 0;
    if (!wi_array_reserve(scratch->memory, &found->numbers, most)) return false;
    for (size_t i = 0; i < most; i++) found->numbers.items[i] = NO_NUMBER;
    for (size_t i = 0; i < scratch->pairs.count; i++) {
        const wi_body_pair *pair = &scratch->pairs.items[i];
        if (pair->a != pair->b) found->numbers.items[pair->a] = found->numbers.items[pair->b] = 0;
    }
    for (uint32_t i = 0; i < most; i++) {
        if (found->numbers.items[i] == NO_NUMBER) continue;
        found->numbers.items[i] = (uint32_t)found->chosen.count;
        if (!wi_array_push(scratch->memory, &found->chosen, i)) return false;
    }
    if (!wi_array_reserve(scratch->memory, &found->bodies, found->chosen.count)) return false;
    scratch->search.rooms.used = 0;
    for (size_t i = 0; i < found->chosen.count; i++) {
        const wi_query_body *body = &scratch->chosen.items[found->chosen.items[i]];
        const wi_tree *h = wi_search_tree(scratch, body);
        if (h == NULL) return false;
        found->bodies.items[found->bodies.count++].h = h;
    }
    return true;
}

/* The grids of bodies, and their roots. */
static bool find_roots(willow_scratch *scratch, uint32_t worker, size_t first, size_t last)
{
    wi_cells_found *found = &scratch->cells;
    for (size_t i = first; i < last; i++) {
        wi_cell_body *body = &found->bodies.items[i];
        *body = wi_cell_body_of(body->h, found->depth);
        if (body->is_empty) continue;
        if (!wi_near_cells_root(&scratch->workers[worker].reader, body, (uint32_t)i,
                                &found->workers[worker].found, found->turn))
            return false;
    }
    return true;
}

/* Pairs two cells if that is of interest. */
static bool pair_cells(willow_scratch *scratch, uint32_t worker, uint32_t a, uint32_t b,
                       uint32_t bodies)
{
    wi_cells_found *found = &scratch->cells;
    const wi_near_cell *cell_a = &found->cells.items[a], *cell_b = &found->cells.items[b];
    scratch->workers[worker].reader.stats.volume_tests++;
    if (!wi_near_cells_meet(&found->bodies.items[cell_a->body], cell_a,
                            &found->bodies.items[cell_b->body], cell_b))
        return true;
    return wi_array_push(scratch->memory, &found->workers[worker].pairs,
                         ((wi_near_cell_pair){a, b, bodies}));
}

/* `order` has the roots by body for the time being. */
static bool pair_roots(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    if (!wi_array_reserve(scratch->memory, &found->order, found->bodies.count)) return false;
    for (size_t i = 0; i < found->bodies.count; i++) found->order.items[i] = NO_NUMBER;
    for (uint32_t i = 0; i < found->cells.count; i++)
        found->order.items[found->cells.items[i].body] = i;
    for (uint32_t i = 0; i < scratch->pairs.count; i++) {
        const wi_body_pair *pair = &scratch->pairs.items[i];
        if (pair->a == pair->b) continue;
        const uint32_t a = found->order.items[found->numbers.items[pair->a]];
        const uint32_t b = found->order.items[found->numbers.items[pair->b]];
        if (a != NO_NUMBER && b != NO_NUMBER && !pair_cells(scratch, 0, a, b, i)) return false;
    }
    return gather_pairs(scratch);
}

static bool begin_levels(const wi_question *question, willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    if (!near_cells_start(question, scratch) || !list_bodies(scratch)) return false;
    near_cells_job job = {.scratch = scratch, .run = find_roots, .count = found->bodies.count};
    forget_found(scratch);
    if (!share_out(question, &job) || !gather_cells(scratch)) return false;
    swap_levels(found);
    return pair_roots(scratch);
}

/* ---- the next level ---- */

static bool is_last(const wi_cells_found *found, const wi_near_cell *cell)
{
    return cell->cell.level == found->bodies.items[cell->body].level;
}

/* A cell of the last level stays what it is while others are divided. */
static bool keep_cell(willow_scratch *scratch, wi_near_cell *cell, wi_cells_of_worker *out)
{
    const wi_near_cell kept = *cell;
    cell->worker = out->number;
    cell->first_child = out->cells.count;
    cell->child_count = 1;
    return wi_array_push(scratch->memory, &out->cells, kept);
}

static const uint32_t *lists_of(const wi_cells_found *found, const wi_near_cell *cell)
{
    return cell->lists == WI_LISTS_OF_TREE
               ? found->bodies.items[cell->body].h->shape->slots
               : found->workers[cell->lists].found.slots[found->turn ^ 1].items;
}

static bool divide_cells(willow_scratch *scratch, uint32_t worker, size_t first, size_t last)
{
    wi_cells_found *found = &scratch->cells;
    wi_cells_of_worker *out = &found->workers[worker].found;
    for (size_t i = first; i < last; i++) {
        wi_near_cell *cell = &found->cells.items[i];
        if (!cell->is_wanted) continue;
        const bool ok = is_last(found, cell)
                            ? keep_cell(scratch, cell, out)
                            : wi_near_cells_below(&scratch->workers[worker].reader,
                                                  &found->bodies.items[cell->body], cell,
                                                  lists_of(found, cell), out, found->turn);
        if (!ok) return false;
    }
    return true;
}

/* Children are numbered among all of the next level. */
static void number_children(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    for (size_t i = 0; i < found->cells.count; i++) {
        wi_near_cell *cell = &found->cells.items[i];
        if (cell->is_wanted) cell->first_child += first_of_worker(scratch, cell->worker);
    }
}

/* The numbers of children are in the level above: its cells are in `next` now. */
static bool pair_children(willow_scratch *scratch, uint32_t worker, size_t first, size_t last)
{
    const wi_cells_found *found = &scratch->cells;
    for (size_t i = first; i < last; i++) {
        const wi_near_cell_pair *pair = &found->pairs.items[i];
        const wi_near_cell *above_a = &found->next.items[pair->a];
        const wi_near_cell *above_b = &found->next.items[pair->b];
        for (size_t a = 0; a < above_a->child_count; a++)
            for (size_t b = 0; b < above_b->child_count; b++)
                if (!pair_cells(scratch, worker, (uint32_t)(above_a->first_child + a),
                                (uint32_t)(above_b->first_child + b), pair->bodies))
                    return false;
    }
    return true;
}

static bool next_level(const wi_question *question, willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    near_cells_job divide = {.scratch = scratch, .run = divide_cells, .count = found->cells.count};
    near_cells_job pair = {.scratch = scratch, .run = pair_children, .count = found->pairs.count};
    found->turn ^= 1;
    forget_found(scratch);
    for (uint32_t i = 0; i < scratch->ready_count; i++)
        found->workers[i].found.slots[found->turn].count = 0;
    mark_wanted(found);
    if (!share_out(question, &divide) || !gather_cells(scratch)) return false;
    number_children(scratch);
    swap_levels(found);
    return share_out(question, &pair) && gather_pairs(scratch);
}

static bool are_all_last(const wi_cells_found *found)
{
    for (size_t i = 0; i < found->pairs.count; i++)
        if (!is_last(found, &found->cells.items[found->pairs.items[i].a]) ||
            !is_last(found, &found->cells.items[found->pairs.items[i].b]))
            return false;
    return true;
}

static bool find_all_levels(const wi_question *question, willow_scratch *scratch)
{
    if (!begin_levels(question, scratch)) return false;
    while (!are_all_last(&scratch->cells))
        if (!next_level(question, scratch)) return false;
    return true;
}

willow_result wi_find_near_cells(const wi_question *question, willow_scratch *scratch,
                                 unsigned depth, willow_near_cells *out)
{
    WI_ASSERT(depth >= 1 && depth <= WILLOW_MAX_CELL_DEPTH);
    scratch->cells.depth = depth;
    if (find_all_levels(question, scratch) && wi_answer_near_cells(question, scratch, out))
        return WILLOW_OK;
    return wi_fail_memory(&scratch->message, "cells that are near");
}
