/* odd_mesh.h - meshes of any size whose triangles hang together in odd ways.
 *
 * For what goes from triangle to triangle over shared vertices. A mesh is a pure function of its
 * kind, size and seed; where its vertices are has nothing to do with how they are joined if the
 * seed is odd, and follows it if the seed is even. */
#ifndef TEST_ODD_MESH_H
#define TEST_ODD_MESH_H

#include <stdint.h>
#include "support/tree_site.h"

/* X(enum, function, name) */
#define ODD_KINDS(X)                                                                               \
    X(STRIP, strip, "a long strip")                                                                \
    X(FAN, fan, "a fan around one vertex")                                                         \
    X(PINWHEEL, pinwheel, "triangles with one vertex in common and nothing else")                  \
    X(BOOK, book, "triangles with one edge in common")                                             \
    X(BOW_TIES, bow_ties, "a chain that holds at single vertices")                                 \
    X(CACTUS, cactus, "a triangle at every corner of every triangle, never closed")                \
    X(LEGS, legs, "many short strips from one vertex")                                             \
    X(CATERPILLAR, caterpillar, "a strip with a triangle at each of its vertices")                 \
    X(LACE, lace, "a sheet of which every third cell is missing")                                  \
    X(PIECES, pieces, "fans of one triangle, two, three and so on")                                \
    X(DOUBLING, doubling, "strips of one triangle, two, four and so on")                           \
    X(DUST, dust, "a strip and as many triangles apart")                                           \
    X(SOUP, soup, "all apart")                                                                     \
    X(REPEATED, repeated, "short chains of triangles that name a vertex twice or thrice")

typedef enum odd_kind {
#define ODD_KIND_ENTRY(name, function, words) ODD_KIND_##name,
    ODD_KINDS(ODD_KIND_ENTRY)
#undef ODD_KIND_ENTRY
        ODD_KIND_COUNT
} odd_kind;

const char *odd_kind_name(odd_kind kind);

/* A site with such a mesh of so many triangles, at least one. Their slots are shuffled. */
void odd_mesh_open(tree_site *s, odd_kind kind, uint32_t tris, uint64_t seed);

#endif
