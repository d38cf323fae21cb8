/* gap8.h - eight pairs of triangles at once, in float32: how far they are apart, at least.
 *
 * For fronts (walk/front.h): what is far apart need not be looked at again for some time. */
#ifndef WI_PRIM_GAP8_H
#define WI_PRIM_GAP8_H

#include "prim/tri_filter.h"

/* gap[i]: as long as no coordinate of a corner of a has come closer to that of a corner of b by more
 * than this, the triangles of lane i are apart. 0 where they may meet now, or it is not known. */
typedef void wi_gap8(const wi_tri8 *a, const wi_tri8 *b, float gap[WI_LANES]);

#endif
