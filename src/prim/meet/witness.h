/* witness.h - a point where two triangles meet, for people to look at. */
#ifndef WI_PRIM_MEET_WITNESS_H
#define WI_PRIM_MEET_WITNESS_H

#include "geom/tri.h"
#include "willow/types.h"

/* As willow_tri_tri_witness. */
willow_vec3 wi_tri_tri_witness(const wi_tri *a, const wi_tri *b);

#endif
