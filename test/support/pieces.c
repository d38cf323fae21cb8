/* pieces.c - floods from triangle to triangle. */
#include "support/pieces.h"

#include <stdlib.h>
#include "support/test.h"

void piece_finder_open(piece_finder *f, const wi_mesh *mesh)
{
    memset(f, 0, sizeof *f);
    willow_allocator functions = test_allocator_functions(&f->allocator);
    wi_memory_init(&f->memory, &functions);
    f->mesh = mesh;
    assert_true(wi_incidence_build(&f->memory, &f->workspace, mesh, &f->incidence));
    f->is_in = calloc((size_t)mesh->tri_count + 1, sizeof *f->is_in);
    f->is_vertex_met = calloc((size_t)mesh->vertex_count + 1, sizeof *f->is_vertex_met);
    f->stack = calloc((size_t)mesh->tri_count + 1, sizeof *f->stack);
}

void piece_finder_close(piece_finder *f)
{
    wi_workspace_free(&f->memory, &f->workspace);
    free(f->is_in);
    free(f->is_vertex_met);
    free(f->stack);
    assert_true(test_allocator_is_clean(&f->allocator));
}

static uint32_t reach(piece_finder *f, uint32_t vertex, uint32_t waiting)
{
    if (f->is_vertex_met[vertex]) return waiting;
    f->is_vertex_met[vertex] = 1;
    for (uint32_t i = f->incidence.first[vertex]; i < f->incidence.first[vertex + 1]; i++) {
        const uint32_t slot = f->incidence.tris[i];
        if (!f->is_in[slot]) continue;
        f->is_in[slot] = 0;
        f->stack[waiting++] = slot;
    }
    return waiting;
}

static void flood(piece_finder *f, uint32_t slot, uint32_t number, uint32_t *piece)
{
    uint32_t waiting = 1;
    f->is_in[slot] = 0;
    f->stack[0] = slot;
    while (waiting > 0) {
        slot = f->stack[--waiting];
        piece[slot] = number;
        for (int i = 0; i < 3; i++) waiting = reach(f, f->mesh->tris[slot][i], waiting);
    }
}

uint32_t find_pieces(piece_finder *f, const uint32_t *slots, uint32_t count, uint32_t *piece)
{
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < count; i++) {
        f->is_in[slots[i]] = 1;
        for (int k = 0; k < 3; k++) f->is_vertex_met[f->mesh->tris[slots[i]][k]] = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (f->is_in[slots[i]]) flood(f, slots[i], pieces++, piece);
    return pieces;
}
