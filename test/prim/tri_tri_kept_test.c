/* tri_tri_kept_test.c - pairs of triangles whose answers were reasoned out by hand, and a sample of
 * every family of the million (tri_tri_oracle_slow_test.c), small enough for sanitizers.
 *
 * A pair that was ever decided wrongly is added to the list, as the oracle prints it. Every pair of
 * the list is tried with its corners in all orders, with its axes exchanged, scaled and moved, as
 * far as floats hold the result exactly: none of this changes an answer. */
#include <float.h>
#include <math.h>
#include "support/rational_tri.h"
#include "support/test.h"
#include "support/tri_cases.h"
#include "support/tri_check.h"
#include "willow/prim.h"

typedef struct kept {
    const char *what;
    tri_case pair;
    bool meet;    /* have the triangles a common point? (C1) */
    bool is_pair; /* and beyond the hull of what they share? (C2) */
} kept;

/* The triangle that most others are held against, and vertex numbers that have nothing in common.
 */
#define T                                                                                          \
    {                                                                                              \
        {0, 0, 0}, {4, 0, 0}, { 0, 4, 0 }                                                          \
    }
#define POINT(x, y, z)                                                                             \
    {                                                                                              \
        {x, y, z}, {x, y, z}, { x, y, z }                                                          \
    }
#define STRANGERS                                                                                  \
    {0, 1, 2}, { 3, 4, 5 }
#define MEET true, true
#define MISS false, false
#define TOUCH_ONLY true, false

/* The largest float, the smallest, a large one. */
#define MAX FLT_MAX
#define TINY 0x1p-149F
#define LARGE 0x1p100F

