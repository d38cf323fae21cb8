/* near_cells.c - near cells in the order of the answer: by bodies, then by cells.
 *
 * Way in: wi_answer_near_cells. Cells are sorted by three numbers, one after the other (radix
 * sort), and then pairs by the places of their cells. */
#include "query/near_cells.h"

#include "base/check.h"
#include "base/containers/sort.h"
#include "query/scratch.h"

/* Sorts `order` by a number of each, equal ones as they are; all rooms are large enough. */
#define SORT_ORDER(scratch, number_of)                                                             \
    do {                                                                                           \
        wi_cells_found *const f_ = &(scratch)->cells;                                              \
        uint64_t *const keys_ = (scratch)->sort.keys.items;                                        \
        for (size_t i_ = 0; i_ < f_->order.count; i_++) {                                          \
            const uint32_t at = f_->order.items[i_];                                               \
            keys_[i_] = (uint64_t)(number_of) << 32 | i_;                                          \
        }                                                                                          \
        wi_sort_u64(keys_, (scratch)->sort.spare.items, f_->order.count);                          \
        for (size_t i_ = 0; i_ < f_->order.count; i_++)                                            \
            f_->spare.items[i_] = f_->order.items[(uint32_t)keys_[i_]];                            \
        for (size_t i_ = 0; i_ < f_->order.count; i_++) f_->order.items[i_] = f_->spare.items[i_]; \
    } while (0)

static bool reserve_sorting(willow_scratch *scratch, size_t count)
{
    wi_cells_found *found = &scratch->cells;
    wi_memory *memory = scratch->memory;
    found->order.count = found->spare.count = 0;
    scratch->sort.keys.count = scratch->sort.spare.count = 0;
    return wi_array_reserve(memory, &found->order, count) &&
           wi_array_reserve(memory, &found->spare, count) &&
           wi_array_reserve(memory, &scratch->sort.keys, count) &&
           wi_array_reserve(memory, &scratch->sort.spare, count);
}

/* Fills `order` with the cells that are part of a pair, sorted, and `rank`: where they are there.
 * False if there is no memory. */
static bool rank_cells(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    const wi_near_cell *cells = found->cells.items;
    if (!reserve_sorting(scratch, found->cells.count) ||
        !wi_array_reserve(scratch->memory, &found->rank, found->cells.count))
        return false;
    for (uint32_t i = 0; i < found->cells.count; i++)
        if (cells[i].is_wanted) found->order.items[found->order.count++] = i;
    SORT_ORDER(scratch, (uint32_t)cells[at].cell.at[1] << 16 | cells[at].cell.at[2]);
    SORT_ORDER(scratch, cells[at].cell.at[0]);
    SORT_ORDER(scratch, cells[at].body); /* in the order of ids */
    for (uint32_t i = 0; i < found->order.count; i++) found->rank.items[found->order.items[i]] = i;
    return true;
}

static void mark_in_pairs(wi_cells_found *found, size_t count)
{
    for (size_t i = 0; i < found->cells.count; i++) found->cells.items[i].is_wanted = false;
    for (size_t i = 0; i < count; i++) {
        found->cells.items[found->pairs.items[i].a].is_wanted = true;
        found->cells.items[found->pairs.items[i].b].is_wanted = true;
    }
}

/* Fills `order` with the pairs, sorted by the pair of bodies and by the ranks of their cells. */
static bool sort_pairs(willow_scratch *scratch)
{
    const wi_cells_found *found = &scratch->cells;
    const wi_near_cell_pair *pairs = found->pairs.items;
    const uint32_t *rank = found->rank.items;
    if (!reserve_sorting(scratch, found->pairs.count)) return false;
    for (uint32_t i = 0; i < found->pairs.count; i++)
        scratch->cells.order.items[scratch->cells.order.count++] = i;
    SORT_ORDER(scratch, rank[pairs[at].b]);
    SORT_ORDER(scratch, rank[pairs[at].a]);
    SORT_ORDER(scratch, pairs[at].bodies);
    return true;
}

