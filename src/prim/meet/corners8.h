/* corners8.h - eight pairs of triangles at once: do they have a corner in the same place?
 *
 * If so they meet, and no sign has to be computed. So it is with the two sides of a crack when it
 * is born, and with seams of meshes that were made side by side: triangles there lie in one plane
 * or fold about one line, where a filter in float32 is certain of nothing. */
#ifndef WI_PRIM_MEET_CORNERS8_H
#define WI_PRIM_MEET_CORNERS8_H

#include "prim/meet/tri_filter.h"

/* Bit i: one of the corners of lane i of a is one of b. */
typedef unsigned wi_corners8(const wi_tri8 *a, const wi_tri8 *b);

#endif
