/* apart8.h - eight pairs of moving triangles at once, in float32: certainly apart, or not known.
 *
 * For walks over steps: most triangles whose moving boxes meet are told apart here, and with them
 * all of their features. */
#ifndef WI_PRIM_MEET_APART8_H
#define WI_PRIM_MEET_APART8_H

#include "prim/meet/tri_filter.h"

/* Bit i: over the whole step the triangles of lane i are farther apart than `reach`. Triangles move
 * on straight lines from a[0] to a[1] and from b[0] to b[1], or stay at the first. Only `lanes` are
 * of interest. */
typedef unsigned wi_apart8(const wi_tri8 a[2], const wi_tri8 b[2], float reach, bool is_moving,
                           unsigned lanes);

#endif