/* ---- the answer ---- */

static willow_near_cell answer_of(const wi_cells_found *found, const willow_scratch *scratch,
                                  const wi_near_cell *cell)
{
    const wi_cell_body *body = &found->bodies.items[cell->body];
    const wi_box box = wi_cell_box(&body->grid, cell->cell);
    return (willow_near_cell){.body =
                                  scratch->chosen.items[found->chosen.items[cell->body]].shown->id,
                              .level = cell->cell.level,
                              .place = {cell->cell.at[0], cell->cell.at[1], cell->cell.at[2]},
                              .box = wi_box_public(&box),
                              .centre = {cell->centre[0], cell->centre[1], cell->centre[2]},
                              .radius = cell->radius};
}

/* `order` has the cells. */
static bool answer_cells(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    found->answers.count = 0;
    if (!wi_array_reserve(scratch->memory, &found->answers, found->order.count)) return false;
    for (size_t i = 0; i < found->order.count; i++)
        found->answers.items[found->answers.count++] =
            answer_of(found, scratch, &found->cells.items[found->order.items[i]]);
    return true;
}

static willow_near_cell_pair item_of(const wi_cells_found *found, const wi_near_cell_pair *pair)
{
    const wi_near_cell *a = &found->cells.items[pair->a], *b = &found->cells.items[pair->b];
    return (willow_near_cell_pair){
        found->rank.items[pair->a], found->rank.items[pair->b],
        wi_near_cells_apart(&found->bodies.items[a->body], a, &found->bodies.items[b->body], b)};
}

/* The pairs, which are in order, as many as there are. */
static bool answer_pairs(willow_scratch *scratch)
{
    wi_cells_found *found = &scratch->cells;
    const size_t count = found->pairs.count;
    found->items.count = found->runs.count = 0;
    if (!wi_array_reserve(scratch->memory, &found->items, count)) return false;
    for (size_t i = 0; i < count; i++) {
        const wi_near_cell_pair *pair = &found->pairs.items[i];
        if ((i == 0 || pair->bodies != pair[-1].bodies) &&
            !wi_array_push(scratch->memory, &found->runs, wi_run_of(scratch, pair->bodies, i)))
            return false;
        found->runs.items[found->runs.count - 1].count++;
        found->items.items[found->items.count++] = item_of(found, pair);
    }
    return true;
}

/* Pairs in the order of `order`, and no more than are wanted. */
static bool put_in_order(willow_scratch *scratch, size_t count)
{
    wi_cells_found *found = &scratch->cells;
    wi_near_cell_pairs sorted = {0};
    if (!wi_array_reserve(scratch->memory, &sorted, count)) return false;
    for (size_t i = 0; i < count; i++)
        sorted.items[sorted.count++] = found->pairs.items[found->order.items[i]];
    wi_array_free(scratch->memory, &found->pairs);
    found->pairs = sorted;
    return true;
}

bool wi_answer_near_cells(const wi_question *question, willow_scratch *scratch,
                          willow_near_cells *out)
{
    wi_cells_found *found = &scratch->cells;
    const size_t all = found->pairs.count, limit = question->options.max_results;
    const size_t count = limit > 0 && limit < all ? limit : all;
    mark_in_pairs(found, all);
    if (!rank_cells(scratch) || !sort_pairs(scratch) || !put_in_order(scratch, count)) return false;
    mark_in_pairs(found, count); /* some were of pairs that were cut off */
    if (!rank_cells(scratch) || !answer_cells(scratch) || !answer_pairs(scratch)) return false;
    *out = (willow_near_cells){.runs = found->runs.items,
                               .run_count = found->runs.count,
                               .items = found->items.items,
                               .count = found->items.count,
                               .cells = found->answers.items,
                               .cell_count = found->answers.count,
                               .complete = count == all};
    return true;
}
