/* impact.h - where two features touch at the time of an impact: points, weights and a normal.
 *
 * The public functions of willow/prim.h are these on straight paths. */
#ifndef WI_PRIM_MOVING_IMPACT_H
#define WI_PRIM_MOVING_IMPACT_H

#include "willow/prim.h"

/* Of a vertex (a) and a face (b), and of two edges: four points at the start of the step and at the
 * time of the impact. Coordinates as in prim/signs/orient64.h. Same bits everywhere (C10). */
willow_contact wi_vertex_face_contact(const double start[4][3], const double at[4][3],
                                      double reach);
willow_contact wi_edge_edge_contact(const double start[4][3], const double at[4][3], double reach);

/* The same contact, seen from b. */
willow_contact wi_contact_swapped(const willow_contact *contact);

#endif