/* clang-format off */
static const kept list[] = {
    /* --- Decided wrongly once. */
    {"products overflow while the cube of the greatest difference does not",
     {{{0, 0, 0}, {6.95e12F, 6.95e12F, -6.95e12F}, {0, 6.95e12F, 6.95e12F}},
      {{3.5445e12F, 6.95e12F, -6.95e12F}, {1.2093e12F, 2.55e12F, 6.255e12F},
       {2.085e12F, 2.085e12F, 6.255e12F}}, STRANGERS}, MEET},
    {"a common vertex, an edge on an edge, and squares that overflow",
     {{{0, 0, 0}, {1.72e19F, -1.72e19F, 0}, {1.72e19F, 1.72e19F, 0}},
      {{0, 0, 0}, {1.72e19F, -1.72e19F, 0}, {-0.86e19F, -1.72e19F, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},

    /* --- Faces, edges and corners in space. */
    {"a triangle and itself", {T, T, STRANGERS}, MEET},
    {"parallel planes", {T, {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, STRANGERS}, MISS},
    {"vertex in face", {T, {{1, 1, 0}, {1, 1, 3}, {2, 1, 3}}, STRANGERS}, MEET},
    {"vertex on edge", {T, {{2, 0, 0}, {2, -1, 3}, {3, -1, 3}}, STRANGERS}, MEET},
    {"vertex on the long edge, from outside", {T, {{2, 2, 0}, {3, 3, 1}, {3, 3, -1}}, STRANGERS}, MEET},
    {"vertex on vertex", {T, {{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, STRANGERS}, MEET},
    {"vertex in the plane, beyond the long edge", {T, {{3, 2, 0}, {4, 4, 1}, {4, 4, -1}}, STRANGERS}, MISS},
    {"edge through face", {T, {{1, 1, -1}, {1, 1, 1}, {5, 5, 0}}, STRANGERS}, MEET},
    {"edge through edge", {T, {{2, 0, -1}, {2, 0, 1}, {2, -4, 0}}, STRANGERS}, MEET},
    {"edge through vertex", {T, {{4, 0, -1}, {4, 0, 1}, {8, 0, 0}}, STRANGERS}, MEET},
    {"edge past the long edge", {T, {{3, 3, -1}, {3, 3, 1}, {5, 5, 0}}, STRANGERS}, MISS},
    {"edges cross in one point", {T, {{2, -1, -1}, {2, 1, 1}, {2, -1, 1}}, STRANGERS}, MEET},
    {"edges pass at distance one", {T, {{2, -2, -1}, {2, 0, 1}, {2, -2, 1}}, STRANGERS}, MISS},
    {"edges cross at x = 4/3", {T, {{1, -1, -1}, {2, 2, 2}, {1, -4, 2}}, STRANGERS}, MEET},
    {"edge passes the edge at x = 4/3", {T, {{1, -2, -1}, {2, 1, 2}, {1, -4, 2}}, STRANGERS}, MISS},

    /* --- Coplanar. */
    {"coplanar, inside", {T, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, STRANGERS}, MEET},
    {"coplanar, around", {T, {{-4, -4, 0}, {20, -4, 0}, {-4, 20, 0}}, STRANGERS}, MEET},
    {"coplanar, star", {T, {{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}}, STRANGERS}, MEET},
    {"coplanar, vertex on vertex", {T, {{4, 0, 0}, {6, 0, 0}, {6, 2, 0}}, STRANGERS}, MEET},
    {"coplanar, vertex on edge", {T, {{2, 0, 0}, {1, -2, 0}, {3, -2, 0}}, STRANGERS}, MEET},
    {"coplanar, vertex on the long edge", {T, {{2, 2, 0}, {4, 3, 0}, {3, 4, 0}}, STRANGERS}, MEET},
    {"coplanar, edge on edge", {T, {{1, 0, 0}, {3, 0, 0}, {2, -2, 0}}, STRANGERS}, MEET},
    {"coplanar, edges in line, end to end", {T, {{4, 0, 0}, {8, 0, 0}, {6, -2, 0}}, STRANGERS}, MEET},
    {"coplanar, edges in line, a gap", {T, {{5, 0, 0}, {8, 0, 0}, {6, -2, 0}}, STRANGERS}, MISS},
    {"coplanar, parallel edges", {T, {{0, -1, 0}, {4, -1, 0}, {2, -3, 0}}, STRANGERS}, MISS},
    {"coplanar, boxes overlap", {T, {{3, 2, 0}, {5, 2, 0}, {3, 5, 0}}, STRANGERS}, MISS},
    {"coplanar, two thin ones crossed",
     {{{-4, 0, 0}, {4, 0, 0}, {4, 1, 0}}, {{0, -4, 0}, {0, 4, 0}, {1, 4, 0}}, STRANGERS}, MEET},

    /* --- Points. */
    {"point in face", {T, POINT(1, 1, 0), STRANGERS}, MEET},
    {"point on edge", {T, POINT(2, 0, 0), STRANGERS}, MEET},
    {"point on the long edge", {T, POINT(1, 3, 0), STRANGERS}, MEET},
    {"point on vertex", {T, POINT(0, 4, 0), STRANGERS}, MEET},
    {"point in the plane, outside", {T, POINT(3, 3, 0), STRANGERS}, MISS},
    {"point in line with an edge", {T, POINT(5, 0, 0), STRANGERS}, MISS},
    {"point above", {T, POINT(1, 1, 1), STRANGERS}, MISS},
    {"point and itself", {POINT(1, 2, 3), POINT(1, 2, 3), STRANGERS}, MEET},
    {"point and another", {POINT(0, 0, 0), POINT(0, 0, 1), STRANGERS}, MISS},
    {"point and zero of the other sign", {POINT(0, 0, 0), POINT(-0.0F, 0, -0.0F), STRANGERS}, MEET},
    {"point in segment", {{{0, 0, 0}, {4, 4, 4}, {4, 4, 4}}, POINT(2, 2, 2), STRANGERS}, MEET},
    {"point at the end of a segment", {{{0, 0, 0}, {4, 4, 4}, {4, 4, 4}}, POINT(4, 4, 4), STRANGERS}, MEET},
    {"point in line with a segment", {{{0, 0, 0}, {4, 4, 4}, {4, 4, 4}}, POINT(5, 5, 5), STRANGERS}, MISS},
    {"point beside a segment", {{{0, 0, 0}, {4, 4, 4}, {4, 4, 4}}, POINT(2, 2, 3), STRANGERS}, MISS},

    /* --- Segments. */
    {"segment through face, its middle corner on it", {T, {{1, 1, -2}, {1, 1, 0}, {1, 1, 2}}, STRANGERS}, MEET},
    {"segment through face", {T, {{1, 1, -1}, {1, 1, -1}, {1, 1, 1}}, STRANGERS}, MEET},
    {"segment through edge", {T, {{2, 0, -1}, {2, 0, 1}, {2, 0, 3}}, STRANGERS}, MEET},
    {"segment through vertex", {T, {{-1, -1, -1}, {1, 1, 1}, {1, 1, 1}}, STRANGERS}, MEET},
    {"segment ends on face", {T, {{1, 1, 0}, {1, 1, 2}, {1, 1, 2}}, STRANGERS}, MEET},
    {"segment ends above face", {T, {{1, 1, 1}, {1, 1, 2}, {1, 1, 3}}, STRANGERS}, MISS},
    {"segment through the plane, outside", {T, {{3, 3, -1}, {3, 3, 1}, {3, 3, 0}}, STRANGERS}, MISS},
    {"segment in the plane, across", {T, {{-1, 1, 0}, {5, 1, 0}, {5, 1, 0}}, STRANGERS}, MEET},
    {"segment in the plane, inside", {T, {{1, 1, 0}, {2, 1, 0}, {1, 1, 0}}, STRANGERS}, MEET},
    {"segment in the plane, along an edge", {T, {{-1, 0, 0}, {1, 0, 0}, {5, 0, 0}}, STRANGERS}, MEET},
    {"segment in the plane, through a corner", {T, {{-1, 1, 0}, {1, -1, 0}, {1, -1, 0}}, STRANGERS}, MEET},
    {"segment in the plane, past a corner", {T, {{-1, 0, 0}, {0, -1, 0}, {0, -1, 0}}, STRANGERS}, MISS},
    {"segment in line with an edge, a gap", {T, {{5, -1, 0}, {6, -2, 0}, {7, -3, 0}}, STRANGERS}, MISS},
    {"segment in line with an edge, from its end", {T, {{4, 0, 0}, {6, -2, 0}, {7, -3, 0}}, STRANGERS}, MEET},
    {"segments cross", {{{0, 0, 0}, {4, 4, 0}, {2, 2, 0}}, {{0, 4, 0}, {4, 0, 0}, {4, 0, 0}}, STRANGERS}, MEET},
    {"segments cross at thirds", {{{0, 0, 0}, {3, 3, 3}, {3, 3, 3}}, {{0, 0, 1}, {2, 2, 0}, {2, 2, 0}}, STRANGERS}, MEET},
    {"segments pass each other", {{{0, 0, 0}, {4, 4, 0}, {2, 2, 0}}, {{0, 4, 1}, {4, 0, 1}, {4, 0, 1}}, STRANGERS}, MISS},
    {"segments pass, boxes overlap", {{{0, 0, 0}, {3, 3, 3}, {3, 3, 3}}, {{1, 0, 1}, {3, 2, 0}, {3, 2, 0}}, STRANGERS}, MISS},
    {"segments in line, overlapping", {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{3, 0, 0}, {6, 0, 0}, {6, 0, 0}}, STRANGERS}, MEET},
    {"segments in line, end to end", {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{4, 0, 0}, {6, 0, 0}, {5, 0, 0}}, STRANGERS}, MEET},
    {"segments in line, one in the other", {{{0, 0, 0}, {8, 4, 0}, {2, 1, 0}}, {{4, 2, 0}, {6, 3, 0}, {6, 3, 0}}, STRANGERS}, MEET},
    {"segments in line, a gap", {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}}, STRANGERS}, MISS},
    {"segments in parallel", {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{0, 1, 0}, {4, 1, 0}, {2, 1, 0}}, STRANGERS}, MISS},
    {"segments like a T", {{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {2, 3, 0}, {2, 3, 0}}, STRANGERS}, MEET},
    {"segments like a T, a gap", {{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}, {{2, 1, 0}, {2, 3, 0}, {2, 3, 0}}, STRANGERS}, MISS},

    /* --- One shared vertex. */
    {"shared vertex, nothing more", {T, {{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared place, other number", {T, {{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, {0, 1, 2}, {5, 3, 4}}, MEET},
    {"shared vertex, and through the face", {T, {{0, 0, 0}, {2, 2, 1}, {2, 2, -1}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, and through an edge", {T, {{0, 0, 0}, {4, 0, 1}, {4, 0, -1}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, far edge through the far vertex", {T, {{0, 0, 0}, {4, 1, 1}, {4, -1, -1}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, far edge just past an edge", {T, {{0, 0, 0}, {4, -1, 1}, {4, -1, -1}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, an edge in the face", {T, {{0, 0, 0}, {1, 1, 0}, {1, 1, 1}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, an edge across the face", {T, {{0, 0, 0}, {4, 4, 0}, {4, 4, 1}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, an edge in the plane, away", {T, {{0, 0, 0}, {-1, 1, 0}, {1, 1, 1}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, coplanar, away", {T, {{0, 0, 0}, {-2, 0, 0}, {0, -2, 0}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, coplanar, side by side", {T, {{0, 0, 0}, {2, 0, 0}, {2, -2, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, coplanar, inside", {T, {{0, 0, 0}, {2, 1, 0}, {1, 2, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, coplanar, around", {T, {{0, 0, 0}, {9, -1, 0}, {-1, 9, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, one is a point", {POINT(0, 0, 0), T, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, both are points", {POINT(1, 1, 1), POINT(1, 1, 1), {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, segment in the face", {T, {{0, 0, 0}, {2, 2, 0}, {2, 2, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, segment across the face", {T, {{0, 0, 0}, {4, 4, 0}, {4, 4, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, segment out of the plane", {T, {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex inside a segment through the plane", {T, {{0, 0, 0}, {-1, -1, -1}, {1, 1, 1}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex inside a segment in the plane", {T, {{0, 0, 0}, {-1, -1, 0}, {1, 1, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex inside a segment past the corner", {T, {{0, 0, 0}, {-1, 1, 0}, {1, -1, 0}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex inside a triangle that is a segment",
     {{{2, 2, 0}, {0, 0, 0}, {4, 4, 0}}, {{2, 2, 0}, {0, 4, 0}, {4, 0, 0}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, segments on one line, same way",
     {{{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {0, 1, 2}, {0, 3, 4}}, MEET},
    {"shared vertex, segments on one line, opposite ways",
     {{{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {-1, 0, 0}, {-3, 0, 0}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, and a second place in common",
     {T, {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, {0, 1, 2}, {0, 3, 4}}, MEET},

    /* --- Two shared vertices. */
    {"shared edge, a hinge", {T, {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared edge, a hinge the other way round", {T, {{4, 0, 0}, {0, 0, 0}, {0, 0, 4}}, {0, 1, 2}, {1, 0, 3}}, TOUCH_ONLY},
    {"shared edge, flat", {T, {{0, 0, 0}, {4, 0, 0}, {2, -3, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared edge, folded back inside", {T, {{0, 0, 0}, {4, 0, 0}, {2, 1, 0}}, {0, 1, 2}, {0, 1, 3}}, MEET},
    {"shared edge, folded back across", {T, {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}, {0, 1, 2}, {0, 1, 3}}, MEET},
    {"shared edge, third vertex in the same place", {T, T, {0, 1, 2}, {0, 1, 3}}, MEET},
    {"shared edge, the other is that edge", {T, {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared edge, the other is longer", {T, {{0, 0, 0}, {4, 0, 0}, {6, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared edge, both are that edge",
     {{{0, 0, 0}, {4, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared edge, both longer the same way",
     {{{0, 0, 0}, {4, 0, 0}, {6, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, MEET},
    {"shared edge, longer in opposite ways",
     {{{0, 0, 0}, {4, 0, 0}, {6, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {-2, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"two vertices shared in one place, apart else",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {0, 4, 0}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"two vertices shared in one place, along each other",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {2, 0, 0}}, {0, 1, 2}, {0, 1, 3}}, MEET},
    {"two vertices shared in one place, one a point",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, POINT(0, 0, 0), {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},

    /* --- Three shared vertices, and numbers that occur twice. */
    {"the same triangle", {T, T, {0, 1, 2}, {0, 1, 2}}, MEET},
    {"the same point, three numbers", {POINT(1, 1, 1), POINT(1, 1, 1), {0, 1, 2}, {0, 1, 2}}, MEET},
    {"the same segment, two numbers",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {0, 0, 1}, {0, 0, 1}}, TOUCH_ONLY},
    {"the same segment, each number twice in one",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {0, 0, 1}, {0, 1, 1}}, TOUCH_ONLY},
    {"the same point, one number", {POINT(1, 1, 1), POINT(1, 1, 1), {7, 7, 7}, {7, 7, 7}}, TOUCH_ONLY},
    {"an edge of two numbers and its triangle",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, T, {0, 0, 1}, {0, 1, 2}}, TOUCH_ONLY},
    {"a vertex of one number and its triangle", {POINT(0, 0, 0), T, {0, 0, 0}, {0, 1, 2}}, TOUCH_ONLY},
    {"a segment of two numbers, one shared, along an edge",
     {{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}}, T, {0, 0, 5}, {0, 1, 2}}, MEET},
    {"a segment of two numbers, one shared, away",
     {{{0, 0, 0}, {0, 0, 0}, {0, 0, 2}}, T, {0, 0, 5}, {0, 1, 2}}, TOUCH_ONLY},
    {"a segment of two numbers and a longer one",
     {{{0, 0, 0}, {0, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}}, {0, 0, 1}, {0, 1, 2}}, TOUCH_ONLY},

    /* --- One ulp. */
    {"vertex on the long edge of three", {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{1, 2, 0}, {4, 4, 1}, {4, 4, -1}}, STRANGERS}, MEET},
    {"vertex one ulp beyond it", {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{0x1.000002p+0F, 2, 0}, {4, 4, 1}, {4, 4, -1}}, STRANGERS}, MISS},
    {"vertex one ulp inside it", {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{0x1.fffffep-1F, 2, 0}, {4, 4, 1}, {4, 4, -1}}, STRANGERS}, MEET},
    {"point in a tilted plane", {{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}}, POINT(0.5F, 0.25F, 0.75F), STRANGERS}, MEET},
    {"point one ulp above it", {{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}}, POINT(0.5F, 0.25F, 0x1.800002p-1F), STRANGERS}, MISS},
    {"shared edge, one ulp off flat, folded back",
     {T, {{0, 0, 0}, {4, 0, 0}, {2, 1, TINY}}, {0, 1, 2}, {0, 1, 3}}, TOUCH_ONLY},
    {"shared vertex, one ulp off the face",
     {T, {{0, 0, 0}, {2, 1, TINY}, {1, 2, TINY}}, {0, 1, 2}, {0, 3, 4}}, TOUCH_ONLY},
    {"shared vertex, one ulp through the face",
     {T, {{0, 0, 0}, {2, 1, TINY}, {1, 2, -TINY}}, {0, 1, 2}, {0, 3, 4}}, MEET},

    /* --- Magnitudes. */
    {"largest floats cross", {{{-MAX, -MAX, 0}, {MAX, -MAX, 0}, {0, MAX, 0}}, {{0, 0, -MAX}, {0, 0, MAX}, {MAX, MAX, MAX}}, STRANGERS}, MEET},
    {"largest floats, apart by the smallest",
     {{{-MAX, -MAX, 0}, {MAX, -MAX, 0}, {0, MAX, 0}}, {{-MAX, -MAX, TINY}, {MAX, -MAX, TINY}, {0, MAX, TINY}}, STRANGERS}, MISS},
    {"smallest point on the largest diagonal", {{{-MAX, -MAX, -MAX}, {MAX, MAX, MAX}, {MAX, MAX, MAX}}, POINT(TINY, TINY, TINY), STRANGERS}, MEET},
    {"smallest point beside the largest diagonal", {{{-MAX, -MAX, -MAX}, {MAX, MAX, MAX}, {MAX, MAX, MAX}}, POINT(TINY, TINY, 0), STRANGERS}, MISS},
    {"smallest triangle, point beyond its long edge", {{{0, 0, 0}, {TINY, 0, 0}, {0, TINY, 0}}, POINT(TINY, TINY, 0), STRANGERS}, MISS},
    {"smallest triangle through the largest",
     {{{-MAX, -MAX, 0}, {MAX, -MAX, 0}, {0, MAX, 0}}, {{0, 0, -TINY}, {TINY, 0, TINY}, {0, TINY, TINY}}, STRANGERS}, MEET},
    {"tip just above a large face",
     {{{-LARGE, -LARGE, 0}, {LARGE, -LARGE, 0}, {0, LARGE, 0}}, {{0, 0, 1 / LARGE}, {1, 0, 1}, {0, 1, 1}}, STRANGERS}, MISS},
    {"tip just through a large face",
     {{{-LARGE, -LARGE, 0}, {LARGE, -LARGE, 0}, {0, LARGE, 0}}, {{0, 0, -1 / LARGE}, {1, 0, 1}, {0, 1, 1}}, STRANGERS}, MEET},
    {"edge through a needle",
     {{{0, 0, 0}, {0x1p20F, 0, 0}, {0x1p20F, 0x1p-10F, 0}}, {{0x1p19F, 0x1p-11F, -1}, {0x1p19F, 0x1p-11F, 1}, {0x1p19F, 1, 0}}, STRANGERS}, MEET},
    {"edge past a needle",
     {{{0, 0, 0}, {0x1p20F, 0, 0}, {0x1p20F, 0x1p-10F, 0}}, {{0x1p19F, 0x1.000002p-11F, -1}, {0x1p19F, 0x1.000002p-11F, 1}, {0x1p19F, 1, 0}}, STRANGERS}, MISS},
};
/* clang-format on */

enum {
    LIST_COUNT = sizeof list / sizeof list[0],
    ORDERS = 6,
    AXES = 3,
    VARIANTS = ORDERS * ORDERS
};

/* The first AXES of them turn a thing without mirroring it. */
static const int orders[ORDERS][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                      {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

/* Corners of `in` in another order, and its axes too. */
static void reorder(const float in[3][3], const uint32_t numbers_in[3], const int corners[3],
                    const int axes[3], float out[3][3], uint32_t numbers_out[3])
{
    for (int i = 0; i < 3; i++) {
        numbers_out[i] = numbers_in[corners[i]];
        for (int axis = 0; axis < 3; axis++) out[i][axis] = in[corners[i]][axes[axis]];
    }
}

/* All orders of the corners, every other one with the two triangles exchanged as well. */
static void make_variants(const tri_case *c, const int axes[3], tri_case out[VARIANTS])
{
    for (int v = 0; v < VARIANTS; v++) {
        const int *order_a = orders[v % ORDERS], *order_b = orders[v / ORDERS];
        if ((v + v / ORDERS) % 2 == 0) {
            reorder(c->a, c->ia, order_a, axes, out[v].a, out[v].ia);
            reorder(c->b, c->ib, order_b, axes, out[v].b, out[v].ib);
        } else {
            reorder(c->b, c->ib, order_b, axes, out[v].a, out[v].ia);
            reorder(c->a, c->ia, order_a, axes, out[v].b, out[v].ib);
        }
    }
}

/* out = x * 2^exponent + offset, if that is exact and can be undone. */
static bool transform(float x, int exponent, float offset, float *out)
{
    float scaled = ldexpf(x, exponent);
    *out = scaled + offset;
    return isfinite(*out) && ldexpf(scaled, -exponent) == x &&
           (double)*out - (double)offset == (double)scaled;
}

static bool transform_case(tri_case *c, int exponent, const float offset[3])
{
    bool is_exact = true;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            bool exact_a = transform(c->a[i][axis], exponent, offset[axis], &c->a[i][axis]);
            bool exact_b = transform(c->b[i][axis], exponent, offset[axis], &c->b[i][axis]);
            is_exact = is_exact && exact_a && exact_b;
        }
    return is_exact;
}

static void check_variants(const kept *k, const tri_case *c, tri_tally *tally)
{
    static tri_case variants[VARIANTS];
    tri_tally own = {0};
    for (int axes = 0; axes < AXES; axes++) {
        make_variants(c, orders[axes], variants);
        tri_check_cases(variants, VARIANTS, VARIANTS, k->what, &own);
    }
    if (own.meet_count != (k->meet ? own.pair_count : 0) ||
        own.neighbour_count != (k->is_pair ? own.pair_count : 0))
        fail_msg("%s: not the answer that was reasoned out", k->what);
    tri_tally_add(tally, &own);
}

static void the_oracles_know_the_kept_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < LIST_COUNT; i++) {
        const tri_case *c = &list[i].pair;
        bool meet = rational_tris_meet(c->a, c->b);
        bool pair = rational_tris_pair(c->a, c->ia, c->b, c->ib);
        if (meet != list[i].meet || pair != list[i].is_pair) fail_msg("%s", list[i].what);
        meet = rational_tris_meet_slow(c->a, c->b);
        pair = rational_tris_pair_slow(c->a, c->ia, c->b, c->ib);
        if (meet != list[i].meet || pair != list[i].is_pair) fail_msg("slowly: %s", list[i].what);
    }
}

static void kept_pairs_are_decided_right_in_every_order(void **state)
{
    (void)state;
    static const float nowhere[3] = {0, 0, 0};
    static const int exponents[] = {0, -149, -75, 100};
    tri_tally tally = {0};
    for (size_t i = 0; i < LIST_COUNT; i++)
        for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
            tri_case c = list[i].pair;
            if (transform_case(&c, exponents[e], nowhere)) check_variants(&list[i], &c, &tally);
        }
    printf("%d kept pairs, %zu variants, %zu undecided by the filters\n", LIST_COUNT,
           tally.pair_count, tally.undecided_count);
    assert_true(tally.pair_count > (size_t)LIST_COUNT * VARIANTS * AXES);
    assert_int_equal(tri_tally_wrong(&tally), 0);
}

static void kept_pairs_are_decided_right_far_from_the_origin(void **state)
{
    (void)state;
    static const float somewhere[3] = {0x1p20F + 7, -0x1p19F - 3, 0x1p21F - 1};
    tri_tally tally = {0};
    for (size_t i = 0; i < LIST_COUNT; i++) {
        tri_case c = list[i].pair;
        if (transform_case(&c, 0, somewhere)) check_variants(&list[i], &c, &tally);
    }
    assert_true(tally.pair_count > (size_t)LIST_COUNT / 2 * VARIANTS * AXES);
    assert_int_equal(tri_tally_wrong(&tally), 0);
}

static void a_sample_of_every_family_agrees_with_the_oracle(void **state)
{
    (void)state;
    enum { SAMPLE = 203 };
    static tri_case cases[SAMPLE];
    tri_tally tally = {0};
    for (int family = 0; family < TRI_FAMILY_COUNT; family++) {
        for (uint64_t i = 0; i < SAMPLE; i++)
            tri_case_make(&cases[i], (tri_family)family, UINT64_C(1000000) + i);
        tri_check_cases(cases, SAMPLE, 50, tri_family_name((tri_family)family), &tally);
    }
    printf("%zu pairs, %zu meeting, %zu undecided by the filters\n", tally.pair_count,
           tally.meet_count, tally.undecided_count);
    assert_true(tally.meet_count > 0);
    assert_int_equal(tri_tally_wrong(&tally), 0);
}

/* Whole eights, rests and nothing: all answers are written, and nothing beyond them. */
static void many_at_once_takes_any_number_of_pairs(void **state)
{
    (void)state;
    enum { MOST = 35 };
    static const float positions[][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1},
                                         {5, 5, 0}, {0, 0, 9}, {4, 0, 9}, {0, 4, 9}};
    static const uint32_t indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    willow_tri_source source = {positions, sizeof positions[0], indices};
    willow_tri_pair pairs[MOST];
    for (uint32_t i = 0; i < MOST; i++) pairs[i] = (willow_tri_pair){0, 1 + i % 2};
    for (size_t count = 0; count <= MOST; count++) {
        uint8_t meet[MOST + 1];
        memset(meet, 77, sizeof meet);
        willow_tri_tri_meet_many(&source, &source, pairs, count, meet);
        for (size_t i = 0; i < count; i++) assert_int_equal(meet[i], i % 2 == 0);
        for (size_t i = count; i <= MOST; i++) assert_int_equal(meet[i], 77);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_oracles_know_the_kept_answers),
    cmocka_unit_test(kept_pairs_are_decided_right_in_every_order),
    cmocka_unit_test(kept_pairs_are_decided_right_far_from_the_origin),
    cmocka_unit_test(a_sample_of_every_family_agrees_with_the_oracle),
    cmocka_unit_test(many_at_once_takes_any_number_of_pairs),
};

TEST_GROUP(tri_tri_kept, tests);
