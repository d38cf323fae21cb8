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

/* Takes meshes of all kinds through their shapes, in a world of BRUTE and in others of random
 * trees, kernels, threads and formats, with random questions. The numbers decide all. A difference
 * fails the test, with words about the mesh and the few triangles that it takes; so does a kind of
 * which one side of the border is hardly seen. */
void fold_run_all(const fold_numbers *numbers);

/* The same for one kind. */
void fold_run_kind(fold_kind kind, const fold_numbers *numbers);

#endif
