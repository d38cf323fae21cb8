/* tri_tri.h - do two triangles meet? Exact, for one pair at a time (C1, C2). */
#ifndef WI_PRIM_MEET_TRI_TRI_H
#define WI_PRIM_MEET_TRI_TRI_H

#include <stdbool.h>
#include <stdint.h>
#include "geom/tri.h"

/* True if and only if the closed triangles have a point in common. */
bool wi_tris_meet(const wi_tri *a, const wi_tri *b);

/* For triangles whose corners 0 are one vertex: true if they meet in more than that point. */
bool wi_tris_meet_beyond_vertex(const wi_tri *a, const wi_tri *b);

/* For triangles whose corners 0 and 1 are the same two vertices, in the same order: true if they
 * meet in more than the segment between them. */
bool wi_tris_meet_beyond_edge(const wi_tri *a, const wi_tri *b);

/* The one of the three above that fits `shared` common vertices; true for 3. */
bool wi_tris_meet_beyond(unsigned shared, const wi_tri *a, const wi_tri *b);

/* How many different vertex numbers two triangles have in common, and orders of their corners that
 * put these first, in the same order for both. */
unsigned wi_share_order(const uint32_t a[3], const uint32_t b[3], uint8_t order_a[3],
                        uint8_t order_b[3]);

/* Rule C2 for triangles of one body, given their positions and vertex numbers. */
bool wi_tris_are_pair(const wi_tri *a, const uint32_t a_vertices[3], const wi_tri *b,
                      const uint32_t b_vertices[3]);

#endif
