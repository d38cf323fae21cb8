/* owners.h - every vertex and every edge belongs to one triangle, the lowest that has it.
 *
 * So what is asked of pairs of triangles can be asked of their vertices and edges once each,
 * however many triangles share them (representative triangles: Curtis et al. 2008). In a body with
 * group masks a vertex has an owner in every group, since what it may touch depends on the group.
 */
#ifndef WI_MESH_OWNERS_H
#define WI_MESH_OWNERS_H

#include "mesh/mesh.h"

/* Bit i of a triangle: it owns its corner i; bit 3 + i: it owns the edge from there to the next.
 * Triangles that do not collide own nothing; an edge from a vertex to itself is none. */
enum { WI_OWNED_EDGES = 3 };

typedef struct wi_owners {
    uint8_t *owned;          /* by slot: bits */
    uint8_t *owned_in_group; /* the same for the lowest triangles of each group; NULL: no masks */
    uint32_t (*corner)[3];   /* by slot: the owner of each corner, over all groups; with masks */
    uint32_t (*edge)[3];     /* and of each edge */
    uint32_t tri_count;
} wi_owners;

/* Made when it is first asked for; any thread may ask. NULL if there is no memory. The mesh has
 * triangles. */
const wi_owners *wi_mesh_owners(wi_memory *memory, const wi_mesh *mesh);

/* Forgets them: the mesh goes, or has other masks. */
void wi_owners_forget(wi_memory *memory, wi_mesh *mesh);
void wi_owners_forget_at(wi_memory *memory, _Atomic(wi_owners *) *place);

size_t wi_owners_bytes(const wi_mesh *mesh);

#endif
