/* tri_cases.h - pairs of triangles that are hard to decide, made by families from a number.
 *
 * A case is a pure function of (family, number), so a failing one is named by these two and can be
 * made again alone. Families are the rows of one table; most of them put the corners on a lattice
 * that floats hold exactly, so that touching is touching and not almost. */
#ifndef TEST_TRI_CASES_H
#define TEST_TRI_CASES_H

#include <stdbool.h>
#include <stdint.h>

/* X(enum, function, name, can the triangles miss each other?) */
#define TRI_FAMILIES(X)                                                                            \
    X(RANDOM, random, "random", true)                                                              \
    X(RANDOM_FAR, random_far, "random, far from the origin", true)                                 \
    X(GRID, grid, "small grid", true)                                                              \
    X(GRID_NUMBERED, grid_numbered, "small grid, pool of vertices", true)                          \
    X(SHARED_VERTEX, shared_vertex, "shared vertex", false)                                        \
    X(SHARED_VERTEX_GRID, shared_vertex_grid, "shared vertex on a lattice", false)                 \
    X(SHARED_EDGE, shared_edge, "shared edge", false)                                              \
    X(ALL_SHARED, all_shared, "all three shared", false)                                           \
    X(SHEET, sheet, "sheet: neighbours of a mesh", true)                                           \
    X(EQUAL, equal, "equal positions", false)                                                      \
    X(COPLANAR, coplanar, "coplanar, anyhow", true)                                                \
    X(COPLANAR_INSIDE, coplanar_inside, "coplanar, one inside", false)                             \
    X(COPLANAR_VERTEX, coplanar_vertex, "coplanar, touching at a vertex", true)                    \
    X(COPLANAR_EDGE, coplanar_edge, "coplanar, collinear edges", true)                             \
    X(COPLANAR_CROSSING, coplanar_crossing, "coplanar, crossing", true)                            \
    X(VERTEX_ON_FACE, vertex_on_face, "vertex on face", true)                                      \
    X(VERTEX_ON_EDGE, vertex_on_edge, "vertex on edge", true)                                      \
    X(VERTEX_ON_VERTEX, vertex_on_vertex, "vertex on vertex", false)                               \
    X(EDGE_ON_EDGE, edge_on_edge, "edge on edge", true)                                            \
    X(EDGE_THROUGH_FACE, edge_through_face, "edge through face", true)                             \
    X(EDGE_IN_PLANE, edge_in_plane, "edge in the other's plane", true)                             \
    X(NEARLY_TOUCHING, nearly_touching, "one ulp off touching", true)                              \
    X(NEARLY_COPLANAR, nearly_coplanar, "one ulp off coplanar", true)                              \
    X(NEARLY_SHARED, nearly_shared, "shared, one ulp off flat", false)                             \
    X(ROUNDED_PLANE, rounded_plane, "coplanar but for rounding", true)                             \
    X(ROUNDED_TOUCH, rounded_touch, "touching but for rounding", true)                             \
    X(ROUNDED_SHARED, rounded_shared, "shared, touching but for rounding", false)                  \
    X(OFF_ORIGIN_PLANE, off_origin_plane, "plane through far integers", true)                      \
    X(NEEDLES, needles, "needles", true)                                                           \
    X(SLIVERS, slivers, "slivers", true)                                                           \
    X(POINTS, points, "points", true)                                                              \
    X(SEGMENTS, segments, "segments", true)                                                        \
    X(COLLINEAR, collinear, "everything on one line", true)                                        \
    X(DENORMALS, denormals, "denormals", true)                                                     \
    X(SMALLEST_NORMALS, smallest_normals, "around the smallest normals", true)                     \
    X(UNDERFLOW, underflow, "products that underflow", true)                                       \
    X(OVERFLOW, overflow, "products that overflow", true)                                          \
    X(OVERFLOW_EDGE, overflow_edge, "products that just overflow or just do not", true)            \
    X(HUGE, huge, "1e30", true)                                                                    \
    X(LARGEST, largest, "largest floats", true)                                                    \
    X(WIDE, wide, "a magnitude per coordinate", true)                                              \
    X(WIDE_PLANE, wide_plane, "coplanar, a magnitude per vertex", true)                            \
    X(WIDE_LINE, wide_line, "edges in line, a magnitude per vertex", true)                         \
    X(MIXED, mixed, "1e30 and 1e-30 mixed", true)                                                  \
    X(TINY_ON_HUGE, tiny_on_huge, "1e-30 near 1e30's plane", true)

typedef enum tri_family {
#define TRI_FAMILY_ENTRY(name, function, words, can_miss) TRI_FAMILY_##name,
    TRI_FAMILIES(TRI_FAMILY_ENTRY)
#undef TRI_FAMILY_ENTRY
        TRI_FAMILY_COUNT
} tri_family;

typedef struct tri_case {
    float a[3][3], b[3][3];
    uint32_t ia[3], ib[3]; /* equal numbers: equal positions; the converse need not hold */
} tri_case;

const char *tri_family_name(tri_family family);

/* False if every pair of the family meets by construction. */
bool tri_family_can_miss(tri_family family);

void tri_case_make(tri_case *out, tri_family family, uint64_t number);

/* Splitmix64, for tests that need more choices of the same kind. */
typedef struct tri_random {
    uint64_t state;
} tri_random;

uint64_t tri_random_next(tri_random *random);
int tri_random_int(tri_random *random, int least, int greatest);
float tri_random_float(tri_random *random, float least, float greatest);

#endif
