/* tri_cross.h - do two triangles go through each other, and not only touch? Exact. */
#ifndef WI_PRIM_MEET_TRI_CROSS_H
#define WI_PRIM_MEET_TRI_CROSS_H

#include <stdbool.h>
#include "geom/tri.h"

/* As willow_tri_tri_cross. */
bool wi_tris_cross(const wi_tri *a, const wi_tri *b);

#endif
