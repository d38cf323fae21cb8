/* contact64.h - do two primitives touch, with coordinates in double? Exact (C1).
 *
 * Coordinates are 0 or between 1e-90 and 1e90 in size. Triangles may be segments or points, and
 * edges points. */
#ifndef WI_PRIM_MOVING_CONTACT64_H
#define WI_PRIM_MOVING_CONTACT64_H

#include <stdbool.h>

bool wi_point_touches_tri(const double p[3], const double tri[3][3]);
bool wi_edges_touch(const double ea[2][3], const double eb[2][3]);

#endif
