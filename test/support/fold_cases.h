/* fold_cases.h - folding meshes in worlds of many trees, against BRUTE.
 *
 * BRUTE looks at every pair of triangles with the exact test and nothing else. All trees are made
 * on the first shape of a mesh and then follow it to the border at which it meets itself. */
#ifndef TEST_FOLD_CASES_H
#define TEST_FOLD_CASES_H

#include <stddef.h>
#include "support/fold_mesh.h"

typedef struct fold_numbers {
    uint32_t meshes;            /* of every kind */
    uint32_t smallest, largest; /* triangles of a mesh, about; more of them are small */
    uint32_t shapes;            /* of every mesh; a third if it turns out to have no border */
    uint32_t trees;             /* for every mesh */
    uint64_t seed;              /* of the first mesh; others follow */
} fold_numbers;

typedef struct fold_tally {
    size_t meshes;
    size_t borders;    /* of these: clear in some shapes, and met in others */
    size_t clear, met; /* shapes without and with pairs */
    size_t checks;     /* answers of trees that were held against BRUTE's */
    size_t pairs;
} fold_tally;

/* Takes one mesh through its shapes, in a world of BRUTE and in others of random trees, kernels,
 * threads and formats, with random questions. The arguments decide all; a difference fails the test
 * and prints them, with the triangles that it takes. */
void fold_run(fold_kind kind, uint32_t size, uint32_t shapes, uint32_t trees, uint64_t seed,
              fold_tally *tally);

/* The same for meshes of a kind. Prints the tally, and fails unless both sides of the border have
 * their share. */
void fold_run_kind(fold_kind kind, const fold_numbers *numbers, fold_tally *sum);

#endif
