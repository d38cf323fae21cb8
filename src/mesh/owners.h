/* owners.h - every vertex and every edge belongs to one triangle, the lowest that has it.
 *
 * So what is asked of pairs of triangles can be asked of their vertices and edges once each,
 * however many triangles share them (representative triangles: Curtis et al. 2008). */
#ifndef WI_MESH_OWNERS_H
#define WI_MESH_OWNERS_H

#include "mesh/mesh.h"

/* Bit i of a triangle: it owns its corner i; bit 3 + i: it owns the edge from there to the next.
 * Triangles that do not collide own nothing; an edge from a vertex to itself is none. */
enum { WI_OWNED_EDGES = 3 };

/* By slot, made when it is first asked for; any thread may ask. NULL if there is no memory. */
const uint8_t *wi_mesh_owners(wi_memory *memory, const wi_mesh *mesh);

void wi_owners_free(wi_memory *memory, wi_mesh *mesh);

#endif
