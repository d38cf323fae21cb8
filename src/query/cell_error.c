/* cell_error.c - how far the spheres of all cells of a level are from the surface.
 *
 * Way in: wi_measure_cells. Level by level on the calling thread, by triangles: branches of a tree
 * that grows are not opened, since measuring is no question. */
#include "walk/cells/cell_error.h"
#include "base/check.h"
#include "query/scratch.h"

/* All cells of a body on one level, with their lists. */
typedef struct wi_all_cells {
    wi_reader *reader;
    wi_cell_body body;
    wi_cells_of_worker level[2]; /* this one and the next one, by turns */
    wi_cell_pieces pieces;
} wi_all_cells;

static const uint32_t *all_cells_lists(const wi_all_cells *all, const wi_near_cell *cell,
                                       unsigned turn)
{
    return cell->lists == WI_LISTS_OF_TREE ? all->body.h->shape->slots
                                           : all->level[turn].slots[0].items;
}

static bool divide_all(wi_all_cells *all, unsigned turn)
{
    wi_cells_of_worker *from = &all->level[turn], *to = &all->level[turn ^ 1];
    to->cells.count = to->slots[0].count = 0;
    for (size_t i = 0; i < from->cells.count; i++) {
        wi_near_cell *cell = &from->cells.items[i];
        if (!wi_near_cells_below(all->reader, &all->body, cell, all_cells_lists(all, cell, turn),
                                 to, 0))
            return false;
    }
    return true;
}

/* The errors are over the diameter of the root's sphere, which is 0 if all of it is one point. */
static bool measure_level(wi_all_cells *all, unsigned turn, double diameter, willow_cell_error *out)
{
    const wi_cells_of_worker *level = &all->level[turn];
    double sum = 0.0;
    for (size_t i = 0; i < level->cells.count; i++) {
        const wi_near_cell *cell = &level->cells.items[i];
        const wi_box box = wi_cell_box(&all->body.grid, cell->cell);
        const wi_sphere sphere = wi_sphere_around(&box);
        if (!wi_cell_cut(all->reader->memory, all->body.h->mesh,
                         all_cells_lists(all, cell, turn) + cell->first, cell->count, &box,
                         &all->pieces))
            return false;
        const double error = diameter > 0.0 ? wi_cell_error(&all->pieces, &sphere) / diameter : 0.0;
        if (i == 0 || error > out->largest) out->largest = error;
        if (i == 0 || error < out->smallest) out->smallest = error;
        sum += error;
    }
    out->cells = level->cells.count;
    out->mean = sum / (double)level->cells.count;
    return true;
}

static bool measure_all(wi_all_cells *all, willow_cell_error *out)
{
    const unsigned level = all->body.level;
    unsigned turn = 0;
    all->body.level = level + 1; /* cells of the level list their triangles, too */
    if (!wi_near_cells_root(all->reader, &all->body, 0, &all->level[0], 0)) return false;
    const double diameter = 2.0 * all->level[0].cells.items[0].radius;
    for (unsigned i = 1; i < level; i++, turn ^= 1)
        if (!divide_all(all, turn)) return false;
    return measure_level(all, turn, diameter, out);
}

willow_result wi_measure_cells(willow_scratch *scratch, unsigned depth, willow_cell_error *out)
{
    WI_ASSERT(scratch->chosen.count == 1);
    scratch->search.rooms.used = 0;
    const wi_tree *h = wi_search_tree(scratch, &scratch->chosen.items[0]);
    if (h == NULL) return wi_fail_memory(&scratch->message, "the cells of a body");
    wi_all_cells all = {.reader = &scratch->workers[0].reader, .body = wi_cell_body_of(h, depth)};
    all.body.opens = false;
    const bool ok = all.body.is_empty || measure_all(&all, out);
    for (int i = 0; i < 2; i++) wi_cells_of_worker_free(scratch->memory, &all.level[i]);
    wi_array_free(scratch->memory, &all.pieces);
    if (ok) return WILLOW_OK;
    *out = (willow_cell_error){0};
    return wi_fail_memory(&scratch->message, "the cells of a body");
}
