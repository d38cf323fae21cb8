/* kin_edit.c - finds the ties of one leaf of a linked tree anew, by the lists of leaves that its
 * vertices have. They are written behind all others; when more than half of what is written is of
 * no use, the rest moves together. */
#include <string.h>

#include "base/check.h"
#include "tree/self/self_edit.h"

/* The triangles of a leaf that name one of its vertices. */
static uint32_t tris_at(const wi_shape *s, const wi_leaf *leaf, unsigned number)
{
    uint32_t tris = 0;
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint8_t *corner = s->corners[leaf->first_tri + tri];
        tris |= (uint32_t)(corner[0] == number || corner[1] == number || corner[2] == number)
                << tri;
    }
    return tris;
}

static wi_gathered_tie *kin_tie_with(wi_memory *memory, wi_gathered_ties *ties, uint32_t leaf)
{
    size_t i = 0;
    while (i < ties->count && ties->items[i].leaf != leaf) i++;
    if (i == ties->count && !wi_array_push(memory, ties, ((wi_gathered_tie){.leaf = leaf})))
        return NULL;
    return &ties->items[i];
}

/* By one vertex of the leaf, with all later leaves that have it. */
static wi_kin_outcome gather_at(wi_memory *memory, const wi_tree *h, uint32_t number, unsigned i,
                                wi_gathered_ties *ties)
{
    const wi_shape *s = h->shape;
    const wi_links *l = s->links;
    const uint32_t own = tris_at(s, &s->leaves[number], i);
    const uint32_t most = wi_most_leaves_of_a_vertex(l->tris_per_leaf);
    uint32_t at = l->first_entry[s->leaf_vertices[s->leaves[number].first_vertex + i]];
    for (unsigned leaves = 1; at != WI_NO_LINK; at = l->next_entry[at], leaves++) {
        const uint32_t other = at / l->entries_per_leaf;
        if (leaves > most) return WI_KIN_HUB;
        if (other <= number) continue;
        wi_gathered_tie *tie = kin_tie_with(memory, ties, other);
        if (tie == NULL) return WI_KIN_NO_MEMORY;
        const uint32_t row = tris_at(s, &s->leaves[other], at % l->entries_per_leaf);
        for (uint32_t tris = own; tris != 0; tris &= tris - 1)
            tie->rows[__builtin_ctz(tris)] |= row;
    }
    return WI_KIN_FOUND;
}

static size_t rows_of(const wi_shared_vertices *kin, uint32_t leaf)
{
    size_t count = 0;
    for (uint32_t i = kin->first_tie[leaf]; i < kin->last_tie[leaf]; i++)
        count += (size_t)__builtin_popcount(kin->ties.items[i].tris);
    return count;
}

void wi_kin_edit_forget(wi_tree *h, uint32_t leaf)
{
    wi_shared_vertices *kin = &h->shape->self->shared;
    wi_self_edit *e = h->shape->self->edit;
    e->live_ties -= kin->last_tie[leaf] - kin->first_tie[leaf];
    e->live_rows -= rows_of(kin, leaf);
    kin->first_tie[leaf] = kin->last_tie[leaf] = 0;
}

/* What is of use moves together, into arrays of its own. */
static bool gather_live(wi_memory *memory, wi_tree *h)
{
    wi_shared_vertices *kin = &h->shape->self->shared, fresh = *kin;
    const wi_self_edit *e = h->shape->self->edit;
    memset(&fresh.ties, 0, sizeof fresh.ties);
    memset(&fresh.rows, 0, sizeof fresh.rows);
    if (!wi_array_reserve(memory, &fresh.ties, e->live_ties + e->live_ties / 2 + 1) ||
        !wi_array_reserve(memory, &fresh.rows, e->live_rows + e->live_rows / 2 + 1)) {
        wi_array_free(memory, &fresh.ties);
        return false;
    }
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        const uint32_t first = (uint32_t)fresh.ties.count;
        for (uint32_t i = kin->first_tie[leaf]; i < kin->last_tie[leaf]; i++) {
            wi_tie tie = kin->ties.items[i];
            const size_t rows = (size_t)__builtin_popcount(tie.tris);
            memcpy(fresh.rows.items + fresh.rows.count, kin->rows.items + tie.first_row,
                   rows * sizeof *fresh.rows.items);
            tie.first_row = (uint32_t)fresh.rows.count;
            fresh.rows.count += rows;
            fresh.ties.items[fresh.ties.count++] = tie;
        }
        kin->first_tie[leaf] = first;
        kin->last_tie[leaf] = (uint32_t)fresh.ties.count;
    }
    WI_ASSERT(fresh.ties.count == e->live_ties && fresh.rows.count == e->live_rows);
    wi_array_free(memory, &kin->ties);
    wi_array_free(memory, &kin->rows);
    *kin = fresh;
    return true;
}

static bool is_mostly_lost(const wi_shared_vertices *kin, const wi_self_edit *e)
{
    enum { FEW = 256 };
    return kin->ties.count > 2 * e->live_ties + FEW || kin->rows.count > 2 * e->live_rows + FEW * 8;
}

wi_kin_outcome wi_kin_edit_leaf(wi_memory *memory, wi_tree *h, uint32_t number)
{
    wi_shared_vertices *kin = &h->shape->self->shared;
    wi_self_edit *e = h->shape->self->edit;
    const wi_leaf *leaf = &h->shape->leaves[number];
    wi_gathered_ties *ties = &e->gathered;
    wi_kin_outcome outcome = WI_KIN_FOUND;
    ties->count = 0;
    wi_kin_edit_forget(h, number);
    if (is_mostly_lost(kin, e) && !gather_live(memory, h)) return WI_KIN_NO_MEMORY;
    for (unsigned i = 0; i < leaf->vertex_count && outcome == WI_KIN_FOUND; i++)
        outcome = gather_at(memory, h, number, i, ties);
    if (outcome != WI_KIN_FOUND) return outcome;
    wi_shared_vertices_sort(ties->items, (uint32_t)ties->count);
    kin->first_tie[number] = kin->last_tie[number] = (uint32_t)kin->ties.count;
    if (!wi_shared_vertices_write(memory, kin, ties->items, (uint32_t)ties->count))
        return WI_KIN_NO_MEMORY;
    kin->last_tie[number] = (uint32_t)kin->ties.count;
    e->live_ties += ties->count;
    e->live_rows += rows_of(kin, number);
    return WI_KIN_FOUND;
}
