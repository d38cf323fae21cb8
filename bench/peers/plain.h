/* plain.h - the yardstick tree by itself: build, refit, candidates, triangle test, pairs.
 *
 * The bench runs it as `peer:plain` through bench/peer.h; the probes time its parts one by one.
 * Positions stay with the caller and are read in place, `stride` floats from one vertex to the
 * next. Functions that return bool fail only for memory. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plain_mesh {
    const float *positions;  /* x, y, z */
    size_t stride;           /* in floats */
    const uint32_t *indices; /* three per triangle */
    uint32_t triangle_count;
} plain_mesh;

typedef struct plain_pair {
    uint32_t tri_a, tri_b;
} plain_pair;

/* A list that grows. Start with all zero; the functions below append. */
typedef struct plain_pairs {
    plain_pair *items;
    size_t count, capacity;
} plain_pairs;

typedef struct plain_tree plain_tree;

/* Room for a tree over as many triangles, not yet built. */
plain_tree *plain_tree_create(uint32_t triangle_count);
void plain_tree_destroy(plain_tree *tree);
size_t plain_tree_bytes(const plain_tree *tree);

void plain_tree_build(plain_tree *tree, const plain_mesh *mesh);
void plain_tree_refit(plain_tree *tree, const plain_mesh *mesh);

/* Triangle pairs whose boxes overlap, in the order of the traversal. Self: triangles that share a
 * vertex number are left out, and tri_a < tri_b. */
bool plain_collect_pairs(const plain_tree *a, const plain_tree *b, plain_pairs *out);
bool plain_collect_self(const plain_tree *tree, const plain_mesh *mesh, plain_pairs *out);

/* out[i] = 1 if the closed triangles of candidates[i] meet, in double precision. */
void plain_test_pairs(const plain_mesh *a, const plain_mesh *b, const plain_pair *candidates,
                      size_t count, uint8_t *out);

/* The pairs that meet. `most` ends the search early: 1 finds a first pair, SIZE_MAX all. */
bool plain_find_pairs(const plain_tree *tree_a, const plain_mesh *a, const plain_tree *tree_b,
                      const plain_mesh *b, size_t most, plain_pairs *out);
bool plain_find_self(const plain_tree *tree, const plain_mesh *mesh, size_t most, plain_pairs *out);

#ifdef __cplusplus
}
#endif
#endif
