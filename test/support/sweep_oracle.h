/* sweep_oracle.h - all pairs within a mesh of thousands of triangles, without any code of Willow.
 *
 * Boxes that meet are found by sorting them along an axis, and the triangles in them are decided by
 * the rational oracle: some hundred thousand pairs a second. */
#ifndef TEST_SWEEP_ORACLE_H
#define TEST_SWEEP_ORACLE_H

#include "willow/query.h"

typedef struct sweep_pair {
    willow_tri_pair tris;
    bool are_neighbours; /* they share a vertex */
} sweep_pair;

/* Sorted as Willow's pairs are (C3). */
typedef struct sweep_pairs {
    sweep_pair *items;
    size_t count, neighbour_count;
    size_t decided_count; /* boxes that meet */
} sweep_pairs;

/* The pairs by rules C1 and C2; the caller frees them. */
sweep_pairs sweep_find(const float (*positions)[3], const uint32_t (*tris)[3], uint32_t tri_count);
void sweep_free(sweep_pairs *pairs);

/* Fails the test unless `got` are these, or, with `skip_neighbours`, those of them that share no
 * vertex. */
void sweep_check(const sweep_pairs *expected, bool skip_neighbours, const willow_tri_pair *got,
                 size_t got_count);

#endif
