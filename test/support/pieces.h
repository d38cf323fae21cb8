/* pieces.h - the pieces that a set of triangles is in, found by flooding it. */
#ifndef TEST_PIECES_H
#define TEST_PIECES_H

#include "mesh/incidence.h"
#include "support/test_allocator.h"

typedef struct piece_finder {
    const wi_mesh *mesh;
    test_allocator allocator;
    wi_memory memory;
    wi_workspace workspace;
    wi_incidence incidence;
    uint8_t *is_in;         /* by slot: in the set, and not reached yet */
    uint8_t *is_vertex_met; /* by vertex */
    uint32_t *stack;        /* slots */
} piece_finder;

void piece_finder_open(piece_finder *f, const wi_mesh *mesh);
void piece_finder_close(piece_finder *f);

/* Writes the number of its piece, from 0, for the slot of each triangle in the set; returns how
 * many pieces there are. */
uint32_t find_pieces(piece_finder *f, const uint32_t *slots, uint32_t count, uint32_t *piece);

#endif
