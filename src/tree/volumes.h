/* volumes.h - volumes of the children of a node, eight side by side: boxes, slabs along diagonals,
 * spheres. */
#ifndef WI_TREE_VOLUMES_H
#define WI_TREE_VOLUMES_H

#include <stdalign.h>
#include "base/check.h"
#include "base/wide.h"

/* Boxes of children side by side; 0 where there is none. */
typedef struct wi_lanes {
    alignas(64) float lower[3][WI_LANES];
    float upper[3][WI_LANES];
} wi_lanes;

/* Slabs of children along x + y, x - y, x + z, x - z, y + z and y - z: with their boxes k-DOPs of
 * 18 planes. */
enum { WI_DIAGONALS = 6 };

typedef struct wi_slabs {
    alignas(64) float lower[WI_DIAGONALS][WI_LANES];
    float upper[WI_DIAGONALS][WI_LANES];
} wi_slabs;

typedef struct wi_spheres {
    alignas(64) float centre[3][WI_LANES];
    float radius[WI_LANES];
} wi_spheres;

/* One coordinate along a diagonal: exact but for one rounding. */
static inline double wi_diagonal(int number, const double p[3])
{
    WI_ASSERT(number >= 0 && number < WI_DIAGONALS);
    static const int first[] = {0, 0, 0, 0, 1, 1}, second[] = {1, 1, 2, 2, 2, 2};
    const double q = p[second[number]];
    return p[first[number]] + (number % 2 == 0 ? q : -q);
}

/* Beyond boxes, by node, true as its boxes are; either may be NULL. */
typedef struct wi_volumes {
    wi_slabs *slabs;
    wi_spheres *spheres;
} wi_volumes;

#endif
