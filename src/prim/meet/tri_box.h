/* tri_box.h - does a triangle meet an axis-aligned box? Exact (C1). */
#ifndef WI_PRIM_MEET_TRI_BOX_H
#define WI_PRIM_MEET_TRI_BOX_H

#include <stdbool.h>
#include "geom/tri.h"

/* Closed point sets; an empty box (lower above upper) meets nothing. */
bool wi_tri_meets_box(const wi_tri *t, const float lower[3], const float upper[3]);

#endif
